extension Connection {
    /// Inserts a record: `INSERT INTO "users"("id", "name") VALUES(?, ?)`.
    ///
    ///     let id = try connection.insert(User(id: nil, name: "Cy", email: nil, age: 3))
    ///
    /// SQLite assigns an integer key that is `nil`.
    ///
    /// - Returns: The rowid.
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a row breaks a constraint.
    @inlinable
    @discardableResult
    public func insert<Record: TableRecord>(_ record: Record) throws -> Int64 {
        try insert(record, into: Record.table)
    }

    /// Inserts a record into a table.
    ///
    /// - Returns: The rowid.
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a row breaks a constraint.
    @inlinable
    @discardableResult
    public func insert<T: RecordTable>(_ record: T.Record, into table: T) throws -> Int64 {
        let core = table.core
        try core.check()
        try run(core.insertSQL, with: record, core.binders)
        return lastInsertRowID
    }
}
