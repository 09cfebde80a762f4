import Foundation
import Testing

@testable import SquallSQLFiles

/// Schema files that try to leave their database, or to use up the machine.
struct HostileSchemaTests {
    @Test(arguments: [
        "ATTACH '/tmp/squall-hostile.db' AS other", "ATTACH ':memory:' AS other", "ATTACH '' AS other", "DETACH main",
        "VACUUM INTO '/tmp/squall-hostile.db'", "SELECT load_extension('/tmp/squall-hostile')",
        "PRAGMA writable_schema = ON", "PRAGMA main.writable_schema(1)", "SELECT * FROM pragma_writable_schema(1)",
        "PRAGMA temp_store_directory = '/tmp'", "PRAGMA journal_mode = WAL", "PRAGMA max_page_count = 1000000000",
        "PRAGMA temp_store = FILE", "PRAGMA trusted_schema = OFF", "PRAGMA temp.schema_version = 9",
        "PRAGMA ignore_check_constraints = ON", "PRAGMA mmap_size = 1", "PRAGMA hard_heap_limit = 1",
        "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT a", "RELEASE a", "END",
    ])
    func aStatementThatLeavesTheDatabaseIsDenied(_ sql: String) throws {
        let lines = try SampleFolder(schema: "CREATE TABLE a (x INT);\n  \(sql);").lines()
        #expect(lines.count == 1 && lines[0].hasPrefix("schema/001_start.sql:2:"), "\(lines)")
        #expect(lines.first?.contains(": error: ") == true, "\(lines)")
        #expect(!FileManager.default.fileExists(atPath: "/tmp/squall-hostile.db"))
    }

    @Test func aDeniedStatementIsExplained() throws {
        try SampleFolder(schema: "PRAGMA writable_schema = ON").expectError(
            at: "schema/001_start.sql:1:1", "writable_schema")
    }

    @Test func theTableOfTheSchemaCannotBeWritten() throws {
        for sql in [
            "UPDATE sqlite_schema SET sql = 'x'", "DELETE FROM sqlite_master",
            "INSERT INTO sqlite_schema VALUES (1, 2, 3, 4, 5)", "CREATE TABLE sqlite_x (a)",
        ] {
            let lines = try SampleFolder(schema: "CREATE TABLE a (x INT); \(sql)").lines()
            #expect(lines.count == 1 && lines[0].hasPrefix("schema/001_start.sql:1:"), "\(lines)")
        }
    }

    @Test func aTriggerCannotDoWhatTheFileCannot() throws {
        let sql = """
            CREATE TABLE a (x INT);
            CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT load_extension('x'); END;
            """
        let lines = try SampleFolder(schema: sql + "\nINSERT INTO a VALUES (1);").lines()
        #expect(lines.count == 1 && lines[0].contains(": error: "), "\(lines)")
    }

    // MARK: Limits

    @Test(arguments: [
        // An endless loop that writes.
        "INSERT INTO a WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0",
        // An endless loop that reads.
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
        // An endless loop in a trigger.
        """
        CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM a WHERE x = (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL
        SELECT i + 1 FROM n) SELECT max(i) FROM n); END; INSERT INTO a VALUES (1)
        """,
        // A generated row that never ends.
        "CREATE TABLE b (y INT CHECK ((WITH RECURSIVE n(i) AS (SELECT 1 UNION SELECT i + 1 FROM n) SELECT 1 FROM n)))",
    ])
    func anEndlessLoopMeetsTheDeadline(_ sql: String) throws {
        let lines = try SampleFolder(schema: "CREATE TABLE a (x INT);\n\(sql)").lines(deadline: .milliseconds(200))
        #expect(lines.count == 1 && lines[0].contains(": error: "), "\(lines)")
    }

    @Test func theDeadlineIsForAllFilesTogether() throws {
        // Each takes about a fifth of the deadline.
        let work = """
            CREATE TABLE IF NOT EXISTS a (x INT);
            INSERT INTO a WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40000)
            SELECT i FROM n WHERE i < 0;
            """
        let files = (1...400).map { ("schema/\($0).sql", work) }
        let lines = try SampleFolder(Dictionary(uniqueKeysWithValues: files)).lines(deadline: .milliseconds(100))
        #expect(lines.count == 1 && lines[0].contains(": error: "), "\(lines)")
    }

    @Test(arguments: [
        "INSERT INTO a VALUES (zeroblob(1000000000))", "INSERT INTO a VALUES (randomblob(500000000))",
        "SELECT hex(zeroblob(200000000))",
        "INSERT INTO a SELECT zeroblob(9000000) FROM json_each('[\(Array(repeating: "1", count: 100).joined(separator: ","))]')",
    ])
    func hugeValuesAreRefused(_ sql: String) throws {
        let lines = try SampleFolder(schema: "CREATE TABLE a (x);\n\(sql)").lines()
        #expect(lines.count == 1 && lines[0].hasPrefix("schema/001_start.sql:2:1: error: "), "\(lines)")
    }

    @Test func aDatabaseOfAnyNumberOfRowsIsFull() throws {
        let sql = """
            CREATE TABLE a (x);
            INSERT INTO a WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT zeroblob(1000000) FROM n
            """
        let lines = try SampleFolder(schema: sql).lines()
        #expect(lines.count == 1 && lines[0].hasPrefix("schema/001_start.sql:2:1: error: "), "\(lines)")
    }

    @Test func aDeepExpressionIsAnError() throws {
        let sql =
            "CREATE TABLE a (x INT CHECK (\(String(repeating: "-(", count: 5000))1\(String(repeating: ")", count: 5000))))"
        let lines = try SampleFolder(schema: sql).lines()
        #expect(lines.count == 1 && lines[0].hasPrefix("schema/001_start.sql:1:"), "\(lines)")
    }

    @Test func aFunctionOfTheAppCannotBeCalled() throws {
        let sql = "-- function: price(Int) -> Int\nCREATE TABLE a (x INT);\nINSERT INTO a VALUES (price(1));"
        let lines = try SampleFolder(schema: sql).lines()
        #expect(lines.count == 1 && lines[0].hasPrefix("schema/001_start.sql:3:1: error: "), "\(lines)")
        #expect(lines.first?.contains("price") == true, "\(lines)")
    }
}
