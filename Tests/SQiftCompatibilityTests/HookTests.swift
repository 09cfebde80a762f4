import SQiftCompatibility
import SquallTestSupport
import Testing

/// SQift's setters of hooks. The hooks themselves are those of observers.
struct HookTests {
    private let connection: Connection
    private let log = Log()

    init() throws {
        connection = try Connection()
        try connection.execute("CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT)")
    }

    private func note(_ name: String) -> Connection.UpdateHook {
        { [log] type, database, table, rowID in log.add("\(name) \(type) \(database ?? "").\(table ?? "") \(rowID)") }
    }

    // MARK: Changes and transactions

    @Test func anUpdateHookReplacesTheEarlierOneAndNoObserver() throws {
        let first = connection.addUpdateObserver(note("first"))
        connection.updateHook(note("old"))
        connection.addUpdateObserver(note("second"))
        connection.updateHook(note("new"))
        try connection.run("INSERT INTO cars VALUES(1, 'Audi')")
        #expect(log.take() == ["first insert main.cars 1", "second insert main.cars 1", "new insert main.cars 1"])
        first.cancel()
        connection.updateHook(nil)
        try connection.run("INSERT INTO cars VALUES(2, 'Saab')")
        #expect(log.take() == ["second insert main.cars 2"])
    }

    @Test func theHooksSeeCommitsAndRollbacks() throws {
        connection.commitHook { [log] in
            log.add("commit")
            return false
        }
        connection.rollbackHook { [log] in log.add("rollback") }
        try connection.run("INSERT INTO cars VALUES(1, 'Audi')")
        #expect(log.take() == ["commit"])
        connection.commitHook { true }
        let error = try sqliteError { try connection.run("INSERT INTO cars VALUES(2, 'Saab')") }
        #expect(error.code == 19)
        #expect(log.take() == ["rollback"])
        connection.commitHook(nil)
        connection.rollbackHook(nil)
        try connection.execute("BEGIN; INSERT INTO cars VALUES(3, 'Fiat'); ROLLBACK")
        #expect(log.take() == [])
        #expect(try connection.query("SELECT id FROM cars") == [1])
    }

    @Test func aHookCanReplaceItself() throws {
        connection.updateHook { [unowned connection, log] _, _, _, rowID in
            log.add("first \(rowID)")
            connection.updateHook { _, _, _, rowID in log.add("second \(rowID)") }
        }
        try connection.execute("INSERT INTO cars VALUES(1, 'Audi'); INSERT INTO cars VALUES(2, 'Saab')")
        #expect(log.take() == ["first 1", "second 2"])
    }

    // MARK: Tracing

    @Test func traceGivesTheStatementsWithTheirValues() throws {
        connection.trace { [log] in log.add("old \($0)") }
        connection.trace { [log] in log.add($0) }
        try connection.prepare("INSERT INTO cars VALUES(?, ?)").bind(1, "O'Neill").run()
        connection.trace(nil)
        try connection.run("SELECT 1")
        #expect(log.take() == ["INSERT INTO cars VALUES(1, 'O''Neill')"])
    }

    @Test func triggersAreComments() throws {
        try connection.execute(
            "CREATE TABLE u(a); CREATE TRIGGER tr AFTER INSERT ON cars BEGIN INSERT INTO u VALUES(1); END")
        connection.trace { [log] in log.add($0) }
        try connection.run("INSERT INTO cars VALUES(?, 'Audi')", 5)
        #expect(log.take() == ["INSERT INTO cars VALUES(5, 'Audi')", "-- TRIGGER tr", "-- INSERT INTO u VALUES(1)"])
    }

    @Test func eachSetterOfTracesHasOneClosure() throws {
        connection.trace { [log] _ in log.add("trace") }
        connection.traceEvent(mask: Connection.TraceEvent.rowMask) { [log] _ in log.add("old") }
        connection.traceEvent(mask: Connection.TraceEvent.statementMask) { [log] _ in log.add("event") }
        let token = connection.addTraceObserver(mask: Connection.TraceEvent.rowMask) { [log] _ in log.add("row") }
        try connection.run("SELECT 1")
        #expect(log.take() == ["trace", "event", "row"])
        connection.trace(nil)
        try connection.run("SELECT 1")
        #expect(log.take() == ["event", "row"])
        token.cancel()
        connection.traceEvent(closure: nil)
        try connection.run("SELECT 1")
        #expect(log.take() == [])
    }

