import Squall
import SquallTestSupport
import Testing

/// SQLite forbids most hooks to use their connection: what they try is an error, and no deadlock or worse.
struct HookMisuseTests {
    private let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)")
    }

    private func trial(_ log: Log) -> () -> Void {
        { [unowned connection] in
            do {
                let count: Int = try connection.query("SELECT count(*) FROM t")
                log.add("count \(count)")
            } catch {
                log.add("\((error as? SQLiteError)?.message ?? "\(error)")")
            }
        }
    }

    @Test(.enabled(if: SQLiteFeatures.preUpdateHook)) func everyHookGetsAnErrorThatNamesIt() throws {
        let log = Log()
        let attempt = trial(log)
        try connection.addPreUpdateObserver { _ in attempt() }
        connection.addUpdateObserver { _, _, _, _ in attempt() }
        connection.addCommitObserver {
            attempt()
            return false
        }
        connection.addRollbackObserver { attempt() }
        try connection.transaction { try connection.run("INSERT INTO t VALUES(2)") }
        try connection.execute("BEGIN; ROLLBACK")
        #expect(
            log.take() == [
                "a pre-update hook cannot use its own connection", "an update hook cannot use its own connection",
                "a commit hook cannot use its own connection", "a rollback hook cannot use its own connection",
            ]
        )
        #expect(try connection.query("SELECT count(*) FROM t") == 2)
    }

    @Test func soDoTheAuthorizerAndTheTrace() throws {
        let log = Log()
        let attempt = trial(log)
        let token = connection.addTraceObserver(mask: Connection.TraceEvent.statementMask) { _ in attempt() }
        try connection.run("SELECT 1")
        token.cancel()
        connection.addAuthorizer { action, _, _, _, _ in
            if action == .select { attempt() }
            return .ok
        }
        try connection.run("SELECT 2")
        #expect(
            log.take() == [
                "a trace closure cannot use its own connection", "an authorizer cannot use its own connection",
            ]
        )
    }

    @Test func aStatementOfTheConnectionCannotBeUsedEither() throws {
        let select = try connection.prepare("SELECT a FROM t")
        let log = Log()
        connection.addUpdateObserver { [unowned select] _, _, _, _ in
            do { log.add("\(try select.query() as Int)") } catch {
                log.add("\((error as? SQLiteError)?.message ?? "")")
            }
        }
        try connection.run("INSERT INTO t VALUES(2)")
        #expect(log.lines == ["an update hook cannot use its own connection"])
        #expect(try select.query() as [Int] == [1, 2])
    }

    @Test func anotherConnectionCanBeUsed() throws {
        let other = try Connection()
        try other.execute("CREATE TABLE log(rowid INTEGER)")
        connection.addUpdateObserver { _, _, _, rowID in try? other.run("INSERT INTO log VALUES(?)", rowID) }
        try connection.run("INSERT INTO t VALUES(2)")
        #expect(try other.query("SELECT rowid FROM log") == [2])
    }

    @Test func aHookThatClosesItsConnectionClosesItWhenTheStatementHasEnded() throws {
        connection.addUpdateObserver { [unowned connection] _, _, _, _ in connection.close() }
        try connection.run("INSERT INTO t VALUES(2)")
        #expect(connection.isClosed)
        #expect(throws: SQLiteError.self) { try connection.run("SELECT 1") }
    }

    @Test func aHookCanInterrupt() throws {
        connection.addUpdateObserver { [unowned connection] _, _, _, rowID in if rowID == 5 { connection.interrupt() } }
        let error = try sqliteError {
            try connection.run(
                "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n LIMIT 100000) INSERT INTO t SELECT i FROM n"
            )
        }
        #expect(error.resultCode == .interrupt)
        #expect(try connection.query("SELECT count(*) FROM t") == 1)
    }

    @Test func isClosedIsFalseInAHook() throws {
        let log = Log()
        connection.addUpdateObserver { [unowned connection] _, _, _, _ in log.add("\(connection.isClosed)") }
        try connection.run("INSERT INTO t VALUES(2)")
        #expect(log.lines == ["false"])
    }
}
