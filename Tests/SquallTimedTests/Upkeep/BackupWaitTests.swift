import Foundation
import Squall
import SquallTestSupport
import Testing

/// Backups whose task is cancelled, and backups that wait for a lock.
@Suite(.timeLimit(.minutes(10)))
struct BackupWaitTests {
    private let directory: TemporaryDirectory
    private let source: Connection
    private let destination: Connection

    init() throws {
        directory = try TemporaryDirectory()
        source = try Connection(directory.file("source.db"))
        try source.fill()
        destination = try Connection(storageLocation: .onDisk(directory.file("copy.db")))
        try destination.execute("CREATE TABLE old(a); INSERT INTO old VALUES('kept')")
    }

    private func expectOld() throws {
        #expect(try destination.query("SELECT a FROM old") == "kept")
        #expect(try destination.integrityCheck() == [])
    }

    @Test func aCancelledTaskLeavesTheDestinationAsItWas() async throws {
        let path = (directory.file("source.db"), directory.file("copy.db"))
        let task = Task {
            let source = try Connection(path.0)
            let destination = try Connection(storageLocation: .onDisk(path.1))
            var steps = 0
            do {
                for try await _ in source.backup(to: destination, pagesPerStep: 10) {
                    steps += 1
                    withUnsafeCurrentTask { $0?.cancel() }
                }
                return (steps, false, "")
            } catch is CancellationError {
                return (steps, true, try destination.query("SELECT a FROM old"))
            }
        }
        let (steps, isCancelled, old) = try await task.value
        #expect(steps == 1)
        #expect(isCancelled)
        #expect(old == "kept")
        try expectOld()
    }

    @Test func aTaskThatIsCancelledAfterTheLastPageHasTheBackup() async throws {
        let path = (directory.file("source.db"), directory.file("copy.db"))
        let task = Task {
            let destination = try Connection(storageLocation: .onDisk(path.1))
            for try await _ in try Connection(path.0).backup(to: destination, pagesPerStep: -1) {
                withUnsafeCurrentTask { $0?.cancel() }
            }
            return try destination.rowCount()
        }
        #expect(try await task.value == 60)
    }

    @Test func aTransactionInMemoryIsWaitedFor() async throws {
        let memory = try Connection(storageLocation: .inMemory)
        try memory.fill()
        try memory.execute("PRAGMA busy_timeout = 3600000; BEGIN; DELETE FROM t WHERE id = 1")
        let actor = BackupActor(memory)
        try await actor.commitWhileABackupWaits(path: directory.file("other.db"))
        #expect(try Connection(directory.file("other.db"), configuration: .sqlite).rowCount() == 59)
    }

    @Test func aBusyDestinationIsAnErrorAfterItsPatience() throws {
        let other = try Connection(directory.file("copy.db"), configuration: .sqlite)
        try other.transaction(transactionType: .immediate) {
            let quick = try Connection(storageLocation: .onDisk(directory.file("source.db")))
            let error = try sqliteError { try quick.backup(to: destination).run() }
            #expect(error.resultCode == .busy)
            #expect(error.message == "database is locked")
            let start = ContinuousClock.now
            try quick.execute("PRAGMA busy_timeout = 50")
            #expect(try sqliteError { try quick.backup(to: destination).run() }.resultCode == .busy)
            #expect(ContinuousClock.now - start >= .milliseconds(50))
        }
        try expectOld()
        try source.backup(to: destination).run()
    }
}

/// Lets something happen on the connection's actor between the steps of a backup.
private actor BackupActor {
    private let connection: Connection

    init(_ connection: sending Connection) {
        self.connection = connection
    }

    func commitWhileABackupWaits(path: String) async throws {
        async let done: Void = commit()
        let destination = try Connection(storageLocation: .onDisk(path))
        for try await _ in connection.backup(to: destination, pagesPerStep: 10) {}
        try await done
    }

    private func commit() throws {
        try connection.execute("COMMIT")
    }
}
