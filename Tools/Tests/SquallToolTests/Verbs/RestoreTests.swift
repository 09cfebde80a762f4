import Foundation
import Squall
import Testing

@Suite struct RestoreTests {
    let directory: TemporaryDirectory
    let backup: String

    init() throws {
        directory = try TemporaryDirectory()
        backup = try directory.database(
            "CREATE TABLE t(a); INSERT INTO t VALUES('new'); CREATE TABLE big AS SELECT zeroblob(50000)",
            name: "backup.db"
        )
    }

    private func values(_ connection: Connection) throws -> [String] {
        try connection.query("SELECT a FROM t ORDER BY a")
    }

    private func values(_ path: String) throws -> [String] {
        let connection = try Connection(path, mode: .existing, configuration: .sqlite)
        defer { connection.close() }
        return try values(connection)
    }

    private func expectSuccess(_ outcome: Outcome, _ path: String) {
        #expect(outcome.error == "" && outcome.exitCode == 0)
        #expect(outcome.output.hasPrefix("\(path): restored in ") && outcome.output.hasSuffix(" s\n"))
    }

    @Test func aMissingDatabaseIsCreated() async throws {
        let path = directory.path("app.db")
        expectSuccess(try await Tool.run("restore", backup, path), path)
        #expect(try values(path) == ["new"])
        #expect(try directory.files() == ["app.db", "backup.db"])
    }

