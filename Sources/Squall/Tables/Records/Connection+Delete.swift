extension Connection {
    /// Deletes the row with the key of a record: `DELETE FROM "users" WHERE "users"."id" = ?`.
    ///
    /// - Returns: Whether there was such a row. Of a view, `false`: SQLite does not count what its INSTEAD OF triggers change.
    /// - Throws: ``SQLiteError``, also for a table without a primary key, and for a record whose key is `nil`.
    @discardableResult
    public func delete<Record: TableRecord>(_ record: Record) throws -> Bool {
        try delete(record, from: Record.table)
    }

    /// Deletes the row with the key of a record from a table.
    ///
    /// - Returns: Whether there was such a row. Of a view, `false`: SQLite does not count what its INSTEAD OF triggers change.
    /// - Throws: ``SQLiteError``, also for a table without a primary key, and for a record whose key is `nil`.
    @discardableResult
    public func delete<T: RecordTable>(_ record: T.Record, from table: T) throws -> Bool {
        let core = table.core
        try core.requireKey()
        try run(core.deleteSQL, with: record, core.keyBinders)
        return try requireKeyUnlessFound(changes > 0, record, core)
    }

    /// Deletes the records that meet a condition: `DELETE FROM "users" WHERE …`.
    ///
    ///     try connection.delete(User.self) { $0.age < 18 }
    ///
    /// The condition `{ _ in "TRUE" }` deletes all rows.
    ///
    /// - Returns: The number of rows.
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a foreign key still refers to a deleted row.
    @discardableResult
    public func delete<Record: TableRecord>(
        _ type: Record.Type, where condition: (Columns<Record>) -> Condition
    ) throws -> Int {
        try delete(from: Record.table, where: condition)
    }

    /// Deletes the records of a table that meet a condition.
    ///
    /// - Returns: The number of rows.
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a foreign key still refers to a deleted row.
    @discardableResult
    public func delete<T: RecordTable>(from table: T, where condition: (Columns<T.Record>) -> Condition) throws -> Int {
        try run(table.core.deleteSQL(where: condition))
        return changes
    }
}

extension TableCore {
    func deleteSQL(where condition: (Columns<Record>) -> Condition) throws -> SQL {
        try check()
        return "DELETE FROM \(name: name) WHERE \(inScope(condition).sql)"
    }
}