    @Test func theCloseOfAConnectionIsReported() throws {
        connection.traceEvent(mask: Connection.TraceEvent.connectionClosedMask) { [log] in log.add("\($0)") }
        connection.close()
        #expect(log.take().count == 1)
    }

    // MARK: Authorizers

    @Test func anAuthorizerReplacesTheEarlierOne() throws {
        try connection.authorizer { action, _, _, _, _ in action == .delete ? .deny : .ok }
        #expect(
            try sqliteError { try connection.run("DELETE FROM cars") }.message == "not authorized: DELETE cars in main")
        try connection.authorizer { action, _, _, _, _ in action == .dropTable ? .deny : .ok }
        try connection.run("DELETE FROM cars")
        #expect(try sqliteError { try connection.run("DROP TABLE cars") }.code == 23)
        try connection.authorizer(nil)
        try connection.run("DROP TABLE cars")
    }

    @Test func theStrictestOfAllAuthorizersCounts() throws {
        let strict = connection.addAuthorizer { action, _, _, _, _ in action == .delete ? .deny : .ok }
        try connection.authorizer { action, _, _, _, _ in action == .delete ? .ignore : .ok }
        #expect(throws: SQLiteError.self) { try connection.run("DELETE FROM cars WHERE id = 5") }
        strict.cancel()
        try connection.run("DELETE FROM cars WHERE id = 5")
    }

    @Test func anAuthorizerCanRemoveItself() throws {
        try connection.authorizer { [unowned connection] action, _, _, _, _ in
            guard action == .select else { return .ok }
            do { try connection.authorizer(nil) } catch { Issue.record(error) }
            return .deny
        }
        #expect(try sqliteError { let _: Int = try connection.query("SELECT count(*) FROM cars") }.code == 23)
        #expect(try connection.query("SELECT count(*) FROM cars") == 0)
    }

    // MARK: Connections that are closed, or lent

    @Test func aClosedConnectionCallsNoHook() throws {
        connection.close()
        connection.updateHook { _, _, _, _ in Issue.record("called") }
        connection.trace { _ in Issue.record("called") }
        #expect(throws: SQLiteError.self) { try connection.authorizer(nil) }
        #expect(throws: SQLiteError.self) { try connection.run("SELECT 1") }
    }

    /// A hook that uses its connection keeps it, until it is closed.
    @Test func closingAConnectionReleasesItsHooks() throws {
        weak var released: Connection?
        do {
            let other = try Connection()
            released = other
            other.updateHook { _, _, _, _ in _ = other.changes }
            other.trace { _ in _ = other.changes }
            try other.authorizer { _, _, _, _, _ in other.isClosed ? .deny : .ok }
            other.close()
        }
        #expect(released == nil)
    }

    @Test func anAuthorizerOfAClosureEndsWithItAndTheEarlierOneIsSetAgain() throws {
        let database = try Database(storageLocation: .inMemory) { connection in
            try connection.execute("CREATE TABLE IF NOT EXISTS t(a)")
            try connection.authorizer { action, _, _, _, _ in action == .delete ? .deny : .ok }
        }
        func canDelete() throws -> Bool {
            try database.blocking.writeWithoutTransaction { (try? $0.run("DELETE FROM t")) != nil }
        }
        #expect(try !canDelete())
        try database.blocking.writeWithoutTransaction { connection in
            try connection.authorizer(nil)
            try connection.run("DELETE FROM t")
        }
        #expect(try !canDelete())
        try database.blocking.writeWithoutTransaction { connection in
            try connection.authorizer { action, _, _, _, _ in action == .insert ? .deny : .ok }
            try connection.run("DELETE FROM t")
        }
        #expect(try !canDelete())
        try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO t VALUES(1)") }
    }

    @Test func aConnectionThatWasReturnedAcceptsNoHook() throws {
        let database = try Database(storageLocation: .inMemory)
        var kept: Connection?
        try database.blocking.writeWithoutTransaction { connection in
            try connection.execute("CREATE TABLE t(a)")
            connection.updateHook(note("hook"))
            kept = connection
        }
        kept?.commitHook { true }
        kept?.updateHook(nil)
        #expect(try errorKind { try kept?.authorizer { _, _, _, _, _ in .deny } } == .connectionReturned)
        kept = nil
        try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO t VALUES(1)") }
        #expect(log.take() == ["hook insert main.t 1"])
    }
}
