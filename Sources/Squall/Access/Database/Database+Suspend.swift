import Dispatch

extension Database {
    /// Releases all locks of the database, until ``resume()``. An application that keeps its database in a folder that it
    /// shares with others calls it before it is suspended: iOS ends applications that are suspended with a lock there.
    ///
    ///     try await database.suspend(interruptingAfter: .seconds(1), deadline: .seconds(3))
    ///     …
    ///     try await database.resume()
    ///
    /// From now on, every new call of the database throws `SQLITE_BUSY` (5), with the problem ``DatabaseProblem/suspended``, and so do the
    /// calls that wait for a connection. Running closures may end. After the grace time, and at the deadline at the latest,
    /// their running statements are interrupted, and every further one throws: `SQLITE_INTERRUPT` (9), of the kind `.interrupted(.suspension)`. Their
    /// transactions are rolled back. A commit that has begun ends, and the call reports its outcome. A wait for a lock can
    /// last until the busy timeout. Code of the closure itself is not ended, nor are statements of another database that it runs, and
    /// a closure that catches these errors keeps its locks.
    ///
    /// All connections are closed. As the last connection of the file, the writer checkpoints the write-ahead log.
    /// Snapshots are closed and backups end; both cannot be continued. Temporary tables are lost, and so are hooks,
    /// functions and collations that closures have added: ``resume()`` calls the preparations again, and adds the
    /// observers of the database. A database in memory or in a temporary file has no locks, and keeps its connection.
    /// Its snapshots are copies: they stay open, and can be read during the suspension.
    ///
    /// SQLite keeps the connection of a ``Statement`` that has left its closure open, with its locks, until the statement
    /// is released. The call does not wait for it.
    ///
    /// Suspending again only waits. When the database is resumed in the meantime, the call returns early, and
    /// locks may be held again. Cancelling the task does not end the wait.
    ///
    /// - Parameters:
    ///   - grace: The time after which running statements are interrupted, and further ones throw.
    ///   - deadline: The maximum duration of the call; `nil` to wait until all closures have returned, and all
    ///     connections are closed.
    /// - Throws: ``SQLiteError``: `SQLITE_INTERRUPT` (9), of the kind `.interrupted(.deadline)`, when closures are still
    ///   running at the deadline, or the writer is still checkpointing a large log. The database stays suspended. The
    ///   remaining connections are closed when the closures return; the checkpoint continues.
    ///   `SQLITE_MISUSE` (21) inside a closure or a preparation of the database, after `close`, and in a child process.
    public nonisolated(nonsending) func suspend(
        interruptingAfter grace: Duration = .seconds(1), deadline: Duration? = nil
    ) async throws {
        let (grace, deadline) = (Deadline(after: grace), deadline.map { Deadline(after: $0) })
        // In this thread, which may run a closure of the database.
        try checkSuspension()
        try await DispatchQueue(label: "squall.suspend").perform {
            try self.waitForSuspension(self.beginSuspension(), grace: grace, deadline: deadline)
        }
    }

    /// Ends a suspension: opens the writer again, and calls the preparations with it. Readers are opened as they are
    /// needed. Does nothing if the database is not suspended, or inside a preparation that is called by this method. Waits
    /// while another thread resumes the database. Cancelling the task does not end it.
    ///
    /// - Throws: ``SQLiteError`` when the connection cannot be opened, the error of a preparation, and `SQLITE_BUSY` (5),
    ///   with the problem ``DatabaseProblem/suspended``, when another thread suspends the database at the same time. The database
    ///   is then still suspended. `SQLITE_MISUSE` (21) after `close`, and in a child process.
    public nonisolated(nonsending) func resume() async throws {
        try await DispatchQueue(label: "squall.resume").perform { try self.endSuspension() }
    }

    fileprivate func endSuspension() throws {
        try writer.fork.check()
        guard let calls = suspension.beginResuming(if: { writer.isSuspended }) else {
            return try writer.checkIsNotClosed()
        }
        let opened: PooledConnection?
        do {
            opened = closesConnections ? try writer.openDuringSuspension() : nil
        } catch {
            _ = suspension.endResuming(nil)
            throw error
        }
        let isResumed = suspension.endResuming(calls) {
            for core in [writer, readers] + snapshots.all { core.resume() }
        }
        // A suspension that has begun in the meantime waits for it, and closes it.
        if let opened { writer.release(opened) }
        if !isResumed { throw SQLiteError.suspended }
        try writer.checkIsNotClosed()
        companions.databaseDidResume()
    }

    private var closesConnections: Bool { readers !== writer }
}

extension Database.Blocking {
    /// Releases all locks of the database as ``Database/suspend(interruptingAfter:deadline:)`` does.
    ///
    /// - Parameters:
    ///   - grace: The time after which running statements are interrupted, and further ones throw.
    ///   - deadline: The maximum duration of the call; `nil` to wait until all closures have returned, and all
    ///     connections are closed.
    /// - Throws: ``SQLiteError`` as ``Database/suspend(interruptingAfter:deadline:)``.
    public func suspend(interruptingAfter grace: Duration = .seconds(1), deadline: Duration? = nil) throws {
        let (grace, deadline) = (Deadline(after: grace), deadline.map { Deadline(after: $0) })
        try database.waitForSuspension(database.beginSuspension(), grace: grace, deadline: deadline)
    }

