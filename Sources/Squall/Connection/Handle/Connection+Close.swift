import SquallSQLite

extension Connection {
    /// Closes the connection. An open transaction is rolled back, and later uses of the connection throw. Rows that
    /// have been read keep their values. Closing again does nothing.
    ///
    /// When a function or a collation closes its own connection, the function and the statement that called it fail.
    ///
    /// A connection of a queue, a pool or a database is closed when its closure has returned. After that, this does nothing.
    ///
    /// With ``Configuration/autoOptimize``, the statistics are updated before, as by ``optimize(databaseNamed:)``. A connection that is
    /// released without a call of this method does not do so.
    public func close() { close { _ in } }

    /// Closes the connection.
    ///
    /// - Parameter didOptimize: Called with the end of an update of the statistics; `nil` to not update them.
    func close(_ didOptimize: ((StatisticsUpdate) -> Void)?) {
        switch access {
        case .own: break
        case .reading, .writing:
            lease.isClosed = true
            return
        case .returned: return
        }
        lease.isClosed = false
        if state.isClosing { return }
        invalidateInterruptHandle()
        guard let handle = handle ?? state.reopenForRollback() else { return closeWithoutHandle() }
        guard callbacks.pointee.depth == 0 else {
            // SQLite cannot close a handle while one of its statements is running.
            state.deferClosing(handle)
            callbacks.pointee.isConnectionClosed = true
            return sqlite3_interrupt(handle)
        }
        state.beginClosing(handle)
        for context in callbackContexts { context.connectionWillClose() }
        doPostponedWork()
        rollBackOpenTransaction()
        endBusyStatements()
        if let didOptimize, let update = optimizeBeforeClosing(handle) { didOptimize(update) }
        evictStatements()
        state.removeHandle()
        interruption.cancellation?.run(on: nil)
        // Statements that are still held keep the closed handle valid until they are finalised.
        Self.close(handle)
        for context in callbackContexts { context.connectionDidClose() }
        state.endClosing()
    }

    /// Leaves closing the connection to the end of the running hook, or of the claim.
    private func closeWithoutHandle() {
        state.closeAfterHook()
        // The claim may have ended since `handle` was read.
        if case .claimed(let claim) = state, !claim.closeAtEnd() { return close(nil) }
        for context in callbackContexts { context.connectionDidClose() }
    }

    /// Updates the statistics of a file that the connection has written to. Databases in memory end with the connection.
    private func optimizeBeforeClosing(_ handle: OpaquePointer) -> StatisticsUpdate? {
        guard configuration.autoOptimize, sqlite3_total_changes64(handle) != 0, filePath(of: "main") != nil else {
            return nil
        }
        return updateStatisticsWithoutWaiting(
            StatisticsUpdate.Limits(end: Deadline(after: StatisticsUpdate.Limits.patience)))
    }

    /// Calls a closure whose calls of SQLite are those of one statement, and then finishes what they have begun.
    package func duringStatement<Result>(_ body: () throws -> Result) rethrows -> Result {
        defer { finishCallbacks() }
        return try callbacks.duringCall(body)
    }

    /// Finishes what calls of SQLite have begun, once their statement has ended: a commit, and closing the connection.
    func finishCallbacks() {
        if callbacks.pointee.isEndAwaited {
            callbacks.pointee.isEndAwaited = false
            followers { $0.didEndStatement(on: self) }
        }
        if callbacks.pointee.isCommitting {
            callbacks.pointee.isCommitting = false
            followers { $0.didEndCommit(on: self) }
        }
        if callbacks.pointee.isUndone, callbacks.pointee.depth == 0 || !hasWriteInProgress {
            callbacks.pointee.isUndone = false
        }
        finishPostponedWork()
    }

    /// Notes that a transaction or a savepoint was rolled back.
    func didRollBack() {
        callbacks.pointee.rollbacks &+= 1
        if callbacks.pointee.depth > 0, hasWriteInProgress { callbacks.pointee.isUndone = true }
    }

    /// Finalises a statement, now, when a claim ends, or when the calls of SQLite have returned.
    ///
    /// - Parameter isInCall: Whether the statement is on a row, and a call that SQLite has made meanwhile is running.
    package func finalize(_ statement: OpaquePointer, isInCall: Bool = false) {
        if case .claimed(let claim) = state, claim.finalizeAtEnd(statement) { return }
        if isInCall { return postpone(.finalize(statement)) }
        // SQLite frees the objects that functions have kept for the statement. Their `deinit` may be the user's code.
        duringCall { _ = sqlite3_finalize(statement) }
    }

    /// Ends the cached statements that a caller still holds.
    ///
    /// The optimiser may release a connection after its last use in a caller, and only later the cached statement that
    /// the same caller holds. Such a statement must not use the connection.
    func disownStatements() {
        while let statement = statements.first { statement.disown() }
    }
}

// MARK: - Ending statements

extension Connection {
    /// Rolls back the transaction of a closure, or counts it as lost if SQLite has done so by itself.
    func undoTransaction() {
        if let handle, sqlite3_get_autocommit(handle) != 0 { lease.lostTransactions &+= 1 }
        rollBackOpenTransaction()
    }

    /// Rolls back the open transaction, if there is one. Statements that are being read continue where SQLite allows
    /// it. A rollback that fails for lack of memory is repeated before the next use.
    package func rollBackOpenTransaction() {
        guard let handle, sqlite3_get_autocommit(handle) == 0, !cleanUp("ROLLBACK"), openHandle != nil else { return }
        // Not after other errors, whose cause a use of the connection must be able to remove, such as a limit.
        let lacksMemory = sqlite3_errcode(handle) & 0xff == SQLITE_NOMEM
        if lacksMemory, sqlite3_get_autocommit(handle) == 0 { state.leaveRollbackUnfinished() }
    }

    /// Runs SQL that restores a state, regardless of deadlines, authorizers and progress handlers.
    ///
    /// - Returns: Whether this succeeded.
    @discardableResult
    package func cleanUp(_ sql: String) -> Bool {
        guard let handle else { return false }
        var code = runInternally(sql, on: handle)
        if code != SQLITE_OK, openHandle != nil {
            // An interrupt stays in effect while a statement is running, and ends a ROLLBACK too.
            endBusyStatements()
            code = runInternally(sql, on: handle)
        }
        if StatementVerb(beginning: sql) == .rollback { didRollBack() }
        if callbacks.pointee.hasWorkLeft { finishCallbacks() }
        return code == SQLITE_OK
    }

    /// Resets every statement that is on a row, except those that are calling a function now.
    func endBusyStatements() {
        guard let database = openHandle else { return }
        var next = statements.first
        while let statement = next {
            if statement.isBusy, !statement.isCallingFunction { statement.abandon() }
            next = statement.nextStatement
        }
        guard callbacks.pointee.depth == 0 else { return }
        followers { $0.willEndStatements() }
        duringCall {
            // The statements that SQLite has prepared itself, for virtual tables.
            var handle: OpaquePointer?
            while let other = sqlite3_next_stmt(database, handle) {
                if sqlite3_stmt_busy(other) != 0 { sqlite3_reset(other) }
                handle = other
            }
        }
    }
}
