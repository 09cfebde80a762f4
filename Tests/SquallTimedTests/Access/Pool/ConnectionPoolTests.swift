import Foundation
import Squall
import SquallTestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ConnectionPoolTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("pool.db")
        let connection = try Connection(path)
        try connection.execute(
            "CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO cars(name) VALUES('Audi')")
    }

    /// Threads that hold a connection each, until the gate opens.
    private func hold(_ pool: ConnectionPool, count: Int, until gate: Gate) -> [ThreadResult<Void>] {
        let busy = pool.busyConnections
        let threads = (0..<count).map { _ in ThreadResult { try pool.execute { _ in gate.wait() } } }
        until { pool.busyConnections == busy + count }
        return threads
    }

    @Test func closuresReturnValuesAndCannotWrite() throws {
        let pool = ConnectionPool(storageLocation: .onDisk(path))
        #expect(try pool.execute { try $0.query("SELECT name FROM cars") } == "Audi")
        let error = try sqliteError { try pool.execute { try $0.run("DELETE FROM cars") } }
        #expect(error.code == 8)
        #expect(error.hint?.contains("writeWithoutTransaction") == true)
        #expect(pool.connections == 1)
    }

    @Test func connectionsAreOpenedAsTheyAreNeededUpToTheMaximum() throws {
        let pool = ConnectionPool(storageLocation: .onDisk(path), maximumConnections: 3)
        #expect(pool.connections == 0)
        let gate = Gate()
        let threads = hold(pool, count: 3, until: gate)
        let last = ThreadResult { try pool.execute { try $0.query("SELECT count(*) FROM cars") as Int } }
        until { pool.waiting == 1 }
        #expect(pool.connections == 3)
        gate.open()
        for thread in threads { try thread.get() }
        #expect(try last.get() == 1)
        #expect(pool.connections == 3)
    }

    @Test func theMaximumFollowsTheProcessors() {
        let pool = ConnectionPool(storageLocation: .onDisk(path))
        #expect(pool.maximumConnections == max(4, 2 * ProcessInfo.processInfo.activeProcessorCount))
        #expect(ConnectionPool(storageLocation: .inMemory, maximumConnections: -1).maximumConnections == 1)
    }

    @Test func thoseWhoWaitAreServedInOrder() throws {
        let pool = ConnectionPool(storageLocation: .onDisk(path), maximumConnections: 1)
        let gate = Gate()
        let holder = hold(pool, count: 1, until: gate)
        let order = Shared<[Int]>([])
        let threads = (0..<20).map { number in
            let thread = ThreadResult { try pool.execute { _ in order.update { $0.append(number) } } }
            until { pool.waiting == number + 1 }
            return thread
        }
        gate.open()
        for thread in holder + threads { try thread.get() }
        #expect(order.value == Array(0..<20))
    }

    @Test func sqiftDefect1AConnectionComesBackWhenItsClosureThrows() throws {
        let pool = ConnectionPool(storageLocation: .onDisk(path), maximumConnections: 2)
        for _ in 0..<10 { _ = try sqliteError { try pool.execute { try $0.run("nonsense") } } }
        #expect(pool.connections == 1)
        #expect(pool.busyConnections == 0)
    }

    @Test func aNestedClosureHasTheSameConnection() throws {
        let pool = ConnectionPool(storageLocation: .onDisk(path), maximumConnections: 1)
        let count = try pool.execute { outer in
            try pool.execute { inner in
                #expect(inner === outer)
                return try inner.query("SELECT count(*) FROM cars") as Int
            }
        }
        #expect(count == 1)
    }

    @Test func idleConnectionsButOneAreClosedAfterTheDelay() throws {
        let pool = ConnectionPool(storageLocation: .onDisk(path), availableConnectionDrainDelay: 0.05)
        let gate = Gate()
        let threads = hold(pool, count: 4, until: gate)
        gate.open()
        for thread in threads { try thread.get() }
        until { pool.connections == 1 }
        #expect(try pool.execute { try $0.query("SELECT count(*) FROM cars") } == 1)
    }

    @Test func nothingIsClosedWhileAConnectionIsInUse() throws {
        let pool = ConnectionPool(storageLocation: .onDisk(path), availableConnectionDrainDelay: 0)
        let (gate, other) = (Gate(), Gate())
        let holder = hold(pool, count: 1, until: gate)
        let others = hold(pool, count: 3, until: other)
        other.open()
        for thread in others { try thread.get() }
        #expect(pool.connections == 4)
        gate.open()
        for thread in holder { try thread.get() }
        until { pool.connections == 1 }
    }

    @Test func eachConnectionIsPreparedOnceAndOutsideTheLock() throws {
        let prepared = Shared(0)
        let (isPreparing, gate) = (Gate(), Gate())
        let pool = ConnectionPool(storageLocation: .onDisk(path)) { connection in
            try connection.execute("PRAGMA cache_size = 77; CREATE TEMPORARY TABLE mine(a)")
            // The second connection takes its time; meanwhile the first can be used.
            if prepared.next() == 2 {
                isPreparing.open()
                gate.wait()
            }
        }
        for _ in 0..<3 { #expect(try pool.execute { try $0.query("PRAGMA cache_size") } == 77) }
        let (second, isSecondHeld) = (Shared<ThreadResult<Void>?>(nil), Gate())
        try pool.execute { _ in
            second.update { $0 = ThreadResult { try pool.execute { _ in isSecondHeld.open() } } }
            isPreparing.wait()
        }
        #expect(try pool.execute { try $0.query("SELECT count(*) FROM mine") } == 0)
        gate.open()
        isSecondHeld.wait()
        try second.value?.get()
        #expect(prepared.value == 2)
    }

    @Test func aConnectionThatFailsToOpenTakesNoPlace() throws {
        struct Refused: Error {}
        let fails = Shared(true)
        let pool = ConnectionPool(storageLocation: .onDisk(path), maximumConnections: 1) { _ in
            if fails.value { throw Refused() }
        }
        for _ in 0..<5 { #expect(throws: Refused.self) { try pool.execute { _ in } } }
        #expect(pool.connections == 0)
        fails.update { $0 = false }
        #expect(try pool.execute { try $0.query("SELECT count(*) FROM cars") } == 1)
    }

    @Test func thoseWhoWaitForOneThatFailsToOpenTryThemselves() throws {
        struct Refused: Error {}
        let (isOpening, gate, attempts) = (Gate(), Gate(), Shared(0))
        let pool = ConnectionPool(storageLocation: .onDisk(path), maximumConnections: 1) { _ in
            guard attempts.next() == 1 else { return }
            isOpening.open()
            gate.wait()
            throw Refused()
        }
        let first = ThreadResult { try pool.execute { _ in } }
        isOpening.wait()
        let second = ThreadResult { try pool.execute { try $0.query("SELECT count(*) FROM cars") as Int } }
        until { pool.waiting == 1 }
        gate.open()
        #expect(throws: Refused.self) { try first.get() }
        #expect(try second.get() == 1)
    }

    @Test func aMissingFileIsAnErrorUntilItIsThere() throws {
        let path = directory.file("later.db")
        let pool = ConnectionPool(storageLocation: .onDisk(path))
        #expect(try sqliteError { try pool.execute { _ in } }.code == 14)
        try Connection(path).execute("CREATE TABLE t(a)")
        #expect(try pool.execute { try $0.query("SELECT count(*) FROM t") } == 0)
    }

    @Test(arguments: [true, false]) func aFileThatIsGoneIsNoticed(isReplaced: Bool) throws {
        let pool = ConnectionPool(storageLocation: .onDisk(path))
        // A new connection is compared at once, those that are open once a second.
        let error = try pool.execute { _ in
            try FileManager.default.removeItem(atPath: path)
            if isReplaced { try Connection(storageLocation: .onDisk(path)).execute("CREATE TABLE t(a)") }
            return try ThreadResult { try sqliteError { try pool.execute { _ in } } }.get()
        }
        #expect(error.extendedResultCode == .fileMoved)
        #expect(error.message.contains(isReplaced ? "replaced" : "deleted"))
        #expect(pool.busyConnections == 0)
        until { (try? pool.execute { _ in }) == nil }
        #expect(try sqliteError { try pool.execute { _ in } }.extendedResultCode == .fileMoved)
    }

    @Test func whatAClosureLeavesBehindIsEnded() throws {
        let pool = ConnectionPool(storageLocation: .onDisk(path), maximumConnections: 1)
        let statements = try pool.execute { connection in
            try connection.run("BEGIN")
            let statement = try connection.prepare("SELECT * FROM cars UNION SELECT * FROM cars")
            try statement.step()
            return [statement]
        }
        try pool.execute { connection in
            #expect(!connection.isInTransaction)
            #expect(!statements[0].isBusy)
        }
    }

    @Test func checkpointsAndJournalModesAreTheWriters() throws {
        let pool = ConnectionPool(storageLocation: .onDisk(path))
        try pool.execute { connection in
            #expect(try connection.query("PRAGMA journal_mode") == "wal")
            for sql: SQL in [
                "PRAGMA journal_mode = DELETE", "pragma main.journal_mode(delete)", "PRAGMA wal_checkpoint",
                "/* now */ PRAGMA wal_checkpoint(TRUNCATE)", "-- now\n PRAGMA \"main\" . \"wal_checkpoint\"",
                "PRAGMA query_only = 0", "PRAGMA locking_mode = EXCLUSIVE",
            ] {
                let error = try sqliteError { try connection.execute(sql) }
                #expect(error.code == 21, "\(sql)")
                #expect(error.message.contains("inside a read"), "\(sql)")
            }
            #expect(try sqliteError { _ = try connection.checkpoint() }.message.contains("inside a read"))
        }
    }

    @Test func sqiftDefect18ReadersShareTheirCacheOnlyWhenAsked() throws {
        let pool = ConnectionPool(storageLocation: .onDisk(path))
        let writer = try Connection(path)
        try writer.execute("BEGIN IMMEDIATE; DELETE FROM cars")
        #expect(try pool.execute { try $0.query("SELECT count(*) FROM cars") } == 1)
        try writer.execute("ROLLBACK")

        let shared = try Connection(storageLocation: .onDisk(path), sharedCache: true)
        let sharing = ConnectionPool(storageLocation: .onDisk(path), sharedCache: true)
        try shared.execute("BEGIN IMMEDIATE; DELETE FROM cars")
        let error = try sqliteError { try sharing.execute { let _: Int = try $0.query("SELECT count(*) FROM cars") } }
        #expect(error.extendedResultCode == .lockedSharedCache)
        try shared.execute("ROLLBACK")
    }

    @Test func pollingWaitsForTheTable() throws {
        let writer = try ConnectionQueue(connection: Connection(storageLocation: .onDisk(path), sharedCache: true))
        let pool = ConnectionPool(storageLocation: .onDisk(path), tableLockPolicy: .poll(0.001), sharedCache: true)
        try pool.execute { try $0.run("SELECT 1") }
        try writer.execute { try $0.execute("BEGIN IMMEDIATE; DELETE FROM cars") }
        let isReading = Gate()
        let reader = ThreadResult {
            try pool.execute { connection in
                isReading.open()
                return try connection.query("SELECT count(*) FROM cars") as Int
            }
        }
        isReading.wait()
        try writer.execute { try $0.execute("COMMIT") }
        #expect(try reader.get() == 0)
    }

    /// A database in memory has one connection.
    @Test func insideAWriteOfADatabaseInMemoryThePoolReads() throws {
        let database = try Database(":memory:")
        try database.blocking.writeWithoutTransaction { (connection: Connection) throws in
            try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)")
            let count: Int = try database.readerConnectionPool.execute { reader in
                #expect(throws: SQLiteError.self) { try reader.run("DELETE FROM t") }
                return try reader.query("SELECT count(*) FROM t")
            }
            #expect(count == 1)
            try connection.run("INSERT INTO t VALUES(2)")
        }
        #expect(try database.blocking.read { try $0.query("SELECT count(*) FROM t") } == 2)
    }
}
