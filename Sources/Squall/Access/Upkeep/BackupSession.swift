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
        case running(Running)
        /// Finished, or ended early because of an error.
        case ended((any Error)?)
    }

    private struct State {
        /// Changed only on the queue, on which a step uses the copy without the lock.
        var stage = Stage.new
        /// The time of the first step, until the end is reported.
        var start: ContinuousClock.Instant?
    }

    private let backup: DatabaseBackup
    // Steps may take long, and must not block the threads that tasks share.
    private let queue = DispatchQueue(label: "squall.backup")
    private let state = Locked(State())

    init(_ backup: DatabaseBackup) {
        self.backup = backup
    }

    deinit {
        guard isForked else {
            close(nil)
            return reportEnd(CancellationError())
        }
        // The handles and the file are the parent's.
        if case .running(let running) = present {
            _ = Unmanaged.passRetained(running.copy)
            _ = Unmanaged.passRetained(running.destination)
        }
    }

    /// Whether the process is a child made by `fork`, in which the queue has no threads.
    private var isForked: Bool { backup.database.writer.fork.isChild }

    private var present: Stage { state.withLock { $0.stage } }

    // MARK: Steps

    /// Opens the destination, and prepares the first step.
    ///
    /// - Parameter connection: A connection of the database, for the time of the call.
    func begin(from connection: Connection) throws {
        state.withLock { $0.start = ContinuousClock.now }
        let begun = Swift.Result { try open(connection) }
        try queue.sync {
            let running = try begun.get()
            state.withLock { $0.stage = .running(running) }
            backup.database.backups.insert(self)
        }
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
        var configuration = Configuration.sqlite
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
            if !isComplete { try PooledConnection.checkInterruption() }
            switch try step() {
            case .copied(let copied): try progress(copied)
            case .mustWait: sleepThread(BackupCopy.pause)
            case .finished: return
            }
        }
    }

    private func runStep() throws -> Outcome {
        switch present {
        case .new, .ended(nil): return .finished
        case .ended(let error?): throw error
        case .running(let running):
            if running.copy.isFinished {
                close(nil)
                return .finished
            }
            return try runStep(of: running)
        }
    }

    private func runStep(of running: Running) throws -> Outcome {
        do {
            switch try running.copy.step() {
            case .copied(let progress): return .copied(progress)
            case .mustWait: return .mustWait
            }
        } catch {
            close(running, isComplete: false)
            state.withLock { $0.stage = .ended(error) }
            throw error
        }
    }

    // MARK: The end

    /// Reports the end of the backup to the observers of the database, once.
    func reportEnd(_ error: (any Error)?) {
        let start = state.withLock { state in
            defer { state.start = nil }
            return state.start
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
        queue.sync { close(error) }
    }

    /// Ends the backup as ``end(_:)`` does, without blocking the thread, and then calls `done`.
    func end(_ error: SQLiteError?, then done: @escaping () -> Void) {
        // A serial queue runs one closure at a time.
        nonisolated(unsafe) let done = done
        queue.async {
            self.close(error)
            done()
        }
    }

    /// Whether the backup is not running. Does not wait for the present step.
    var hasEnded: Bool { if case .running = present { false } else { true } }

    /// Whether all pages have been copied, so that a cancellation comes too late.
    var isComplete: Bool {
        queue.sync { if case .running(let running) = present { running.copy.isFinished } else { false } }
    }

    private func close(_ error: SQLiteError?) {
        guard case .running(let running) = present else { return }
        let isComplete = running.copy.isFinished
        close(running, isComplete: isComplete)
        state.withLock { $0.stage = .ended(isComplete ? nil : error) }
    }

    private func close(_ running: Running, isComplete: Bool) {
        running.copy.finish()
        close(running.destination, removingFile: running.isNew && !isComplete)
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
            if !isComplete { try Task.checkCancellation() }
            if isNew { try await backup.database.performRead(nil) { try self.begin(from: $0.connection) } }
            while true {
                switch try await queue.perform({ try self.runStep() }) {
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

    private var isNew: Bool { queue.sync { if case .new = present { true } else { false } } }

    /// Ends the backup as ``end(_:)`` does, without blocking the thread.
    nonisolated(nonsending) func endAndWait(_ error: SQLiteError?) async {
        _ = try? await queue.perform { self.close(error) }
    }
}
