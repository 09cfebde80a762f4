import Dispatch

extension PoolCore {
    /// Runs a closure while no caller uses a connection of the pool. New callers wait in the line until it has returned.
    ///
    /// - Parameters:
    ///   - end: The time until which callers that have a connection may keep it.
    ///   - cancellation: Ends the wait for them.
    /// - Returns: The result of the closure; `nil` when a connection was still in use at the end of the wait.
    func holding<Result>(
        until end: Deadline, _ cancellation: Cancellation?, _ body: () throws -> Result
    ) throws -> Result? {
        let isDone = DispatchSemaphore(value: 0)
        lock.withLock {
            stopSharing()
            state.hold()
        }
        defer { endHold() }
        cancellation?.onCancel { isDone.signal() }
        defer { cancellation?.onCancel(nil) }
        // Resuming the database ends each wait, also while a connection is in use.
        // The last value that was read decides: a call that updates the observers may lease a connection for a moment.
        var isQuiet = lock.withLock { state.isQuiet }
        while !isQuiet {
            let number = whenQuiet { isDone.signal() }
            let outcome = isDone.wait(timeout: end.dispatchTime)
            isQuiet = lock.withLock {
                whenQuiet.remove(number)
                return state.isQuiet
            }
            if cancellation?.isCancelled == true { throw SQLiteError.interrupted(.cancellation) }
            if outcome == .timedOut { break }
        }
        if cancellation?.isCancelled == true { throw SQLiteError.interrupted(.cancellation) }
        return try isQuiet ? body() : nil
    }

    /// Closes the connections of a pool that is held.
    func closeIdle() {
        let closing = lock.withLock {
            let closing = state.closeIdle()
            for pooled in closing { pooled.forgetHandle() }
            return closing
        }
        close(closing)
    }

    private func endHold() {
        let grants = lock.withLock {
            let grants = state.endHold().map { (resume: $0.waiter.takeResume(), connection: $0.connection) }
            if state.canResumeSharing, !state.connections.contains(where: \.hasOldObservers) {
                state.resumeSharing()
                _ = idleSlots.setSharing(true)
            }
            return grants
        }
        for grant in grants { grant.resume(.granted(grant.connection)) }
    }
}

// MARK: - Suspending

extension PoolCore {
    /// Refuses the waiters, and every request until ``resume()``. Calls no code of the user.
    ///
    /// - Parameter closesConnections: Whether to close connections as they are returned. A later call can begin to.
    /// - Returns: The idle connections, if connections are closed. The caller passes them to ``close(_:)``.
    @discardableResult
    func suspend(closesConnections: Bool) -> [PooledConnection] {
        let (refused, closing) = lock.withLock {
            stopSharing()
            let (refused, closing) = state.suspend(closesConnections: closesConnections)
            for pooled in closing { pooled.forgetHandle() }
            return (refused.map { $0.takeResume() }, closing)
        }
        for resume in refused { resume(.refused(SQLiteError.suspended)) }
        return closing
    }

    /// Calls a closure when no connection is in use: now, or when the last one is returned. Resuming calls it as well.
    ///
    /// - Returns: The number by which the closure can be removed.
    @discardableResult
    func whenQuiet(_ body: @escaping () -> Void) -> Int {
        let (isQuiet, number) = lock.withLock { state.isQuiet ? (true, 0) : (false, whenQuiet.add(body)) }
        if isQuiet { body() }
        return number
    }

    /// Ends a suspension, and the waits for its end. Closures that are still running can use their connections again.
    func resume() {
        let callbacks = lock.withLock {
            refusesStatements = false
            for pooled in state.connections { pooled.connection.interruption.flags.isSuspended = false }
            return state.resume() ? whenQuiet.removeAll() : []
        }
        for callback in callbacks { callback() }
    }

    /// Whether the pool is suspended.
    var isSuspended: Bool {
        lock.withLock { if case .suspended = state.phase { true } else { false } }
    }

    /// Throws when the pool has been closed, or is being closed.
    func checkIsNotClosed() throws(SQLiteError) {
        if lock.withLock({ state.phase == .stopped || state.phase == .closed }) { throw closedError }
    }

    /// Whether the pool and its connections are closed.
    var isFinished: Bool { lock.withLock { state.isFinished } }

    /// Opens the connection of the suspended pool again.
    ///
    /// - Returns: The leased connection; `nil` if the suspension has not closed the old one yet.
    func openDuringSuspension() throws -> PooledConnection? {
        if lock.withLock({ state.connections.isEmpty }) {
            // It is closed at present. If that takes longer, the next caller opens it.
            let isDone = DispatchSemaphore(value: 0)
            let number = whenQuiet { isDone.signal() }
            _ = isDone.wait(timeout: .now() + 1)
            lock.withLock { whenQuiet.remove(number) }
        }
        guard lock.withLock({ state.leaseToReopen() }) else { return nil }
        return try openConnection(nil)
    }
}

extension SQLiteError {
    static var suspended: SQLiteError {
        SQLiteError(DatabaseProblem.suspended, hint: "call `resume` before the database is used again")
    }
}
