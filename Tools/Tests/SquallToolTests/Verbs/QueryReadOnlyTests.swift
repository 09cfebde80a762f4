import Foundation
import Squall
import Testing

@Suite struct ReadOnlyTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private static let refused = "the SQL writes, and the database is opened read-only (SQLITE_READONLY)\n"
    private static let refusedBySQLite = "attempt to write a readonly database (SQLITE_READONLY)\n"

    @Test(arguments: [
        ("INSERT INTO t VALUES(2)", refused), ("INSERT INTO t VALUES(2) RETURNING a", refusedBySQLite),
        ("UPDATE t SET a = 2", refused), ("DELETE FROM t", refused), ("CREATE TABLE u(a)", refused),
        ("DROP TABLE t", refused), ("VACUUM", refused), ("VACUUM INTO 'copy.db'", refused),
        ("PRAGMA user_version = 1", refused), ("PRAGMA journal_mode = WAL", refusedBySQLite),
        ("BEGIN IMMEDIATE", refused),
    ])
    func sqlThatWritesIsDenied(sql: String, error: String) async throws {
        let path = try directory.database("CREATE TABLE t(a); INSERT INTO t VALUES(1)")
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        try await expect(
            Tool.run("query", path, sql, in: directory.url), fails: "error: \(path): \(error)", exitCode: 77)
        #expect(try directory.files() == ["test.db"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test func attachedDatabasesAreNotMade() async throws {
        let path = try directory.database("CREATE TABLE t(a)")
        try await expect(
            Tool.run("query", path, "ATTACH 'other.db' AS other", in: directory.url),
            fails: "error: \(path): unable to open database: other.db (SQLITE_CANTOPEN)\n", exitCode: 66
        )
        #expect(try directory.files() == ["test.db"])
    }

    @Test func settingsCanBeRead() async throws {
        let path = try directory.database("PRAGMA user_version = 7; CREATE TABLE t(a)")
        for (pragma, value) in [("user_version", "7"), ("journal_mode", "delete"), ("integrity_check", "ok")] {
            try await expect(
                Tool.run("query", path, "PRAGMA \(pragma)", "--format", "csv"), prints: "\(pragma)\n\(value)\n"
            )
        }
        #expect(try directory.files() == ["test.db"])
    }

    @Test func whatAnotherConnectionHasInItsLogIsRead() async throws {
        let path = directory.path("test.db")
        let connection = try Connection(path)
        try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)")
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        try await expect(Tool.run("query", path, "SELECT a FROM t", "--format", "csv"), prints: "a\n1\n")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        connection.close()
        #expect(try directory.files() == ["test.db"])
    }

    @Test func oldFilesKeepTheirLaxity() async throws {
        let path = try directory.database("CREATE VIEW v AS SELECT \"text\" AS a")
        try await expect(Tool.run("query", path, "SELECT * FROM v", "--format", "csv"), prints: "a\ntext\n")
    }
}
