import Squall
import SquallTestSupport
import Testing

/// `Database.migrate(_:)`.
@Suite(.timeLimit(.minutes(10)))
struct AsynchronousMigrationTests {
    private static let schema = Schema("s") {
        Version(1) { CreateTable("t") { ColumnDef("a", Int.self) } }
        Version(2) { Execute("INSERT INTO t VALUES(1)") }
    }

    @Test func migratesTheFile() async throws {
        let directory = try TemporaryDirectory()
        for database in [try Database(directory.file("app.db")), try Database()] {
            let steps = Shared<[String]>([])
            let hasRun = try await database.migrate(Self.schema) { progress in steps.update { $0.append(progress.step) }
            }
            #expect(hasRun)
            #expect(!steps.value.isEmpty)
            #expect(try await database.read { try $0.query("SELECT a FROM t") as Int } == 1)
            #expect(try await database.migrate(Self.schema) == false)
            try await database.migrate(Self.schema, to: 0)
            #expect(
                try await database.read { try $0.query("SELECT count(*) FROM sqlite_schema WHERE name = 't'") } == 0)
        }
    }

    @Test func aCancellationRollsTheVersionBack() async throws {
        let database = try Database()
        let isRunning = Gate()
        let endless: SQL = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        let schema = Schema("s") {
            Version(1) { CreateTable("t") { ColumnDef("a", Int.self) } }
            Version(2) {
                CreateTable("u") { ColumnDef("a", Int.self) }
                Execute { connection in
                    isRunning.open()
                    try connection.run(endless)
                }
            }
        }
        let task = Task { try await database.migrate(schema) }
        await isRunning.passed()
        task.cancel()
        let result = await task.result
        #expect(throws: (any Error).self) { try result.get() }
        let tables: [String] = try await database.read {
            try $0.query("SELECT name FROM sqlite_schema WHERE name IN ('t', 'u')")
        }
        #expect(tables == ["t"])
    }
}
