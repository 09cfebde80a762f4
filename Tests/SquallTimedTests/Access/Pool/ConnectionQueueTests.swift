import Foundation
import SquallTestSupport
import Testing

@testable import Squall

@Suite(.timeLimit(.minutes(10)))
struct ConnectionQueueTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("queue.db")
    }

    private func queue() throws -> ConnectionQueue {
        let queue = try ConnectionQueue(connection: Connection(storageLocation: .onDisk(path)))
        try queue.execute { try $0.execute("CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT)") }
        return queue
    }

    @Test func closuresReturnValuesAndThrow() throws {
        let queue = try queue()
        let id = try queue.execute { connection in
            try connection.run("INSERT INTO cars(name) VALUES('Audi')")
            return connection.lastInsertRowID
        }
        #expect(id == 1)
        #expect(try sqliteError { try queue.execute { try $0.run("nonsense") } }.code == 1)
        #expect(try queue.execute { try $0.query("SELECT name FROM cars") } == "Audi")
    }

    @Test func transactionsAndSavepointsAreUndoneWhenTheyThrow() throws {
        let queue = try queue()
        try queue.executeInTransaction { try $0.run("INSERT INTO cars(name) VALUES('Audi')") }
        _ = try sqliteError {
            try queue.executeInTransaction(transactionType: .immediate) {
                try $0.run("DELETE FROM cars")
                try $0.run("nonsense")
            }
        }
        _ = try sqliteError {
            try queue.executeInSavepoint(named: "a \"name\"") {
                try $0.run("DELETE FROM cars")
                try $0.run("nonsense")
            }
        }
        let count = try queue.executeInSavepoint(named: "s") { try $0.query("SELECT count(*) FROM cars") as Int }
        #expect(count == 1)
    }

    /// SQift stopped the program here.
    @Test func aClosureMayUseItsOwnQueue() throws {
        let queue = try queue()
        let other = try ConnectionQueue(connection: Connection())
        let count = try queue.executeInTransaction { connection in
            try queue.execute { inner in
                #expect(inner === connection)
                try inner.run("INSERT INTO cars(name) VALUES('Audi')")
            }
            try other.execute { _ in
                try queue.executeInSavepoint(named: "s") { try $0.run("INSERT INTO cars(name) VALUES('Saab')") }
            }
            return try connection.query("SELECT count(*) FROM cars") as Int
        }
        #expect(count == 2)
    }

    @Test func aTransactionMayStayOpenButAStandingStatementMayNot() throws {
        let queue = try queue()
        try queue.execute { try $0.execute("INSERT INTO cars(name) VALUES('a'), ('b'); BEGIN") }
        try queue.execute { connection in
            #expect(connection.isInTransaction)
            let statement = try connection.prepare("SELECT * FROM cars")
            try statement.step()
            try connection.run("COMMIT")
            #expect(statement.isBusy)
        }
        // It would be locked by the statement.
        try queue.execute { try $0.execute("DROP TABLE cars") }
    }

    @Test func threadsTakeTurnsInTheOrderInWhichTheyAsk() throws {
        let queue = try ConnectionQueue(connection: Connection())
        let (isIn, gate) = (Gate(), Gate())
        let order = Shared<[Int]>([])
        let first = ThreadResult {
            try queue.execute { _ in
                isIn.open()
                gate.wait()
            }
        }
        isIn.wait()
        var threads: [ThreadResult<Void>] = []
        for number in 0..<20 {
            threads.append(ThreadResult { try queue.execute { _ in order.update { $0.append(number) } } })
            until { queue.waiting == number + 1 }
        }
        gate.open()
        try first.get()
        for thread in threads { try thread.get() }
        #expect(order.value == Array(0..<20))
    }

    @Test func oneThreadAtATimeHasTheConnection() throws {
        let queue = try ConnectionQueue(connection: Connection())
        try queue.execute { try $0.execute("CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT)") }
        let threads = (0..<8).map { _ in
            ThreadResult {
                for _ in 0..<200 { try queue.execute { try $0.run("INSERT INTO cars(name) VALUES('Audi')") } }
            }
        }
        for thread in threads { try thread.get() }
        #expect(try queue.execute { try $0.query("SELECT count(*) FROM cars") } == 1600)
    }

    @Test func aConnectionThatHasEscapedDoesNothing() throws {
        let queue = try queue()
        var escaped: Connection?
        try queue.execute { escaped = $0 }
        #expect(try sqliteError { try escaped?.run("DELETE FROM cars") }.message.contains("that has returned"))
        #expect(try sqliteError { _ = try escaped?.checkpoint() }.message.contains("that has returned"))
        escaped?.close()
        try queue.execute { try $0.run("DELETE FROM cars") }
    }

    @Test func aConnectionThatIsClosedByItsClosureSaysSoToTheNext() throws {
        let queue = try queue()
        try queue.execute { connection in
            connection.close()
            try connection.run("SELECT 1")
        }
        // So that no interrupt reaches it.
        #expect(queue.core.lock.withLock { queue.core.state.connections.map { $0.handle == nil } } == [true])
        #expect(try sqliteError { try queue.execute { try $0.run("SELECT 1") } }.message == "the connection is closed")
    }

    @Test func aStatementThatIsLeftOnARowEndsWithItsClosure() throws {
        let queue = try queue()
        var kept: Statement?
        try queue.execute { connection in
            try connection.run("INSERT INTO cars(name) VALUES('Audi')")
            kept = try connection.prepare("SELECT name FROM cars")
            _ = try kept?.step()
            #expect(kept?.isBusy == true)
        }
        #expect(kept?.isBusy == false)
        // Its lock would be in the way.
        try Connection(storageLocation: .onDisk(path)).run("DELETE FROM cars")
    }

    @Test func queuesAreEqualOnlyToThemselves() throws {
        let (one, other) = (try queue(), try ConnectionQueue(connection: Connection()))
        #expect(one == one)
        #expect(Set([one, other, one]).count == 2)
    }

    @Test func aDeletedFileIsNoticed() throws {
        let queue = try queue()
        try FileManager.default.removeItem(atPath: path)
        var error: SQLiteError?
        // A queue looks once a second.
        until {
            do { try queue.execute { try $0.run("SELECT 1") } } catch let found { error = found as? SQLiteError }
            return error != nil
        }
        #expect(error?.extendedResultCode == .fileMoved)
    }
}
