import Squall
import SquallTestSupport
import Testing

/// The situations of the guide "Rollbacks" that no other test has.
struct RollbackTests {
    let directory: TemporaryDirectory
    let connection: Connection

    init() throws {
        directory = try TemporaryDirectory()
        connection = try Connection(directory.file("a.db"))
        try connection.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b); INSERT INTO t VALUES(1, 'old')")
    }

    private func numbers() throws -> [Int] { try connection.query("SELECT a FROM t ORDER BY a") }

    @Test func aConstraintUndoesItsStatementAndTheTransactionContinues() throws {
        try connection.transaction {
            try connection.run("INSERT INTO t VALUES(2, 'x')")
            let error = try sqliteError { try connection.run("INSERT INTO t VALUES(3, 'x'), (1, 'again')") }
            #expect(error.resultCode == .constraint)
            #expect(connection.isInTransaction)
            try connection.run("INSERT INTO t VALUES(4, 'x')")
        }
        #expect(try numbers() == [1, 2, 4])
        #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO t VALUES(5, 'x'), (1, 'again')") }
        #expect(try numbers() == [1, 2, 4])
    }

    @Test func failKeepsTheEarlierRowsOfTheStatement() throws {
        try connection.transaction {
            let error = try sqliteError { try connection.run("INSERT OR FAIL INTO t VALUES(2, 'x'), (1, 'again')") }
            #expect(error.resultCode == .constraint)
            #expect(connection.isInTransaction)
        }
        #expect(try numbers() == [1, 2])
    }

    @Test func aStatementThatFindsTheFileLockedLeavesTheTransactionOpen() throws {
        try connection.busyHandler(.defaultBehavior)
        let other = try Connection(directory.file("a.db"))
        try connection.transaction(transactionType: .deferred) {
            #expect(try numbers() == [1])
            try other.run("BEGIN IMMEDIATE")
            #expect(try sqliteError { try connection.run("INSERT INTO t VALUES(2, 'x')") }.resultCode == .busy)
            #expect(connection.isInTransaction)
            try other.run("ROLLBACK")
            try connection.run("INSERT INTO t VALUES(3, 'x')")
        }
        #expect(try numbers() == [1, 3])
    }

    @Test func anInterruptedReadLeavesTheTransactionOpen() throws {
        try connection.transaction {
            try connection.run("INSERT INTO t VALUES(2, 'x')")
            let error = try sqliteError {
                try connection.forEach("SELECT 1 UNION ALL SELECT 2") { (_) throws in connection.interrupt() }
            }
            #expect(error.resultCode == .interrupt)
            #expect(connection.isInTransaction)
            try connection.run("INSERT INTO t VALUES(3, 'x')")
        }
        #expect(try numbers() == [1, 2, 3])
    }

    @Test func definitionsAndTheUserVersionAreRolledBackAndSettingsAreNot() throws {
        #expect(throws: CancellationError.self) {
            try connection.transaction {
                try connection.execute("CREATE TABLE u(a); PRAGMA user_version = 7; PRAGMA cache_size = 77")
                throw CancellationError()
            }
        }
        #expect(try connection.tableNames() == ["t"])
        #expect(try connection.userVersion == 0)
        #expect(try connection.query("PRAGMA cache_size") == 77)
    }

    @Test func aScriptKeepsTheStatementsBeforeTheOneThatFails() throws {
        #expect(throws: SQLiteError.self) {
            try connection.execute("INSERT INTO t VALUES(2, 'x'); INSERT INTO t VALUES(1, 'again'); DELETE FROM t")
        }
        #expect(try numbers() == [1, 2])
    }

    @Test func theQueueOfADatabaseRollsBackATransactionThatIsLeftOpen() throws {
        let database = try Database(directory.file("a.db"))
        let error = try sqliteError {
            try database.writerConnectionQueue.execute { try $0.execute("BEGIN; INSERT INTO t VALUES(2, 'x')") }
        }
        #expect(error.kind == .problem(DatabaseProblem.transactionLeftOpen))
        #expect(error.resultCode == .misuse)
        try database.writerConnectionQueue.execute { #expect(!$0.isInTransaction) }
        #expect(try numbers() == [1])
    }

    /// A row that is read back with its insertion, and does not fit its record.
    @Test func aRecordThatCannotBeReadBackIsInsertedAllTheSame() throws {
        struct Line: TableRecord {
            let id: Int64?
            let total: Int?
            static let table = Table("lines", Line.init) {
                Column("id", \Line.id, .primaryKey)
                Column("total", \Line.total, .generated("'twelve'"))
            }
        }
        try connection.create(Line.table)
        #expect(throws: ConversionError.self) { try connection.insertReturning(Line(id: 1, total: nil)) }
        #expect(try connection.count("lines") == 1)
        #expect(throws: ConversionError.self) {
            try connection.transaction { _ = try connection.insertReturning(Line(id: 2, total: nil)) }
        }
        #expect(try connection.count("lines") == 1)
    }
}
