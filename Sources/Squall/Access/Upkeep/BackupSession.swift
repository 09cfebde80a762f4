import Dispatch

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A running backup of a database. Closing or suspending the database ends it.
final class BackupSession: Sendable {
    enum Outcome: Sendable {
        case copied(BackupProgress)
        /// Another connection holds a lock. The step must be run again after a pause.
        case mustWait
        case finished
    }

    private struct Running {
        let copy: BackupCopy
        let destination: Connection
        /// Whether the file of the destination was created by the backup.
        let isNew: Bool
    }

    private enum Stage {
        case new
        /// The next step copies pages or, when all have been copied, ends the backup.
        case running(Running)
        /// Finished, or ended early because of an error.
        case ended((any Error)?)
    }

    private let backup: DatabaseBackup
    // Steps may take long, and must not block the threads that tasks share.
    private let queue = DispatchQueue(label: "squall.backup")
    /// Changed by `begin`, then only on the queue, on which a step uses the copy without the lock; at last by `deinit`, when no
    /// closure is left on the queue.
    private let stage = Locked(Stage.new)
    /// The time of the first step, until the end is reported.
    private let start = Locked<ContinuousClock.Instant?>(nil)

    init(_ backup: DatabaseBackup) {
        self.backup = backup
    }

    deinit {
        guard isForked else {
            endRunning(nil)
            return reportEnd(CancellationError())
        }
        // The handles and the file are the parent's.
        if case .running(let running) = currentStage {
            _ = Unmanaged.passRetained(running.copy)
            _ = Unmanaged.passRetained(running.destination)
        }
    }

    /// Whether the process is a child made by `fork`, in which the queue has no threads.
    private var isForked: Bool { backup.database.writer.fork.isChild }

    private var currentStage: Stage { stage.withLock { $0 } }

    // MARK: Steps

    /// Opens the destination, and prepares the first step.
    ///
    /// - Parameter connection: A connection of the database, for the time of the call.
    func begin(from connection: Connection) throws {
        start.withLock { $0 = ContinuousClock.now }
        let running = try open(connection)
        stage.withLock { $0 = .running(running) }
        backup.database.backups.insert(self)
        // A suspension or a close that began before the backup was in the list does not end it.
        do throws(SQLiteError) {
            try backup.database.readers.checkIsRunning()
        } catch {
            end(error)
            throw error
        }
    }

    private func open(_ connection: Connection) throws -> Running {
        let path = backup.path
        guard !path.isEmpty, path != ":memory:" else { throw SQLiteError(BackupProblem.destinationNeedsFile) }
        var configuration = Configuration.sqlite.with(connection.configuration.key)
        configuration.busyTimeout = connection.configuration.busyTimeout
        let isNew = !FileManager.default.fileExists(atPath: path)
        let destination = try Connection(path, configuration: configuration)
        do {
            let backup = connection.backup(to: destination, pagesPerStep: backup.pagesPerStep)
            return try Running(
                copy: backup.begin(.detached("main", of: connection)), destination: destination, isNew: isNew
            )
        } catch {
            close(destination, removingFile: isNew)
            throw error
        }
    }

    /// Runs the next step, on the queue.
    func step() throws -> Outcome {
        try backup.database.writer.fork.check()
        return try queue.sync { try runStep() }
    }

    /// Runs all steps.
    func run(_ progress: (BackupProgress) throws -> Void) throws {
        while true {
            if !queue.sync(execute: { isComplete }) { try PooledConnection.checkInterruption() }
            switch try step() {
            case .copied(let copied): try progress(copied)
            case .mustWait: sleepThread(BackupCopy.pause)
            case .finished: return
            }
        }
    }

    /// Runs the next step. Called on the queue.
    private func runStep(isCancelled: Bool = false) throws -> Outcome {
        if isCancelled, !isComplete { throw CancellationError() }
        switch currentStage {
        case .new, .ended(nil): return .finished
        case .ended(let error?): throw error
        case .running(let running):
            if running.copy.isFinished {
                endRunning(nil)
                return .finished
            }
            return try copyPages(running)
        }
    }

    private func copyPages(_ running: Running) throws -> Outcome {
        do {
            switch try running.copy.step() {
            case .copied(let progress): return .copied(progress)
            case .mustWait: return .mustWait
            }
        } catch {
            finish(running, isComplete: false, error)
            throw error
        }
    }

    // MARK: The end

    /// Reports the end of the backup to the observers of the database, once.
    func reportEnd(_ error: (any Error)?) {
        let start = start.withLock { start in
            defer { start = nil }
            return start
        }
        guard let start else { return }
        let ended = DatabaseEvent.Backup(
            destination: backup.path, duration: ContinuousClock.now - start, error: error)
        backup.database.events.send(.backupEnded(ended))
    }

    /// Ends the backup after its present step. Ending again does nothing.
    ///
    /// - Parameter error: The error of the next step.
    func end(_ error: SQLiteError?) {
        if isForked { return }
        queue.sync { endRunning(error) }
    }

    /// Ends the backup as ``end(_:)`` does, without blocking the thread, and then calls `done`.
    func end(_ error: SQLiteError?, then done: @escaping () -> Void) {
        // A serial queue runs one closure at a time.
        nonisolated(unsafe) let done = done
        queue.async {
            self.endRunning(error)
            done()
        }
    }

    /// Whether the backup is not running. Does not wait for the present step.
    var hasEnded: Bool { if case .running = currentStage { false } else { true } }

    /// Whether all pages have been copied, so that a cancellation comes too late. Called on the queue.
    private var isComplete: Bool {
        if case .running(let running) = currentStage { running.copy.isFinished } else { false }
    }

    /// Ends the backup if it is running. Called on the queue, or by `deinit`.
    private func endRunning(_ error: (any Error)?) {
        guard case .running(let running) = currentStage else { return }
        let isComplete = running.copy.isFinished
        finish(running, isComplete: isComplete, isComplete ? nil : error)
    }

    /// Releases the copy, closes the destination, and removes the file that the backup has created unless it is complete.
    private func finish(_ running: Running, isComplete: Bool, _ error: (any Error)?) {
        running.copy.finish()
        close(running.destination, removingFile: running.isNew && !isComplete)
        stage.withLock { $0 = .ended(error) }
    }

    /// Closes the destination. Another file that has replaced it in the meantime is not removed.
    private func close(_ destination: Connection, removingFile removesFile: Bool) {
        let hasMoved = destination.handle.flatMap { Connection.movedFileError(of: "main", $0) } != nil
        destination.close()
        if removesFile, !hasMoved { try? FileManager.default.removeItem(atPath: backup.path) }
    }
}

// MARK: - Asynchronous steps

extension BackupSession {
    /// Runs the next step without blocking the thread.
    nonisolated(nonsending) func next() async throws -> BackupProgress? {
        try backup.database.writer.fork.check()
        do {
            if case .new = currentStage {
                try Task.checkCancellation()
                try await backup.database.performRead(nil) { try self.begin(from: $0.connection) }
            }
            while true {
                let isCancelled = Task.isCancelled
                switch try await queue.perform({ try self.runStep(isCancelled: isCancelled) }) {
                case .copied(let progress): return progress
                case .finished:
                    reportEnd(nil)
                    return nil
                case .mustWait: try await Task.sleep(for: BackupCopy.pause)
                }
            }
        } catch {
            await endAndWait(nil)
            reportEnd(error)
            throw error
        }
    }

    /// Ends the backup as ``end(_:)`` does, without blocking the thread.
    nonisolated(nonsending) func endAndWait(_ error: SQLiteError?) async {
        _ = try? await queue.perform { self.endRunning(error) }
    }
}
