extension Connection {
    /// Inserts a record, and deletes the rows that it would break a unique constraint with:
    /// `INSERT OR REPLACE INTO "users"("id", "name") VALUES(?, ?)`.
    ///
    /// - Returns: The rowid.
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a row breaks a constraint.
    @discardableResult
    public func replace<Record: TableRecord>(_ record: Record) throws -> Int64 {
        try replace(record, into: Record.table)
    }

    /// Inserts a record into a table, and deletes the rows that it would break a unique constraint with.
    ///
    /// - Returns: The rowid.
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a row breaks a constraint.
    @discardableResult
    public func replace<T: RecordTable>(_ record: T.Record, into table: T) throws -> Int64 {
        let core = table.core
        try core.check()
        try run(core.replaceSQL, with: record, core.binders)
        return lastInsertRowID
    }
}
