import Foundation
import Squall
import SquallTestSupport
import Testing

struct VacuumTests {
    let directory: TemporaryDirectory
    let connection: Connection

    init() throws {
        directory = try TemporaryDirectory()
        connection = try Connection(directory.file("a.db"))
        try connection.fill(rows: 20)
        try connection.run("DELETE FROM t WHERE id > 5")
    }

    @Test func givesFreePagesBack() throws {
        let before = try connection.pageCount()
        try connection.vacuum()
        #expect(try connection.pageCount() < before - 10)
        #expect(try connection.rowCount() == 5)
    }

    @Test func attachedDatabases() throws {
        try connection.attachDatabase(from: .inMemory, withName: "an other")
        try connection.vacuum(databaseNamed: "an other")
        try connection.vacuum(databaseNamed: "an other", into: directory.file("other.db"))
        try connection.vacuum(databaseNamed: "TEMP")
    }

    /// Apple's SQLite takes `main` for an unknown name.
    @Test(arguments: ["nope", "", "main\0"]) func unknownDatabases(name: String) throws {
        let pages = try connection.pageCount()
        let copy = directory.file("copy.db")
        for attempt in [
            { try connection.vacuum(databaseNamed: name) }, { try connection.vacuum(databaseNamed: name, into: copy) },
        ] {
            let error = try sqliteError(attempt)
            #expect(error.resultCode == .error && error.message == "unknown database: \(name.debugDescription)")
        }
        #expect(try connection.pageCount() == pages)
        #expect(!FileManager.default.fileExists(atPath: copy))
    }

    @Test(arguments: ["copy.db", "it's a \"copy\".db", "file:copy.db?mode=memory"]) func intoAFile(name: String) throws
    {
        let path = directory.file(name)
        try connection.vacuum(into: path)
        let copy = try Connection(path, mode: .existing, configuration: .sqlite)
        #expect(try copy.digest() == connection.digest())
        #expect(try copy.pageCount() < connection.pageCount())
        #expect(try copy.integrityCheck() == [])
    }

    @Test func aFileThatIsThereIsNotTouched() throws {
        let path = directory.file("text")
        try Data("text".utf8).write(to: URL(fileURLWithPath: path))
        #expect(try sqliteError { try connection.vacuum(into: path) }.resultCode == .notADatabase)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("text".utf8))
        let error = try sqliteError { try connection.vacuum(into: directory.file("a.db")) }
        #expect(error.code == 1)
        #expect(error.message == "output file already exists")
        #expect(try connection.rowCount() == 5)
    }

    @Test func anEmptyFileIsFilled() throws {
        let path = directory.file("empty")
        try Data().write(to: URL(fileURLWithPath: path))
        try connection.vacuum(into: path)
        #expect(try Connection(path, configuration: .sqlite).rowCount() == 5)
    }

    @Test(arguments: ["a\0b", "", ":memory:"]) func pathsThatAreNoFiles(path: String) throws {
        #expect(try sqliteError { try connection.vacuum(into: path) }.resultCode == .misuse)
    }

    @Test func whatFailsOnTheWayLeavesNoFile() throws {
        try connection.run(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
            INSERT INTO t(bytes) SELECT i FROM n
            """)
        try connection.execute("CREATE INDEX tb ON t(bytes)")
        var hasty = Configuration.sqlite
        hasty.timeLimit = .nanoseconds(1)
        let path = directory.file("copy.db")
        let error = try sqliteError {
            try Connection(directory.file("a.db"), configuration: hasty).vacuum(into: path)
        }
        #expect(error.resultCode == .interrupt)
        #expect(!FileManager.default.fileExists(atPath: path))
        try connection.vacuum(into: path)
    }

    @Test func aMissingDirectory() throws {
        #expect(try sqliteError { try connection.vacuum(into: directory.file("no/copy.db")) }.resultCode == .cantOpen)
    }

    @Test func insideATransactionBothAreRefused() throws {
        try connection.transaction {
            let error = try sqliteError { try connection.vacuum() }
            #expect(error.message == "cannot VACUUM from within a transaction")
            let into = try sqliteError { try connection.vacuum(into: directory.file("copy.db")) }
            #expect(into.message == "cannot VACUUM from within a transaction")
        }
    }
}
