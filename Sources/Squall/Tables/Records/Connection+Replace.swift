extension Connection {
    /// Inserts a record, and deletes the rows that it would break a unique constraint with:
    /// `INSERT OR REPLACE INTO "users"("id", "name") VALUES(?, ?)`.
    ///
    /// - Returns: The rowid.
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a row breaks a constraint.
    @discardableResult
    public func replace<Record: TableRecord>(_ record: Record) throws -> Int64 {
        try table(Record.table).replace(record)
    }

    /// Inserts many records, all or none of them, and deletes the rows that they would break a unique constraint with:
    /// `INSERT OR REPLACE INTO "users"("id", "name") VALUES(?, ?), (?, ?), …`.
    ///
    /// - Throws: ``InsertionError``, which has the number of the record; ``SQLiteError``.
    public func replace<Record: TableRecord>(contentsOf records: some Sequence<Record>) throws {
        try table(Record.table).replace(contentsOf: records)
    }
}

extension Connection.TableAccess {
    /// Inserts a record, and deletes the rows that it would break a unique constraint with:
    /// `INSERT OR REPLACE INTO "points"("x", "y") VALUES(?, ?)`.
    ///
    /// - Returns: The rowid.
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a row breaks a constraint.
    @discardableResult
    public func replace(_ record: Record) throws -> Int64 {
        try core.check()
        try connection.run(core.replaceSQL, with: record, core.binders)
        return connection.lastInsertRowID
    }

    /// Inserts many records, all or none of them, and deletes the rows that they would break a unique constraint with:
    /// `INSERT OR REPLACE INTO "points"("x", "y") VALUES(?, ?), (?, ?), …`.
    ///
    /// - Throws: ``InsertionError``, which has the number of the record; ``SQLiteError``.
    public func replace(contentsOf records: some Sequence<Record>) throws {
        try core.check()
        try insert(records, RecordInsertSQL(insert: core.replaceSQL))
    }
}
