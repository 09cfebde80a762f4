import Squall
import SquallTestSupport
import Testing

/// The type of a transaction that does not name one follows the configuration.
struct TransactionTypeTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.file("app.db") }

    init() throws {
        directory = try TemporaryDirectory()
        try Connection(path).execute("CREATE TABLE t(a INTEGER); INSERT INTO t VALUES(1)")
    }

    /// Returns the statements that a closure runs on a connection.
    private func statements(on connection: Connection, _ body: () throws -> Void) throws -> [String] {
        let log = Log()
        let token = connection.addTraceObserver(mask: Connection.TraceEvent.statementMask) { event in
            if case .statement(_, let sql) = event { log.add(sql) }
        }
        defer { token.cancel() }
        try body()
        return log.take()
    }

    @Test func theRecommendedConfigurationBeginsImmediate() throws {
        for connection in [try Connection(path), try Connection(":memory:")] {
            #expect(
                try statements(on: connection) { try connection.transaction {} }
                    == ["BEGIN IMMEDIATE TRANSACTION", "COMMIT TRANSACTION"])
        }
        let database = try Database(path)
        try database.blocking.writeWithoutTransaction { (connection: Connection) throws in
            #expect(
                try statements(on: connection) { try connection.transaction {} }
                    == ["BEGIN IMMEDIATE TRANSACTION", "COMMIT TRANSACTION"])
        }
    }

    @Test func sqlitesOwnConfigurationBeginsDeferred() throws {
        for connection in [
            try Connection(storageLocation: .onDisk(path)), try Connection(path, configuration: .sqlite),
        ] {
            #expect(
                try statements(on: connection) { try connection.transaction {} }
                    == ["BEGIN DEFERRED TRANSACTION", "COMMIT TRANSACTION"])
            #expect(
                try statements(on: connection) { try connection.savepoint(named: "s") {} }
                    == ["SAVEPOINT \"s\"", "RELEASE SAVEPOINT \"s\""])
        }
    }

    @Test(arguments: [Connection.TransactionType.deferred, .immediate, .exclusive])
    func anotherOneIsChosenByTheCallOrTheConfiguration(_ type: Connection.TransactionType) throws {
        let expected = ["BEGIN \(type.rawValue) TRANSACTION", "COMMIT TRANSACTION"]
        let plain = try Connection(path)
        #expect(try statements(on: plain) { try plain.transaction(transactionType: type) {} } == expected)
        var configuration = Configuration.recommended
        configuration.transactionType = type
        let configured = try Connection(path, configuration: configuration)
        #expect(try statements(on: configured) { try configured.transaction {} } == expected)
        let queue = try ConnectionQueue(connection: Connection(path, configuration: configuration))
        try queue.execute { (connection: Connection) throws in
            #expect(try statements(on: connection) { try connection.transaction {} } == expected)
        }
    }

    @Test func anOutermostSavepointIsInATransaction() throws {
        let connection = try Connection(path)
        #expect(
            try statements(on: connection) {
                try connection.savepoint(named: "outer") { try connection.savepoint(named: "inner") {} }
            } == [
                "BEGIN IMMEDIATE TRANSACTION", "SAVEPOINT \"outer\"", "SAVEPOINT \"inner\"",
                "RELEASE SAVEPOINT \"inner\"", "RELEASE SAVEPOINT \"outer\"", "COMMIT TRANSACTION",
            ])
        #expect(throws: CancellationError.self) {
            try connection.savepoint {
                try connection.run("INSERT INTO t VALUES(2)")
                throw CancellationError()
            }
        }
        #expect(!connection.isInTransaction)
        #expect(try connection.query("SELECT count(*) FROM t") == 1)
    }

    @Test func rowsThatAreBeingReadOutliveASavepointThatIsRolledBack() throws {
        let connection = try Connection(path)
        try connection.execute("INSERT INTO t VALUES(2), (3)")
        var read: [Int] = []
        try connection.forEach("SELECT a FROM t ORDER BY a") { row in
            try? connection.savepoint {
                try connection.run("UPDATE t SET a = a + 10 WHERE a = 3")
                throw CancellationError()
            }
            read.append(try row.get(0))
        }
        #expect(read == [1, 2, 3])
    }

    @Test func underQueryOnlyATransactionReads() throws {
        let connection = try Connection(path)
        try connection.run("PRAGMA query_only = 1")
        let count: Int = try connection.transaction { try connection.query("SELECT count(*) FROM t") }
        #expect(count == 1)
        #expect(try connection.savepoint { try connection.query("SELECT count(*) FROM t") } == 1)
        let error = try sqliteError { try connection.transaction { try connection.run("DELETE FROM t") } }
        #expect(error.resultCode == .readOnly)
        #expect(!connection.isInTransaction)
        // A type that the call names is not changed.
        #expect(
            try sqliteError { try connection.transaction(transactionType: .immediate) {} }.resultCode == .readOnly)
    }

    @Test(arguments: [Connection.Mode.readOnly, .immutable]) func aReadOnlyConnectionReads(_ mode: Connection.Mode) throws {
        let connection = try Connection(path, mode: mode)
        #expect(try connection.transaction { try connection.query("SELECT count(*) FROM t") } == 1)
        #expect(try connection.savepoint { try connection.query("SELECT count(*) FROM t") } == 1)
    }

    @Test func aPoolReads() throws {
        let database = try Database(path)
        let pool = database.readerConnectionPool
        let count: Int = try pool.execute { connection in
            try connection.transaction { try connection.query("SELECT count(*) FROM t") }
        }
        #expect(count == 1)
        try database.blocking.close()
    }

    @Test func aSavepointInAFunctionOfAWriteThrowsAndLetsTheStatementGoOn() throws {
        let connection = try Connection(path)
        var codes: [ResultCode] = []
        // Unowned: the connection owns the function.
        try connection.addFunction("saves") { [unowned connection] (number: Int) in
            codes.append(try sqliteError { try connection.savepoint {} }.resultCode)
            return number + 1
        }
        try connection.run("UPDATE t SET a = saves(a)")
        #expect(codes == [.busy])
        #expect(try connection.query("SELECT a FROM t") == 2)
    }

    @Test func aTransactionThatHasReadCanWriteBesideAnotherWriter() throws {
        var configuration = Configuration.recommended
        configuration.busyTimeout = nil
        let (one, other) = (
            try Connection(path, configuration: configuration), try Connection(path, configuration: configuration)
        )
        let isLocked = try one.transaction {
            let count: Int = try one.query("SELECT count(*) FROM t")
            let code = try sqliteError { try other.run("INSERT INTO t VALUES(3)") }.extendedCode
            try one.run("INSERT INTO t VALUES(\(count))")
            return code == ResultCode.busy.rawValue
        }
        #expect(isLocked)
        #expect(try one.query("SELECT count(*) FROM t") == 2)
    }

    @Test func anErrorOfAnOldSnapshotNamesTheCure() throws {
        let (one, other) = (try Connection(path), try Connection(path))
        let error = try sqliteError {
            try one.transaction(transactionType: .deferred) {
                let _: Int = try one.query("SELECT count(*) FROM t")
                try other.run("INSERT INTO t VALUES(3)")
                try one.run("INSERT INTO t VALUES(4)")
            }
        }
        #expect(error.extendedCode == ResultCode.busySnapshot.rawValue)
        #expect(
            error.hint == "another connection has written since this one began to read, and waiting does not help: begin "
                + "the transaction IMMEDIATE, or end the statement that reads, and run it again")
    }
}
