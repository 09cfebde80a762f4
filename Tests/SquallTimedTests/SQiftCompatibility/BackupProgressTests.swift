import Foundation
import SQiftCompatibility
import SquallTestSupport
import Testing

/// SQift's backup returns a `Progress`.
@Suite(.timeLimit(.minutes(10)))
struct BackupProgressTests {
    private let source: Connection
    private let destination: Connection
    private let queue = DispatchQueue(label: "steps")

    init() throws {
        source = try Connection()
        try source.execute("CREATE TABLE t(a); INSERT INTO t VALUES(randomblob(200000))")
        destination = try Connection()
    }

    private func begin() async throws -> (Progress, Task<Connection.BackupResult, Never>) {
        let (results, continuation) = AsyncStream.makeStream(of: Connection.BackupResult.self)
        let progress: Progress = try source.backup(
            to: destination, pageSize: 10, backupQueue: queue, completionQueue: .global()
        ) { continuation.yield($0) }
        return (progress, Task { await results.first { _ in true } ?? .cancelled })
    }

    @Test func itCountsPages() async throws {
        queue.suspend()
        let (progress, result) = try await begin()
        #expect(progress.fractionCompleted < 1)
        queue.resume()
        #expect(await result.value.isSuccess)
        #expect(progress.isFinished)
        #expect(progress.completedUnitCount == progress.totalUnitCount)
        #expect(progress.totalUnitCount > 40)
        #expect(try destination.query("SELECT length(a) FROM t") == 200_000)
    }

    @Test func itIsPausedResumedAndCancelled() async throws {
        queue.suspend()
        let (progress, result) = try await begin()
        progress.pause()
        progress.cancel()
        progress.resume()
        queue.resume()
        #expect(await result.value.isCancelled)
        #expect(progress.isCancelled)
        #expect(try destination.query("SELECT count(*) FROM sqlite_master") == 0)
    }

    @Test func aFailureCancelsIt() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("old.db")
        try Connection(path, configuration: .sqlite).execute("CREATE TABLE old(a)")
        let reader = try Connection(path, mode: .readOnly)
        let (results, continuation) = AsyncStream.makeStream(of: Connection.BackupResult.self)
        let progress: Progress = try source.backup(to: reader, backupQueue: queue, completionQueue: .global()) {
            continuation.yield($0)
        }
        let result = await results.first { _ in true }
        #expect(result?.isFailure == true)
        #expect(progress.isCancelled)
    }

    @Test func aParentCancelsIt() async throws {
        queue.suspend()
        let parent = Progress(totalUnitCount: 1)
        let (progress, result) = try await begin()
        parent.addChild(progress, withPendingUnitCount: 1)
        parent.cancel()
        queue.resume()
        #expect(await result.value.isCancelled)
    }

    @Test func backupResultIsNestedInConnection() throws {
        let results: [Connection.BackupResult] = [.success, .cancelled]
        #expect(results.map(\.isSuccess) == [true, false])
        let source = try Connection(storageLocation: .inMemory)
        try source.execute("CREATE TABLE cars(name TEXT); INSERT INTO cars VALUES('Audi')")
        let destination = try Connection()
        let finished = DispatchSemaphore(value: 0)
        let queue = DispatchQueue(label: "completion")
        try source.backup(to: destination, completionQueue: queue) { (_: Connection.BackupResult) in finished.signal() }
        finished.wait()
        #expect(try destination.query("SELECT name FROM cars") as String == "Audi")
    }
}
