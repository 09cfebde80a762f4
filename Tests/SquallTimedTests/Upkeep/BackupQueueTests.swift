import Foundation
import SQiftCompatibility
import Squall
import SquallTestSupport
import Testing

/// Backups in SQift's form, whose steps are blocks on a queue. A block of the test's own between two steps shows what is
/// halfway: a serial queue runs them in order.
@Suite(.timeLimit(.minutes(10)))
struct BackupQueueTests {
    let directory: TemporaryDirectory
    let source: Connection
    let destination: Connection
    let queue = DispatchQueue(label: "steps")
    let outcome = BackupOutcome()

    init() throws {
        directory = try TemporaryDirectory()
        source = try Connection(directory.file("source.db"))
        try source.fill()
        destination = try Connection(storageLocation: .onDisk(directory.file("copy.db")))
        try destination.execute("CREATE TABLE old(a); INSERT INTO old VALUES('kept')")
    }

    private func begin(from source: Connection? = nil, pages: Int32 = 10) throws -> Progress {
        let outcome = outcome
        return try (source ?? self.source).backup(
            to: destination, pageSize: pages, backupQueue: queue, completionQueue: .global(),
            completion: { outcome.report($0) }
        )
    }

    private func expectOld() throws {
        #expect(try destination.query("SELECT a FROM old") == "kept")
        #expect(try destination.integrityCheck() == [])
    }

    @Test func copiesAndReportsWhenTheDestinationCanBeUsed() throws {
        queue.suspend()
        let progress = try begin()
        #expect(progress.fractionCompleted < 1)
        queue.resume()
        #expect(try outcome.wait().isSuccess)
        #expect(progress.isFinished)
        #expect(progress.fractionCompleted == 1)
        #expect(try progress.totalUnitCount == Int64(source.pageCount()))
        #expect(!progress.isCancelled)
        #expect(try destination.digest() == source.digest())
    }

