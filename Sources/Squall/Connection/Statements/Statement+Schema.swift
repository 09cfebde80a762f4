import SquallSQLite

extension Statement {
    /// Tells the connection that a first step has compiled the statement again, or has changed the schema.
    @inline(__always)
    func noteSchema(_ code: Int32) {
        if schemaEffect != nil { return noteEffect(code) }
        if unmanagedConnection._withUnsafeGuaranteedRef({ $0.schemaFits.isWatching }) { noteReprepare(code) }
    }

    /// SQLite counts only the compilations that succeed: one that fails returns `SQLITE_ERROR`.
    private func noteReprepare(_ code: Int32) {
        let count = sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 0)
        guard count != notedReprepares || code & 0xff == SQLITE_ERROR || code == SQLITE_SCHEMA else { return }
        notedReprepares = count
        connection.schemaFits.didCompile()
    }

    @inline(never)
    private func noteEffect(_ code: Int32) {
        // SQLite also reads the schema again after a change that fails.
        if schemaEffect == .schema { callbacks.pointee.schemaChanges &+= 1 }
        guard code == SQLITE_DONE else { return }
        switch schemaEffect {
        case .rollback: connection.didRollBack()
        case .schema:
            connection.schemaFits.didChangeSchema(inTransaction: connection.isWriting)
            // SQLite compiles a statement again when a schema changes that it reads, and not when a new table takes over the name of one
            // that is in another database.
            connection.evictStatements()
        case .databases: connection.schemaFits.didChangeDatabases()
        case nil: break
        }
    }
}

extension Connection {
    /// Whether a transaction has begun to write, also that of a single statement.
    var isWriting: Bool { openHandle.map { sqlite3_txn_state($0, nil) == SQLITE_TXN_WRITE } ?? false }
}
