import SquallSQLite

extension Connection {
    /// Claims the handle for a backup to the connection, until the claim is released.
    ///
    /// - Throws: ``SQLiteError`` when the connection is closed, already claimed, in a transaction, or being read from.
    func claimAsDestination() throws -> ConnectionClaim {
        guard let handle else { throw closedError() }
        if sqlite3_get_autocommit(handle) == 0 || transactionDepth > 0 {
            throw SQLiteError(BackupProblem.destinationInTransaction, hint: "it has a transaction open")
        }
        if callbacks.pointee.depth > 0 {
            throw SQLiteError(
                BackupProblem.destinationHasBusyStatement, hint: "SQLite is calling a closure of the connection")
        }
        if hasBusyStatements {
            throw SQLiteError(
                BackupProblem.destinationHasBusyStatement, hint: "one of its statements is on a row: reset it")
        }
        if backupsReading > 0 {
            throw SQLiteError(BackupProblem.destinationIsSource, hint: "it is the source of another backup")
        }
        return claim(handle, kind: .problem(BackupProblem.unfinishedDestination))
    }

    private var hasBusyStatements: Bool {
        var next = handle.flatMap { sqlite3_next_stmt($0, nil) }
        while let statement = next {
            if sqlite3_stmt_busy(statement) != 0 { return true }
            next = sqlite3_next_stmt(handle, statement)
        }
        return false
    }
}
