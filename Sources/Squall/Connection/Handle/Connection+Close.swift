import SquallSQLite

extension Connection {
    /// Closes the connection. An open transaction is rolled back, and later uses of the connection throw. Rows that have been
    /// read remain. Closing again does nothing.
    ///
    /// When a function or a collation closes its own connection, the function and the statement that called it fail.
    ///
    /// A connection of a queue, a pool or a database is closed when its closure has returned.
    public func close() {
        guard access == .own else {
            isClosedByClosure = true
            return
        }
        isClosedByClosure = false
        if state.isClosing { return }
        invalidateInterruptHandle()
        guard let handle else { return closeWithoutHandle() }
        guard callbacks.pointee.depth == 0 else {
            // SQLite cannot be closed under a statement that runs.
            state.closeLater(handle)
            callbacks.pointee.isConnectionClosed = true
            return sqlite3_interrupt(handle)
        }
        state.beginClosing(handle)
        for context in callbackContexts { context.connectionWillClose() }
        rollBackEverything()
        endBusyStatements()
        cache.removeAll()
        state.endStatements()
        interruption.cancellation?.run(on: nil)
        // Statements that are still held keep the closed handle valid until they are finalised.
        Self.close(handle)
        for context in callbackContexts { context.connectionDidClose() }
        state.endClosing()
    }

    /// Closes a connection inside a hook, or under a claim, at the end of it.
    private func closeWithoutHandle() {
        state.closeAfterHook()
        // The claim may have ended since the handle was looked for.
        if case .claimed(let claim) = state, !claim.closeAtEnd() { return close() }
        for context in callbackContexts { context.connectionDidClose() }
    }

    /// Closes the connection if `close` had to put that off, and SQLite has returned.
    func finishClosing() {
        guard callbacks.pointee.depth == 0, state.resumeClosing() else { return }
        close()
    }

    /// Finalises a statement, now or when a claim ends.
    func finalize(_ statement: OpaquePointer) {
        if case .claimed(let claim) = state, claim.finalizeAtEnd(statement) { return }
        // SQLite frees what a function has kept for the statement, and its `deinit` may be the user's code.
        callbacks.pointee.depth &+= 1
        sqlite3_finalize(statement)
        callbacks.pointee.depth &-= 1
        if callbacks.pointee.isConnectionClosed { finishClosing() }
    }

    /// Ends the cached statements that a caller still holds.
    ///
    /// The optimiser may release a connection after its last use in a caller, and the cached statement that the same caller
    /// holds only afterwards. Such a statement must not use the connection.
    func disownStatements() {
        while let statement = firstStatement { statement.disown() }
    }
}

// MARK: - Ending statements

extension Connection {
    /// Rolls back the open transaction, if there is one. Statements that are being read continue where SQLite allows it.
    func rollBackEverything() {
        guard let handle, sqlite3_get_autocommit(handle) == 0 else { return }
        cleanUp("ROLLBACK")
    }

    /// Runs SQL that restores a state, regardless of deadlines, authorizers and progress handlers.
    ///
    /// - Returns: Whether this worked.
    @discardableResult
    func cleanUp(_ sql: String) -> Bool {
        guard let handle else { return false }
        var code = runInternally(sql, on: handle)
        if code != SQLITE_OK, openHandle != nil {
            // An interrupt is in effect until no statement runs, and ends a ROLLBACK too.
            endBusyStatements()
            code = runInternally(sql, on: handle)
        }
        if callbacks.pointee.isConnectionClosed { finishClosing() }
        return code == SQLITE_OK
    }

    /// Resets every statement that is on a row, except those that are calling a function now.
    func endBusyStatements() {
        guard let database = openHandle else { return }
        var next = firstStatement
        while let statement = next {
            if statement.isBusy, !statement.isCalling { statement.abandon() }
            next = statement.nextStatement
        }
        guard callbacks.pointee.depth == 0 else { return }
        // SQLite's own statements, of virtual tables.
        var handle: OpaquePointer?
        while let other = sqlite3_next_stmt(database, handle) {
            if sqlite3_stmt_busy(other) != 0 { sqlite3_reset(other) }
            handle = other
        }
    }
}