    @Test func aLinkStaysALink() async throws {
        let link = directory.path("link.db")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "app.db")
        expectSuccess(try await Tool.run("restore", backup, link), link)
        #expect(try values(directory.path("app.db")) == ["new"])
        // A file that SQLite cannot open is replaced.
        _ = try directory.file("app.db", String(repeating: "not a database. ", count: 100))
        expectSuccess(try await Tool.run("restore", backup, link, "--force"), link)
        #expect(try values(directory.path("app.db")) == ["new"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "app.db")
    }

    @Test func anExistingDatabaseIsOverwrittenOnlyWithForce() async throws {
        let path = try directory.database("CREATE TABLE t(a); INSERT INTO t VALUES('old'); CREATE TABLE u(a)")
        try await expect(
            Tool.run("restore", backup, path), fails: "error: '\(path)' already exists\nhint: --force replaces it\n",
            exitCode: 73
        )
        #expect(try values(path) == ["old"])
        expectSuccess(try await Tool.run("restore", backup, path, "--force"), path)
        #expect(try values(path) == ["new"])
        #expect(try directory.files() == ["backup.db", "test.db"])
    }

    @Test(arguments: [Configuration.JournalMode.wal, .delete, .persist, .truncate], [4096, 1024, 65536])
    func programsThatHaveTheDatabaseOpenSeeTheNewState(mode: Configuration.JournalMode, pageSize: Int) async throws {
        let path = directory.path("app.db")
        var configuration = Configuration.sqlite
        configuration.journalMode = mode
        let program = try Connection(path, configuration: .sqlite)
        try program.execute("PRAGMA page_size = \(raw: "\(pageSize)"); PRAGMA journal_mode = \(raw: mode.rawValue)")
        try program.execute("CREATE TABLE t(a); INSERT INTO t VALUES('old')")
        let outcome = try await Tool.run("restore", backup, path, "--force", "--timeout", "0")
        if mode == .wal, pageSize != 4096 {
            // The log must end first, and the program has it open.
            expect(outcome, fails: "error: \(path): database is locked (SQLITE_BUSY)\n", exitCode: 75)
            #expect(try values(program) == ["old"])
            program.close()
            expectSuccess(try await Tool.run("restore", backup, path, "--force"), path)
            #expect(try values(path) == ["new"])
            return
        }
        expectSuccess(outcome, path)
        #expect(try values(program) == ["new"])
        try program.run("INSERT INTO t VALUES('newer')")
        program.close()
        #expect(try values(path) == ["new", "newer"])
    }

    @Test func aLogWithChangesOfAProgramThatWasKilledIsNotAppliedToTheNewState() async throws {
        let program = try Connection(directory.path("program.db"))
        try program.execute("CREATE TABLE t(a); INSERT INTO t VALUES('old')")
        let path = directory.path("app.db")
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: directory.path("program.db") + suffix, toPath: path + suffix)
        }
        program.close()
        expectSuccess(try await Tool.run("restore", backup, path, "--force"), path)
        #expect(try values(path) == ["new"])
        #expect(try directory.files() == ["app.db", "backup.db", "program.db"])
    }

    @Test func aFileThatIsNoDatabaseIsReplacedWithItsLog() async throws {
        let path = try directory.file("app.db", String(repeating: "no database ", count: 100))
        _ = try directory.file("app.db-wal", "a log")
        _ = try directory.file("app.db-journal", "a journal")
        expectSuccess(try await Tool.run("restore", backup, path, "--force"), path)
        #expect(try values(path) == ["new"])
        #expect(try directory.files() == ["app.db", "backup.db"])
    }

    @Test func aReaderDelaysItAndNothingChangesUntilThen() async throws {
        let path = try directory.database("CREATE TABLE t(a); INSERT INTO t VALUES('old')")
        let reader = try Connection(path, mode: .existing, configuration: .sqlite)
        try reader.execute("BEGIN")
        #expect(try values(reader) == ["old"])
        try await expect(
            Tool.run("restore", backup, path, "--force", "--timeout", "0"),
            fails: "error: copying '\(backup)' to '\(path)': database is locked (SQLITE_BUSY)\n", exitCode: 75
        )
        #expect(try values(reader) == ["old"])
        try reader.execute("COMMIT")
        reader.close()
        #expect(try values(path) == ["old"])
        expectSuccess(try await Tool.run("restore", backup, path, "--force"), path)
    }

    @Test func aBackupThatIsDamagedIsNotRestored() async throws {
        let path = try directory.database("CREATE TABLE t(a); INSERT INTO t VALUES('old')")
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: backup))
        try handle.seek(toOffset: 16384)
        try handle.write(contentsOf: Data(repeating: 0xFF, count: 16))
        try handle.close()
        for arguments in [[path, "--force"], [directory.path("other.db")]] {
            let outcome = try await Tool.shell("\"$SQUALL\" restore \"$@\"", [backup] + arguments)
            #expect(outcome.exitCode == 65 && outcome.output == "")
            #expect(outcome.error.hasPrefix("error: \(backup): the backup is damaged: "))
        }
        #expect(try values(path) == ["old"])
        #expect(try directory.files() == ["backup.db", "test.db"])
    }

    @Test func anEmptyFileIsNoBackup() async throws {
        let path = try directory.database("CREATE TABLE t(a); INSERT INTO t VALUES('old')")
        let empty = try directory.file("empty.db", "")
        try await expect(
            Tool.run("restore", empty, path, "--force"), fails: "error: \(empty): the file is empty\n", exitCode: 65
        )
        let missing = directory.path("none.db")
        try await expect(
            Tool.run("restore", missing, path, "--force"),
            fails: "error: cannot open '\(missing)': No such file or directory\n", exitCode: 66
        )
        #expect(try values(path) == ["old"])
    }

    @Test func aDatabaseIsNotRestoredFromItself() async throws {
        try await expect(
            Tool.run("restore", backup, backup, "--force"),
            fails: "error: '\(backup)' and '\(backup)' are the same file\n", exitCode: 73
        )
        #expect(try values(backup) == ["new"])
    }

    #if os(Linux)
        @Test(.enabled("needs util-linux") { FileManager.default.isExecutableFile(atPath: "/usr/bin/setsid") })
        func anInterruptLeavesTheDatabaseUnchanged() async throws {
            let slow = try directory.databaseThatIsCheckedForMinutes()
            let path = try directory.database("CREATE TABLE t(a); INSERT INTO t VALUES('old')", name: "app.db")
            let terminal = try Pseudoterminal(["restore", slow, path, "--force"])
            try await terminal.read(until: "checking the backup")
            try terminal.type("\u{3}")
            #expect(try await terminal.finish().exitCode == 128 + SIGINT)
            #expect(try values(path) == ["old"])
        }
    #endif
}
