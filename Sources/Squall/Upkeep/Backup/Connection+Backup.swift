import Dispatch

extension Connection {
    /// Returns a backup to another connection, to be run as a sequence of steps or all at once.
    ///
    ///     for try await progress in connection.backup(to: destination) {
    ///         print(progress.fractionCompleted)
    ///     }
    ///     try connection.backup(to: destination).run()
    ///
    /// - Parameters:
    ///   - sourceName: The database to copy: `main`, `temp`, or the name of an attached database.
    ///   - destination: The connection whose database is completely overwritten.
    ///   - destinationName: The database of the destination to overwrite.
    ///   - pagesPerStep: The number of pages to copy at a time; -1 for all.
    public func backup(
        databaseNamed sourceName: String = "main",
        to destination: Connection,
        as destinationName: String = "main",
        pagesPerStep: Int32 = 100
    ) -> Backup {
        Backup(
            source: self, sourceName: sourceName, destination: destination, destinationName: destinationName,
            pagesPerStep: pagesPerStep
        )
    }

    /// Starts a backup on a queue.
    ///
    ///     let control = try connection.backup(to: destination) { result in print(result) }
    ///     control.pause()
    ///     control.resume()
    ///     control.cancel()
    ///
    /// The source can be used during the backup. Every verb of the destination throws `SQLITE_BUSY` (5) until the
    /// backup has ended. A source in memory or in a temporary file is copied before this function returns, because the
    /// queue must not use its connection. Later writes to it are not in the backup. See ``Backup`` for further rules.
    ///
    /// The control counts pages. Cancelling takes effect before the next step, even during a pause, and leaves the
    /// destination unchanged. A step that waits for a lock waits at most for its connection's busy timeout. A failure
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
    /// - Throws: ``SQLiteError``; `SQLITE_ERROR` (1) when source and destination are the same, when a name is unknown,
    ///   and when the destination is in use.
    @_disfavoredOverload  // SQiftCompatibility has a form that returns a `Progress`
    @discardableResult
    public func backup(
        databaseNamed sourceName: String = "main",
        to destination: Connection,
        as destinationName: String = "main",
        pageSize: Int32 = 100,
        backupQueue: DispatchQueue = .global(qos: .default),
        completionQueue: DispatchQueue = .main,
        completion: @escaping @Sendable (BackupResult) -> Void
    ) throws -> BackupControl {
        let backup = backup(
            databaseNamed: sourceName, to: destination, as: destinationName, pagesPerStep: pageSize
        )
        let copy = try backup.begin(.detached(sourceName, of: self))
        let control = BackupControl(copy.progress)
        let operation = BackupOperation(copy, control: control, queue: backupQueue) { result in
            completionQueue.async { completion(result) }
        }
        operation.start()
        return control
    }
}
