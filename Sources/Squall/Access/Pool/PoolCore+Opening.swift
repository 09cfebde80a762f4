import SquallSQLite

extension PoolCore {
    func openConnection(_ cancellation: Cancellation?) throws -> PooledConnection {
        do {
            guard let open = open ?? reopen else { throw closedError }
            if cancellation?.isCancelled == true { throw CancellationError() }
            let expected = lock.withLock { file }
            try expected?.check()
            let connection = try whileOpening { try open(cancellation) }
            let found = DatabaseFile(connection)
            // The path may have been given to another file while this connection was being opened.
            try expected?.check()
            let pooled = PooledConnection(connection, core: self)
            pooled.lastFileCheck = CoarseClock.now
            lock.withLock {
                state.opened(pooled)
                if refusesStatements { connection.interruption.flags.isSuspended = true }
                if file == nil, state.counts.opened == 1 { file = found }
                if state.connections.count > 1, !isDrainPending { scheduleDrain() }
            }
            updateObservers(of: pooled)
            return pooled
        } catch {
            if let error = error as? SQLiteError, error.resultCode == .cantOpen,
                let pooled = try connectionInsteadOfOpening(cancellation)
            {
                return pooled
            }
            lock.withLock { state.openingAborted() }
            releasePermit()
            throw error
        }
    }

    /// Returns another connection for one that could not be opened, as at the limit of open files: an idle connection,
    /// or one that is returned later.
    ///
    /// - Returns: The connection; `nil` when the pool has none. The caller then still owns the permit.
    private func connectionInsteadOfOpening(_ cancellation: Cancellation?) throws -> PooledConnection? {
        lock.lock()
        guard state.canSubstitute else {
            lock.unlock()
            return nil
        }
        stopSharing()
        guard let pooled = state.openingFailed() else { return try waitForConnection(cancellation) }
        lock.unlock()
        return pooled
    }
}

// MARK: - Preparations

extension PoolCore {
    /// A core for which a thread opens a connection, with the one for which it opened a connection before.
    private struct Opening {
        let core: ObjectIdentifier
        let outer: UnsafeMutableRawPointer?
    }

    /// The innermost `Opening` of the thread.
    private static let openingKey: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// Marks the thread during a closure that opens a connection, and calls the preparations with it.
    private func whileOpening<Result>(_ body: () throws -> Result) throws -> Result {
        let outer = pthread_getspecific(Self.openingKey)
        var opening = Opening(core: ObjectIdentifier(self), outer: outer)
        return try withUnsafePointer(to: &opening) {
            // The pointer is valid until the closure ends, which restores the outer one.
            pthread_setspecific(Self.openingKey, $0)
            defer { pthread_setspecific(Self.openingKey, outer) }
            return try body()
        }
    }

    /// Whether this thread opens a connection of the core, and runs a preparation. The thread has a permit, for which
    /// some calls would wait.
    var isOpenedByThisThread: Bool {
        var next = pthread_getspecific(Self.openingKey)
        while let opening = next?.assumingMemoryBound(to: Opening.self).pointee {
            if opening.core == ObjectIdentifier(self) { return true }
            next = opening.outer
        }
        return false
    }

    /// Throws in a preparation that the core calls.
    func checkIsNotOpening() throws(SQLiteError) {
        guard isOpenedByThisThread else { return }
        throw SQLiteError(DatabaseProblem.usedInPreparation, hint: "use the connection that the preparation receives")
    }
}
