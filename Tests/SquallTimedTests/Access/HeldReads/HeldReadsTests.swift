import Foundation
import SquallTestSupport
import Testing

@testable import Squall

/// Reads that continue with the transaction of the read before.
@Suite(.timeLimit(.minutes(10)))
struct HeldReadsTests {
    let directory: TemporaryDirectory
    let path: String
    let database: Database

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("app.db")
        var configuration = Configuration.recommended
        // A lock that a kept transaction holds is an error at once.
        configuration.busyTimeout = nil
        database = try Database(path, configuration: configuration, maximumReaders: 2)
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a INTEGER); INSERT INTO t VALUES(1)") }
        // The first read finds the index of the log.
        _ = try sum()
    }

    private func sum() throws -> Int { try database.blocking.read { try $0.query("SELECT sum(a) FROM t") } }

    private var continued: Int { database.statistics.continuedReads }

    /// The number of reads that a closure makes and that continue a transaction.
    private func continued(_ body: () throws -> Void) rethrows -> Int {
        let before = continued
        try body()
        return continued - before
    }

    /// Reads until the reader keeps its transaction. It does not when this thread is held up for some milliseconds.
    private func keepSnapshot() throws {
        try until { try continued { _ = try sum() } == 1 }
    }

    /// A thread that reads without a pause.
    private struct EndlessReader {
        private let reads = Shared(0)
        private let isDone = Shared(false)
        private let thread: ThreadResult<Void>

        init(_ database: Database) {
            thread = ThreadResult { [reads, isDone] in
                while !isDone.value {
                    _ = try database.blocking.read { try $0.query("SELECT sum(a) FROM t") } as Int
                    reads.update { $0 += 1 }
                }
            }
        }

        /// Waits for a few reads more.
        func waitForReads() {
            let before = reads.value
            until { reads.value > before + 3 }
        }

        func end() throws {
            isDone.update { $0 = true }
            try thread.get()
        }
    }

    // MARK: - What a read sees

    @Test func theNextReadContinuesWithTheTransaction() throws {
        // Three quarters at most continue, because the log is not in the file; fewer where this thread is held up.
        let before = continued
        var sums: Set<Int> = []
        try until {
            sums.insert(try sum())
            return continued >= before + 100
        }
        #expect(sums == [1])
    }

    @Test func aReadSeesEachCommitOfTheWriter() throws {
        for number in 2...200 {
            try keepSnapshot()
            try database.blocking.write { try $0.run("UPDATE t SET a = ?", number) }
            for _ in 0..<3 { #expect(try sum() == number) }
        }
    }

    @Test func aReadSeesEachCommitOfAnotherConnection() throws {
        let other = try Connection(path)
        for number in 2...200 {
            try keepSnapshot()
            try other.run("UPDATE t SET a = ?", number)
            for _ in 0..<3 { #expect(try sum() == number) }
        }
    }

    @Test func aReadSeesNothingThatIsRolledBack() throws {
        let other = try Connection(path)
        try other.execute("BEGIN IMMEDIATE; UPDATE t SET a = 2")
        #expect(try sum() == 1)
        #expect(try sum() == 1)
        try other.execute("ROLLBACK")
        #expect(try sum() == 1)
    }

    @Test func aReadSeesANewSchema() throws {
        try keepSnapshot()
        try Connection(path).execute(
            "CREATE TABLE u(b INTEGER); INSERT INTO u VALUES(7); ALTER TABLE t ADD c DEFAULT 5")
        #expect(try database.blocking.read { try $0.query("SELECT b + c FROM u, t") } == 12)
    }

    @Test func allQueriesOfAReadSeeTheSameState() throws {
        let other = try Connection(path)
        for number in 2...20 {
            try keepSnapshot()
            let isSame = try database.blocking.read { connection in
                let before: Int = try connection.query("SELECT sum(a) FROM t")
                try other.run("UPDATE t SET a = ?", number)
                return try before == connection.query("SELECT sum(a) FROM t")
            }
            #expect(isSame)
            #expect(try sum() == number)
        }
    }

    @Test func aSnapshotHasThePresentState() throws {
        try keepSnapshot()
        try Connection(path).run("UPDATE t SET a = 2")
        let snapshot = try database.blocking.snapshot()
        try Connection(path).run("UPDATE t SET a = 3")
        #expect(try snapshot.blocking.read { try $0.query("SELECT sum(a) FROM t") } == 2)
        #expect(try sum() == 3)
    }

    @Test func aReadInsideAnotherSeesItsState() throws {
        try keepSnapshot()
        let sums = try database.blocking.read { _ in
            let first = try sum()
            try Connection(path).run("UPDATE t SET a = 2")
            return try [first, sum()]
        }
        #expect(sums == [1, 1])
        #expect(try database.blocking.write { _ in try sum() } == 2)
    }

    /// The pool uses no snapshots.
    @Test func thePoolContinuesNoTransaction() throws {
        try keepSnapshot()
        let sums = try database.readerConnectionPool.execute { connection in
            #expect(!connection.isInTransaction)
            let first: Int = try connection.query("SELECT sum(a) FROM t")
            try Connection(path).run("UPDATE t SET a = 2")
            return try [first, connection.query("SELECT sum(a) FROM t")]
        }
        #expect(sums == [1, 2])
    }

    @Test func asynchronousReadsKeepNoTransaction() async throws {
        for number in 2...20 {
            try await database.write { try $0.run("UPDATE t SET a = ?", number) }
            #expect(try await database.read { try $0.query("SELECT sum(a) FROM t") } == number)
        }
        try await database.checkpoint(.truncate)
        #expect(database.statistics.walSize == 0)
    }

    // MARK: - What closures leave

    @Test(arguments: ["COMMIT", "ROLLBACK"] as [SQL])
    func aClosureThatEndsTheTransactionChangesNothingForTheNext(sql: SQL) throws {
        try keepSnapshot()
        try database.blocking.read { connection in
            _ = try connection.query("SELECT sum(a) FROM t") as Int
            try connection.execute(sql)
        }
        try Connection(path).run("UPDATE t SET a = 2")
        let isInTransaction = try database.blocking.read { connection in
            let sum: Int = try connection.query("SELECT sum(a) FROM t")
            return sum == 2 && connection.isInTransaction
        }
        #expect(isInTransaction)
    }

    @Test func aSavepointEndsWithItsClosure() throws {
        try keepSnapshot()
        try database.blocking.read { connection in
            _ = try connection.query("SELECT sum(a) FROM t") as Int
            try connection.run("SAVEPOINT left_open")
        }
        let error = #expect(throws: SQLiteError.self) {
            try database.blocking.read { try $0.run("RELEASE left_open") }
        }
        #expect(error?.message == "no such savepoint: left_open")
    }

    @Test func aStatementThatIsLeftOnARowKeepsNoTransaction() throws {
        try keepSnapshot()
        var kept: Statement?
        try database.blocking.read { connection in
            let statement = try connection.prepare("SELECT a FROM t")
            _ = try statement.step()
            kept = statement
        }
        try Connection(path).run("UPDATE t SET a = 2")
        let count = try continued { try #require(try sum() == 2) }
        #expect(count == 0)
        // While the statement exists, the connection keeps no transaction.
        let later = try continued { for _ in 0..<10 { _ = try sum() } }
        #expect(later == 0)
        #expect(kept?.isBusy == false)
        kept = nil
        try keepSnapshot()
    }

    @Test func aCursorEndsWithItsClosure() throws {
        try keepSnapshot()
        var kept: RowCursor<Row>?
        try database.blocking.read { connection in
            kept = try connection.rows("SELECT a FROM t")
            _ = try kept?.next()
        }
        try Connection(path).run("UPDATE t SET a = 2")
        #expect(try sum() == 2)
        let error = try sqliteError { _ = try kept?.next() }
        #expect(error.kind == .connectionReturned)
        try keepSnapshot()
    }

    @Test func aClosureThatThrowsLeavesTheTransactionToTheNext() throws {
        struct Failure: Error {}
        try keepSnapshot()
        #expect(throws: Failure.self) {
            try database.blocking.read { connection in
                _ = try connection.query("SELECT sum(a) FROM t") as Int
                throw Failure()
            }
        }
        #expect(throws: SQLiteError.self) { try database.blocking.read { try $0.query("SELECT nothing") as Int } }
        try Connection(path).run("UPDATE t SET a = 2")
        #expect(try sum() == 2)
    }

    @Test func aSettingOfAClosureIsRestored() throws {
        try keepSnapshot()
        try database.blocking.read { connection in
            _ = try connection.query("SELECT sum(a) FROM t") as Int
            try connection.execute("PRAGMA case_sensitive_like = 1; ATTACH ':memory:' AS other")
            #expect(try connection.query("SELECT 'a' LIKE 'A'") == false)
        }
        #expect(try database.blocking.read { try $0.query("SELECT 'a' LIKE 'A'") } == true)
        #expect(throws: SQLiteError.self) {
            try database.blocking.read { try $0.query("SELECT count(*) FROM other.sqlite_schema") as Int }
        }
        try keepSnapshot()
    }

    @Test func aDeadlineEndsOnlyItsRead() throws {
        let endless: SQL = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n, t"
        for number in 2...4 {
            try keepSnapshot()
            let error = #expect(throws: SQLiteError.self) {
                try database.blocking.read(deadline: .milliseconds(20)) { try $0.query(endless) as Int }
            }
            #expect(error?.resultCode == .interrupt)
            try Connection(path).run("UPDATE t SET a = ?", number)
            #expect(try sum() == number)
        }
    }

    @Test func traceObserversSeeEachTransaction() throws {
        let traced = Shared<[String]>([])
        try keepSnapshot()
        let token = database.addTraceObserver(mask: Connection.TraceEvent.statementMask) { event in
            if case .statement(let statement, _) = event { traced.update { $0.append(statement) } }
        }
        for _ in 0..<2 { _ = try sum() }
        token.cancel()
        let read = ["BEGIN DEFERRED TRANSACTION", "SELECT sum(a) FROM t", "COMMIT TRANSACTION"]
        #expect(traced.value == read + read)
        try keepSnapshot()
    }

    // MARK: - When a transaction ends

    @Test func anIdleReaderGivesItsTransactionBack() throws {
        try Connection(path).run("UPDATE t SET a = 2")
        try keepSnapshot()
        let other = try Connection(path)
        // Without a busy timeout, this fails while a reader uses the log.
        try other.execute("PRAGMA busy_timeout = 0")
        try until { try other.query("PRAGMA wal_checkpoint(TRUNCATE)") == 0 }
        #expect(database.statistics.walSize == 0)
        #expect(try sum() == 2)
    }

    @Test(arguments: Connection.CheckpointMode.allCases)
    func aCheckpointEndsIt(mode: Connection.CheckpointMode) throws {
        for number in 2...20 {
            try database.blocking.write { try $0.run("UPDATE t SET a = ?", number) }
            try keepSnapshot()
            // Changed by another connection: the transaction is behind.
            try Connection(path).run("UPDATE t SET a = ?", -number)
            let results = try [
                database.blocking.checkpoint(mode),
                database.blocking.writeWithoutTransaction { try $0.checkpoint(mode: mode) },
            ]
            for result in results { #expect(result.checkpointedFrames == result.logFrames) }
            #expect(try database.blocking.writeWithoutTransaction { try $0.query("PRAGMA wal_checkpoint(TRUNCATE)") } == 0)
            #expect(try sum() == -number)
        }
    }

    @Test func vacuumingWorksBesideIt() throws {
        try keepSnapshot()
        try database.blocking.writeWithoutTransaction { try $0.vacuum() }
        #expect(try sum() == 1)
        try keepSnapshot()
        try database.blocking.vacuum(into: directory.file("copy.db"))
        #expect(try Connection(directory.file("copy.db")).query("SELECT sum(a) FROM t") == 1)
    }

    @Test func closingEndsIt() throws {
        try keepSnapshot()
        try database.blocking.close()
        // Possible for the only connection of the file.
        #expect(try Connection(path).query("PRAGMA journal_mode = DELETE") == "delete")
        #expect(throws: SQLiteError.self) { try sum() }
    }

    @Test func suspendingEndsIt() throws {
        try keepSnapshot()
        try database.blocking.suspend()
        #expect(try Connection(path).query("PRAGMA journal_mode = DELETE") == "delete")
        #expect(try Connection(path).query("PRAGMA journal_mode = WAL") == "wal")
        try database.blocking.resume()
        #expect(try sum() == 1)
    }

    @Test func aReplacedFileIsNoticed() throws {
        try keepSnapshot()
        let other = directory.file("other.db")
        try Connection(other).execute("CREATE TABLE t(a INTEGER); INSERT INTO t VALUES(100)")
        #expect(rename(other, path) == 0)
        // The file is looked at once in a second.
        try until {
            do {
                return try sum() != 1
            } catch let error as SQLiteError {
                #expect(error.extendedResultCode == .fileMoved)
                return true
            }
        }
    }

    /// The log is begun again as without held reads, although a reader never stops.
    @Test func theLogDoesNotGrowBesideAReader() throws {
        let reader = EndlessReader(database)
        let other = try Connection(path)
        var largest = 0
        for number in 0..<20_000 {
            try other.run("UPDATE t SET a = ?", number)
            guard number % 100 == 0 else { continue }
            largest = max(largest, database.statistics.walSize)
            reader.waitForReads()
        }
        until { continued > 0 }
        try reader.end()
        // 1,000 frames are 4.1 MB. All frames would be 82 MB.
        #expect(largest < 24_000_000)
    }

    // MARK: - Where none is kept

    private func reads(_ database: Database, _ count: Int = 20) throws -> Int {
        for _ in 0..<count {
            _ = try database.blocking.read { try $0.query("SELECT count(*) FROM sqlite_schema") } as Int
        }
        return database.statistics.continuedReads
    }

    @Test func noneIsKeptWithoutTheSetting() throws {
        var configuration = Configuration.recommended
        configuration.heldReads = false
        #expect(try reads(Database(path, configuration: configuration)) == 0)
    }

    @Test func noneIsKeptOutsideWALMode() throws {
        var configuration = Configuration.recommended
        configuration.journalMode = .delete
        #expect(try reads(Database(directory.file("delete.db"), configuration: configuration)) == 0)
        #expect(try reads(Database(storageLocation: .inMemory)) == 0)
        #expect(try reads(Database(storageLocation: .temporary)) == 0)
    }

    @Test func noneIsKeptInExclusiveLockingMode() throws {
        try database.blocking.close()
        let exclusive = try Database(path, maximumReaders: 1) { try $0.execute("PRAGMA locking_mode = EXCLUSIVE") }
        // A reader may find the file locked.
        let count = (try? reads(exclusive)) ?? 0
        #expect(count == 0)
    }

    @Test func noneIsKeptWithAnAttachedDatabase() throws {
        let other = directory.file("other.db")
        try Connection(other).execute("CREATE TABLE u(b); INSERT INTO u VALUES(1)")
        let both = try Database(path) { try $0.run("ATTACH ? AS other", other) }
        for number in 2...5 {
            try Connection(other).run("UPDATE u SET b = ?", number)
            #expect(try both.blocking.read { try $0.query("SELECT b FROM other.u") } == number)
            #expect(try reads(both) == 0)
        }
    }

    /// A statement that an earlier closure has prepared changes the settings of a later one for good.
    @Test func noneIsKeptAfterAStatementHasAttachedADatabase() throws {
        let other = directory.file("other.db")
        try Connection(other).execute("CREATE TABLE u(b); INSERT INTO u VALUES(1)")
        let one = try Database(path, maximumReaders: 1)
        try until { try reads(one) > 0 }
        var kept: Statement?
        try one.blocking.read { kept = try $0.prepare("ATTACH DATABASE ? AS other", other) }
        try one.blocking.read { _ in try kept?.run() }
        kept = nil
        for number in 2...20 {
            try Connection(other).run("UPDATE u SET b = ?", number)
            #expect(try one.blocking.read { try $0.query("SELECT b FROM other.u") } == number)
        }
    }

    @Test func aFileThatBecomesWALLaterIsFollowed() throws {
        let file = directory.file("later.db")
        var configuration = Configuration.recommended
        configuration.journalMode = .delete
        let later = try Database(file, configuration: configuration)
        #expect(try reads(later) == 0)
        #expect(try later.blocking.writeWithoutTransaction { try $0.query("PRAGMA journal_mode = WAL") } == "wal")
        try until { try reads(later) > 0 }
        try Connection(file).execute("CREATE TABLE v(x)")
        #expect(try later.blocking.read { try $0.query("SELECT count(*) FROM v") } == 0)
    }

    // MARK: - The state of the log

    /// An index of a log with its two copies of the header, in memory of the test.
    private func withIndex(_ body: (UnsafeMutableRawPointer, inout HeldSnapshot) -> Void) {
        let index = UnsafeMutableRawPointer.allocate(byteCount: 136, alignment: 8)
        defer { index.deallocate() }
        index.initializeMemory(as: UInt8.self, repeating: 0, count: 136)
        for copy in [0, 48] {
            index.storeBytes(of: 3_007_000, toByteOffset: copy, as: UInt32.self)
            index.storeBytes(of: 1, toByteOffset: copy + 12, as: UInt8.self)
            index.storeBytes(of: 10, toByteOffset: copy + 16, as: UInt32.self)
        }
        var held = HeldSnapshot(index: index)
        held.willBegin()
        body(index, &held)
    }

    @Test func everyByteOfTheHeaderCounts() {
        withIndex { index, held in
            for byte in 0..<100 {
                #expect(held.isCurrent && held.isUsable && !held.mustEnd)
                index.storeBytes(
                    of: index.load(fromByteOffset: byte, as: UInt8.self) ^ 1, toByteOffset: byte, as: UInt8.self)
                #expect(!held.isCurrent, "byte \(byte)")
                index.storeBytes(
                    of: index.load(fromByteOffset: byte, as: UInt8.self) ^ 1, toByteOffset: byte, as: UInt8.self)
            }
        }
    }

    @Test func onlyTheKnownVersionIsUsed() {
        withIndex { index, held in
            for copy in [0, 48] { index.storeBytes(of: 3_007_001, toByteOffset: copy, as: UInt32.self) }
            held.willBegin()
            #expect(held.isCurrent && !held.isUsable)
        }
        withIndex { index, held in
            // SQLite is between the two copies.
            index.storeBytes(of: 11, toByteOffset: 48 + 16, as: UInt32.self)
            held.willBegin()
            #expect(held.isCurrent && !held.isUsable)
        }
        withIndex { index, held in
            for copy in [0, 48] { index.storeBytes(of: 0, toByteOffset: copy + 12, as: UInt8.self) }
            held.willBegin()
            #expect(held.isCurrent && !held.isUsable)
        }
    }

    @Test(
        arguments: [(900, 0, false), (901, 0, true), (901, 900, true), (901, 901, false)] as [(UInt32, UInt32, Bool)])
    func aLongLogIsNotHeldUp(frames: UInt32, copied: UInt32, mustEnd: Bool) {
        withIndex { index, held in
            for copy in [0, 48] { index.storeBytes(of: frames, toByteOffset: copy + 16, as: UInt32.self) }
            index.storeBytes(of: copied, toByteOffset: 96, as: UInt32.self)
            held.willBegin()
            // The first transaction in this state may read the log, because a checkpoint still holds its lock.
            #expect(held.mustEnd == (frames > 900))
            held.willBegin()
            #expect(held.mustEnd == mustEnd)
        }
    }

    /// The milliseconds, of 10 seconds, at which a transaction must end.
    private func ends(_ held: HeldSnapshot) -> Int {
        var held = held
        return (0..<10_000).count { millisecond in
            held.leaseTime = 100_000_000 + UInt64(millisecond) * 1_000_000
            return held.mustEnd
        }
    }

    /// A transaction that is older than 8 ms is not kept for a quarter of the time, or seldom if it does not use the log.
    @Test func anOldTransactionEndsAtTimes() {
        withIndex { index, held in
            #expect((2450...2550).contains(ends(held)))
            // Beginning again in the same state does not make it younger.
            held.leaseTime = 100_000_000
            held.willBegin()
            #expect((2450...2550).contains(ends(held)))
            index.storeBytes(of: 11, toByteOffset: 16, as: UInt32.self)
            index.storeBytes(of: 11, toByteOffset: 64, as: UInt32.self)
            held.willBegin()
            #expect(
                (0..<8).allSatisfy { millisecond in
                    held.leaseTime = 100_000_000 + UInt64(millisecond) * 1_000_000
                    return !held.mustEnd
                })
            index.storeBytes(of: 11, toByteOffset: 96, as: UInt32.self)
            for _ in 0..<2 { held.willBegin() }
            #expect((30...50).contains(ends(held)))
        }
    }

    /// The checkpoint waits for a read, which then keeps no transaction.
    @Test func aReadThatEndsDuringACheckpointKeepsNone() throws {
        for number in 2...10 {
            try database.blocking.writeWithoutTransaction { try $0.run("UPDATE t SET a = ?", number) }
            let (isReading, isWaiting) = (Gate(), Gate())
            let reader = ThreadResult { [database] in
                try database.blocking.read { connection in
                    let sum: Int? = try connection.query("SELECT sum(a) FROM t")
                    isReading.open()
                    isWaiting.wait()
                    return sum
                }
            }
            isReading.wait()
            let result = try database.blocking.writeWithoutTransaction { connection in
                try connection.busyHandler(
                    .custom { _ in
                        isWaiting.open()
                        return true
                    })
                return try connection.checkpoint(mode: .truncate)
            }
            #expect(result.checkpointedFrames == result.logFrames)
            #expect(try reader.get() == number)
        }
    }

    /// Beside a reader that never pauses, also when another connection makes the checkpoint.
    @Test(arguments: [Connection.CheckpointMode.full, .restart, .truncate])
    func checkpointsEndBesideAReader(mode: Connection.CheckpointMode) throws {
        let reader = EndlessReader(database)
        reader.waitForReads()
        let other = try Connection(path)
        try other.execute("PRAGMA busy_timeout = 3600000")
        for number in 0..<50 {
            try other.run("UPDATE t SET a = ?", number)
            let result = try other.checkpoint(mode: mode)
            #expect(result.checkpointedFrames == result.logFrames)
            try other.run("UPDATE t SET a = ?", number)
            let ownResult = try database.blocking.writeWithoutTransaction { connection in
                try connection.execute("PRAGMA busy_timeout = 3600000")
                return try connection.checkpoint(mode: mode)
            }
            #expect(ownResult.checkpointedFrames == ownResult.logFrames)
        }
        try reader.end()
    }
}
