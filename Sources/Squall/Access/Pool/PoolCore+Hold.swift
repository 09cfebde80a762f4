import Dispatch

extension PoolCore {
    /// Runs a closure while no caller uses a connection of the pool. New callers wait in the line until it has returned.
    ///
    /// - Parameters:
    ///   - end: The time until which callers that have a connection may keep it.
    ///   - cancellation: Ends the wait for them.
    /// - Returns: The result of the closure; `nil` when a connection was still in use at the end of the wait.
    func holding<Result>(
        until end: ContinuousClock.Instant, _ cancellation: Cancellation?, _ body: () throws -> Result
    ) throws -> Result? {
        let isDone = DispatchSemaphore(value: 0)
        lock.withLock {
            stopSharing()
            state.hold()
            if state.isQuiet { isDone.signal() } else { whenQuiet.append { isDone.signal() } }
        }
        defer { endHold() }
        cancellation?.onCancel { isDone.signal() }
        defer { cancellation?.onCancel(nil) }
        _ = isDone.wait(timeout: end.dispatchTime)
        if cancellation?.isCancelled == true { throw SQLiteError.interrupted(.cancellation) }
        return try lock.withLock({ state.isQuiet }) ? body() : nil
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
    /// Refuses the waiters, and every request until ``resume()``. Closes the idle connections, and the others as they are
    /// returned, unless `closesConnections` is `false`.
    func suspend(closesConnections: Bool) {
        let (refused, closing) = lock.withLock {
            stopSharing()
            let (refused, closing) = state.suspend(closesConnections: closesConnections)
            for pooled in closing { pooled.forgetHandle() }
            return (refused.map { $0.takeResume() }, closing)
        }
        for resume in refused { resume(.refused(SQLiteError.suspended)) }
        close(closing)
    }

    /// Calls a closure when no connection is in use: now, or when the last one is returned. Resuming calls it as well.
    func whenQuiet(_ body: @escaping () -> Void) {
        let isQuiet = lock.withLock {
            if !state.isQuiet { whenQuiet.append(body) }
            return state.isQuiet
        }
        if isQuiet { body() }
    }

    /// Ends a suspension, and the waits for its end.
    func resume() {
        let callbacks = lock.withLock {
            guard state.resume() else { return [() -> Void]() }
            defer { whenQuiet = [] }
            return whenQuiet
        }
        for callback in callbacks { callback() }
    }

    /// Whether the pool is suspended.
    var isSuspended: Bool {
        lock.withLock { if case .suspended = state.phase { true } else { false } }
    }

    /// Opens the connection of the pool if a suspension has closed it.
    func reopenConnection() throws {
        guard lock.withLock({ state.connections.isEmpty && state.phase == .running }) else { return }
        do {
            release(try acquire(waiting: .seconds(1), until: nil))
        } catch let error as SQLiteError where error.resultCode == .busy && error.kind != .sqlite {
            // Another caller is opening it.
        }
    }
}

extension SQLiteError {
    static var suspended: SQLiteError {
        SQLiteError(.suspended, code: .busy, hint: "call `resume` before the database is used again")
    }
}
