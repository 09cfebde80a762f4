import Foundation
import Squall
import SquallSQLite
import SquallTestSupport
import Testing

struct ConfigurationTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Older than 3.44, SQLite's FTS5 and R*Tree tables are unsafe where the schema is not trusted.
    static let trustsSchema = sqlite3_libversion_number() < 3_044_000

    @Test func recommendedListsItsSteps() {
        #expect(
            Configuration.recommended.description == """
                sqlite3_busy_timeout 5000 ms
                SQLITE_DBCONFIG_DEFENSIVE on
                SQLITE_DBCONFIG_TRUSTED_SCHEMA \(Self.trustsSchema ? "on" : "off")
                SQLITE_DBCONFIG_DQS_DDL off
                SQLITE_DBCONFIG_DQS_DML off
                SQLITE_DBCONFIG_ENABLE_FKEY on
                PRAGMA recursive_triggers = ON
                PRAGMA journal_mode = WAL
                PRAGMA synchronous = NORMAL
                """
        )
        #expect(Configuration.sqlite.description == "")
        #expect(Configuration.recommended.statementCacheCapacity == 128)
    }

    @Test func recommendedIsCarriedOut() throws {
        let connection = try Connection(directory.file("a.db"))
        #expect(try connection.query("PRAGMA journal_mode") == "wal")
        #expect(try connection.query("PRAGMA synchronous") == 1)
        #expect(try connection.query("PRAGMA foreign_keys") == 1)
        #expect(try connection.query("PRAGMA busy_timeout") == 5000)
        #expect(try connection.query("PRAGMA trusted_schema") == (Self.trustsSchema ? 1 : 0))
        #expect(try connection.query("PRAGMA recursive_triggers") == 1)
        #expect(throws: SQLiteError.self) { try connection.run(#"SELECT "text""#) }
        try connection.execute("CREATE TABLE t(a)")
        #expect(throws: SQLiteError.self) {
            try connection.execute("PRAGMA writable_schema = ON; DELETE FROM sqlite_schema")
        }
    }

    @Test func sqliteChangesNothing() throws {
        let connection = try Connection(directory.file("a.db"), configuration: .sqlite)
        #expect(try connection.query("PRAGMA journal_mode") == "delete")
        #expect(try connection.query("PRAGMA synchronous") == 2)
        #expect(try connection.query("PRAGMA foreign_keys") == 0)
        #expect(try connection.query("PRAGMA busy_timeout") == 0)
        let connectionOfSQift = try Connection(storageLocation: .onDisk(directory.file("a.db")))
        #expect(connectionOfSQift.configuration == .sqlite)
    }

    @Test func readOnlyConnectionsLeaveTheJournalAlone() throws {
        let path = directory.file("a.db")
        try Connection(path, configuration: .sqlite).execute("CREATE TABLE t(a)")
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let connection = try Connection(path, mode: .readOnly)
        #expect(connection.readOnly)
        #expect(try connection.query("SELECT count(*) FROM t") == 0)
        #expect(try connection.query("PRAGMA journal_mode") == "delete")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(try sqliteError { try connection.run("DROP TABLE t") }.resultCode == .readOnly)
    }

    @Test func untrustedLimitsWhatAFileCanDo() throws {
        let connection = try Connection(":memory:", configuration: .untrusted)
        #expect(throws: SQLiteError.self) { try connection.attachDatabase(from: .inMemory, withName: "m") }
        #expect(
            try sqliteError { try connection.run("SELECT ?", String(repeating: "x", count: 1_000_001)) }.resultCode
                == .tooBig)
        #expect(
            try sqliteError { try connection.run(SQL(raw: "SELECT 1 -- " + String(repeating: "x", count: 100_000))) }
                .resultCode == .tooBig)
        #expect(try connection.query("PRAGMA cell_size_check") == 1)
        #expect(Configuration.untrusted.timeLimit == .seconds(5))
    }

    @Test func untrustedOpensFilesWithALargeSchema() throws {
        let path = directory.file("large.db")
        let maker = try Connection(path)
        for number in 0..<500 { try maker.execute("CREATE TABLE t\(raw: "\(number)")(a, b, c)") }
        let connection = try Connection(path, mode: .readOnly, configuration: .untrusted)
        #expect(try connection.query("SELECT count(*) FROM t7") == 0)
    }

    @Test func theTimeLimitEndsAStatementAndSaysSo() throws {
        var configuration = Configuration.sqlite
        configuration.timeLimit = .milliseconds(300)
        let connection = try Connection(":memory:", configuration: configuration)
        let endless: SQL = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
        let finite: SQL =
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000) SELECT max(i) FROM n"
        for _ in 0..<3 {
            let error = try sqliteError { let _: Int = try connection.query(endless) }
            #expect(error.resultCode == .interrupt)
            #expect(error.message == "interrupted: the time limit is 0.3 seconds")
            // The next statement has all its time.
            #expect(try connection.query(finite) == 1000)
        }
    }

    @Test func theBusyTimeoutHasBounds() throws {
        for (timeout, milliseconds) in [
            (Duration.seconds(-1), 0), (.milliseconds(1), 1), (.microseconds(1500), 1),
            (.seconds(Int64.max), Int(Int32.max)),
        ] {
            var configuration = Configuration.sqlite
            configuration.busyTimeout = timeout
            let connection = try Connection(":memory:", configuration: configuration)
            #expect(try connection.query("PRAGMA busy_timeout") == milliseconds)
        }
    }

    @Test func aLockedFileIsBusy() throws {
        let path = directory.file("a.db")
        let holder = try Connection(path)
        try holder.execute("CREATE TABLE t(a); BEGIN IMMEDIATE")
        let other = try Connection(path, configuration: .sqlite)
        let error = try sqliteError { try other.run("INSERT INTO t VALUES(1)") }
        #expect(error.resultCode == .busy)
        #expect(error.message == "database is locked")
        try holder.execute("COMMIT")
        try other.run("INSERT INTO t VALUES(1)")
    }

    @Test func aMisspeltSettingOfAFileThatIsNoDatabaseLeavesNoConnection() throws {
        let path = directory.file("x")
        try Data(repeating: 7, count: 5000).write(to: URL(fileURLWithPath: path))
        let error = try sqliteError { _ = try Connection(path) }
        #expect(error.resultCode == .notADatabase)
        #expect(error.sql == "PRAGMA journal_mode = WAL")
    }
}
