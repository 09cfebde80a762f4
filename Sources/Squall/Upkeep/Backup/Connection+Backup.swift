import Dispatch

extension Connection {
    /// A backup to another connection, as a sequence of its steps, or to be run at once.
    ///
    ///     for try await progress in connection.backup(to: destination) { print(progress.fractionCompleted) }
    ///     try connection.backup(to: destination).run()
    ///
    /// - Parameters:
    ///   - sourceName: The database to copy: `main`, `temp`, or the name of an attached one.
    ///   - destination: What is overwritten, all of it.
    ///   - destinationName: The database of the destination to overwrite.
    ///   - pagesPerStep: How many pages are copied at a time; -1 for all.
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

    /// Makes a backup on a queue.
    ///
    ///     let control = try connection.backup(to: destination) { result in print(result) }
    ///     control.pause()
    ///     control.resume()
    ///     control.cancel()
    ///
    /// The source can be used meanwhile; every verb of the destination throws `SQLITE_BUSY` until the backup has ended. A
    /// source in memory or in a temporary file is copied before this returns, because the queue must not use its
    /// connection; what is written to it later is not in the backup. ``Backup`` says what else holds.
    ///
    /// The control counts pages. Cancelling takes effect before the next step, also in a pause, and leaves the destination
    /// as it was; a step that is waiting for a lock waits as long as its connection's busy timeout says. A failure cancels
    /// it.
    ///
    /// - Parameters:
    ///   - sourceName: The database to copy.
    ///   - destination: What is overwritten, all of it.
    ///   - destinationName: The database of the destination to overwrite.
    ///   - pageSize: How many pages are copied at a time; -1 for all.
    ///   - backupQueue: Where the pages are copied.
    ///   - completionQueue: Where `completion` is called. A program that does not run its main queue must give another.
    ///   - completion: Is called once, when the destination can be used again.
    /// - Throws: ``SQLiteError``: code 1 when source and destination are the same, when a name is unknown, and when the
    ///   destination is in use.
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
