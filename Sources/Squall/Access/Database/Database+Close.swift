extension Database {
    /// Closes the database, and waits until all running closures have returned. Waiting calls throw, and so
    /// does every later use. Backups that have not finished end. Closing again only waits, and cancelling the task does
    /// not end the wait.
    ///
    /// The readers are closed before the writer. As the last connection of the file, the writer checkpoints the
    /// write-ahead log and removes it. With ``Configuration/autoOptimize``, it updates the statistics before. SQLite keeps
    /// the connection of a ``Statement`` that has left its closure open, with its locks, until the statement is released.
    ///
    /// - Throws: ``SQLiteError``, `SQLITE_MISUSE` (21), inside a closure or a preparation of the database, and in a
    ///   child process.
    public nonisolated(nonsending) func close() async throws {
        try stop()
        await readers.closeAndWait()
        for snapshot in snapshots.all { await snapshot.closeAndWait() }
        for backup in backups.all { await backup.endAndWait(writer.closedError) }
        await writer.closeAndWait(optimizing: true)
    }

    fileprivate func closeAndBlock() throws {
        try stop()
        readers.close()
        for snapshot in snapshots.all { snapshot.close() }
        for backup in backups.all { backup.end(writer.closedError) }
        writer.close(optimizing: true)
    }

    private func stop() throws {
        try writer.fork.check()
        let cores = [readers, writer] + snapshots.all
        guard cores.allSatisfy({ !$0.isUsedByThisThread }) else {
            throw SQLiteError(DatabaseProblem.closedInsideClosure(.database))
        }
        companions.databaseWillClose()
        for core in cores { core.stop() }
    }

    /// Interrupts the running statements of all connections in use: they throw `SQLITE_INTERRUPT` (9). Later
    /// statements, checkpoints and closing are not affected, nor are waits for a lock.
    public func interrupt() {
        for core in [writer, readers] + snapshots.all { core.interrupt() }
    }
}

extension Database.Blocking {
    /// Closes the database as ``Database/close()`` does.
    ///
    /// - Throws: ``SQLiteError`` as ``Database/close()``.
    public func close() throws { try database.closeAndBlock() }
}

extension PoolCore {
    nonisolated(nonsending) fileprivate func closeAndWait(optimizing optimizes: Bool = false) async {
        // Checked, as in `DispatchQueue.perform`.
        await withCheckedContinuation { continuation in
            close(optimizing: optimizes) { continuation.resume() }
        }
    }
}
