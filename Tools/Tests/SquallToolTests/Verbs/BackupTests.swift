import Foundation
import Squall
import Testing

@Suite struct BackupTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    static let rows: SQL = """
        CREATE TABLE t(a INTEGER PRIMARY KEY, b);
        INSERT INTO t VALUES(1, 'eins'), (2, NULL), (3, x'00ff'), (4, 2.5)
        """

    /// The rows of the table `t` of a file.
    private func values(_ name: String) throws -> [String] {
        let connection = try Connection(directory.path(name), mode: .existing, configuration: .sqlite)
        defer { connection.close() }
        return try connection.query("SELECT a || ' ' || quote(b) FROM t ORDER BY a")
    }

    private static let all = ["1 'eins'", "2 NULL", "3 X'00FF'", "4 2.5"]

    /// Expects a line such as `copy.db: 8,192 bytes in 0.01 s, checked`.
    private func expectReport(_ outcome: Outcome, _ name: String, end: String = ", checked", size: Int? = nil) throws {
        let size = try size ?? directory.bytes(name).count
        #expect(outcome.error == "" && outcome.exitCode == 0)
        let path = NSRegularExpression.escapedPattern(for: directory.path(name))
        let bytes = size == 8192 ? "8,192" : "\(size)"
        let pattern = "^\(path): \(bytes) bytes in [0-9]+\\.[0-9]{2} s\(end)\n$"
        #expect(outcome.output.range(of: pattern, options: .regularExpression) != nil, "\(outcome.output)")
    }

    @Test func aCopyHasAllRowsAndThePermissionsOfTheDatabase() async throws {
        let path = try directory.database(Self.rows)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        try expectReport(try await Tool.run("backup", path, directory.path("copy.db")), "copy.db")
        #expect(try values("copy.db") == Self.all)
        #expect(try directory.files() == ["copy.db", "test.db"])
        let mode = try FileManager.default.attributesOfItem(atPath: directory.path("copy.db"))[.posixPermissions]
        #expect(mode as? Int == 0o640)
    }

    @Test func theLogOfAnotherConnectionIsCopied() async throws {
        let connection = try Connection(directory.path("test.db"))
        try connection.execute(Self.rows)
        // Neither in the file nor committed.
        try connection.execute("BEGIN; INSERT INTO t VALUES(5, 5)")
        try expectReport(
            try await Tool.run("backup", directory.path("test.db"), directory.path("copy.db"), "--no-verify"),
            "copy.db",
            end: ""
        )
        try connection.execute("COMMIT")
        #expect(try values("copy.db") == Self.all)
    }

    @Test func vacuumLeavesFreePagesOut() async throws {
        let path = try directory.database(Self.rows)
        let connection = try Connection(path, mode: .existing, configuration: .sqlite)
        try connection.execute("CREATE TABLE u(a); INSERT INTO u VALUES(zeroblob(100000)); DROP TABLE u")
        connection.close()
        try expectReport(try await Tool.run("backup", path, directory.path("copy.db"), "--vacuum"), "copy.db")
        #expect(try values("copy.db") == Self.all)
    }

    @Test func namesOfAllKindsAreAllowed() async throws {
        let path = try directory.database(Self.rows, name: "it's a \"dätabase\" 🚗?mode=ro.db")
        for (name, flags) in [("it's \"a\" cöpy 🚗 #1%20.db", []), ("file:copy.db", ["--vacuum"])] {
            let outcome = try await Tool.shell("\"$SQUALL\" backup \"$@\"", [path, directory.path(name)] + flags)
            #expect(outcome.error == "" && outcome.exitCode == 0)
            #expect(try values(name) == Self.all)
        }
    }

    @Test func aFileIsReplacedOnlyWithForce() async throws {
        let path = try directory.database(Self.rows)
        let copy = try directory.database("CREATE TABLE old(a)", name: "copy.db")
        let before = try Data(contentsOf: URL(fileURLWithPath: copy))
        try await expect(
            Tool.run("backup", path, copy), fails: "error: '\(copy)' already exists\nhint: --force replaces it\n",
            exitCode: 73
        )
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == before)
        try expectReport(try await Tool.run("backup", path, copy, "--force"), "copy.db")
        #expect(try values("copy.db") == Self.all)
        #expect(try directory.files() == ["copy.db", "test.db"])
    }

    @Test(arguments: [[], ["--vacuum"]])
    func aLinkStaysALink(flags: [String]) async throws {
        let path = try directory.database(Self.rows)
        let link = directory.path("link.db")
        // Of a link to a link.
        for (name, target) in [("link.db", "second.db"), ("second.db", directory.path("copy.db"))] {
            try FileManager.default.createSymbolicLink(atPath: directory.path(name), withDestinationPath: target)
        }
        // The file behind it is first created, and then replaced.
        for force in [[], ["--force"]] {
            let outcome = try await Tool.shell("\"$SQUALL\" backup \"$@\"", [path, link] + force + flags)
            try expectReport(outcome, "link.db", size: directory.bytes("copy.db").count)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "second.db")
            #expect(try values("copy.db") == Self.all)
            #expect(try directory.files() == ["copy.db", "link.db", "second.db", "test.db"])
        }
        try await expect(
            Tool.run("backup", path, link), fails: "error: '\(link)' already exists\nhint: --force replaces it\n",
            exitCode: 73)
    }

    @Test(arguments: [["backup"], ["restore", "--force"]])
    func memoryIsNoFile(verb: [String]) async throws {
        let path = try directory.database(Self.rows)
        try await expect(
            Tool.shell("cd \"$1\" && shift && \"$SQUALL\" \"$@\"", [directory.url.path] + verb + [path, ":memory:"]),
            fails: "error: ':memory:' is not a file\nhint: './:memory:' is a file with this name\n", exitCode: 73)
        #expect(try directory.files() == ["test.db"])
        let outcome = try await Tool.shell(
            "cd \"$1\" && shift && \"$SQUALL\" \"$@\"", [directory.url.path] + verb + [path, "./:memory:"])
        #expect(outcome.exitCode == 0 && outcome.error == "")
        #expect(try values("./:memory:") == Self.all)
    }

    @Test func theLogOfAReplacedFileIsNotApplied() async throws {
        let path = try directory.database("PRAGMA journal_mode = WAL; " + Self.rows)
        let copy = directory.path("copy.db")
        // A database with a log, as a program leaves it that was killed.
        let other = try Connection(directory.path("other.db"))
        try other.execute("CREATE TABLE t(a, b); INSERT INTO t VALUES(99, 'old')")
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: directory.path("other.db\(suffix)"), toPath: copy + suffix)
        }
        other.close()
        let outcome = try await Tool.run("backup", path, copy, "--force")
        #expect(outcome.exitCode == 0 && outcome.error == "")
        #expect(try values("copy.db") == Self.all)
    }

    @Test(arguments: ["-wal", "-journal"])
    func whatIsLeftOfAnOldFileIsNotApplied(suffix: String) async throws {
        let path = try directory.database(Self.rows)
        let copy = directory.path("copy.db")
        _ = try directory.file("copy.db" + suffix, "what is left")
        try await expect(
            Tool.run("backup", path, copy),
            fails: """
                error: '\(copy)\(suffix)' exists without its database, and SQLite would apply it to the new file
                hint: --force removes it

                """, exitCode: 73
        )
        #expect(try directory.files() == ["copy.db" + suffix, "test.db"])
        try expectReport(try await Tool.run("backup", path, copy, "--force"), "copy.db")
        #expect(try directory.files() == ["copy.db", "test.db"])
    }

    @Test func aDatabaseInUseIsNotReplaced() async throws {
        let path = try directory.database(Self.rows)
        let copy = directory.path("copy.db")
        let user = try Connection(copy)
        try user.execute("CREATE TABLE old(a)")
        try await expect(
            Tool.run("backup", path, copy, "--force"), fails: "error: \(copy): database is locked (SQLITE_BUSY)\n",
            exitCode: 75
        )
        #expect(try user.tableNames() == ["old"])
        user.close()
        #expect(try directory.files() == ["copy.db", "test.db"])
    }

    @Test func theDatabaseItselfIsNeverReplaced() async throws {
        let path = try directory.database(Self.rows)
        try FileManager.default.createSymbolicLink(atPath: directory.path("link.db"), withDestinationPath: path)
        for copy in [path, directory.path("link.db")] {
            try await expect(
                Tool.run("backup", path, copy, "--force"),
                fails: "error: '\(path)' and '\(copy)' are the same file\n", exitCode: 73
            )
        }
        #expect(try values("test.db") == Self.all)
    }

    @Test func whatIsNoFileIsNotReplaced() async throws {
        let path = try directory.database(Self.rows)
        let folder = directory.url.path
        try await expect(
            Tool.run("backup", path, folder, "--force"), fails: "error: '\(folder)' is not a regular file\n",
            exitCode: 73
        )
        let missing = directory.path("none/copy.db")
        try await expect(
            Tool.run("backup", path, missing), fails: "error: cannot create '\(missing)': No such file or directory\n",
            exitCode: 73
        )
    }

    @Test func aFileThatIsNoDatabaseLeavesNoCopy() async throws {
        let path = try directory.file("text.db", String(repeating: "This is no database. ", count: 100))
        let outcome = try await Tool.run("backup", path, directory.path("copy.db"))
        #expect(outcome.exitCode == 65 && outcome.error.hasPrefix("error: \(path): file is not a database"))
        #expect(try directory.files() == ["text.db"])
    }

    /// A database whose pages after the second are not valid.
    private func damagedDatabase() throws -> String {
        let path = try directory.database(Self.rows + "; CREATE TABLE u(a); INSERT INTO u VALUES(zeroblob(10000))")
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try handle.seek(toOffset: 8192)
        try handle.write(contentsOf: Data(repeating: 0xFF, count: 4096))
        try handle.close()
        return path
    }

    @Test func aDamagedCopyIsNotKept() async throws {
        let path = try damagedDatabase()
        let copy = directory.path("copy.db")
        let outcome = try await Tool.run("backup", path, copy)
        #expect(outcome.exitCode == 65 && outcome.error.hasPrefix("error: \(path): the database is damaged: "))
        #expect(try directory.files() == ["test.db"])
        #expect(try await Tool.run("backup", path, copy, "--no-verify").exitCode == 0)
        #expect(try directory.files() == ["copy.db", "test.db"])
    }

    @Test func aLockedDatabaseIsATemporaryFailure() async throws {
        let path = try directory.database(Self.rows)
        let connection = try Connection(path, mode: .existing, configuration: .sqlite)
        try connection.execute("BEGIN EXCLUSIVE")
        try await expect(
            Tool.run("backup", path, directory.path("copy.db"), "--timeout", "0"),
            fails: "error: \(path): database is locked (SQLITE_BUSY)\n", exitCode: 75
        )
        #expect(try directory.files() == ["test.db"])
        try connection.execute("ROLLBACK")
    }

    @Test(arguments: ["", "--vacuum"])
    func aFullDiskLeavesNoCopy(flag: String) async throws {
        let path = try directory.database(Self.rows + "; CREATE TABLE u(a); INSERT INTO u VALUES(randomblob(1000000))")
        let copy = directory.path("copy.db")
        // Files may have 100 blocks. SQLite reports the failure to write more as an input or output error.
        let outcome = try await Tool.shell(
            "ulimit -f 100; trap '' XFSZ; \"$SQUALL\" backup \"$1\" \"$2\" \(flag)", [path, copy])
        #expect(outcome.exitCode == 74 && outcome.output == "")
        #expect(outcome.error.hasPrefix("error: copying '\(path)' to '\(copy)': disk I/O error"))
        #expect(try directory.files() == ["test.db"])
    }

    #if os(Linux)
        private static let hasTerminal = FileManager.default.isExecutableFile(atPath: "/usr/bin/setsid")

        @Test(.enabled("needs util-linux") { hasTerminal })
        func aTerminalShowsTheProgress() async throws {
            let path = try directory.database(Self.rows)
            let terminal = try Pseudoterminal(["backup", path, directory.path("copy.db")])
            try await terminal.read(until: "\rbackup  ━━━━")
            try await terminal.read(until: "━  100 %  2 of 2 pages\u{1B}[K")
            try await terminal.read(until: "\r\u{1B}[K\(directory.path("copy.db")): 8,192 bytes in ")
            #expect(try await terminal.finish().exitCode == 0)
        }

        @Test(.enabled("needs util-linux") { hasTerminal })
        func anInterruptLeavesNoFile() async throws {
            let path = try directory.databaseThatIsCheckedForMinutes()
            let terminal = try Pseudoterminal(["backup", path, directory.path("copy.db")])
            try await terminal.read(until: "checking the copy")
            try terminal.type("\u{3}")
            #expect(try await terminal.finish().exitCode == 128 + SIGINT)
            #expect(try directory.files() == ["test.db"])
        }
    #endif
}

extension TemporaryDirectory {
    /// Makes a database whose check takes minutes, because it computes a column of each row.
    func databaseThatIsCheckedForMinutes() throws -> String {
        try database(
            """
            CREATE TABLE t(a, b AS (a) NOT NULL);
            WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
            INSERT INTO t SELECT 1 FROM n;
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = 'CREATE TABLE t(a, b AS (replace(hex(zeroblob(100000 + a)), 0, 11)) NOT NULL)'
            WHERE name = 't'
            """
        )
    }
}
