import CoreMetrics
import Dispatch
import Foundation
import MetricsTestKit
import Squall
import SquallMetrics
import Testing

/// `DatabaseMetrics`, by what a metrics backend receives.
struct DatabaseMetricsTests {
    private let backend = TestMetrics()
    private static let system = [("db.system.name", "sqlite"), ("db.namespace", "app")]
    private static let pool = [("db.client.connection.pool.name", "app")]

    private func total(_ label: String, _ dimensions: [(String, String)] = []) -> Int64 {
        backend.counterTotal(label: label, dimensions: Self.system + dimensions)
    }

    private func gauge(_ label: String, _ dimensions: [(String, String)]) throws -> Double? {
        try backend.expectRecorder(label, dimensions).lastValue
    }

    private func timer(_ label: String, _ dimensions: [(String, String)]) throws -> [Int64] {
        try backend.expectTimer(label, dimensions).values
    }

    @Test func readsAndWritesAreTimedAndCounted() async throws {
        let database = try Database.temporary()
        try await database.write { try $0.execute("CREATE TABLE t(a)") }
        let metrics = DatabaseMetrics(database, name: "app", factory: backend)
        for number in 0..<3 { try await database.write { try $0.run("INSERT INTO t VALUES(\(number))") } }
        for _ in 0..<2 { let _: [Int] = try await database.read { try $0.query("SELECT a FROM t") } }
        await metrics.record()
        let label = "db.client.operation.duration"
        #expect(try timer(label, Self.system + [("db.operation.name", "write")]).count == 3)
        let reads = try timer(label, Self.system + [("db.operation.name", "read")])
        #expect(reads.count == 2)
        #expect(reads.allSatisfy { $0 > 0 && $0 < 60_000_000_000 })
        #expect(total("squall.reads") == 2)
        #expect(total("squall.writes") == 3)
        #expect(total("squall.rows.returned") == 6)
        #expect(total("squall.statement_cache.misses") > 0)
        #expect(total("squall.statement_cache.hits") > 0)
    }

    @Test func countersAreIncreasedByTheDifference() async throws {
        let database = try Database.temporary()
        let metrics = DatabaseMetrics(database, name: "app", factory: backend)
        for round in 1...3 {
            try await database.write { _ in }
            await metrics.record()
            #expect(total("squall.writes") == Int64(round))
        }
    }

    @Test func connectionsAndTheLogAreGauges() async throws {
        let database = try Database.temporary(maximumReaders: 3)
        try await database.write { try $0.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)") }
        let metrics = DatabaseMetrics(database, name: "app", factory: backend)
        try await database.read { _ in }
        await metrics.record()
        #expect(try gauge("db.client.connection.max", Self.pool) == 4)
        #expect(try gauge("db.client.connection.pending_requests", Self.pool) == 0)
        let count = "db.client.connection.count"
        #expect(try gauge(count, Self.pool + [("db.client.connection.state", "used")]) == 0)
        #expect(try gauge(count, Self.pool + [("db.client.connection.state", "idle")]) == 2)
        #expect(try gauge("squall.wal.size", Self.system) == Double(database.statistics.walSize))
        #expect(database.statistics.walSize > 0)
        #expect(try gauge("squall.snapshots", Self.system) == 0)
    }

    @Test func usedConnectionsAreCountedWhileTheyAreUsed() async throws {
        let database = try Database.temporary()
        let metrics = DatabaseMetrics(database, name: "app", factory: backend)
        let (isReading, mayEnd) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
        let read = Task.detached {
            try await database.read { _ in
                isReading.continuation.finish()
                mayEnd.wait()
            }
        }
        for await _ in isReading.stream {}
        await metrics.record()
        mayEnd.signal()
        try await read.value
        let dimensions = Self.pool + [("db.client.connection.state", "used")]
        #expect(try gauge("db.client.connection.count", dimensions) == 1)
    }

    @Test func waitsTimeoutsLocksCheckpointsAndLostTransactions() async throws {
        var configuration = Configuration.recommended
        configuration.busyTimeout = .milliseconds(10)
        let database = try Database.temporary(configuration: configuration)
        try await database.write {
            try $0.execute("CREATE TABLE t(a UNIQUE ON CONFLICT ROLLBACK); INSERT INTO t VALUES(1)")
        }
        let metrics = DatabaseMetrics(database, name: "app", factory: backend)
        let (isWriting, mayEnd) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
        let write = Task.detached {
            try await database.write { _ in
                isWriting.continuation.finish()
                mayEnd.wait()
            }
        }
        for await _ in isWriting.stream {}
        await #expect(throws: SQLiteError.self) { try await database.write(deadline: .milliseconds(5)) { _ in } }
        mayEnd.signal()
        try await write.value
        let rival = try Connection(database.fileName)
        try rival.execute("BEGIN IMMEDIATE")
        await #expect(throws: SQLiteError.self) { try await database.write { _ in } }
        try rival.execute("COMMIT")
        await #expect(throws: SQLiteError.self) { try await database.write { try $0.run("INSERT INTO t VALUES(1)") } }
        try await database.checkpoint()
        await metrics.record()
        let wait = Self.pool + [("db.operation.name", "write")]
        #expect(try timer("db.client.connection.wait_time", wait).count == 1)
        #expect(backend.counterTotal(label: "db.client.connection.timeouts", dimensions: Self.pool) == 1)
        #expect(try timer("squall.lock.wait_time", Self.system).count == 1)
        #expect(try timer("squall.checkpoint.duration", Self.system).count == 1)
        #expect(total("squall.checkpoints", [("outcome", "complete")]) == 1)
        #expect(total("squall.transactions.lost") == 1)
        #expect(total("squall.waits") == 1)
    }

