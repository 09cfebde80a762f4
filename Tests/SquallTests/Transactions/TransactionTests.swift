import Foundation
import Squall
import SquallSQLite
import SquallTestSupport
import Testing

struct TransactionTests {
    let directory: TemporaryDirectory
    let connection: Connection

    init() throws {
        directory = try TemporaryDirectory()
        connection = try Connection(directory.file("a.db"))
        try connection.execute(
            """
            CREATE TABLE t(a INTEGER PRIMARY KEY ON CONFLICT ROLLBACK, b);
            CREATE TABLE parent(id INTEGER PRIMARY KEY);
            CREATE TABLE child(parent REFERENCES parent(id) DEFERRABLE INITIALLY DEFERRED);
            """)
    }

    private func count() throws -> Int { try connection.query("SELECT count(*) FROM t") }

    @Test func commitsAndReturnsTheClosuresValue() throws {
        let id = try connection.transaction {
            try connection.run("INSERT INTO t VALUES(7, 'x')")
            #expect(connection.isInTransaction)
            return connection.lastInsertRowID
        }
        #expect(id == 7)
        #expect(!connection.isInTransaction)
        #expect(try count() == 1)
    }

    @Test func rollsBackAndRethrows() throws {
        #expect(throws: CancellationError.self) {
            try connection.transaction {
                try connection.run("INSERT INTO t VALUES(1, 'x')")
                throw CancellationError()
            }
        }
        #expect(!connection.isInTransaction)
        #expect(try count() == 0)
    }

    @Test(arguments: [
        (Connection.TransactionType.deferred, true), (.immediate, false), (.exclusive, false),
    ])
    func typesTakeTheirLocks(type: Connection.TransactionType, othersMayWrite: Bool) throws {
        let other = try Connection(directory.file("a.db"), configuration: .sqlite)
        try connection.transaction(transactionType: type) {
            if othersMayWrite {
                try other.run("INSERT INTO t VALUES(1, 'x')")
            } else {
                #expect(try sqliteError { try other.run("INSERT INTO t VALUES(1, 'x')") }.resultCode == .busy)
            }
        }
    }

    @Test func oneInsideAnotherIsAnErrorAndTheOuterOneGoesOn() throws {
        try connection.transaction {
            try connection.run("INSERT INTO t VALUES(1, 'x')")
            let error = try sqliteError { try connection.transaction {} }
            #expect(error.message == "cannot start a transaction within a transaction")
            #expect(error.hint?.hasSuffix("use `savepoint`, which nests") == true)
        }
        #expect(try count() == 1)
    }

    @Test func aTransactionBegunByHandIsNotEndedByAFailedOne() throws {
        try connection.execute("BEGIN; INSERT INTO t VALUES(1, 'x')")
        #expect(throws: SQLiteError.self) { try connection.transaction {} }
        #expect(connection.isInTransaction)
        try connection.execute("COMMIT")
        #expect(try count() == 1)
    }

    @Test func aRestrictedDeletionIsAnErrorOfATrigger() throws {
        try connection.execute(
            """
            PRAGMA foreign_keys = ON;
            CREATE TABLE owned(parent REFERENCES parent(id) ON DELETE RESTRICT);
            INSERT INTO parent VALUES(1);
            INSERT INTO owned VALUES(1);
            """)
        let error = try sqliteError { try connection.run("DELETE FROM parent") }
        #expect(error.extendedResultCode == .constraintTrigger)
        #expect(error.resultCode == .constraint)
    }

    @Test func aCommitThatFailsIsRolledBack() throws {
        let error = try sqliteError {
            try connection.transaction { try connection.run("INSERT INTO child VALUES(9)") }
        }
        #expect(error.extendedResultCode == .constraintForeignKey)
        #expect(error.message == "FOREIGN KEY constraint failed")
        #expect(!connection.isInTransaction)
        #expect(try connection.query("SELECT count(*) FROM child") == 0)
        try connection.transaction { try connection.run("INSERT INTO t VALUES(1, 'x')") }
    }

    @Test func aBusyCommitIsRolledBack() throws {
        let path = directory.file("rollback.db")
        let writer = try Connection(path, configuration: .sqlite)
        try writer.execute("CREATE TABLE t(a)")
        let reader = try Connection(path, configuration: .sqlite)
        let open = try reader.prepare("SELECT * FROM sqlite_schema")
        try open.step()
        let error = try sqliteError { try writer.transaction { try writer.run("INSERT INTO t VALUES(1)") } }
        #expect(error.resultCode == .busy)
        #expect(!writer.isInTransaction)
        try open.reset()
        #expect(try writer.query("SELECT count(*) FROM t") == 0)
    }

    // MARK: - Transactions that SQLite ends

    /// The closure swallows the error by which SQLite rolled back, and goes on.
    @Test func aLostTransactionRunsNothingMore() throws {
        try connection.run("INSERT INTO t VALUES(1, 'x')")
        let error = try sqliteError {
            try connection.transaction {
                try connection.run("INSERT INTO t VALUES(2, 'y')")
                #expect(
                    try sqliteError { try connection.run("INSERT INTO t VALUES(1, 'again')") }.resultCode == .constraint
                )
                for attempt in [
                    { try connection.run("INSERT INTO t VALUES(3, 'z')") },
                    { try connection.execute("INSERT INTO t VALUES(3, 'z')") },
                    { try connection.execute("BEGIN") },
                    { try connection.prepare("INSERT INTO t VALUES(3, 'z')").run() },
                    { try connection.savepoint(named: "s") {} },
                    { let _: Int = try connection.query("SELECT count(*) FROM t") },
                ] {
                    #expect(try sqliteError { _ = try attempt() }.extendedResultCode == .transactionLost)
                }
            }
        }
        #expect(error.extendedResultCode == .transactionLost)
        #expect(error.message.hasPrefix("the transaction is lost"))
        let left: [Int] = try connection.query("SELECT a FROM t")
        #expect(left == [1])
        #expect(!connection.isInTransaction)
        try connection.transaction { try connection.run("INSERT INTO t VALUES(3, 'z')") }
        #expect(try count() == 2)
    }

    @Test func theErrorThatLostItIsTheOneThatIsThrown() throws {
        try connection.run("INSERT INTO t VALUES(1, 'x')")
        let error = try sqliteError {
            try connection.transaction { try connection.run("INSERT INTO t VALUES(1, 'x')") }
        }
        #expect(error.extendedResultCode == .constraintPrimaryKey)
    }

    @Test func aTransactionEndedByHandIsLost() throws {
        let error = try sqliteError {
            try connection.transaction {
                try connection.execute("INSERT INTO t VALUES(1, 'x'); COMMIT")
                try connection.run("INSERT INTO t VALUES(2, 'y')")
            }
        }
        #expect(error.extendedResultCode == .transactionLost)
        #expect(try count() == 1)
    }

    @Test func anInterruptThatRollsBackLosesIt() throws {
        let insert = try connection.prepare("INSERT INTO t SELECT i, 'y' FROM (SELECT 10 AS i UNION SELECT 11)")
        let error = try sqliteError {
            try connection.transaction {
                try connection.run("INSERT INTO t VALUES(1, 'x')")
                try? connection.forEach("SELECT 1 UNION ALL SELECT 2") { (_) throws in
                    // In effect while the query runs; it ends the write, and SQLite rolls back.
                    connection.interrupt()
                    #expect(try sqliteError { _ = try insert.run() }.resultCode == .interrupt)
                }
                try connection.run("INSERT INTO t VALUES(2, 'z')")
            }
        }
        #expect(error.extendedResultCode == .transactionLost)
        #expect(try count() == 0)
    }

    /// An interrupt is in effect while any statement is un-reset, and would end the ROLLBACK as well.
    @Test func rollbackSucceedsWhileAnInterruptIsInEffect() throws {
        try connection.run("INSERT INTO t VALUES(100, 'x')")
        let open = try connection.prepare("SELECT a FROM t UNION ALL SELECT 2")
        #expect(throws: CancellationError.self) {
            try connection.transaction {
                try connection.run("INSERT INTO t VALUES(1, 'x')")
                try open.step()
                connection.interrupt()
                throw CancellationError()
            }
        }
        #expect(!connection.isInTransaction)
        #expect(try count() == 1)
        #expect(try sqliteError { try open.step() }.message == "the statement was ended by a rollback")
        try open.reset()
        #expect(try open.query() == 100)
        try open.reset()
    }

    @Test func aReadAroundARolledBackTransactionGoesOn() throws {
        try connection.run("INSERT INTO t VALUES(1, 'x'), (2, 'y'), (3, 'z')")
        var seen: [Int] = []
        try connection.forEach("SELECT a FROM t ORDER BY a") { row in
            try? connection.transaction {
                try connection.run("DELETE FROM t WHERE a = 3")
                throw CancellationError()
            }
            seen.append(try row.get(0))
        }
        #expect(seen == [1, 2, 3])
    }

    /// Run in a process of its own, whose files may not grow: the limit is the process's.
    @Test func aFullDiskLosesTheTransactionAndKeepsTheFile() async throws {
        await #expect(processExitsWith: .success) { try TransactionTests.fillTheDisk() }
    }

    private static func fillTheDisk() throws {
        let directory = try TemporaryDirectory()
        let connection = try Connection(directory.file("full.db"), configuration: .sqlite)
        try connection.execute("PRAGMA cache_size = 5; CREATE TABLE t(a)")
        try connection.run("INSERT INTO t VALUES('kept')")
        _ = signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit()
        getrlimit(fileSizeLimit, &limit)
        limit.rlim_cur = 200_000
        #expect(setrlimit(fileSizeLimit, &limit) == 0)

        var failures: [SQLiteError] = []
        let lost = try sqliteError {
            try connection.transaction {
                for _ in 0..<500 {
                    do {
                        try connection.run("INSERT INTO t VALUES(?)", String(repeating: "x", count: 2000))
                    } catch let error as SQLiteError {
                        failures.append(error)
                    }
                }
            }
        }
        let first = try #require(failures.first)
        #expect([.full, .ioError].contains(first.resultCode))
        #expect(failures.last?.extendedResultCode == .transactionLost)
        #expect(lost.extendedResultCode == .transactionLost)

        limit.rlim_cur = limit.rlim_max
        #expect(setrlimit(fileSizeLimit, &limit) == 0)
        let rows: [String] = try connection.query("SELECT a FROM t")
        #expect(rows == ["kept"])
        #expect(try connection.query("PRAGMA integrity_check") == "ok")
        try connection.transaction { try connection.run("INSERT INTO t VALUES('again')") }
    }

    // MARK: - Statements that write and return rows

    /// SQLite gives the rows first and commits at the end: the error comes after the row.
    @Test func anErrorAtTheEndOfAWriteIsThrownWhateverIsAsked() throws {
        let sql: SQL = "INSERT INTO child VALUES(9) RETURNING parent"
        let own = try connection.prepare(sql)
        for attempt in [
            { let _: Int = try connection.query(sql) }, { let _: Int? = try connection.query(sql) },
            { let _: [Int] = try connection.query(sql) }, { _ = try connection.query(sql) as Row? },
            { let _: Int? = try connection.query(sql) { $0[0] } }, { try connection.forEach(sql) { _ in } },
            { try connection.run(sql) }, { try own.step() }, { let _: Int = try own.query() },
        ] as [() throws -> Void] {
            #expect(try sqliteError(attempt).extendedResultCode == .constraintForeignKey)
        }
        #expect(try connection.query("SELECT count(*) FROM child") == 0)
    }

    @Test func aWriteHasBeenCommittedWhenItsFirstRowIsSeen() throws {
        let other = try Connection(directory.file("a.db"), configuration: .sqlite)
        let insert = try connection.prepare("INSERT INTO t VALUES(?, 'x'), (? + 1, 'y') RETURNING a")
        #expect(try insert.bind(1, 1).query() == 1)
        #expect(try other.query("SELECT count(*) FROM t") == 2)
        try other.run("INSERT INTO t VALUES(3, 'z')")
        try connection.transaction { try connection.run("INSERT INTO t VALUES(4, 'z')") }
        #expect(try count() == 4)

        // An inner rollback does not take the outer statement's work with it.
        var seen: [Int] = []
        try connection.forEach("INSERT INTO t VALUES(11, 'x'), (12, 'y') RETURNING a") { row in
            seen.append(try row.get(0))
            try? connection.run("INSERT INTO t VALUES(4, 'again')")
        }
        #expect(seen == [11, 12])
        #expect(try count() == 6)
    }

    @Test func aWriteStandsOnItsRowsOneByOne() throws {
        let insert = try connection.prepare("INSERT INTO t VALUES(1, 'x'), (2, 'y') RETURNING a")
        #expect(try insert.step())
        #expect(insert.row?[0] == 1)
        #expect(try insert.step())
        #expect(insert.row?[0] == 2)
        #expect(try !insert.step())
        #expect(insert.row == nil)
        #expect(try count() == 2)
        try connection.execute("DELETE FROM t")
        try insert.step()
        try insert.run()
        #expect(try count() == 2)

        // The statement is done when its rows are seen: its closure may use it again.
        let any = try connection.prepare("INSERT INTO t(b) VALUES(?), (?) RETURNING a", "x", "y")
        var seen = 0
        try any.forEach { _ in
            seen += 1
            try any.reset()
            try any.bind("again", "again").run()
        }
        #expect(seen == 2)
        #expect(try count() == 8)
    }

    // MARK: - Savepoints

    @Test func savepointsNestAndUndoTheirOwnPart() throws {
        let result = try connection.transaction {
            try connection.run("INSERT INTO t VALUES(1, 'x')")
            try? connection.savepoint(named: "s") {
                try connection.run("INSERT INTO t VALUES(2, 'y')")
                throw CancellationError()
            }
            return try connection.savepoint(named: "s") {
                try connection.run("INSERT INTO t VALUES(3, 'z')")
                return 5
            }
        }
        #expect(result == 5)
        let left: [Int] = try connection.query("SELECT a FROM t")
        #expect(left == [1, 3])
    }

    @Test func aSavepointNeedsNoName() throws {
        try connection.savepoint {
            try connection.run("INSERT INTO t VALUES(1, 'x')")
            try? connection.savepoint {
                try connection.run("INSERT INTO t VALUES(2, 'y')")
                throw CancellationError()
            }
        }
        #expect(try connection.query("SELECT a FROM t") == [1])
    }

    @Test func sqiftDefect2AFailedSavepointLeavesNoTransactionOpen() throws {
        #expect(throws: CancellationError.self) {
            try connection.savepoint(named: "outer") {
                try connection.run("INSERT INTO t VALUES(1, 'x')")
                throw CancellationError()
            }
        }
        #expect(!connection.isInTransaction)
        try connection.transaction { try connection.run("INSERT INTO t VALUES(2, 'x')") }
        #expect(try count() == 1)
    }

    @Test func aSavepointIsUndoneWhileAnInterruptIsInEffect() throws {
        try connection.run("INSERT INTO t VALUES(100, 'x')")
        let open = try connection.prepare("SELECT a FROM t UNION ALL SELECT 2")
        try connection.transaction {
            try connection.run("INSERT INTO t VALUES(1, 'x')")
            #expect(throws: CancellationError.self) {
                try connection.savepoint(named: "s") {
                    try connection.run("INSERT INTO t VALUES(2, 'y')")
                    try open.step()
                    connection.interrupt()
                    throw CancellationError()
                }
            }
            try connection.run("INSERT INTO t VALUES(3, 'z')")
        }
        let left: [Int] = try connection.query("SELECT a FROM t ORDER BY a")
        #expect(left == [1, 3, 100])
    }

    @Test func fiveHundredSavepoints() throws {
        func nest(_ depth: Int) throws {
            guard depth < 500 else { return }
            try connection.savepoint(named: "level \(depth % 7)") {
                try connection.run("INSERT INTO t VALUES(?, ?)", depth, "x")
                try? connection.savepoint(named: "undone") {
                    try connection.run("DELETE FROM t")
                    throw CancellationError()
                }
                try nest(depth + 1)
            }
        }
        try nest(0)
        #expect(try count() == 500)
        #expect(!connection.isInTransaction)
    }

    @Test func aSavepointThatIsATransactionFailsAsOne() throws {
        let error = try sqliteError {
            try connection.savepoint(named: "s") { try connection.run("INSERT INTO child VALUES(9)") }
        }
        #expect(error.extendedResultCode == .constraintForeignKey)
        #expect(!connection.isInTransaction)
        #expect(try connection.query("SELECT count(*) FROM child") == 0)
    }

    @Test func aTransactionLostInsideASavepointIsLostOutside() throws {
        try connection.run("INSERT INTO t VALUES(1, 'x')")
        let error = try sqliteError {
            try connection.transaction {
                try? connection.savepoint(named: "s") { try connection.run("INSERT INTO t VALUES(1, 'x')") }
                try connection.run("INSERT INTO t VALUES(2, 'y')")
            }
        }
        #expect(error.extendedResultCode == .transactionLost)
        #expect(try count() == 1)
    }
}

#if canImport(Glibc)
    private let fileSizeLimit = __rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue))
#else
    private let fileSizeLimit = RLIMIT_FSIZE
#endif
