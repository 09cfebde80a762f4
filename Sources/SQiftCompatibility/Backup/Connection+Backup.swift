import Foundation

extension Connection {
    /// The outcome of a backup on a queue.
    public enum BackupResult: Sendable {
        case success
        /// The destination is unchanged.
        case failure(any Error)
        /// The destination is unchanged.
        case cancelled

        public var isSuccess: Bool { if case .success = self { true } else { false } }
        public var isFailure: Bool { if case .failure = self { true } else { false } }
        public var isCancelled: Bool { if case .cancelled = self { true } else { false } }
    }

    /// Starts a backup on a queue.
    ///
    ///     let progress = try connection.backup(to: destination) { result in print(result) }
    ///     progress.pause()
    ///     progress.resume()
    ///     progress.cancel()
    ///
    /// The source can be used during the backup. Every verb of the destination throws `SQLITE_BUSY` (5) until the
    /// backup has ended. A source in memory or in a temporary file is copied before this function returns, because the
    /// queue must not use its connection. Later writes to it are not in the backup. See `Backup` for further rules.
    ///
    /// The progress counts pages, and can be the child of another. Cancelling takes effect before the next step, even during a pause,
    /// and leaves the destination unchanged. A step that waits for a lock waits at most for its connection's busy timeout. A failure
    /// cancels the backup.
    ///
    /// - Parameters:
    ///   - sourceName: The database to copy.
    ///   - destination: The connection whose database is completely overwritten.
    ///   - destinationName: The database of the destination to overwrite.
    ///   - pageSize: The number of pages to copy at a time; -1 for all.
    ///   - backupQueue: The queue on which the pages are copied.
    ///   - completionQueue: The queue on which `completion` is called. A program that does not run its main queue must
    ///     pass another queue.
    ///   - completion: Called once, when the destination can be used again.
    /// - Throws: `SQLiteError`; `SQLITE_ERROR` (1) when source and destination are the same, when a name is unknown,
    ///   and when the destination is in use.
    @discardableResult
    public func backup(
        databaseNamed sourceName: String = "main",
        to destination: Connection,
        as destinationName: String = "main",
        pageSize: Int32 = 100,
        backupQueue: DispatchQueue = .global(qos: .default),
        completionQueue: DispatchQueue = .main,
        completion: @escaping @Sendable (BackupResult) -> Void
    ) throws -> Progress {
        let backup = backup(
            databaseNamed: sourceName, to: destination, as: destinationName, pagesPerStep: pageSize
        )
        let copy = try backup.begin(.detached(sourceName, of: self))
        let control = BackupControl(copy.progress)
        let operation = BackupOperation(copy, control: control, queue: backupQueue) { result in
            completionQueue.async { completion(result) }
        }
        operation.start()
        return ProgressOfBackup(control)
    }
}

/// A `Progress` over a `BackupControl`.
///
/// The methods are overridden because the handlers of `Progress` are for the user. Sendable, because the control is,
/// and `Progress` is declared to be.
private final class ProgressOfBackup: Progress, @unchecked Sendable {
    private let control: BackupControl

    init(_ control: BackupControl) {
        self.control = control
        super.init(parent: nil, userInfo: nil)
        isCancellable = true
        isPausable = true
        control.observe { [weak self] in self?.update() }
        // The backup is running, and may have ended before it was observed.
        update()
    }

    override func cancel() {
        super.cancel()
        control.cancel()
    }

    override func pause() {
        super.pause()
        control.pause()
    }

    override func resume() {
        super.resume()
        control.resume()
    }

    private func update() {
        totalUnitCount = control.totalUnitCount
        completedUnitCount = control.completedUnitCount
        if control.isCancelled, !isCancelled { super.cancel() }
    }
}
