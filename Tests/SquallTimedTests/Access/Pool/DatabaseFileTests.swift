import Foundation
import SquallTestSupport
import Testing

@testable import Squall

/// A database whose file is deleted or replaced while it is open.
@Suite(.timeLimit(.minutes(10)))
struct DatabaseFileTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("app.db")
    }

    private func open() throws -> Database {
        let database = try Database(path)
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE IF NOT EXISTS cars(name TEXT)") }
        return database
    }

    private func waitForTheNextTick() {
        let now = CoarseClock.now
        until { CoarseClock.now > now }
    }

    @Test func aCommitIntoAFileThatIsGoneIsNotAcknowledged() throws {
        let uses: [(Database, (Connection) throws -> Void) throws -> Void] = [
            { database, body in try database.blocking.write { try body($0) } },
            { database, body in try database.blocking.writeWithoutTransaction { try body($0) } },
            { database, body in try database.writerConnectionQueue.execute { try body($0) } },
        ]
        for use in uses {
            let database = try open()
            let error = try sqliteError {
                try use(database) { connection in
                    try connection.run("INSERT INTO cars VALUES('Audi')")
                    try FileManager.default.removeItem(atPath: path)
                    waitForTheNextTick()
                    try connection.run("INSERT INTO cars VALUES('Saab')")
                }
            }
            #expect(error.extendedResultCode == .fileMoved)
            #expect(
                error.message == "the database file was deleted or moved: \(path); "
                    + "the last commits are in the log of the old file, \(path)-wal")
            try database.blocking.close()
            for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        }
    }

    /// As the hint says: SQLite replays a log that is beside its file.
    @Test func theLastCommitsAreInTheLogOfTheOldFile() throws {
        let database = try open()
        try database.blocking.checkpoint()
        let old = directory.file("old.db")
        let error = try sqliteError {
            try database.blocking.writeWithoutTransaction { connection in
                #expect(rename(path, old) == 0)
                waitForTheNextTick()
                try connection.run("INSERT INTO cars VALUES('Audi')")
            }
        }
        #expect(error.message.hasSuffix("; the last commits are in the log of the old file, \(path)-wal"))
        #expect(error.hint?.contains("move the log") == true)
        try database.blocking.close()
        #expect(rename(path + "-wal", old + "-wal") == 0)
        #expect(try Connection(old).query("SELECT name FROM cars") == ["Audi"])
    }

    /// The log at the path then belongs to the new file.
    @Test func theLogOfANewFileIsNotSaidToHaveTheLastCommits() throws {
        let (database, old) = (try open(), directory.file("old.db"))
        var new: Connection?
        let error = try sqliteError {
            try database.blocking.writeWithoutTransaction { connection in
                for suffix in ["", "-wal", "-shm"] { #expect(rename(path + suffix, old + suffix) == 0) }
                new = try Connection(path)
                try new?.execute("CREATE TABLE cars(name TEXT); INSERT INTO cars VALUES('new')")
                waitForTheNextTick()
                try connection.run("INSERT INTO cars VALUES('Audi')")
            }
        }
        #expect(error.kind == .problem(FileProblem.replaced, of: .file(path)))
        #expect(error.message.hasSuffix("; what was committed is in the old file or its log"))
        #expect(error.hint?.contains("beside the old file") == false)
        try database.blocking.close()
        #expect(try Connection(old).query("SELECT name FROM cars") == ["Audi"])
        #expect(try new?.query("SELECT name FROM cars") == ["new"])
    }

    @Test func withoutALogTheLastCommitsAreInTheOldFile() throws {
        var configuration = Configuration.recommended
        configuration.journalMode = .delete
        let database = try Database(path, configuration: configuration)
        let old = directory.file("old.db")
        let error = try sqliteError {
            try database.blocking.writeWithoutTransaction { connection in
                try connection.execute("CREATE TABLE cars(name TEXT); INSERT INTO cars VALUES('Audi')")
                #expect(rename(path, old) == 0)
                waitForTheNextTick()
            }
        }
        #expect(
            error.message == "the database file was deleted or moved: \(path); what was committed is in the old file")
        #expect(try Connection(old).query("SELECT name FROM cars") == ["Audi"])
    }

    @Test func anAsynchronousCommitIntoAFileThatIsGoneIsNotAcknowledged() async throws {
        let database = try open()
        let path = path
        let error = await #expect(throws: SQLiteError.self) {
            try await database.write { connection in
                try connection.run("INSERT INTO cars VALUES('Audi')")
                try FileManager.default.removeItem(atPath: path)
                let now = CoarseClock.now
                until { CoarseClock.now > now }
            }
        }
        #expect(error?.extendedResultCode == .fileMoved)
    }

    /// SQLite replays the log that it finds beside a file, whichever file it was written for.
    @Test func theHintOfAReplacedFileLeadsToTheNewFile() throws {
        let database = try open()
        try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO cars VALUES('old')") }
        let copy = path + "-copy"
        try Connection(copy).execute("CREATE TABLE cars(name TEXT); INSERT INTO cars VALUES('restored')")
        #expect(rename(copy, path) == 0)
        waitForTheNextTick()
        let error = try sqliteError { try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO cars VALUES('lost')") } }
        #expect(error.message == "the database file was replaced: \(path)")
        #expect(
            error.hint
                == "close the database, remove the log of the old file (\(path)-wal and \(path)-shm) if it is still there, "
                + "and open the database again"
        )
        try database.blocking.close()
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        #expect(try open().blocking.read { try $0.query("SELECT name FROM cars") } == ["restored"])
    }
}
