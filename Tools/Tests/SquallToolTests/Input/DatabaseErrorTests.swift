import Foundation
import Squall
import Testing

@Suite struct DatabaseErrorTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func aMissingFileIsNotMade() async throws {
        for name in ["none.db", "none/none.db"] {
            let path = directory.path(name)
            try await expect(
                Tool.run("query", path, "SELECT 1"), fails: "error: cannot open '\(path)': No such file or directory\n",
                exitCode: 66
            )
        }
        #expect(try directory.files() == [])
    }

    @Test func anEmptyNameIsAMissingFile() async throws {
        try await expect(
            Tool.run("query", "", "SELECT 1"), fails: "error: cannot open '': No such file or directory\n", exitCode: 66
        )
    }

    @Test func aPathIsNeverAURI() async throws {
        let path = "file:test.db?mode=rwc"
        try await expect(
            Tool.run("query", path, "SELECT 1", in: directory.url),
            fails: "error: cannot open '\(path)': No such file or directory\n", exitCode: 66
        )
        _ = try directory.database("CREATE TABLE t(a); INSERT INTO t VALUES(1)", name: "plain.db")
        try FileManager.default.moveItem(atPath: directory.path("plain.db"), toPath: directory.path(path))
        try await expect(
            Tool.run("query", path, "SELECT a FROM t", "--format", "csv", in: directory.url), prints: "a\n1\n"
        )
    }

    @Test func aDirectoryIsNoDatabase() async throws {
        let path = directory.url.path
        try await expect(Tool.run("query", path, "SELECT 1"), fails: "error: '\(path)' is a directory\n", exitCode: 65)
    }

    @Test func aPipeIsNotOpened() async throws {
        let path = directory.path("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        try await expect(
            Tool.run("query", path, "SELECT 1"), fails: "error: '\(path)' is not a regular file\n", exitCode: 65
        )
    }

    @Test func anyOtherFileIsNoDatabase() async throws {
        let path = try directory.file("text.db", String(repeating: "This is no database. ", count: 100))
        for sql in ["SELECT * FROM t", "SELECT 1"] {
            try await expect(
                Tool.run("query", path, sql),
                fails: """
                    error: \(path): file is not a database (SQLITE_NOTADB)
                    hint: the file \(path) is not an SQLite database, or it is encrypted

                    """,
                exitCode: 65
            )
        }
    }

    @Test func aDamagedDatabaseIsBadInput() async throws {
        let path = try directory.database(
            """
            CREATE TABLE t(a);
            WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
            INSERT INTO t SELECT zeroblob(100) FROM n
            """
        )
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try handle.seek(toOffset: 4096)
        try handle.write(contentsOf: Data(repeating: 0xFF, count: 8192))
        try handle.close()
        try await expect(
            Tool.run("query", path, "SELECT count(*) FROM t"),
            fails: "error: \(path): database disk image is malformed (SQLITE_CORRUPT)\n", exitCode: 65
        )
    }

    @Test func aLockedDatabaseIsATemporaryFailure() async throws {
        let path = try directory.database("CREATE TABLE t(a)")
        let connection = try Connection(storageLocation: .onDisk(path))
        try connection.execute("BEGIN EXCLUSIVE")
        try await expect(
            Tool.run("query", path, "SELECT * FROM t", "--timeout", "0"),
            fails: "error: \(path): database is locked (SQLITE_BUSY)\n", exitCode: 75
        )
        try connection.execute("ROLLBACK")
    }

    /// A shell's words that run the rest as somebody who is not root, who may read everything.
    private static let asNobody =
        geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : ""

    /// Whether that works here, and the tool is within reach.
    private static func canRunAsNobody() async -> Bool {
        let outcome = try? await Tool.shell("\(asNobody) test -x \"$SQUALL\"")
        return outcome?.exitCode == 0
    }

    /// SQLite reads a database in WAL mode only where it can make the file `-shm`.
    @Test(.enabled("needs an account without rights") { await canRunAsNobody() })
    func aLogInADirectoryThatCannotBeWritten() async throws {
        let path = try directory.database("PRAGMA journal_mode = WAL; CREATE TABLE t(a)")
        let connection = try Connection(storageLocation: .onDisk(path))
        try connection.run("INSERT INTO t VALUES(1)")
        let folder = directory.path("closed")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        for end in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + end, toPath: "\(folder)/test.db\(end)")
        }
        connection.close()
        chmod(folder, 0o555)
        defer { chmod(folder, 0o755) }
        let outcome = try await Tool.shell("\(Self.asNobody) \"$SQUALL\" query \"$1/test.db\" 'SELECT 1'", [folder])
        #expect(outcome.exitCode == 77 && outcome.output == "")
        #expect(
            outcome.error.contains(
                "\nhint: SQLite cannot make its files (-wal, -shm, -journal) beside the database, because the directory cannot be "
                    + "written: copy the database and its -wal file to another directory\n"), "\(outcome)")
    }

    @Test(.enabled("needs an account without rights") { await canRunAsNobody() })
    func aFileThatMustNotBeReadIsDenied() async throws {
        let path = try directory.database("CREATE TABLE t(a)")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
        try await expect(
            Tool.shell("\(Self.asNobody) \"$SQUALL\" query \"$1\" 'SELECT 1'", [path]),
            fails: "error: cannot open '\(path)': Permission denied\n", exitCode: 77
        )
    }
}
