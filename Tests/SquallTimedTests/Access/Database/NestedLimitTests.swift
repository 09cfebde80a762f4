import Foundation
import SquallTestSupport
import Testing

@testable import Squall

/// The deadline and the cancellation of a verb, for the verbs inside it that use another connection.
@Suite(.timeLimit(.minutes(10)))
struct NestedLimitTests {
    private let directory: TemporaryDirectory
    private let database: Database

    init() throws {
        directory = try TemporaryDirectory()
        var configuration = Configuration.recommended
        configuration.journalMode = .delete
        configuration.busyTimeout = .seconds(3600)
        database = try Database(directory.file("app.db"), configuration: configuration)
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE t(a); INSERT INTO t VALUES(zeroblob(50000))") }
        // Opens a reader, which the tests below use while the file is locked.
        try database.blocking.read { _ in }
    }

    private static let endless: SQL =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

    private let short = Duration.milliseconds(20)

    /// Runs a closure while another connection has locked the file.
    private func whileLocked(_ body: () async throws -> Void) async throws {
        let other = try Connection(directory.file("app.db"), configuration: .sqlite)
        try other.execute("BEGIN EXCLUSIVE")
        try await body()
        try other.execute("COMMIT")
    }

    /// Cancels a read whose closure has begun, and has done what it does first. The gate is open when the read knows of the
    /// cancellation: the closure may see `Task.isCancelled` earlier.
    private func cancelling(
        after first: @escaping @Sendable () throws -> Void = {},
        opening wasCancelled: Gate = Gate(),
        _ body: @escaping @Sendable (Connection) throws -> Void
    ) async {
        let isIn = Gate()
        let task = Task { [database] in
            try await database.read { connection in
                try first()
                isIn.open()
                try body(connection)
            }
        }
        await isIn.passed()
        task.cancel()
        wasCancelled.open()
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
    }

    @Test func theyEndTheOpeningOfASnapshot() async throws {
        try await whileLocked {
            let kind = try errorKind {
                try blocking { try database.blocking.read(deadline: short) { _ in try database.blocking.snapshot().close() } }
            }
            #expect(kind == .interrupted(.deadline))
            await cancelling { [database] _ in try database.blocking.snapshot().close() }
        }
        #expect(database.statistics.snapshots == 0)
        try blocking { try database.blocking.read(deadline: .seconds(3600)) { _ in try database.blocking.snapshot().close() } }
    }

    @Test func theyEndTheWaitForTheWriter() async throws {
        let (isIn, gate) = (Gate(), Gate())
        let holder = ThreadResult { [database] in
            try database.blocking.writeWithoutTransaction { _ in
                isIn.open()
                gate.wait()
            }
        }
        await isIn.passed()
        // A deadline that passes before the inner call begins is that of the read.
        var (deadline, hasBegun) = (short, false)
        while !hasBegun {
            let kind = try errorKind {
                try blocking {
                    try database.blocking.read(deadline: deadline) { _ in
                        hasBegun = true
                        try database.writerConnectionQueue.execute { _ in }
                    }
                }
            }
            #expect(kind == .interrupted(.deadline))
            deadline *= 2
        }
        await cancelling { [database] _ in try database.writerConnectionQueue.execute { _ in } }
        #expect(database.statistics.waitingWrites == 0)
        gate.open()
        try holder.get()
    }

