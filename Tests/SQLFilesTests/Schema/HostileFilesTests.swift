import Foundation
import Testing

@testable import SquallSQLFiles

/// Schema files that reach outside the database, or that take too much.
struct HostileFilesTests {
    @Test(arguments: [
        ("ATTACH '/tmp/x.db' AS x", "a schema file cannot attach a database, or write one by VACUUM INTO"),
        ("VACUUM INTO '/tmp/x.db'", ""),
        ("VACUUM", ""),
        ("DETACH main", "a schema file cannot detach a database"),
        ("SELECT\nload_extension('/tmp/x')", "a schema file cannot load an extension: name it in squall.json"),
        ("CREATE TABLE u(a DEFAULT (load_extension('x')));\nINSERT INTO u DEFAULT VALUES", ""),
        ("PRAGMA writable_schema = ON", "a schema file cannot use PRAGMA writable_schema"),
        ("PRAGMA main.journal_mode = WAL", "a schema file cannot use PRAGMA journal_mode"),
        ("PRAGMA page_size = 512", "a schema file cannot use PRAGMA page_size"),
        ("PRAGMA temp_store_directory = '/tmp'", "a schema file cannot use PRAGMA temp_store_directory"),
        ("PRAGMA max_page_count = 1000000000", "a schema file cannot use PRAGMA max_page_count"),
        ("SELECT * FROM pragma_journal_mode('WAL')", ""),
        ("EXPLAIN PRAGMA temp_store = 1", "a schema file cannot use PRAGMA temp_store"),
        ("BEGIN", "BEGIN in a schema file: a file is one transaction, which the library begins and ends"),
        ("COMMIT", "COMMIT in a schema file: a file is one transaction, which the library begins and ends"),
        ("END", "COMMIT in a schema file: a file is one transaction, which the library begins and ends"),
        ("ROLLBACK", "ROLLBACK in a schema file: a file is one transaction, which the library begins and ends"),
        ("SAVEPOINT s", "a savepoint in a schema file: a file is one transaction, which the library begins and ends"),
        ("UPDATE sqlite_schema SET sql = ''", "table sqlite_master may not be modified"),
        ("INSERT INTO t VALUES(zeroblob(2000000000))", "string or blob too big"),
        ("INSERT INTO t VALUES(hex(zeroblob(9000000)))", "string or blob too big"),
    ])
    func areRefused(_ sql: String, _ message: String) throws {
        let schema = try BuiltSchema("CREATE TABLE t(x);\n\n\(sql);\nCREATE TABLE after(x);")
        #expect(schema.messages.count == 1)
        #expect(schema.messages.first?.hasPrefix("001.sql:") == true)
        #expect(schema.run.catalog.tables.isEmpty)
        if !message.isEmpty { #expect(schema.messages.first?.hasSuffix(": \(message)") == true) }
        #expect(!FileManager.default.fileExists(atPath: "/tmp/x.db"))
    }

    @Test(arguments: [
        "PRAGMA foreign_keys = OFF", "PRAGMA legacy_alter_table = ON", "PRAGMA user_version = 3",
        "PRAGMA table_info(t)", "PRAGMA foreign_key_check", "SELECT * FROM pragma_table_xinfo('t')", "ANALYZE",
        "REINDEX",
        "CREATE TEMP TABLE temporary(x)", "EXPLAIN QUERY PLAN SELECT * FROM t", "SELECT x FROM t",
    ])
    func harmlessStatementsRun(_ sql: String) throws {
        #expect(try BuiltSchema("CREATE TABLE t(x);\n\(sql);\nCREATE TABLE after(x);").messages == [])
    }

    @Test(arguments: [
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) INSERT INTO t SELECT 1 FROM c WHERE n < 0",
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c",
    ])
    func loopsEndAtTheDeadline(_ sql: String) throws {
        let schema = try BuiltSchema("CREATE TABLE t(x);\n\(sql);", deadline: .milliseconds(300))
        #expect(schema.messages.count == 1)
        #expect(schema.messages[0].hasSuffix("error: the schema files take longer than 0.3 seconds"))
    }

    @Test func theDeadlineIsThatOfAllFiles() throws {
        let loop =
            "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 100000) SELECT count(*) FROM c;\n"
        let schema = try BuiltSchema(String(repeating: loop, count: 2_000), deadline: .milliseconds(200))
        #expect(schema.messages.count == 1)
        #expect(schema.messages[0].hasSuffix("the schema files take longer than 0.2 seconds"))
    }

    @Test func theSizeIsLimited() throws {
        let schema = try BuiltSchema(
            """
            CREATE TABLE t(x);
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c)
            INSERT INTO t SELECT zeroblob(9000000) FROM c;
            """)
        #expect(
            schema.messages == [
                "001.sql:2:1: error: database or disk is full: the rows of schema files are too many to be checked"
            ])
    }
}
