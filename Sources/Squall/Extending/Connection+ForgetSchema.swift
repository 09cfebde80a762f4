import SquallSQLite

extension Connection {
    /// Makes SQLite read the schema again before the next statement: `PRAGMA writable_schema = RESET`.
    ///
    /// SQLite decides whether a CHECK, an index or a generated column may call a function when it reads the schema. It does not check
    /// again for a function that was added afterwards: 3.40 calls even one that is direct-only from a schema that is not trusted.
    ///
    /// Nothing is done in a transaction, because a rollback would no longer restore the schema, and while the program writes to
    /// `sqlite_schema`, because the PRAGMA would end that. Inside a call of SQLite, whose statement uses the schema, it waits for the end.
    func forgetSchema() {
        if callbacks.pointee.depth > 0 {
            return postpone(.delete { [unowned self] in forgetSchema() })
        }
        guard let handle, sqlite3_get_autocommit(handle) != 0 else { return }
        duringCall {
            if ask("writable_schema", on: handle) == 0 {
                callbacks.pointee.schemaChanges &+= 1
                _ = ask("writable_schema = RESET", on: handle)
            }
        }
    }
}
