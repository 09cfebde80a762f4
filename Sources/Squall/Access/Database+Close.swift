extension Database {
    /// Closes the database. Blocks the thread until all closures that run have returned; those that wait for their turn
    /// throw, and so does every use from now on. Closing again waits for the same, and does nothing.
    ///
    /// The connections that read are closed before the one that writes, which, as the last one of the file, checkpoints
    /// the write-ahead log and removes it.
    ///
    /// Does not compile in asynchronous code: use ``shutDown()`` there.
    ///
    /// - Throws: ``SQLiteError`` with code 21 inside a closure of the database, and in a child process.
    @available(*, noasync, message: "blocks a thread that tasks share: use 'shutDown()'")
    public func close() throws {
        try stop()
        readers.close()
        for snapshot in snapshots.all { snapshot.close() }
        writer.close()
    }

    /// The same as ``close()``, suspending the task in place of blocking the thread.
    public nonisolated(nonsending) func shutDown() async throws {
        try stop()
        await readers.closed()
        for snapshot in snapshots.all { await snapshot.closed() }
        await writer.closed()
    }

    private func stop() throws {
        try writer.fork.check()
        let lenders = [readers, writer] + snapshots.all
        guard lenders.allSatisfy({ PooledConnection.innermost(of: $0) == nil }) else {
            throw SQLiteError.misuse("a database cannot be closed inside one of its closures")
        }
        for core in lenders { core.stop() }
    }

    /// Makes the statements that are running fail with `SQLITE_INTERRUPT` (9), on all connections that are in use.
    /// Statements, checkpoints and closing that begin later are not affected, nor is the waiting for a lock.
    public func interrupt() {
        for core in [writer, readers] + snapshots.all { core.interrupt() }
    }
}

extension PoolCore {
    nonisolated(nonsending) fileprivate func closed() async {
        await withUnsafeContinuation { continuation in
            close { continuation.resume() }
        }
    }
}
