import Squall
import Testing

/// Alterations of tables that a deadline ends.
@Suite(.timeLimit(.minutes(10)))
struct AlterationDeadlineTests {
    private let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
    }

    @Test func s3ForeignKeysAreOnAfterADeadline() throws {
        try connection.execute(
            """
            CREATE TABLE t(a INTEGER PRIMARY KEY, b);
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 100000) INSERT INTO t SELECT n, n FROM c
            """
        )
        let schema = Schema("s") { Version(1) { AlterTable("t") { ChangeColumn("b", to: Int.self) } } }
        #expect(throws: SQLiteError.self) {
            try connection.withDeadline(.milliseconds(2)) { try schema.migrate(connection) }
        }
        #expect(try connection.query("PRAGMA foreign_keys") == 1)
        #expect(try connection.query("PRAGMA legacy_alter_table") == 0)
    }

    /// SQLite turns them off when it compiles the PRAGMA: a deadline that passes before its first step ends it too late.
    @Test(arguments: ["foreign_keys", "legacy_alter_table"])
    func s3SettingsComeBackFromADeadlineWithinTheirPragma(name: String) throws {
        try connection.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b)")
        connection.addAuthorizer { _, pragma, value, _, _ in
            let start = ContinuousClock.now
            while pragma == name, value != nil, start.duration(to: .now) < .milliseconds(400) {}
            return .ok
        }
        let schema = Schema("s") { Version(1) { AlterTable("t") { ChangeColumn("b", to: Int.self) } } }
        #expect(throws: SQLiteError.self) {
            try connection.withDeadline(.milliseconds(200)) { try schema.migrate(connection) }
        }
        #expect(try connection.query("PRAGMA foreign_keys") == 1)
        #expect(try connection.query("PRAGMA legacy_alter_table") == 0)
    }
}
