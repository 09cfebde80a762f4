import SquallStore
import Squall
import SquallTestSupport
import Testing

/// `Database.addInterceptor`.
struct InterceptorTests {
    private enum Place {
        @TaskLocal static var name = "outside"
    }

    /// Binds a task-local value around calls, and writes down what they are and how they end.
    private struct Recorder: DatabaseInterceptor {
        let name: String
        let lines: Shared<[String]>

        nonisolated(nonsending) func intercept<Result: Sendable>(
            _ operation: DatabaseOperation, on database: Database,
            _ call: nonisolated(nonsending) () async throws -> Result
        ) async throws -> Result {
            lines.update { $0.append("\(name) \(operation)") }
            defer { lines.update { $0.append("\(name) end") } }
            return try await Place.$name.withValue("inside \(name)") { try await call() }
        }
    }

    private struct Refusal: Error {}

    private struct Refusing: DatabaseInterceptor {
        nonisolated(nonsending) func intercept<Result: Sendable>(
            _ operation: DatabaseOperation, on database: Database,
            _ call: nonisolated(nonsending) () async throws -> Result
        ) async throws -> Result {
            throw Refusal()
        }
    }

    @Test func theClosureSeesTheTaskLocalValuesOfTheInterceptor() async throws {
        let database = try Database(":memory:")
        let lines = Shared<[String]>([])
        database.addInterceptor(Recorder(name: "a", lines: lines))
        #expect(try await database.read { _ in Place.name } == "inside a")
        #expect(try await database.write { _ in Place.name } == "inside a")
        #expect(try await database.read(deadline: nil) { (_: SQLSession) in Place.name } == "inside a")
        #expect(try await database.write(deadline: nil) { (_: SQLSession) in Place.name } == "inside a")
        #expect(lines.value == ["read", "write", "read", "write"].flatMap { ["a \($0)", "a end"] })
    }

    @Test func everyAsynchronousVerbIsOneOperation() async throws {
        let directory = try TemporaryDirectory()
        let database = try Database(directory.file("app.db"))
        let lines = Shared<[String]>([])
        database.addInterceptor(Recorder(name: "a", lines: lines))
        let schema = Schema("s") { Version(1) { CreateTable("t") { ColumnDef("a", Int.self) } } }
        try await database.migrate(schema)
        try await database.checkpoint()
        try await database.vacuum()
        try await database.vacuum(into: directory.file("copy.db"))
        try await database.writeWithoutTransaction { try $0.run("INSERT INTO t VALUES(1)") }
        for try await _ in database.backup(to: directory.file("backup.db")) {}
        let operations = ["migrate", "checkpoint", "vacuum", "vacuum", "write"]
        #expect(lines.value == operations.flatMap { ["a \($0)", "a end"] })
    }

    @Test func snapshotsAreNotIntercepted() async throws {
        let directory = try TemporaryDirectory()
        for path in [":memory:", directory.file("app.db")] {
            let database = try Database(path)
            let lines = Shared<[String]>([])
            database.addInterceptor(Recorder(name: "a", lines: lines))
            let snapshot = try await database.snapshot()
            try await snapshot.read { _ in }
            #expect(lines.value == [])
        }
    }

    @Test func theLastInterceptorIsOutermostUntilItIsCancelled() async throws {
        let database = try Database(":memory:")
        let lines = Shared<[String]>([])
        database.addInterceptor(Recorder(name: "a", lines: lines))
        let token = database.addInterceptor(Recorder(name: "b", lines: lines))
        try await database.read { _ in }
        #expect(
            lines.update { lines in
                defer { lines = [] }; return lines
            } == ["b read", "a read", "a end", "b end"])
        token.cancel()
        try await database.read { _ in }
        #expect(lines.value == ["a read", "a end"])
    }

    @Test func anInterceptorCanRefuseACall() async throws {
        let database = try Database(":memory:")
        database.addInterceptor(Refusing())
        await #expect(throws: Refusal.self) { try await database.write { try $0.run("CREATE TABLE t(a)") } }
        let tables = try blocking {
            try database.blocking.read { try $0.query("SELECT count(*) FROM sqlite_schema") as Int }
        }
        #expect(tables == 0)
    }

    @Test func errorsOfTheClosurePassThroughInterceptors() async throws {
        let database = try Database(":memory:")
        let lines = Shared<[String]>([])
        database.addInterceptor(Recorder(name: "a", lines: lines))
        await #expect(throws: Refusal.self) { try await database.write { _ in throw Refusal() } }
        #expect(lines.value == ["a write", "a end"])
    }
}
