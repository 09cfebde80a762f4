import Foundation
import Squall
import SquallTestSupport
import Testing

/// A database that several threads use, and a file that changes under it.
@Suite(.timeLimit(.minutes(10)))
struct DatabaseThreadTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("app.db")
    }

    private func open() throws -> Database {
        let database = try Database(path)
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT)") }
        return database
    }

    private func add(_ name: String, to connection: Connection) throws {
        try connection.run("INSERT INTO cars(name) VALUES(?)", name)
    }

    private func count(_ connection: Connection) throws -> Int {
        try connection.query("SELECT count(*) FROM cars")
    }

    @Test func aReadIsOneSnapshot() throws {
        let database = try open()
        try database.blocking.read { connection in
            #expect(try count(connection) == 0)
            try ThreadResult { try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO cars(name) VALUES('Audi')") } }.get()
            #expect(try count(connection) == 0)
        }
        #expect(try database.blocking.read { try count($0) } == 1)
    }

    @Test func closingWaitsForThoseWhoRunAndRefusesThoseWhoWait() throws {
        let database = try open()
        let (isIn, gate) = (Gate(), Gate())
        let writer = ThreadResult {
            try database.blocking.write { connection in
                try connection.run("INSERT INTO cars(name) VALUES('Audi')")
                isIn.open()
                gate.wait()
                try connection.run("INSERT INTO cars(name) VALUES('Saab')")
            }
        }
        isIn.wait()
        let waiting = ThreadResult { try database.blocking.writeWithoutTransaction { try $0.run("DELETE FROM cars") } }
        until { database.statistics.waitingWrites == 1 }
        let isClosed = Shared(false)
        let closing = ThreadResult {
            try database.blocking.close()
            isClosed.update { $0 = true }
        }
        #expect(try sqliteError { try waiting.get() }.message == "the database is closed")
        #expect(!isClosed.value)
        gate.open()
        try writer.get()
        try closing.get()
        #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
        #expect(try Connection(path).query("SELECT count(*) FROM cars") == 2)
    }

    @Test func closingDuringManyWritesLeavesAllThatWereAcknowledged() throws {
        let database = try open()
        let acknowledged = Shared(0)
        let threads = (0..<4).map { _ in
            ThreadResult {
                while true {
                    try database.blocking.write { try $0.run("INSERT INTO cars(name) VALUES('Audi')") }
                    acknowledged.update { $0 += 1 }
                }
            }
        }
        until { acknowledged.value > 50 }
        try database.blocking.close()
        for thread in threads { #expect(try sqliteError { try thread.get() }.message == "the database is closed") }
        #expect(try Connection(path).query("SELECT count(*) FROM cars") == acknowledged.value)
    }

    @Test func interruptEndsWhatRunsAndNothingThatComesLater() throws {
        let database = try open()
        let endless: SQL = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        let threads = (0..<2).map { _ in
            ThreadResult { try database.blocking.read { let _: Int = try $0.query(endless) } }
        }
        for thread in threads {
            let isDone = Shared(false)
            let waiter = ThreadResult {
                defer { isDone.update { $0 = true } }
                try thread.get()
            }
            until {
                database.interrupt()
                return isDone.value
            }
            #expect(try sqliteError { try waiter.get() }.resultCode == .interrupt)
        }
        #expect(try database.blocking.read { try count($0) } == 0)
    }

    @Test func aDeletedFileIsNoticedByWritesWithinMilliseconds() throws {
        let database = try open()
        try database.blocking.writeWithoutTransaction { try add("Audi", to: $0) }
        try FileManager.default.moveItem(atPath: path, toPath: path + "-moved")
        let write = { try database.blocking.writeWithoutTransaction { try $0.run("SELECT 1") } }
        until { (try? write()) == nil }
        let error = try sqliteError { try write() }
        #expect(error.extendedResultCode == .fileMoved)
        #expect(error.message == "the database file was deleted or moved: \(path)")
        try FileManager.default.moveItem(atPath: path + "-moved", toPath: path)
        try database.blocking.writeWithoutTransaction { try add("Saab", to: $0) }
        #expect(try database.blocking.read { try count($0) } == 2)
    }
}
