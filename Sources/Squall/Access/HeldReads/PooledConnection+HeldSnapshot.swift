import SquallSQLite

extension PooledConnection {
    /// Keeps the transaction of a read that has ended, instead of ending it and cleaning up, if there is nothing to clean
    /// up, and the transaction is still current.
    ///
    /// - Returns: Whether it is kept.
    func keepSnapshot() -> Bool {
        guard isClean, let handle = connection.handle, sqlite3_get_autocommit(handle) == 0,
            sqlite3_txn_state(handle, nil) == SQLITE_TXN_READ
        else { return false }
        guard held.isCurrent, held.isUsable, !held.mustEnd else {
            held.findIndex(of: connection, on: handle)
            return false
        }
        connection.transactionDepth -= 1
        held.isKept = true
        return true
    }

    /// Ends the transaction that is kept, if there is one. Calls no code of the user.
    func endKeptSnapshot() {
        guard held.isKept else { return }
        held.isKept = false
        connection.internally(isHidden: true) {
            connection.transactionDepth += 1
            endSnapshot()
            clean()
        }
    }
}
