import ServiceLifecycleTestKit
import Squall
import SquallService
import TestSupport
import Testing

/// A shutdown before the database is ready.
struct MigrationShutdownTests {
    private let file: TestFile
    private let log = LogRecorder()

    init() throws {
        file = try TestFile()
    }

    private func schema(_ second: @escaping @Sendable (Connection) throws -> Void) -> Schema {
        Schema("cars") {
            Version(1) { Execute("CREATE TABLE cars(name TEXT)") }
            Version(2) {
                Execute("INSERT INTO cars VALUES('Audi')")
                Execute(second)
                Execute("INSERT INTO cars VALUES('Bentley')")
            }
            Version(3) { Execute("INSERT INTO cars VALUES('Citroën')") }
        }
    }

    private func makeService(_ second: @escaping @Sendable (Connection) throws -> Void) -> DatabaseService {
        DatabaseService(migratedBy: schema(second), logger: log.logger) { [file] in try Database(file.path) }
    }

    private func expectVersion1() throws {
        #expect(try file.files == ["app.db"])
        #expect(try file.query("SELECT name FROM cars") as [String] == [])
        #expect(try file.query("PRAGMA user_version") as [Int] == [1])
    }

    /// The next start runs the versions that are left.
    private func expectNextStart() async throws {
        let service = makeService { _ in }
        try await testGracefulShutdown { trigger in
            let run = Task { try await service.run() }
            let names: [String] = try await service.database.read { try $0.query("SELECT name FROM cars") }
            #expect(names == ["Audi", "Bentley", "Citroën"])
            trigger.triggerGracefulShutdown()
            try await run.value
        }
        #expect(try file.files == ["app.db"])
    }

    /// Shuts a service down once its opening has reached `begun`. Callers that wait are refused before the opening goes on.
    private func shutDown(_ service: DatabaseService, while begun: Gate, opening gate: Gate) async throws {
        try await testGracefulShutdown { trigger in
            let run = Task { try await service.run() }
            let caller = Task { _ = try await service.database }
            await begun.opened()
            trigger.triggerGracefulShutdown()
            await #expect(throws: DatabaseServiceError.closed) { try await caller.value }
            gate.open()
            try await run.value
        }
    }

    @Test func theRunningVersionIsRolledBack() async throws {
        let (begun, gate) = (Gate(), Gate())
        let service = makeService { _ in
            begun.open()
            gate.wait()
        }
        // The statement after the closure does not run.
        try await shutDown(service, while: begun, opening: gate)
        try expectVersion1()
        #expect(log.messages(.notice) == ["the shutdown ended the opening of the database"])
        try await expectNextStart()
    }

    @Test func aRunningStatementOfAVersionIsInterrupted() async throws {
        let begun = Gate()
        let service = makeService { connection in
            begun.open()
            try connection.run(
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) INSERT INTO cars SELECT i FROM n"
            )
        }
        try await testGracefulShutdown { trigger in
            let run = Task { try await service.run() }
            await begun.opened()
            trigger.triggerGracefulShutdown()
            try await run.value
        }
        try expectVersion1()
        try await expectNextStart()
    }

    @Test func aCancelledRunRollsBackTheVersion() async throws {
        let (begun, gate) = (Gate(), Gate())
        let service = makeService { _ in
            begun.open()
            gate.wait()
        }
        let run = Task { try await service.run() }
        let caller = Task { _ = try await service.database }
        await begun.opened()
        run.cancel()
        await #expect(throws: DatabaseServiceError.closed) { try await caller.value }
        gate.open()
        await #expect(throws: CancellationError.self) { try await run.value }
        try expectVersion1()
    }

    @Test func aDatabaseThatOpensDuringTheShutdownIsClosed() async throws {
        let (begun, gate) = (Gate(), Gate())
        let service = DatabaseService(migratedBy: schema { _ in }) { [file] in
            begun.open()
            gate.wait()
            let database = try Database(file.path)
            return database
        }
        try await shutDown(service, while: begun, opening: gate)
        #expect(try file.files == ["app.db"])
        #expect(try file.query("SELECT count(*) FROM sqlite_schema") as [Int] == [0])
    }

    @Test func anErrorDuringTheShutdownIsLogged() async throws {
        struct Failure: Error {}
        let (begun, gate) = (Gate(), Gate())
        let service = DatabaseService(logger: log.logger) {
            begun.open()
            gate.wait()
            throw Failure()
        }
        try await shutDown(service, while: begun, opening: gate)
        #expect(log.messages(.notice).count == 1)
    }
}
