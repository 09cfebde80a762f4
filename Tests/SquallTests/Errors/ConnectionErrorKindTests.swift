import Foundation
import Squall
import SquallTestSupport
import Testing

/// The kinds of the errors of connections, databases and transactions.
struct ConnectionErrorKindTests {
    private let directory: TemporaryDirectory
    private let database: Database
    private let endless: SQL = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"

    init() throws {
        directory = try TemporaryDirectory()
        database = try Database(directory.file("a.db"))
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a INTEGER PRIMARY KEY); INSERT INTO t VALUES(1)") }
    }

    @Test func aClosedObjectIsNamed() throws {
        let connection = try Connection()
        connection.close()
        #expect(try errorKind { try connection.run("SELECT 1") } == .closed(.connection))

        let snapshot = try database.blocking.snapshot()
        #expect(
            try errorKind { try snapshot.blocking.read { _ in try snapshot.close() } }
                == .problem(DatabaseProblem.closedInsideClosure(.snapshot)))
        try snapshot.close()
        #expect(try errorKind { try snapshot.blocking.read { _ in } } == .closed(.snapshot))

        #expect(
            try errorKind { try database.blocking.read { _ in try database.blocking.close() } }
                == .problem(DatabaseProblem.closedInsideClosure(.database)))
        try database.blocking.close()
        let (queue, pool) = (database.writerConnectionQueue, database.readerConnectionPool)
        #expect(try errorKind { try database.blocking.writeWithoutTransaction { _ in } } == .closed(.database))
        #expect(try errorKind { try queue.execute { _ in } } == .closed(.database))
        #expect(try errorKind { try pool.execute { _ in } } == .closed(.database))
    }

    @Test func aReadNamesTheViolation() throws {
        // In memory, Squall refuses a statement that writes; a file has read-only connections, and SQLite does.
        for database in [database, try Database()] {
            try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE IF NOT EXISTS u(a)") }
            try database.blocking.read { connection in
                let attempts: [(SQLiteError.ReadViolation, () throws -> Void)] = [
                    (.statement, { try connection.run("INSERT INTO u VALUES(1)") }),
                    (.pragma, { try connection.run("PRAGMA journal_mode = OFF") }),
                    (.checkpoint, { _ = try connection.checkpoint() }),
                    (.write, { try database.blocking.writeWithoutTransaction { _ in } }),
                ]
                for (violation, attempt) in attempts {
                    let error = try sqliteError(attempt)
                    #expect(error.kind == .insideRead(violation))
                    #expect(error.resultCode == (violation == .statement ? .readOnly : .misuse))
                }
            }
        }
    }

    // MARK: Interruptions

    // MARK: Transactions

    @Test func aLostTransactionAndAnEndedStatementDiffer() throws {
        let connection = try Connection()
        try connection.execute(
            "CREATE TABLE t(a INTEGER PRIMARY KEY ON CONFLICT ROLLBACK); INSERT INTO t VALUES(1), (2)")
        let kind = try errorKind {
            try connection.transaction {
                try? connection.run("INSERT INTO t VALUES(1)")
                try connection.run("INSERT INTO t VALUES(3)")
            }
        }
        #expect(kind == .transactionLost)

        let open = try connection.prepare("SELECT a FROM t")
        #expect(throws: CancellationError.self) {
            try connection.transaction {
                try connection.run("INSERT INTO t VALUES(3)")
                try open.step()
                connection.interrupt()
                throw CancellationError()
            }
        }
        let error = try sqliteError { try open.step() }
        #expect(error.kind == .endedByRollback)
        #expect(ResultCode.transactionLost ~= error)
    }

    @Test func aTransactionThatIsLeftOpenIsNamed() throws {
        #expect(
            try errorKind { try database.blocking.writeWithoutTransaction { try $0.run("BEGIN") } }
                == .problem(DatabaseProblem.transactionLeftOpen))
        let begins: @Sendable (Connection) throws -> Void = { try $0.run("BEGIN") }
        let closes: @Sendable (Connection) throws -> Void = { $0.close() }
        #expect(
            try errorKind { _ = try Database(":memory:", preparation: begins) }
                == .problem(DatabaseProblem.preparationLeftTransactionOpen))
        #expect(
            try errorKind { _ = try Database(":memory:", preparation: closes) }
                == .problem(DatabaseProblem.preparationClosedConnection))
    }
}
