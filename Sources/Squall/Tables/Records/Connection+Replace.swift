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

    /// Inserts many records, all or none of them, and deletes the rows that they would break a unique constraint with:
    /// `INSERT OR REPLACE INTO "users"("id", "name") VALUES(?, ?), (?, ?), …`.
    ///
    /// - Throws: ``InsertionError``, which has the number of the record; ``SQLiteError``.
    public func replace<Record: TableRecord>(contentsOf records: some Sequence<Record>) throws {
        try replace(contentsOf: records, into: Record.table)
    }

    /// Inserts many records into a table, all or none of them, and deletes the rows that they would break a unique constraint
    /// with.
    ///
    /// - Throws: ``InsertionError``, which has the number of the record; ``SQLiteError``.
    public func replace<T: RecordTable>(contentsOf records: some Sequence<T.Record>, into table: T) throws {
        let core = table.core
        try core.check()
        try insert(records, core, RecordInsertSQL(insert: core.replaceSQL))
    }
}
