import Squall
import SquallTestSupport
import Testing

struct CommitHookTests {
    private let connection: Connection
    private let log = Log()

    init() throws {
        connection = try Connection()
        try connection.execute("CREATE TABLE t(a)")
    }

    @Test func observersSeeCommitsAndRollbacks() throws {
        connection.addCommitObserver { [log] in
            log.add("commit")
            return false
        }
        connection.addRollbackObserver { [log] in log.add("rollback") }
        try connection.run("INSERT INTO t VALUES(1)")
        try connection.transaction { try connection.run("INSERT INTO t VALUES(2)") }
        #expect(log.take() == ["commit", "commit"])
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try connection.transaction {
                try connection.run("INSERT INTO t VALUES(3)")
                throw Stop()
            }
        }
        #expect(log.take() == ["rollback"])
        #expect(try connection.query("SELECT a FROM t") == [1, 2])
    }

    @Test func anObserverThatRefusesMakesARollback() throws {
        let refusal = connection.addCommitObserver { true }
        connection.addRollbackObserver { [log] in log.add("rollback") }
        let error = try sqliteError { try connection.run("INSERT INTO t VALUES(1)") }
        #expect(error.code == 19)
        #expect(error.message == "constraint failed")
        #expect(log.take() == ["rollback"])
        let inTransaction = try sqliteError {
            try connection.transaction { try connection.run("INSERT INTO t VALUES(1)") }
        }
        #expect(inTransaction.code == 19)
        #expect(!connection.isInTransaction)
        refusal.cancel()
        try connection.run("INSERT INTO t VALUES(2)")
        #expect(try connection.query("SELECT a FROM t") == [2])
    }

    @Test func observersAreAskedInOrderUntilOneRefuses() throws {
        connection.addCommitObserver { [log] in
            log.add("first")
            return false
        }
        let refusal = connection.addCommitObserver { [log] in
            log.add("second")
            return true
        }
        connection.addCommitObserver { [log] in
            log.add("third")
            return false
        }
        #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO t VALUES(1)") }
        #expect(log.take() == ["first", "second"])
        refusal.cancel()
        try connection.run("INSERT INTO t VALUES(1)")
        #expect(log.take() == ["first", "third"])
    }

    @Test func rollbackObserversAreCalledInOrder() throws {
        let first = connection.addRollbackObserver { [log] in log.add("first") }
        let second = connection.addRollbackObserver { [log] in log.add("second") }
        try connection.execute("BEGIN; INSERT INTO t VALUES(1); ROLLBACK")
        #expect(log.take() == ["first", "second"])
        second.cancel()
        first.cancel()
        try connection.execute("BEGIN; INSERT INTO t VALUES(1); ROLLBACK")
        #expect(log.take() == [])
    }
}
