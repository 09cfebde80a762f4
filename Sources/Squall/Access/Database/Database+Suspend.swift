import Dispatch

extension Database {
    /// Releases all locks of the database, until ``resume()``. An application that keeps its database in a folder that it
    /// shares with others calls it before it is suspended: iOS ends applications that are suspended with a lock there.
    ///
    ///     try database.suspend(interruptingAfter: .milliseconds(500), deadline: .seconds(3))
    ///     …
    ///     try database.resume()
    ///
    /// From now on, every new call throws `SQLITE_BUSY` (5), of the kind ``SQLiteError/Kind/suspended``, and so do the
    /// calls that wait for a connection. Running closures may end. After a while, their statements are interrupted until
    /// they return: they throw `SQLITE_INTERRUPT` (9), and their transactions are rolled back. An interrupt does not end a
    /// wait for a lock, which ends with the busy timeout, nor code of the closure itself.
    ///
    /// All connections are closed. As the last connection of the file, the writer checkpoints the write-ahead log.
    /// Snapshots are closed and backups end; both cannot be continued. Temporary tables are lost, and so are hooks,
    /// functions and collations that closures have added: ``resume()`` calls the preparations again, and adds the
    /// observers of the database. A database in memory or in a temporary file has no locks, and keeps its connection.
    ///
    /// Suspending again only waits. Blocks the calling thread, and does not compile in asynchronous code: use
    /// ``suspendAccess(interruptingAfter:deadline:)`` there.
    ///
    /// - Parameters:
    ///   - grace: The time after which running statements are interrupted.
    ///   - deadline: The maximum duration of the call; `nil` to wait until all closures have returned.
    /// - Throws: ``SQLiteError``: `SQLITE_INTERRUPT` (9), of the kind `.interrupted(.deadline)`, when closures are still
    ///   running at the deadline. The database stays suspended, and their connections are closed when they return.
    ///   `SQLITE_MISUSE` (21) inside a closure of the database, after `close`, and in a child process.
    @available(*, noasync, message: "blocks a thread that tasks share: use 'suspendAccess'")
    public func suspend(interruptingAfter grace: Duration = .seconds(1), deadline: Duration? = nil) throws {
        let start = ContinuousClock.now
        try beginSuspension()
        try waitForSuspension(grace: start + grace, deadline: deadline.map { start + $0 })
    }

    /// Releases all locks of the database as ``suspend(interruptingAfter:deadline:)`` does, but suspends the task instead
    /// of blocking the thread. Cancelling the task does not end the wait.
    ///
    /// - Parameters:
    ///   - grace: The time after which running statements are interrupted.
    ///   - deadline: The maximum duration of the call; `nil` to wait until all closures have returned.
    /// - Throws: ``SQLiteError`` as ``suspend(interruptingAfter:deadline:)``.
    public nonisolated(nonsending) func suspendAccess(
        interruptingAfter grace: Duration = .seconds(1), deadline: Duration? = nil
    ) async throws {
        let start = ContinuousClock.now
        // Closing idle connections may take a while, too.
        try checkSuspension()
        try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
            DispatchQueue(label: "squall.suspend").async {
                continuation.resume(
                    with: Swift.Result {
                        try self.beginSuspension()
                        try self.waitForSuspension(grace: start + grace, deadline: deadline.map { start + $0 })
                    })
            }
        }
    }

    /// Ends a suspension: opens the writer again, and calls the preparations with it. Readers are opened as they are
    /// needed. Does nothing if the database is not suspended.
    ///
    /// - Throws: ``SQLiteError`` when the connection cannot be opened, and the error of a preparation. The database is
    ///   then still suspended.
    public func resume() throws {
        if writer.fork.isChild { return }
        try suspension.withLock {
            guard writer.isSuspended else { return }
            writer.resume()
            do {
                if readers !== writer { try writer.reopenConnection() }
            } catch {
                writer.suspend(closesConnections: closesConnections)
                throw error
            }
            readers.resume()
        }
    }

    private var closesConnections: Bool { readers !== writer }

    private func checkSuspension() throws {
        try writer.fork.check()
        let cores = [readers, writer] + snapshots.all
        guard cores.allSatisfy({ PooledConnection.innermost(of: $0) == nil }) else {
            throw SQLiteError.misuse(.suspendedInsideClosure)
        }
    }

    private func beginSuspension() throws {
        try checkSuspension()
        try suspension.withLock {
            for core in [readers, writer] { core.suspend(closesConnections: closesConnections) }
            guard writer.isSuspended else { throw writer.closedError }
        }
    }

    private func waitForSuspension(grace: ContinuousClock.Instant, deadline: ContinuousClock.Instant?) throws {
        let group = DispatchGroup()
        for core in [readers, writer] {
            group.enter()
            core.whenQuiet { group.leave() }
        }
        if closesConnections {
            for snapshot in snapshots.all {
                group.enter()
                snapshot.close { group.leave() }
            }
        }
        endBackups()
        var end = min(grace, deadline ?? grace)
        while group.wait(timeout: end.dispatchTime) == .timedOut {
            if let deadline, ContinuousClock.now >= deadline { throw SQLiteError.interrupted(.deadline) }
            interrupt()
            // A closure may run another statement.
            end = min(.now + .milliseconds(5), deadline ?? .now + .seconds(1))
        }
        // Closures that have returned since may have begun a backup or made a snapshot.
        endBackups()
        guard closesConnections else { return }
        for snapshot in snapshots.all { snapshot.close() }
    }

    private func endBackups() {
        for backup in backups.all { backup.end(.suspended) }
    }
}