    @Test func theServiceRecordsUntilItIsCancelled() async throws {
        let database = try Database.temporary()
        let metrics = DatabaseMetrics(database, name: "app", every: .milliseconds(1), factory: backend)
        let service = Task { try await metrics.run() }
        try await database.write { _ in }
        while total("squall.writes") == 0 { await Task.yield() }
        try await database.write { _ in }
        service.cancel()
        try await service.value
        #expect(total("squall.writes") == 2)
        // The observer is gone.
        try await database.write { _ in }
        await metrics.record()
        let writes = try timer("db.client.operation.duration", Self.system + [("db.operation.name", "write")])
        #expect(writes.count == 2)
    }

    @Test func aReleasedDatabaseIsNotKept() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        var database: Database? = try Database(directory.appending(path: "app.db").path)
        let metrics = DatabaseMetrics(try #require(database), name: "app", factory: backend)
        weak let reference = database
        database = nil
        #expect(reference == nil)
        await metrics.record()
        #expect(backend.recorders.allSatisfy { $0.lastValue == nil })
    }

    /// A backend whose every call waits until it is let through.
    private final class BlockingFactory: MetricsFactory {
        let backend = TestMetrics()
        let isReached = DispatchSemaphore(value: 0)
        let mayGoOn = DispatchSemaphore(value: 0)

        private func wait() {
            isReached.signal()
            mayGoOn.wait()
        }

        func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
            backend.makeCounter(label: label, dimensions: dimensions)
        }

        func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
            backend.makeRecorder(label: label, dimensions: dimensions, aggregate: aggregate)
        }

        func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
            if label == "squall.lock.wait_time" { wait() }
            return backend.makeTimer(label: label, dimensions: dimensions)
        }

        func destroyCounter(_ handler: any CounterHandler) {}
        func destroyRecorder(_ handler: any RecorderHandler) {}
        func destroyTimer(_ handler: any TimerHandler) {}
    }

    @Test func aBackendThatBlocksDelaysNoCall() async throws {
        let database = try Database.temporary()
        let factory = BlockingFactory()
        let metrics = DatabaseMetrics(database, name: "app", factory: factory)
        async let recording: Void = metrics.record()
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                factory.isReached.wait()
                continuation.resume()
            }
        }
        // The backend is blocked in the middle of its work.
        for _ in 0..<10 { try await database.write { _ in } }
        factory.mayGoOn.signal()
        await recording
        await metrics.record()
        #expect(factory.backend.counterTotal(label: "squall.writes", dimensions: Self.system) == 10)
    }

    @Test func aBackendThatBlocksDelaysTheShutdownByASecondAtMost() async throws {
        let database = try Database.temporary()
        let factory = BlockingFactory()
        let metrics = DatabaseMetrics(database, name: "app", factory: factory)
        let service = Task { try await metrics.run() }
        service.cancel()
        // Returns although the backend never goes on.
        try await service.value
        factory.mayGoOn.signal()
    }

    @Test func aClosedDatabaseHasNoConnections() async throws {
        let database = try Database.temporary()
        let metrics = DatabaseMetrics(database, name: "app", factory: backend)
        try await database.read { _ in }
        try await database.close()
        await metrics.record()
        let count = "db.client.connection.count"
        #expect(try gauge(count, Self.pool + [("db.client.connection.state", "used")]) == 0)
        #expect(try gauge(count, Self.pool + [("db.client.connection.state", "idle")]) == 0)
    }

    @Test func aCallThatAShutdownRefusesIsNoTimeout() async throws {
        let database = try Database.temporary()
        let metrics = DatabaseMetrics(database, name: "app", factory: backend)
        let (isWriting, mayEnd) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
        let write = Task.detached {
            try await database.write { _ in
                isWriting.continuation.finish()
                mayEnd.wait()
            }
        }
        for await _ in isWriting.stream {}
        let waiting = Task { try await database.write { _ in } }
        while database.statistics.waitingWrites == 0 { await Task.yield() }
        async let closing: Void = database.close()
        await #expect(throws: SQLiteError.self) { try await waiting.value }
        mayEnd.signal()
        try await write.value
        try await closing
        await metrics.record()
        #expect(backend.counterTotal(label: "db.client.connection.timeouts", dimensions: Self.pool) == 0)
        #expect(try timer("db.client.connection.wait_time", Self.pool + [("db.operation.name", "write")]).count == 1)
    }

    @Test func tooManyDurationsAreDroppedAndCounted() async throws {
        let database = try Database.temporary()
        let metrics = DatabaseMetrics(database, name: "app", factory: backend)
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                for _ in 0..<10_005 { _ = try? database.blocking.writeWithoutTransaction { _ in } }
                continuation.resume()
            }
        }
        await metrics.record()
        let writes = try timer("db.client.operation.duration", Self.system + [("db.operation.name", "write")])
        #expect(writes.count == 10_000)
        #expect(total("squall.metrics.dropped") == 5)
        #expect(total("squall.writes") == 10_005)
    }

    @Test func theNameIsThatOfTheFile() async throws {
        let database = try Database(":memory:")
        let metrics = DatabaseMetrics(database, factory: backend)
        try await database.write { _ in }
        await metrics.record()
        let dimensions = [("db.system.name", "sqlite"), ("db.namespace", ":memory:")]
        #expect(backend.counterTotal(label: "squall.writes", dimensions: dimensions) == 1)
        let pool = [("db.client.connection.pool.name", ":memory:")]
        #expect(try gauge("db.client.connection.max", pool) == 1)
    }
}