    @Test func theDefaultQueues() async throws {
        let (source, destination) = (source, destination)
        let result = await withCheckedContinuation { continuation in
            do {
                try source.backup(to: destination, completionQueue: .global()) { continuation.resume(returning: $0) }
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        #expect(result.isSuccess)
        #expect(!result.isFailure)
        #expect(!result.isCancelled)
        #expect(try destination.rowCount() == 60)
    }

    @Test func sqiftDefectAnEmptySourceFinishes() throws {
        let empty = try Connection(storageLocation: .onDisk(directory.file("empty.db")))
        let progress = try begin(from: empty)
        #expect(try outcome.wait().isSuccess)
        #expect(progress.isFinished)
        #expect(try destination.query("SELECT count(*) FROM sqlite_schema") == 0)
    }

    @Test func theDestinationRefusesAndTheSourceDoesNotHalfway() throws {
        queue.suspend()
        let progress = try begin()
        queue.async { progress.pause() }
        queue.resume()
        queue.sync {}
        queue.sync {}
        #expect(progress.completedUnitCount == 10)
        #expect(try sqliteError { try destination.run("SELECT 1") }.resultCode == .busy)
        #expect(try source.rowCount() == 60)
        progress.resume()
        #expect(try outcome.wait().isSuccess)
        #expect(try destination.rowCount() == 60)
    }

    @Test func cancelledHalfway() throws {
        queue.suspend()
        let progress = try begin()
        queue.async { progress.cancel() }
        queue.resume()
        #expect(try outcome.wait().isCancelled)
        #expect(progress.completedUnitCount == 10)
        #expect(progress.isCancelled)
        #expect(!progress.isFinished)
        try expectOld()
    }

    @Test func cancelledBeforeTheFirstStep() throws {
        queue.suspend()
        let progress = try begin(pages: -1)
        progress.cancel()
        queue.resume()
        #expect(try outcome.wait().isCancelled)
        try expectOld()
    }

    @Test func sqiftDefectCancelledWhilePaused() throws {
        queue.suspend()
        let progress = try begin()
        queue.async { progress.pause() }
        queue.resume()
        queue.sync {}
        queue.sync {}
        let completed = progress.completedUnitCount
        queue.sync {}
        #expect(progress.completedUnitCount == completed)
        #expect(progress.isPaused)
        progress.cancel()
        #expect(try outcome.wait().isCancelled)
        try expectOld()
    }

    @Test func pausedAndResumedOverAndOver() throws {
        let progress = try begin(pages: 1)
        for _ in 1...20 {
            progress.pause()
            queue.sync {}
            progress.resume()
        }
        #expect(try outcome.wait().isSuccess)
        #expect(try destination.rowCount() == 60)
    }

    /// On a concurrent queue the block after a pause may run beside the one that found it; the thread sanitizer watches.
    @Test func pausedAndResumedOverAndOverOnAConcurrentQueue() throws {
        let outcome = outcome
        let control = try source.backup(
            to: destination, pageSize: 1, backupQueue: .global(), completionQueue: .global()
        ) { outcome.report($0) }
        while control.fractionCompleted < 1, !control.isCancelled {
            control.pause()
            control.resume()
        }
        #expect(try outcome.wait().isSuccess)
        #expect(try destination.rowCount() == 60)
    }

    @Test func aPausedBackupThatNobodyCanResumeGoesOn() throws {
        queue.suspend()
        do {
            let progress = try begin()
            progress.pause()
        }
        queue.resume()
        #expect(try outcome.wait().isSuccess)
    }

    @Test func connectionsMayGoMeanwhile() throws {
        queue.suspend()
        do {
            let gone = try Connection(directory.file("source.db"))
            let to = try Connection(storageLocation: .onDisk(directory.file("gone.db")))
            let statement = try to.prepare("SELECT 1")
            let outcome = outcome
            try gone.backup(to: to, pageSize: 10, backupQueue: queue, completionQueue: .global()) { outcome.report($0) }
            #expect(statement.parameterCount == 0)
        }
        queue.resume()
        #expect(try outcome.wait().isSuccess)
        #expect(try Connection(directory.file("gone.db"), configuration: .sqlite).rowCount() == 60)
    }

    @Test func theDestinationIsBackWithoutWaitingForTheReport() throws {
        queue.suspend()
        let progress = try begin(pages: 1)
        queue.async { progress.pause() }
        queue.resume()
        queue.sync {}
        queue.sync {}
        #expect(try sqliteError { try destination.run("SELECT 1") }.resultCode == .busy)
        progress.resume()
        var count = 0
        try until {
            do {
                // What the statement reads is dropped while the backup runs, and it with it.
                count = try destination.prepare("SELECT count(*) FROM t").query()
            } catch let error as SQLiteError where error.resultCode == .busy {
                try source.addSmallRow()
            }
            return count > 0
        }
        #expect(count >= 60)
        #expect(try outcome.wait().isSuccess)
    }

    @Test func closedWhileItRuns() throws {
        var statements = try (0..<5).map { try destination.prepare("SELECT \(raw: "\($0)")") }
        queue.suspend()
        let progress = try begin()
        queue.async { progress.pause() }
        queue.resume()
        queue.sync {}
        statements.removeLast(2)
        destination.close()
        statements.removeLast(2)
        #expect(destination.isClosed)
        progress.resume()
        #expect(try outcome.wait().isSuccess)
        #expect(try sqliteError { try statements[0].run() }.message == "the connection is closed")
        statements = []
        let path = directory.file("copy.db")
        #expect(try Connection(path, configuration: .sqlite).rowCount() == 60)
    }

    @Test(arguments: [StorageLocation.inMemory, .temporary])
    func aSourceInMemoryIsCopiedAsItIsWhenTheBackupBegins(location: StorageLocation) throws {
        let memory = try Connection(storageLocation: location)
        try memory.fill()
        let digest = try memory.digest()
        queue.suspend()
        _ = try begin(from: memory)
        try memory.execute("DROP TABLE t")
        memory.close()
        queue.resume()
        #expect(try outcome.wait().isSuccess)
        #expect(try destination.digest() == digest)
    }

    @Test func aSourceInMemoryInATransactionIsAnErrorAtOnce() throws {
        let memory = try Connection(storageLocation: .inMemory)
        try memory.fill(rows: 1)
        try memory.transaction {
            try memory.run("DELETE FROM t")
            let error = try sqliteError { _ = try begin(from: memory) }
            #expect(error.kind == .problem(BackupProblem.sourceInTransaction))
            #expect(error.message == "the source has a transaction open")
        }
        try expectOld()
    }

    @Test func sqiftDefect7FailuresSayWhy() throws {
        let reader = try Connection(directory.file("copy.db"), mode: .readOnly)
        let outcome = outcome
        let progress = try source.backup(to: reader, backupQueue: queue, completionQueue: .global()) {
            outcome.report($0)
        }
        let error = try #require(try outcome.wait().error)
        #expect(
            error.description.hasPrefix("SQLITE_READONLY (8): attempt to write a readonly database"))
        #expect(progress.isCancelled)
        try expectOld()
        #expect(try reader.query("SELECT a FROM old") == "kept")
    }

    @Test func sqiftDefectABusyDestinationIsTriedAgain() throws {
        let other = try Connection(storageLocation: .onDisk(directory.file("copy.db")))
        try source.execute("PRAGMA busy_timeout = 3600000")
        try other.execute("BEGIN IMMEDIATE")
        let progress = try begin()
        queue.sync {}
        #expect(progress.completedUnitCount == 0)
        try other.execute("COMMIT")
        #expect(try outcome.wait().isSuccess)
    }

    @Test func aBusyDestinationIsAnErrorInTheEnd() throws {
        let other = try Connection(storageLocation: .onDisk(directory.file("copy.db")))
        let quick = try Connection(storageLocation: .onDisk(directory.file("source.db")))
        try other.execute("BEGIN IMMEDIATE")
        _ = try begin(from: quick)
        #expect(try outcome.wait().error?.resultCode == .busy)
        try other.execute("COMMIT")
        try expectOld()
    }

    @Test func cancelledWhileItWaitsForALock() throws {
        let other = try Connection(storageLocation: .onDisk(directory.file("copy.db")))
        try source.execute("PRAGMA busy_timeout = 3600000")
        try other.execute("BEGIN IMMEDIATE")
        let progress = try begin()
        queue.sync {}
        progress.cancel()
        #expect(try outcome.wait().isCancelled)
        try other.execute("COMMIT")
        try expectOld()
    }

    @Test func aFullDiskLeavesTheDestinationAsItWas() throws {
        try destination.execute("PRAGMA max_page_count = 30")
        _ = try begin()
        #expect(try outcome.wait().error?.resultCode == .full)
        try expectOld()
    }

    @Test func wrongPairsThrowAtOnce() throws {
        #expect(
            try sqliteError { try source.backup(to: source) { _ in } }.message
                == "source and destination must be distinct")
        let name = try sqliteError { try source.backup(to: destination, as: "nope") { _ in } }
        #expect(name.message == "unknown database nope")
        try destination.transaction {
            let error = try sqliteError { try source.backup(to: destination) { _ in } }
            #expect(error.code == 1)
        }
        try expectOld()
    }
}
