import SquallSQLite

extension Connection {
    /// Claims the handle for a backup to the connection, until the claim is released.
    ///
    /// - Throws: ``SQLiteError`` when the connection is closed, already claimed, in a transaction, or being read from.
    func claimAsDestination() throws -> ConnectionClaim {
        guard let handle else { throw closedError() }
        if sqlite3_get_autocommit(handle) == 0 || transactionDepth > 0 {
            throw destinationInUseError(.destinationInTransaction, "it has a transaction open")
        }
        if callbacks.pointee.depth > 0 {
            throw destinationInUseError(.destinationHasBusyStatement, "SQLite is calling a closure of the connection")
        }
        if hasBusyStatements {
            throw destinationInUseError(.destinationHasBusyStatement, "one of its statements is on a row: reset it")
        }
        if backupsReading > 0 {
            throw destinationInUseError(.destinationIsSource, "it is the source of another backup")
        }
        return claim(handle, kind: .backup(.unfinishedDestination))
    }

    private func destinationInUseError(_ problem: SQLiteError.BackupProblem, _ hint: String) -> SQLiteError {
        SQLiteError(.backup(problem), code: .error, hint: hint)
    }

    private var hasBusyStatements: Bool {
        var next = handle.flatMap { sqlite3_next_stmt($0, nil) }
        while let statement = next {
            if sqlite3_stmt_busy(statement) != 0 { return true }
            next = sqlite3_next_stmt(handle, statement)
        }
        return false
    }

    private func claim(_ handle: OpaquePointer, kind: SQLiteError.Kind) -> ConnectionClaim {
        evictStatements()
        for context in callbackContexts { context.connection = nil }
        // No closure of the user may be called on another thread.
        interruption.removeHandlers(from: handle)
        callbacks.pointee.connection = nil
        let contexts = Array(companions.values) + [interruption, callbackMemory]
        let claim = ConnectionClaim(handle: handle, kind: kind, callbackContexts: contexts)
        state.beginClaim(claim)
        return claim
    }

    /// Takes the handle back after a claim that has ended, or after a rollback that has failed and is repeated here. The
    /// connection does this, because the claim may end on another thread.
    ///
    /// - Returns: The handle; `nil` while it is claimed, when the rollback fails again, or when the connection has none.
    @inline(never)
    func takeBack() -> OpaquePointer? {
        if state.resumeRollback() != nil {
            rollBackOpenTransaction()
            return openHandle
        }
        guard let handle = state.takeBack() else { return nil }
        // A backup may have replaced the database.
        schemaFits.didCompile()
        callbacks.pointee.connection = .passUnretained(self)
        for context in callbackContexts {
            context.connection = .passUnretained(self)
            context.install(on: handle)
        }
        return handle
    }
}
