extension Connection {
    /// Deletes the row with the key of a record: `DELETE FROM "users" WHERE "users"."id" = ?`.
    ///
    /// - Returns: Whether there was such a row. Of a view, `false`: SQLite does not count what its INSTEAD OF triggers change.
    /// - Throws: ``SQLiteError``, also for a table without a primary key, and for a record whose key is `nil`.
    @discardableResult
    public func delete<Record: TableRecord>(_ record: Record) throws -> Bool {
        try table(Record.table).delete(record)
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
        try table(Record.table).delete(where: condition)
    }

    @_documentation(visibility: internal)
    @available(*, unavailable, message: "write the condition, `{ $0.id == 1 }`; `{ _ in \"TRUE\" }` deletes all rows")
    public func delete<Record: TableRecord>(_ type: Record.Type) throws {
        throw SQLiteError.unavailableError
    }
}

extension Connection.TableAccess {
    /// Deletes the row with the key of a record: `DELETE FROM "points" WHERE "points"."x" = ? AND "points"."y" = ?`.
    ///
    /// - Returns: Whether there was such a row. Of a view, `false`: SQLite does not count what its INSTEAD OF triggers change.
    /// - Throws: ``SQLiteError``, also for a table without a primary key, and for a record whose key is `nil`.
    @discardableResult
    public func delete(_ record: Record) throws -> Bool {
        try core.requireKey()
        try connection.run(core.deleteSQL, with: record, core.keyBinders)
        return try requireKeyUnlessFound(connection.changes > 0, record)
    }

    /// Deletes the records that meet a condition: `DELETE FROM "points" WHERE …`.
    ///
    /// The condition `{ _ in "TRUE" }` deletes all rows.
    ///
    /// - Returns: The number of rows.
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a foreign key still refers to a deleted row.
    @discardableResult
    public func delete(where condition: (Columns<Record>) -> Condition) throws -> Int {
        try connection.run(core.deleteSQL(where: condition))
        return connection.changes
    }
}

extension TableCore {
    package func deleteSQL(where condition: (Columns<Record>) -> Condition) throws -> SQL {
        try check()
        return "DELETE FROM \(name: name) WHERE \(inScope(condition).sql)"
    }
}
