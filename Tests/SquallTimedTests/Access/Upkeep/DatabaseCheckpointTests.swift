import Foundation
import SquallTestSupport
import Testing

@testable import Squall

/// `Database.checkpoint`, which holds new readers back.
@Suite(.timeLimit(.minutes(10)))
struct DatabaseCheckpointTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let database: Database

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("app.db")
        database = try Database(path, maximumReaders: 2)
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)") }
    }

    private var isHeld: Bool { database.readers.lock.withLock { database.readers.state.isHeld } }

    private func count() throws -> Int { try database.blocking.read { try $0.query("SELECT count(*) FROM t") } }

    /// A read that has begun its snapshot, and ends when the gate is opened.
    private func reader(until gate: Gate) -> ThreadResult<Int> {
        let isIn = Gate()
        let reader = ThreadResult { [database] in
            try database.blocking.read { connection in
                let count: Int = try connection.query("SELECT count(*) FROM t")
                isIn.open()
                gate.wait()
                return count
            }
        }
        isIn.wait()
        return reader
    }

    /// An idle reader keeps its snapshot for a moment, which would keep the log from being emptied.
    @Test func aCheckpointBySQLEndsTheSnapshotsOfIdleReaders() throws {
        var configuration = Configuration.recommended
        configuration.busyTimeout = nil
        let path = directory.file("sql.db")
        let database = try Database(path, configuration: configuration)
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a)") }
        for _ in 0..<50 {
            try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO t VALUES(1)") }
            for _ in 0..<3 { _ = try database.blocking.read { try $0.query("SELECT count(*) FROM t") as Int } }
            let isBusy: Bool = try database.blocking.writeWithoutTransaction { try $0.query("PRAGMA wal_checkpoint(TRUNCATE)") }
            #expect(!isBusy)
        }
    }

    @Test func theLogIsTruncatedUnderOverlappingReaders() throws {
        let (isDone, reads) = (Shared(false), Shared(0))
        let readers = (0..<4).map { _ in
            ThreadResult { [database] in
                repeat {
                    let _: Int = try database.blocking.read { try $0.query("SELECT count(*) FROM t, t") }
                    reads.update { $0 += 1 }
                } while !isDone.value
            }
        }
        for _ in 0..<10 {
            try database.blocking.write { connection in
                for _ in 0..<20 { try connection.run("INSERT INTO t VALUES(randomblob(1000))") }
            }
            #expect(database.statistics.walSize > 0)
            let before = reads.value
            until { reads.value > before }
            #expect(try database.blocking.checkpoint(holdingReaders: .seconds(3600)).logFrames == 0)
            #expect(database.statistics.walSize == 0)
        }
        isDone.update { $0 = true }
        for reader in readers { try reader.get() }
        #expect(try count() == 201)
    }

    @Test func theLogIsTruncatedInATask() async throws {
        let result = try await database.checkpoint()
        #expect(result == Connection.CheckpointResult(logFrames: 0, checkpointedFrames: 0))
        #expect(database.statistics.walSize == 0)
        try await database.write { try $0.run("INSERT INTO t VALUES(2)") }
        let passive = try await database.checkpoint(.passive)
        #expect(passive.logFrames > 0 && passive.checkpointedFrames == passive.logFrames)
        #expect(try await database.checkpoint(.full) == passive)
        #expect(try await database.checkpoint(.restart) == passive)
    }

    @Test func newReadsWaitInTheirOrderAndCanBeCancelled() async throws {
        let database = try Database(path, maximumReaders: 1)
        let (gate, isIn) = (Gate(), Gate())
        let reader = ThreadResult {
            try database.blocking.read { connection in
                try connection.run("SELECT * FROM t")
                isIn.open()
                gate.wait()
            }
        }
        await isIn.passed()
        let checkpoint = ThreadResult { try database.blocking.checkpoint(holdingReaders: .seconds(3_600)) }
        await until { database.readers.lock.withLock { database.readers.state.isHeld } }

        let order = Shared<[Int]>([])
        var tasks: [Task<Void, any Error>] = []
        for number in 1...3 {
            tasks.append(Task { try await database.read { _ in order.update { $0.append(number) } } })
            await until { database.statistics.waitingReads == number }
        }
        tasks[1].cancel()
        let cancelled = await tasks[1].result
        #expect(throws: CancellationError.self) { try cancelled.get() }
        #expect(database.statistics.waitingReads == 2)
        let late = try sqliteError { try database.blocking.read(deadline: .milliseconds(20)) { _ in } }
        #expect(late.kind == .interrupted(.deadline))
        #expect(order.value == [])

        gate.open()
        try reader.get()
        #expect(try checkpoint.get().logFrames == 0)
        try await tasks[0].value
        try await tasks[2].value
        #expect(order.value == [1, 3])
        #expect(database.statistics.walSize == 0)
    }

    @Test(arguments: [Connection.CheckpointMode.restart, .truncate])
    func aLongReadBlocksItForALimitedTime(_ mode: Connection.CheckpointMode) throws {
        let gate = Gate()
        let reader = reader(until: gate)
        let error = try sqliteError { try database.blocking.checkpoint(mode, holdingReaders: .milliseconds(20)) }
        #expect(error.kind == .problem(DatabaseProblem.checkpointBlocked))
        #expect(error.resultCode == .busy)
        #expect(error.message == "a read blocked the checkpoint for too long")
        // The other reader is not held back any longer.
        #expect(!isHeld)
        #expect(try count() == 1)
        gate.open()
        #expect(try reader.get() == 1)
        try database.blocking.checkpoint(mode)
    }

    @Test func snapshotsAndOtherConnectionsBlockItForALimitedTime() throws {
        let snapshot = try database.blocking.snapshot()
        try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO t VALUES(2)") }
        let error = try sqliteError { try database.blocking.checkpoint(holdingReaders: .milliseconds(20)) }
        #expect(error.kind == .problem(DatabaseProblem.checkpointBlocked))
        try snapshot.close()
        try database.blocking.checkpoint()

        try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO t VALUES(3)") }
        let other = try Connection(path)
        try other.execute("BEGIN; SELECT * FROM t")
        let second = try sqliteError { try database.blocking.checkpoint(holdingReaders: .milliseconds(20)) }
        #expect(second.kind == .problem(DatabaseProblem.checkpointBlocked))
        try other.execute("COMMIT")
        #expect(try database.blocking.checkpoint().logFrames == 0)
    }

    @Test func theWaitEndsWithACancellationAndAtTheDeadline() async throws {
        let gate = Gate()
        let reader = reader(until: gate)
        let task = Task { [database] in try await database.checkpoint(holdingReaders: .seconds(3_600)) }
        await until { isHeld }
        task.cancel()
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(!isHeld)
        let error = try sqliteError {
            try database.blocking.checkpoint(holdingReaders: .seconds(3_600), deadline: .milliseconds(20))
        }
        #expect(error.kind == .interrupted(.deadline))
        #expect(!isHeld)
        gate.open()
        #expect(try reader.get() == 1)
    }

    @Test func insideOtherClosures() throws {
        try database.blocking.read { _ in
            let error = try sqliteError { try database.blocking.checkpoint() }
            #expect(error.kind == .insideRead(.write))
        }
        try database.blocking.writeWithoutTransaction { _ in _ = try database.blocking.checkpoint() }
        try database.blocking.write { connection in
            try connection.run("INSERT INTO t VALUES(2)")
            #expect(try sqliteError { try database.blocking.checkpoint() }.resultCode == .locked)
        }
        #expect(try count() == 2)
        let snapshot = try database.blocking.snapshot()
        try snapshot.blocking.read { _ in
            try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO t VALUES(3)") }
            let error = try sqliteError { try database.blocking.checkpoint(holdingReaders: .milliseconds(20)) }
            #expect(error.kind == .problem(DatabaseProblem.checkpointBlocked))
        }
    }

    @Test func aReadOfTheOwnThreadIsNotWaitedFor() throws {
        try database.blocking.read { _ in
            try database.writerConnectionQueue.execute { connection in
                try connection.run("INSERT INTO t VALUES(2)")
                let error = try sqliteError { try database.blocking.checkpoint(holdingReaders: .milliseconds(20)) }
                #expect(error.kind == .insideRead(.checkpoint))
                #expect(error.resultCode == .misuse)
                _ = try database.blocking.checkpoint(.passive)
            }
        }
        #expect(try count() == 2)
    }

    @Test func aSnapshotBlocksItOnceThereIsANewerState() throws {
        try database.blocking.checkpoint()
        let snapshot = try database.blocking.snapshot()
        try database.blocking.checkpoint(holdingReaders: .zero)
        try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO t VALUES(2)") }
        let error = try sqliteError { try database.blocking.checkpoint(holdingReaders: .zero) }
        #expect(error.kind == .problem(DatabaseProblem.checkpointBlocked))
        #expect(try snapshot.blocking.read { try $0.query("SELECT count(*) FROM t") } == 1)
    }

    @Test func withoutTimeToWaitItMakesOneAttempt() throws {
        #expect(try database.blocking.checkpoint(holdingReaders: .zero).logFrames == 0)
        let gate = Gate()
        let reader = reader(until: gate)
        for limit in [Duration.zero, .milliseconds(5)] {
            let error = try sqliteError { try database.blocking.checkpoint(holdingReaders: limit) }
            #expect(error.kind == .problem(DatabaseProblem.checkpointBlocked))
        }
        #expect(database.readers.lock.withLock { database.readers.whenQuiet.isEmpty })
        gate.open()
        #expect(try reader.get() == 1)
    }

    @Test func theHintOfATimeoutNamesTheCheckpoint() throws {
        let gate = Gate()
        let reader = reader(until: gate)
        let checkpoint = ThreadResult { [database] in try database.blocking.checkpoint(holdingReaders: .seconds(3_600)) }
        until { isHeld }
        let error = try sqliteError { try database.blocking.read(deadline: .milliseconds(20)) { _ in } }
        #expect(error.kind == .interrupted(.deadline))
        #expect(error.hint?.contains("checkpoint") == true)
        gate.open()
        #expect(try reader.get() == 1)
        #expect(try checkpoint.get().logFrames == 0)
    }

    @Test func databasesWithoutALog() throws {
        let none = Connection.CheckpointResult(logFrames: -1, checkpointedFrames: -1)
        #expect(try Database().blocking.checkpoint() == none)
        let rollback = try Database(storageLocation: .onDisk(directory.file("rollback.db")))
        try rollback.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a)") }
        #expect(try rollback.blocking.checkpoint() == none)
        let readOnly = try Database(path, mode: .readOnly)
        let refused = try sqliteError { try readOnly.blocking.checkpoint(.truncate) }
        #expect(refused.resultCode == .readOnly, "\(refused)")
        try database.blocking.close()
        #expect(try errorKind { try database.blocking.checkpoint() } == .closed(.database))
    }

    /// Readers that overlap all the time. During the hold none of them has a connection, and all wait in the line.
    @Test func noReadRunsDuringTheHold() throws {
        let (running, reads, isDone) = (Shared(0), Shared(0), Shared(false))
        let threads = 3
        let readers = (0..<threads).map { _ in
            ThreadResult { [database] in
                while !isDone.value {
                    try database.blocking.read { connection in
                        running.update { $0 += 1 }
                        defer { running.update { $0 -= 1 } }
                        let _: Int = try connection.query("SELECT count(*) FROM t, t")
                        reads.update { $0 += 1 }
                    }
                }
            }
        }
        for _ in 0..<200 {
            let before = reads.value
            until { reads.value > before }
            let atOnce = try database.readers.holding(until: Deadline(after: .seconds(3600)), nil) {
                let atOnce = running.value
                // Each read that is called now has to wait. Without the hold, one of them would run.
                until { database.statistics.waitingReads == threads || running.value > 0 }
                return max(atOnce, running.value)
            }
            #expect(atOnce == 0)
            if atOnce != 0 { break }
        }
        isDone.update { $0 = true }
        for reader in readers { try reader.get() }
        #expect(database.statistics.waitingReads == 0)
        #expect(try count() == 1)
    }

    @Test func closingWhileItWaitsForReaders() throws {
        let gate = Gate()
        let reader = reader(until: gate)
        let checkpoint = ThreadResult { [database] in try database.blocking.checkpoint(holdingReaders: .seconds(3_600)) }
        until { isHeld }
        let waiting = ThreadResult { [database] in try database.blocking.read { _ in } }
        until { database.statistics.waitingReads == 1 }
        let closing = ThreadResult { [database] in try database.blocking.close() }
        #expect(try errorKind { try waiting.get() } == .closed(.database))
        gate.open()
        #expect(try reader.get() == 1)
        #expect(try checkpoint.get().logFrames == 0)
        try closing.get()
    }
}
