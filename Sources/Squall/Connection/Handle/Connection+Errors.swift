import SquallSQLite

extension Connection {
    /// Returns the error of a result code.
    package func error(_ code: Int32, sql: String?) -> SQLiteError {
        if state.isClosed { return closedError(sql: sql) }
        return explained(SQLiteError(code, on: handle, sql: sql))
    }

    /// Returns an SQLite error with the reason why the statement was ended, the operation that the authorizer has denied, or the problem
    /// of a file that needs a key.
    func explained(_ error: SQLiteError) -> SQLiteError {
        let reason: SQLiteError.InterruptionReason? =
            switch error.code {
            case SQLITE_INTERRUPT: interruption.reason
            // A wait for a lock was ended.
            case SQLITE_BUSY: interruption.reasonNotToBegin
            default: nil
            }
        if let reason { return .interrupted(reason, sql: error.sql) }
        let error =
            configuration.key.map { namingChangedKey(error, $0) } ?? namingMissingKey(error, path: fileName)
        if access == .reading, error.extendedCode == SQLITE_READONLY { return error.insideReadError }
        guard let denial = callbackMemory.denial else { return error }
        callbackMemory.denial = nil
        guard error.code == SQLITE_AUTH || error.message == "authorizer malfunction" else { return error }
        return error.changed { $0.message += ": \(denial)" }
    }

    /// Returns the error of using the connection while it has no handle.
    package func closedError(sql: String? = nil) -> SQLiteError {
        switch state {
        case .inHook(let hook):
            return .misuse(.hookReentrancy(hook: "\(hook.name)"), sql: sql)
        case .claimed(let claim) where claim.connectionIsOpen:
            return SQLiteError(claim.kind, code: .busy, sql: sql)
        case .rollbackUnfinished(let handle):
            return SQLiteError(sqlite3_errcode(handle), on: handle, sql: "ROLLBACK")
        default:
            return .connectionIsClosed(sql: sql)
        }
    }
}