    @Test func theyEndStatementsOfOtherConnections() async throws {
        let other = try Database(directory.file("other.db"))
        try await other.write { try $0.execute("CREATE TABLE t(a)") }
        let snapshot = try await database.snapshot()
        let uses: [@Sendable () throws -> Void] = [
            { [database] in try database.writerConnectionQueue.execute { let _: Int = try $0.query(Self.endless) } },
            { try snapshot.blocking.read { let _: Int = try $0.query(Self.endless) } },
            { try other.blocking.read { let _: Int = try $0.query(Self.endless) } },
            { try other.blocking.writeWithoutTransaction { let _: Int = try $0.query(Self.endless) } },
            { try other.blocking.read(deadline: .seconds(3600)) { let _: Int = try $0.query(Self.endless) } },
            { try other.readerConnectionPool.execute { let _: Int = try $0.query(Self.endless) } },
            {
                try other.blocking.write { connection in
                    try connection.run("INSERT INTO t VALUES(1)")
                    try snapshot.blocking.read { let _: Int = try $0.query(Self.endless) }
                }
            },
        ]
        for use in uses {
            let kind = try errorKind { try blocking { try database.blocking.read(deadline: short) { _ in try use() } } }
            #expect(kind == .interrupted(.deadline))
            await cancelling { _ in try use() }
        }
        // Without limits afterwards, and with the busy timeout that they had.
        for kept in [other.writer, other.readers] {
            kept.lock.withLock {
                for pooled in kept.state.connections { #expect(!pooled.connection.interruption.isActive) }
            }
        }
        #expect(try blocking { try other.blocking.read { try $0.query("PRAGMA busy_timeout") as Int } } == 5000)
        #expect(try blocking { try other.blocking.writeWithoutTransaction { try $0.query("PRAGMA busy_timeout") as Int } } == 5000)
        #expect(try await other.read { try $0.query("SELECT count(*) FROM t") as Int } == 0)
        #expect(try await snapshot.read { try $0.query("SELECT count(*) FROM t") as Int } == 1)
        try snapshot.close()
    }

    @Test func afterANestedVerbTheyEndTheOuterOne() async throws {
        let snapshot = try await database.snapshot()
        let first: @Sendable () throws -> Void = {
            let count: Int = try snapshot.blocking.read { try $0.query("SELECT count(*) FROM t") }
            #expect(count == 1)
        }
        await cancelling(after: first) { let _: Int = try $0.query(Self.endless) }
        let kind = try errorKind {
            try blocking {
                try database.blocking.read(deadline: .milliseconds(100)) { connection in
                    #expect(try snapshot.blocking.read(deadline: .seconds(3600)) { try $0.query("SELECT 1") } == 1)
                    let _: Int = try connection.query(Self.endless)
                }
            }
        }
        #expect(kind == .interrupted(.deadline))
    }

    @Test func theirOwnEarlierDeadlineCounts() throws {
        let snapshot = try database.blocking.snapshot()
        try database.blocking.read(deadline: .seconds(3600)) { connection in
            let kind = try errorKind {
                try snapshot.blocking.read(deadline: short) { let _: Int = try $0.query(Self.endless) }
            }
            #expect(kind == .interrupted(.deadline))
            #expect(try connection.query("SELECT count(*) FROM t") == 1)
        }
    }

    @Test func theyEndABackupBetweenItsSteps() async throws {
        let copy = directory.file("copy.db")
        let error = try sqliteError {
            try blocking {
                try database.blocking.read(deadline: short) { _ in
                    // The deadline began before this.
                    let end = ContinuousClock.now + short
                    try database.blocking.backup(to: copy, pagesPerStep: 1) { _ in
                        until { ContinuousClock.now >= end }
                    }
                }
            }
        }
        #expect(error.kind == .interrupted(.deadline))
        #expect(!FileManager.default.fileExists(atPath: copy))
        let wasCancelled = Gate()
        await cancelling(opening: wasCancelled) { [database] _ in
            try database.blocking.backup(to: copy, pagesPerStep: 1) { _ in wasCancelled.wait() }
        }
        #expect(!FileManager.default.fileExists(atPath: copy))
        let memory = try Connection()
        let second = try errorKind {
            try memory.withDeadline(.zero) { try memory.backup(to: Connection(copy)).run() }
        }
        #expect(second == .interrupted(.deadline))
        // After the last page, they come too late.
        try blocking {
            try database.blocking.read(deadline: .seconds(3600)) { _ in try database.blocking.backup(to: copy) }
        }
        #expect(try Connection(copy).query("SELECT count(*) FROM t") == 1)
    }
}
