// Writing to a table by its name. Names are quoted, values are bound, and conditions are `SQL`.

extension Connection {
    /// Inserts a row: `INSERT INTO "contacts"("name", "email") VALUES(?, ?)`.
    ///
    ///     let id = try connection.insert(
    ///         into: "contacts", ["name": "Amelia Grey", "email": nil])
    ///
    /// - Parameters:
    ///   - table: The name of the table.
    ///   - values: The values by column: `["name": "Amelia", "hits": nil]`. Those of a dictionary are inserted in the order of its keys.
    ///   - conflict: The action for a row that breaks a constraint: `INSERT OR REPLACE INTO …`
    /// - Returns: The rowid of the new row; 0 when it was left out, as `or: .ignore` has it.
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a row breaks a constraint.
    @discardableResult
    public func insert(
        into table: String, _ values: ColumnValues, or conflict: ConflictResolution? = nil
    ) throws -> Int64 {
        try run(SQL.insert(into: table, Array(values), or: conflict))
        return changes > 0 ? lastInsertRowID : 0
    }

    /// Inserts a row of the values of a dictionary, in the order of its keys.
    ///
    /// - Throws: ``SQLiteError``, `SQLITE_CONSTRAINT` (19) when the row breaks a constraint.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    @discardableResult
    public func insert(
        into table: String, _ values: [String: (any Settable)?], or conflict: ConflictResolution? = nil
    ) throws -> Int64 {
        try run(SQL.insert(into: table, values.sorted { $0.key < $1.key }, or: conflict))
        return changes > 0 ? lastInsertRowID : 0
    }

    /// Inserts a row, or updates the one that is there already:
    /// `INSERT INTO … ON CONFLICT("email") DO UPDATE SET "name" = excluded."name"`.
    ///
    ///     try connection.upsert(
    ///         into: "contacts", ["email": "a@b.org", "name": "Amelia"], onConflict: "email")
    ///
    /// - Parameters:
    ///   - table: The name of the table.
    ///   - values: The values by column.
    ///   - columns: The columns of the unique constraint. If `values` has no other columns, nothing is updated.
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a row breaks a constraint.
    public func upsert(into table: String, _ values: ColumnValues, onConflict columns: String...) throws {
        try run(SQL.upsert(into: table, Array(values), onConflict: columns))
    }

    /// Updates rows: `UPDATE "contacts" SET "hits" = hits + 1, "name" = ? WHERE …`.
    ///
    ///     try connection.update(
    ///         "contacts", set: ["hits": "hits + 1" as SQL, "name": "Bo"], where: "id = \(id)")
    ///
    /// - Parameters:
    ///   - table: The name of the table.
    ///   - values: The new values by column.
    ///   - condition: The rows to update. It is not optional, so that a missing condition cannot mean all rows.
    /// - Returns: The number of rows.
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a row breaks a constraint.
    @discardableResult
    public func update(_ table: String, set values: ColumnValues, where condition: SQL) throws -> Int {
        try run(SQL.update(table, set: Array(values), where: condition))
        return changes
    }

    /// Updates all rows: `UPDATE "contacts" SET "hits" = ?`.
    ///
    /// - Returns: The number of rows.
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a row breaks a constraint.
    @discardableResult
    public func update(_ table: String, set values: ColumnValues) throws -> Int {
        try run(SQL.update(table, set: Array(values), where: nil))
        return changes
    }

    /// Updates the rows with these rowids: `UPDATE … WHERE rowid IN (?, ?)`.
    ///
    /// - Returns: The number of rows.
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a row breaks a constraint.
    @discardableResult
    public func update(_ table: String, rowIDs: some Sequence<Int64>, set values: ColumnValues) throws -> Int {
        let list = Array(rowIDs)
        return try list.isEmpty ? 0 : update(table, set: values, where: SQL.rowID(in: list))
    }

    /// Deletes rows: `DELETE FROM "contacts" WHERE …`.
    ///
    ///     try connection.delete(from: "contacts", where: "name IS NULL")
    ///
    /// - Parameters:
    ///   - table: The name of the table.
    ///   - condition: The rows to delete. It is not optional, so that a missing condition cannot mean all rows.
    /// - Returns: The number of rows.
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a foreign key still refers to a deleted row.
    @discardableResult
    public func delete(from table: String, where condition: SQL) throws -> Int {
        try run("DELETE FROM \(name: table) WHERE \(condition)")
        return changes
    }

    /// Deletes all rows: `DELETE FROM "contacts"`.
    ///
    /// - Returns: The number of rows.
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a foreign key still refers to a deleted row.
    @discardableResult
    public func delete(from table: String) throws -> Int {
        try run("DELETE FROM \(name: table)")
        return changes
    }

    /// Deletes the rows with these rowids: `DELETE FROM "contacts" WHERE rowid IN (?, ?)`.
    ///
    /// - Returns: The number of rows.
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a foreign key still refers to a deleted row.
    @discardableResult
    public func delete(from table: String, rowIDs: some Sequence<Int64>) throws -> Int {
        let list = Array(rowIDs)
        return try list.isEmpty ? 0 : delete(from: table, where: SQL.rowID(in: list))
    }
}

extension SQL {
    /// `rowid IN (…)`; a long list as JSON, of which there can be any number.
    fileprivate static func rowID(in list: [Int64]) -> SQL {
        if list.count <= 1024 { return "rowid IN \(in: list)" }
        let json = list.map { "\($0)" }.joined(separator: ",")
        return "rowid IN (SELECT value FROM json_each(\("[\(json)]" as String)))"
    }
}

/// The action that SQLite takes for a row that breaks a constraint.
public enum ConflictResolution: String, Hashable, Codable, Sendable {
    /// Undo the transaction.
    case rollback = "ROLLBACK"
    /// Undo the statement; what SQLite does unless told otherwise.
    case abort = "ABORT"
    /// Stop, and keep what the statement has done so far.
    case fail = "FAIL"
    /// Leave the row out.
    case ignore = "IGNORE"
    /// Delete the rows that stand in the way. Update triggers do not run, and cascades do.
    case replace = "REPLACE"
}
