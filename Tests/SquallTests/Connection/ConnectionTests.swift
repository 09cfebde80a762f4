import Foundation
import Squall
import SquallSQLite
import SquallTestSupport
import Testing

struct ConnectionTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func makeDatabase(_ name: String = "a.db") throws -> String {
        let path = directory.file(name)
        let connection = try Connection(path, configuration: .sqlite)
        try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)")
        return path
    }

    @Test func sqiftsInitialisers() throws {
        let path = try makeDatabase()
        let connection = try Connection(
            storageLocation: .onDisk(path), readOnly: true, multiThreaded: false, sharedCache: false
        )
        #expect(connection.readOnly)
        #expect(connection.fileName.hasSuffix("/a.db"))
        #expect(try connection.query("SELECT a FROM t") == 1)
        #expect(try sqliteError { try connection.run("DELETE FROM t") }.code == SQLITE_READONLY)

        let memory = try Connection()
        #expect(memory.fileName == "")
        #expect(!memory.readOnly)
        let temporary = try Connection(storageLocation: .temporary)
        try temporary.execute("CREATE TABLE t(a)")
        #expect(temporary.fileName == "")
        let flags = try Connection(storageLocation: .onDisk(path), flags: SQLITE_OPEN_READWRITE)
        #expect(!flags.readOnly)
        #expect(StorageLocation.onDisk("x").path == "x")
        #expect(StorageLocation.inMemory.path == ":memory:")
        #expect(StorageLocation.temporary.path == "")
    }

    @Test func uriNamesNeedTheFlag() throws {
        let path = try makeDatabase()
        let uri = try Connection(
            storageLocation: .onDisk("file:\(path)?mode=ro"), flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI
        )
        #expect(uri.readOnly)
    }

    @Test func changesAndRowIDs() throws {
        let connection = try Connection()
        try connection.execute("CREATE TABLE t(a)")
        try connection.run("INSERT INTO t VALUES(1), (2), (3)")
        #expect(connection.changes == 3)
        #expect(connection.lastInsertRowID == 3)
        try connection.run("DELETE FROM t WHERE a > 1")
        #expect(connection.changes == 2)
        #expect(connection.totalChanges == 5)
    }

    @Test func sqiftDefect7FailuresToOpenSayWhy() throws {
        for attempt in [
            { _ = try Connection(storageLocation: .onDisk(directory.file("no/such.db"))) },
            { _ = try Connection(storageLocation: .onDisk(directory.path)) },
            { _ = try Connection(storageLocation: .onDisk(directory.file("none.db")), readOnly: true) },
            { _ = try Connection(directory.path) },
            { _ = try Connection(directory.file("none.db"), mode: .readOnly) },
            { _ = try Connection(directory.file("none.db"), mode: .existing) },
            { _ = try Connection(directory.file("no/such.db"), mode: .createNew) },
        ] {
            let error = try sqliteError(attempt)
            #expect(error.code == SQLITE_CANTOPEN)
            #expect(error.message.hasPrefix("unable to "))
            #expect(error.message.contains(directory.path))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
    }

    @Test(arguments: [
        ("no/such.db", Connection.Mode.create, "the directory does not exist: "), ("", .create, "it is a directory"),
        ("none.db", .existing, "the file does not exist; the mode .create creates it"),
    ]) func failuresToOpenNameTheReason(name: String, mode: Connection.Mode, hint: String) throws {
        let path = name.isEmpty ? directory.path : directory.file(name)
        #expect(try sqliteError { _ = try Connection(path, mode: mode) }.hint?.hasPrefix(hint) == true)
    }

    @Test func aPathBelowAFileIsNotADirectory() throws {
        let path = try makeDatabase() + "/b.db"
        #expect(try sqliteError { _ = try Connection(path) }.hint == "Not a directory")
    }

    @Test func aFileThatIsNoDatabaseIsNamed() throws {
        let path = directory.file("text.db")
        try String(repeating: "no database ", count: 100).write(toFile: path, atomically: true, encoding: .utf8)
        let error = try sqliteError { _ = try Connection(path) }
        #expect(error.resultCode == .notADatabase)
        #expect(error.hint == "the file \(path) is not an SQLite database, or it is encrypted")
        let connection = try Connection(directory.file("good.db"))
        let attach = try sqliteError { try connection.attachDatabase(from: .onDisk(path), withName: "x") }
        #expect(attach.hint == "the file to attach is not an SQLite database, or it is encrypted")
        let vacuum = try sqliteError { try connection.vacuum(into: path) }
        #expect(
            vacuum.hint
                == "the destination, or the file \(connection.fileName), is not an SQLite database, or it is encrypted")
    }

    @Test func aPathWithNULIsRefused() throws {
        for attempt in [
            { _ = try Connection(directory.file("a\0b")) },
            { _ = try Connection(directory.file("a\0b"), mode: .createNew) },
            { _ = try Connection(directory.file("a\0b"), mode: .immutable) },
            { _ = try Connection(storageLocation: .onDisk(directory.file("a\0b"))) },
        ] {
            #expect(try sqliteError(attempt).message == "a path cannot have a NUL character")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
    }

    @Test func createNewNeedsThatThereIsNoFile() throws {
        let path = try makeDatabase()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let error = try sqliteError { _ = try Connection(path, mode: .createNew) }
        #expect(error.code == SQLITE_CANTOPEN)
        #expect(error.message == "there is already a file at \(path)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)

        let new = try Connection(directory.file("new.db"), mode: .createNew)
        try new.execute("CREATE TABLE t(a)")
        let again = try Connection(directory.file("new.db"), mode: .existing)
        #expect(try again.query("SELECT count(*) FROM t") == 0)
        _ = try Connection(":memory:", mode: .createNew)
        _ = try Connection("", mode: .createNew)
    }

    /// In a process of its own, for its directory: an absolute path cannot begin with `file:`.
    @Test func aPathThatBeginsWithFileIsAPath() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            #expect(FileManager.default.changeCurrentDirectoryPath(directory.path))
            let connection = try Connection("file:odd.db?mode=memory", mode: .createNew)
            try connection.execute("CREATE TABLE t(a)")
            _ = try Connection(storageLocation: .onDisk("file:other.db"))
            try connection.attachDatabase(from: .onDisk("file:third.db?mode=memory"), withName: "third")
            try connection.execute("CREATE TABLE third.t(a)")
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            #expect(names.contains("file:odd.db?mode=memory"))
            #expect(names.contains("file:other.db"))
            #expect(names.contains("file:third.db?mode=memory"))
        }
    }

    /// In a process that has given up root's rights, which would open anything.
    @Test func anUnreadableFile() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            let path = directory.file("secret.db")
            try Connection(path, configuration: .sqlite).execute("CREATE TABLE t(a)")
            #expect(chmod(path, 0) == 0)
            if geteuid() == 0 { #expect(seteuid(65_534) == 0) }
            for mode in [Connection.Mode.create, .existing, .readOnly] {
                let error = try sqliteError { _ = try Connection(path, mode: mode) }
                #expect(error.resultCode == .cantOpen)
                #expect(error.message == "unable to open database file: \(path)")
            }
            #expect(try sqliteError { _ = try Connection(path + "/x.db") }.resultCode == .cantOpen)
            // Without root's rights the leak check of the address sanitizer cannot run at the end of the process.
            _exit(EXIT_SUCCESS)
        }
    }

    @Test(arguments: ["a b", "x?y", "50%", "a#b", "new\nline", "日本語", "it's"]) func oddPathsAreKept(name: String) throws
    {
        let connection = try Connection(directory.file(name))
        try connection.execute("CREATE TABLE t(a)")
        #expect(FileManager.default.fileExists(atPath: directory.file(name)))
    }

    @Test func aFileThatIsNoDatabase() throws {
        let path = directory.file("letter.txt")
        let text = Data(String(repeating: "Dear Sir, this is no database. ", count: 100).utf8)
        try text.write(to: URL(fileURLWithPath: path))
        for mode in [Connection.Mode.create, .existing, .readOnly] {
            let error = try sqliteError { _ = try Connection(path, mode: mode) }
            #expect(error.code == SQLITE_NOTADB)
            #expect(error.message == "file is not a database")
        }
        let later = try Connection(storageLocation: .onDisk(path))
        #expect(try sqliteError { try later.run("SELECT * FROM sqlite_schema") }.resultCode == .notADatabase)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == text)
    }

    @Test func damagedFilesAreReported() throws {
        let path = directory.file("b.db")
        do {
            let connection = try Connection(path, configuration: .sqlite)
            try connection.execute("CREATE TABLE t(a)")
            for index in 0..<200 {
                try connection.run("INSERT INTO t VALUES(?)", "\(index)" + String(repeating: "x", count: 200))
            }
        }
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes.removeLast(20_000)
        try bytes.write(to: URL(fileURLWithPath: path))
        let connection = try Connection(path, mode: .readOnly, configuration: .sqlite)
        let error = try sqliteError { let _: [String] = try connection.query("SELECT a FROM t") }
        #expect(error.resultCode == .corrupt)
        #expect(error.message == "database disk image is malformed")
    }

    // MARK: - Closing

    @Test func aClosedConnectionThrowsAndClosingAgainDoesNothing() throws {
        let connection = try Connection()
        connection.close()
        connection.close()
        #expect(connection.isClosed)
        for attempt in [
            { try connection.execute("SELECT 1") },
            { try connection.run("SELECT 1") },
            { _ = try connection.prepare("SELECT 1") },
            { try connection.transaction {} },
            { try connection.savepoint(named: "a") {} },
            { try connection.attachDatabase(from: .inMemory, withName: "m") },
        ] {
            let error = try sqliteError(attempt)
            #expect(error.message == "the connection is closed")
            #expect(error.resultCode == .misuse)
        }
        connection.interrupt()
        #expect(connection.fileName == "")
        #expect(connection.changes == 0)
        #expect(connection.lastInsertRowID == 0)
        #expect(!connection.isInTransaction)
    }

    @Test func statementsOfAClosedConnectionThrow() throws {
        let path = try makeDatabase()
        let connection = try Connection(path, configuration: .sqlite)
        let idle = try connection.prepare("SELECT ?", 1)
        let stepped = try connection.prepare("SELECT a FROM t")
        try stepped.step()
        let row = try #require(stepped.row)
        connection.close()
        #expect(row[0] == 1)
        for attempt in [
            { try idle.run() }, { try idle.bind(2) }, { try idle.bind([2]) }, { try idle.bind([":a": 2]) },
            { try stepped.run() },
        ] {
            #expect(try sqliteError { _ = try attempt() }.message == "the connection is closed")
        }
        #expect(try sqliteError { try stepped.step() }.message == "the connection is closed")
        try stepped.reset()
        #expect(try sqliteError { try stepped.step() }.message == "the connection is closed")
        #expect(idle.sql == "SELECT ?")
        #expect(idle.expandedSQL == "SELECT 1")
    }

    @Test func closingInsideAQueryEndsIt() throws {
        let connection = try Connection()
        var seen: [Int] = []
        let error = try sqliteError {
            try connection.forEach("SELECT 1 UNION SELECT 2") { row in
                connection.close()
                seen.append(row[0])
            }
        }
        #expect(error.message == "the connection is closed")
        #expect(seen == [1])
    }

    @Test func closingRollsBackAndReleasesLocks() throws {
        let path = try makeDatabase()
        let connection = try Connection(path, configuration: .sqlite)
        let statement = try connection.prepare("SELECT a FROM t")
        try statement.step()
        try connection.execute("BEGIN IMMEDIATE; INSERT INTO t VALUES(2)")
        connection.close()
        let other = try Connection(path, configuration: .sqlite)
        try other.execute("BEGIN EXCLUSIVE; COMMIT")
        #expect(try other.query("SELECT count(*) FROM t") == 1)
        #expect(try sqliteError { try statement.step() }.message == "the connection is closed")
    }

    @Test func aStatementKeepsItsConnection() throws {
        weak var connection: Connection?
        do {
            let statement: Statement
            do {
                let opened = try Connection()
                connection = opened
                statement = try opened.prepare("SELECT 5")
            }
            #expect(connection != nil)
            #expect(try statement.query() == 5)
        }
        #expect(connection == nil)
    }

    @Test func cachedStatementsDoNotKeepIt() throws {
        weak var connection: Connection?
        do {
            let opened = try Connection()
            connection = opened
            for number in 0..<300 { try opened.run(SQL(raw: "SELECT \(number)")) }
        }
        #expect(connection == nil)
    }

    // MARK: - Interrupting

    @Test func interruptEndsWhatRuns() throws {
        let connection = try Connection()
        let endless: SQL = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
        var count = 0
        let error = try sqliteError {
            try connection.forEach(endless) { _ in
                count += 1
                if count == 10 { connection.interrupt() }
            }
        }
        #expect(error.resultCode == .interrupt)
        #expect(error.message == "interrupted")
        #expect(count == 10)
        #expect(try connection.query("SELECT 1") == 1)
    }

    @Test func descriptionNamesTheFile() throws {
        let directory = try TemporaryDirectory()
        let connection = try Connection(directory.file("a.db"))
        #expect("\(connection)" == "Connection(\"\(connection.fileName)\")")
        connection.close()
        #expect("\(connection)" == "Connection(closed)")
        #expect("\(try Connection())" == "Connection(no file)")
    }

    @Test func aClosedConnectionHasNoProperties() throws {
        let connection = try Connection(try makeDatabase(), mode: .readOnly)
        #expect(connection.readOnly)
        connection.close()
        #expect(!connection.readOnly && connection.totalChanges == 0)
    }
}
