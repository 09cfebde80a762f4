import Squall
import SquallTestSupport
import Testing

struct TraceTests {
    private let connection: Connection
    private let log = Log()

    init() throws {
        connection = try Connection()
    }

    @Test func theTextsOfTheStatementsHaveTheirValues() throws {
        let token = connection.traceStatements { [log] in log.add($0) }
        try connection.execute("CREATE TABLE t(id INTEGER, name TEXT)")
        try connection.prepare("INSERT INTO t VALUES(?, ?)").bind(1, "O'Neill").run()
        try connection.run("INSERT INTO t VALUES(\(2), \(nil as String?))")
        let _: [Int] = try connection.query("SELECT id FROM t WHERE id > \(0)")
        token.cancel()
        try connection.run("SELECT 1")
        #expect(
            log.take() == [
                "CREATE TABLE t(id INTEGER, name TEXT)", "INSERT INTO t VALUES(1, 'O''Neill')",
                "INSERT INTO t VALUES(2, NULL)", "SELECT id FROM t WHERE id > 0",
            ]
        )
    }

    @Test func theEventsOfAStatementComeInOrder() throws {
        connection.addTraceObserver { [log] event in
            switch event {
            case .statement(let statement, let sql): log.add("statement \(statement) of \(sql)")
            case .profile(let statement, let seconds): log.add("profile \(statement) \(seconds >= 0)")
            case .row(let statement): log.add("row \(statement)")
            case .connectionClosed: log.add("closed")
            }
        }
        let _: [Int] = try connection.query("SELECT ? UNION ALL SELECT 2", 1)
        connection.close()
        let expanded = "SELECT 1 UNION ALL SELECT 2"
        #expect(
            log.take() == [
                "statement \(expanded) of SELECT ? UNION ALL SELECT 2", "row \(expanded)", "row \(expanded)",
                "profile \(expanded) true", "closed",
            ]
        )
    }

    @Test func theConnectionThatGoesIsReportedLast() throws {
        do {
            let other = try Connection()
            other.addTraceObserver(mask: Connection.TraceEvent.connectionClosedMask) { [log] in log.add("\($0)") }
            try other.run("SELECT 1")
        }
        let line = try #require(log.lines.first)
        #expect(log.lines.count == 1)
        #expect(line.wholeMatch(of: /TraceEvent \(ConnectionClosed\): connection: "0x[0-9a-f]+"/) != nil)
    }

    @Test func theMaskChoosesTheEvents() throws {
        let mask = Connection.TraceEvent.statementMask | Connection.TraceEvent.rowMask
        let token = connection.addTraceObserver(mask: mask) { [log] in log.add("\($0)") }
        try connection.run("SELECT 7")
        #expect(
            log.take() == [
                #"TraceEvent (Statement): statement: "SELECT 7", SQL: "SELECT 7""#, #"TraceEvent (Row): "SELECT 7""#,
            ]
        )
        token.cancel()
        connection.addTraceObserver(mask: Connection.TraceEvent.profileMask) { [log] event in
            if case .profile(let statement, _) = event { log.add(statement) }
        }
        try connection.run("SELECT 8")
        #expect(log.take() == ["SELECT 8"])
        #expect(
            "\(Connection.TraceEvent.profile(statement: "SELECT 8", seconds: 0))"
                == #"TraceEvent (Profile): statement: "SELECT 8", SQL: "0.0""#
        )
    }

    /// CREATE TABLE runs a statement of SQLite's own, which has no SQL.
    @Test func eventsWithoutSQLAreLeftOut() throws {
        connection.addTraceObserver { [log] event in log.add(String("\(event)".prefix(22))) }
        connection.traceStatements { [log] in log.add("trace \($0)") }
        connection.addProfileObserver { [log] in log.add("profile \($0.sql)") }
        try connection.run("CREATE TABLE t(a)")
        let sql = "CREATE TABLE t(a)"
        #expect(
            log.take() == [
                "TraceEvent (Statement)", "trace \(sql)", "TraceEvent (Profile): ", "profile \(sql)",
            ]
        )
    }

    @Test func triggersAreComments() throws {
        try connection.execute(
            "CREATE TABLE t(a); CREATE TABLE u(a); CREATE TRIGGER tr AFTER INSERT ON t BEGIN INSERT INTO u VALUES(1); END"
        )
        connection.traceStatements { [log] in log.add($0) }
        try connection.run("INSERT INTO t VALUES(?)", 5)
        #expect(log.take() == ["INSERT INTO t VALUES(5)", "-- TRIGGER tr", "-- INSERT INTO u VALUES(1)"])
    }

    @Test func allWhoListenAreCalled() throws {
        let text = connection.traceStatements { [log] _ in log.add("trace") }
        let event = connection.addTraceObserver(mask: Connection.TraceEvent.statementMask) { [log] _ in log.add("event")
        }
        let profile = connection.addProfileObserver { [log] _ in log.add("profile") }
        let token = connection.addTraceObserver(mask: Connection.TraceEvent.rowMask) { [log] _ in log.add("row") }
        try connection.run("SELECT 1")
        #expect(log.take() == ["trace", "event", "row", "profile"])
        text.cancel()
        profile.cancel()
        try connection.run("SELECT 1")
        #expect(log.take() == ["event", "row"])
        token.cancel()
        event.cancel()
        try connection.run("SELECT 1")
        #expect(log.take() == [])
    }
}