    /// Ends a suspension as ``Database/resume()`` does.
    ///
    /// - Throws: As ``Database/resume()``.
    public func resume() throws { try database.endSuspension() }
}

// MARK: - Waiting

extension Database {
    private func checkSuspension() throws {
        try writer.fork.check()
        let cores = [readers, writer] + snapshots.all
        guard cores.allSatisfy({ !$0.isUsedByThisThread }) else {
            throw SQLiteError(DatabaseProblem.suspendedInsideClosure)
        }
    }

    /// Refuses new calls from now on, and closes the idle readers. The idle writer is closed last: as the last connection
    /// of the file, it checkpoints the log.
    ///
    /// - Returns: The generation of the suspension.
    fileprivate func beginSuspension() throws -> Int {
        try checkSuspension()
        let (generation, (idle, isClosed)) = suspension.suspend {
            let idle = readers.suspend(closesConnections: closesConnections)
            writer.suspend(closesConnections: false)
            return (idle, !writer.isSuspended)
        }
        // Also for a database that is being closed, which waits for them.
        close(idle, of: readers)
        if isClosed { throw writer.closedError }
        return generation
    }

    fileprivate func waitForSuspension(
        _ generation: Int, grace: Deadline, deadline: Deadline?
    ) throws {
        // After the deadline, this thread no longer ends the closures.
        let grace = min(grace, deadline ?? grace)
        do {
            // Closures that have returned in the meantime may have begun a backup or made a snapshot.
            while let uses = suspension.during(generation, { endUses(of: [readers, writer]) }) {
                try wait(for: uses, generation, grace: grace, deadline: deadline)
                if openSnapshots.isEmpty, backups.all.allSatisfy(\.hasEnded) { break }
            }
        } catch {
            _ = closeWriter(generation)
            throw error
        }
        if let uses = closeWriter(generation) {
            try wait(for: uses, generation, grace: grace, deadline: deadline)
        }
    }

    private func wait(
        for group: DispatchGroup, _ generation: Int, grace: Deadline, deadline: Deadline?
    ) throws {
        while true {
            // Later, an interrupt is repeated: SQLite clears one that arrives just before a statement begins, and another
            // connection may have been opened. Earlier, another thread may resume the database, while a closure uses an
            // old snapshot.
            let next =
                grace.hasPassed
                ? Deadline(after: .milliseconds(5)) : min(grace, Deadline(after: .milliseconds(100)))
            if group.wait(timeout: min(next, deadline ?? next).dispatchTime) == .success { return }
            // Under the lock: statements that begin after a resume are not interrupted.
            let isSuspended: Void? = suspension.during(generation) {
                if grace.hasPassed { endStatements() }
            }
            guard isSuspended != nil else { return }
            if let deadline, deadline.hasPassed { throw SQLiteError.interrupted(.deadline) }
        }
    }

    /// Ends the snapshots and backups, on other threads. Called under the lock of the suspension.
    ///
    /// - Returns: A group that is empty when they have ended, and when no connection of the cores is in use. Resuming ends
    ///   the second wait.
    private func endUses(of cores: [PoolCore]) -> DispatchGroup {
        let group = DispatchGroup()
        for core in cores {
            group.enter()
            core.whenQuiet { group.leave() }
        }
        for snapshot in openSnapshots {
            group.enter()
            inBackground { snapshot.close { group.leave() } }
        }
        for backup in backups.all {
            group.enter()
            backup.end(.suspended) { group.leave() }
        }
        return group
    }

    /// Ends the statements of the running closures, and refuses their further ones until the database is resumed.
    private func endStatements() {
        for core in [writer, readers] + openSnapshots { core.interrupt(isSuspending: true) }
    }

    private var openSnapshots: [PoolCore] { closesConnections ? snapshots.all.filter { !$0.isFinished } : [] }

    /// Closes the writer, now if it is idle, unless the database was resumed.
    ///
    /// - Returns: A group that is empty when it is closed, also if another call closes it.
    private func closeWriter(_ generation: Int) -> DispatchGroup? {
        guard closesConnections else { return nil }
        return suspension.during(generation) {
            close(writer.suspend(closesConnections: true), of: writer)
            return endUses(of: [writer])
        }
    }

    /// Closes idle connections that were removed from a core.
    private func close(_ connections: [PooledConnection], of core: PoolCore) {
        if !connections.isEmpty { inBackground { core.close(connections) } }
    }

    /// Runs a closure on another thread: closing a connection may take longer than the deadline of a suspension.
    private func inBackground(_ body: @escaping @Sendable () -> Void) {
        DispatchQueue(label: "squall.suspend.close").async(execute: body)
    }
}
