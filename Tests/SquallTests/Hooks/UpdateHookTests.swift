import Squall
import SquallTestSupport
import Testing

struct UpdateHookTests {
    private let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.execute("CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT)")
    }

    private func note(_ log: Log, _ name: String) -> Connection.UpdateHook {
        { type, database, table, rowID in log.add("\(name) \(type) \(database ?? "nil").\(table ?? "nil") \(rowID)") }
    }

    @Test func anObserverSeesEveryChange() throws {
        let log = Log()
        connection.addUpdateObserver(note(log, "observer"))
        try connection.execute(
            """
            INSERT INTO cars VALUES(1, 'Audi'), (2, 'Saab');
            UPDATE cars SET name = 'PooledConnection' WHERE id = 2;
            DELETE FROM cars WHERE id = 1
            """
        )
        #expect(
            log.lines == [
                "observer insert main.cars 1", "observer insert main.cars 2", "observer update main.cars 2",
                "observer delete main.cars 1",
            ]
        )
    }

    @Test(.enabled(if: SQLiteFeatures.preUpdateHook)) func statementsThatWerePreparedBeforeAreSeenToo() throws {
        let log = Log()
        let own = try connection.prepare("DELETE FROM cars")
        func deleteTwoRows(_ delete: () throws -> Void) throws -> [String] {
            try connection.run("INSERT INTO cars VALUES(1, 'Audi'), (2, 'Saab')")
            try delete()
            return log.take()
        }
        #expect(try deleteTwoRows { try connection.run("DELETE FROM cars") } == [])
        let token = connection.addUpdateObserver(note(log, "observer"))
        let expected = [
            "observer insert main.cars 1", "observer insert main.cars 2", "observer delete main.cars 1",
            "observer delete main.cars 2",
        ]
        #expect(try deleteTwoRows { try connection.run("DELETE FROM cars") } == expected)
        #expect(try deleteTwoRows { try own.run() } == expected)
        let misses = connection.statementCache.misses
        #expect(try deleteTwoRows { try connection.run("DELETE FROM cars") } == expected)
        #expect(connection.statementCache.misses == misses)
        token.cancel()
        #expect(try deleteTwoRows { try own.run() } == [])
    }

    @Test func theNamesAreThoseOfEachTable() throws {
        let log = Log()
        connection.addUpdateObserver(note(log, "observer"))
        try connection.execute("CREATE TABLE bikes(a); ATTACH ':memory:' AS other; CREATE TABLE other.cars(a)")
        try connection.execute("INSERT INTO cars DEFAULT VALUES; INSERT INTO bikes VALUES(1)")
        try connection.execute("INSERT INTO other.cars VALUES(1); INSERT INTO cars DEFAULT VALUES")
        #expect(
            log.lines == [
                "observer insert main.cars 1", "observer insert main.bikes 1", "observer insert other.cars 1",
                "observer insert main.cars 2",
            ]
        )
    }

    @Test func observersDoNotSilenceEachOther() throws {
        let log = Log()
        let first = connection.addUpdateObserver(note(log, "first"))
        connection.addUpdateObserver(note(log, "second"))
        try connection.run("INSERT INTO cars VALUES(1, 'Audi')")
        #expect(log.take() == ["first insert main.cars 1", "second insert main.cars 1"])
        first.cancel()
        first.cancel()
        try connection.run("INSERT INTO cars VALUES(2, 'Saab')")
        #expect(log.take() == ["second insert main.cars 2"])
    }

    @Test func anObserverCanCancelItself() throws {
        let log = Log()
        var token: ObserverToken?
        token = connection.addUpdateObserver { _, _, _, rowID in
            log.add("\(rowID)")
            token?.cancel()
        }
        try connection.execute("INSERT INTO cars VALUES(1, NULL), (2, NULL); INSERT INTO cars VALUES(3, NULL)")
        #expect(log.lines == ["1"])
        connection.addUpdateObserver { _, _, _, rowID in log.add("again \(rowID)") }
        try connection.run("INSERT INTO cars VALUES(4, NULL)")
        #expect(log.lines == ["1", "again 4"])
    }

    @Test func anObserverThatCancelsItselfTakesNothingFromTheOthers() throws {
        let log = Log()
        var token: ObserverToken?
        token = connection.addUpdateObserver { _, _, _, _ in token?.cancel() }
        connection.addUpdateObserver(note(log, "second"))
        connection.addUpdateObserver(note(log, "third"))
        try connection.run("INSERT INTO cars VALUES(1, NULL)")
        #expect(log.lines == ["second insert main.cars 1", "third insert main.cars 1"])
    }

    @Test func aTokenOutlivesItsConnection() throws {
        var token: ObserverToken?
        weak var gone: Connection?
        do {
            let other = try Connection()
            token = other.addUpdateObserver { _, _, _, _ in }
            gone = other
        }
        #expect(gone == nil)
        token?.cancel()
    }

    @Test func theClosureGoesWithTheConnection() throws {
        weak var gone: Log?
        do {
            let log = Log()
            gone = log
            let other = try Connection()
            other.addUpdateObserver(note(log, "observer"))
            try other.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)")
            #expect(log.lines.count == 1)
        }
        #expect(gone == nil)
    }

    /// A hook that uses its connection keeps it, until it is closed.
    @Test func closingAConnectionLetsGoOfItsHooks() throws {
        weak var gone: Connection?
        do {
            let other = try Connection()
            gone = other
            other.addUpdateObserver { _, _, _, _ in _ = other.changes }
            other.traceStatements { _ in _ = other.changes }
            try other.busyHandler(.custom { _ in other.isClosed })
            other.close()
        }
        #expect(gone == nil)
    }

    @Test func aHookOnAClosedConnectionIsNeverCalled() throws {
        connection.close()
        connection.addUpdateObserver { _, _, _, _ in Issue.record("called") }
        #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO cars VALUES(1, NULL)") }
    }
}
