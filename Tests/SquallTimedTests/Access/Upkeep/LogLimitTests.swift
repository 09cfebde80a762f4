import Foundation
import Squall
import SquallTestSupport
import Testing

/// `Configuration.logLimit`.
@Suite(.timeLimit(.minutes(10)))
struct LogLimitTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func open(limit: Int?) throws -> Database {
        var configuration = Configuration.recommended
        configuration.logLimit = limit
        let database = try Database(directory.file("\(limit ?? -1).db"), configuration: configuration)
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a)") }
        return database
    }

    /// Writes 40 transactions of 50 rows, each on a page of its own, while four threads read.
    ///
    /// - Returns: The largest size of the log, the size of a transaction in the log, and whether readers have blocked an attempt to
    ///   truncate it for a second, as on a machine that stands still.
    private func peak(of database: Database) throws -> (peak: Int, transaction: Int, isBlocked: Bool) {
        let isBlocked = Shared(false)
        database.addEventObserver { if case .logLimitExceeded = $0 { isBlocked.update { $0 = true } } }
        let bytesPerFrame = 4096 + 24
        let peak = Shared(0)
        let token = database.addWALObserver { _, pages in peak.update { $0 = max($0, pages * bytesPerFrame) } }
        defer { token.cancel() }
        let isDone = Shared(false)
        let readers = (0..<4).map { _ in
            ThreadResult {
                while !isDone.value {
                    let _: Int = try database.blocking.read { try $0.query("SELECT sum(length(a)) FROM t") ?? 0 }
                }
            }
        }
        for _ in 0..<40 {
            try database.blocking.write { connection in
                peak.update { $0 = max($0, database.statistics.walSize) }
                for _ in 0..<50 { try connection.run("INSERT INTO t VALUES(randomblob(3000))") }
            }
            peak.update { $0 = max($0, database.statistics.walSize) }
        }
        isDone.update { $0 = true }
        for reader in readers { try reader.get() }
        // The rows, and a few pages of the table's tree.
        return (peak.value, 60 * bytesPerFrame, isBlocked.value)
    }

    @Test func theLogStaysAtTheLimitPlusOneTransaction() throws {
        // Each limit has a file of its own.
        for limit in 1_000_000... {
            let (peak, transaction, isBlocked) = try peak(of: open(limit: limit))
            if isBlocked { continue }
            #expect(peak <= limit + transaction)
            #expect(peak > limit)
            break
        }
    }

    @Test func withoutALimitItGrowsFurther() throws {
        let (peak, transaction, _) = try peak(of: open(limit: nil))
        #expect(peak > 1_000_000 + transaction)
    }

    @Test func everyKindOfWriteKeepsIt() async throws {
        let database = try open(limit: 100_000)
        let insert: SQL = "INSERT INTO t VALUES(zeroblob(200000))"
        let writes: [@Sendable () async throws -> Void] = [
            { try await database.write { try $0.run(insert) } },
            { try await database.writeWithoutTransaction { try $0.run(insert) } },
            { try blocking { try database.blocking.writeWithoutTransaction { try $0.run(insert) } } },
            { try blocking { try database.blocking.write { try $0.run(insert) } } },
            { try blocking { try database.blocking.writeWithoutTransaction(deadline: .seconds(3600)) { try $0.run(insert) } } },
            { try database.writerConnectionQueue.execute { try $0.run(insert) } },
        ]
        for write in writes {
            try await write()
            #expect(database.statistics.walSize == 0)
        }
        #expect(try await database.read { try $0.query("SELECT count(*) FROM t") as Int } == writes.count)
    }

    @Test func aWriteDoesNotFailUnderAReadThatBlocksTheCheckpoint() throws {
        let database = try open(limit: 100_000)
        let snapshot = try database.blocking.snapshot()
        // The first one tries, and the second one does not try again so soon.
        for _ in 0..<2 { try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO t VALUES(zeroblob(200000))") } }
        #expect(database.statistics.walSize > 400_000)
        #expect(try snapshot.blocking.read { try $0.query("SELECT count(*) FROM t") } == 0)
        try snapshot.close()
        #expect(try database.blocking.checkpoint().logFrames == 0)
    }

    @Test func aWriteInsideAReadLeavesItToALaterWrite() throws {
        let database = try open(limit: 100_000)
        let insert: SQL = "INSERT INTO t VALUES(zeroblob(200000))"
        try database.blocking.read { _ in try database.writerConnectionQueue.execute { try $0.run(insert) } }
        #expect(database.statistics.walSize > 200_000)
        // No attempt has failed, after which there would be a pause.
        try database.blocking.writeWithoutTransaction { try $0.run(insert) }
        #expect(database.statistics.walSize == 0)
    }

    @Test func itDoesNotRunPastTheDeadlineOfAWrite() throws {
        let database = try open(limit: 100_000)
        let insert: SQL = "INSERT INTO t VALUES(zeroblob(200000))"
        try database.blocking.read { _ in try database.writerConnectionQueue.execute { try $0.run(insert) } }
        let (isIn, gate) = (Gate(), Gate())
        let reader = ThreadResult {
            try database.blocking.read { connection in
                try connection.run("SELECT * FROM t")
                isIn.open()
                gate.wait()
            }
        }
        isIn.wait()
        try database.blocking.writeWithoutTransaction(deadline: .zero) { _ in }
        gate.open()
        try reader.get()
        // No attempt has failed, after which there would be a pause.
        try database.blocking.writeWithoutTransaction { _ in }
        #expect(database.statistics.walSize == 0)
    }

    @Test func aWriteThatFailsOrIsCancelledLeavesItToALaterWrite() async throws {
        struct Stop: Error {}
        let database = try open(limit: 100_000)
        let insert: SQL = "INSERT INTO t VALUES(zeroblob(200000))"
        let failing: [@Sendable () throws -> Void] = [
            {
                try database.blocking.writeWithoutTransaction {
                    try $0.run(insert)
                    throw Stop()
                }
            },
            {
                try database.writerConnectionQueue.execute {
                    try $0.run(insert)
                    throw Stop()
                }
            },
        ]
        for write in failing {
            #expect(throws: Stop.self) { try write() }
            #expect(database.statistics.walSize > 200_000)
            try await database.writeWithoutTransaction { _ in }
            #expect(database.statistics.walSize == 0)
        }
        // The closure has ended before its cancellation: the write succeeds.
        let cancelled = Task {
            try await database.writeWithoutTransaction { connection in
                try connection.run(insert)
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        try await cancelled.value
        #expect(database.statistics.walSize > 200_000)
        try await database.writeWithoutTransaction { _ in }
        #expect(database.statistics.walSize == 0)
    }

    @Test func aDatabaseInMemoryIgnoresIt() throws {
        var configuration = Configuration.recommended
        configuration.logLimit = 0
        let database = try Database(":memory:", configuration: configuration)
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)") }
        #expect(try database.blocking.read { try $0.query("SELECT a FROM t") } == 1)
    }
}
