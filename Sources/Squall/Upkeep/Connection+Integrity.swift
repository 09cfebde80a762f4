/// A row that refers to a row that does not exist.
public struct ForeignKeyViolation: Hashable, Sendable {
    /// The table of the row.
    public let table: String
    /// The rowid of the row; `nil` in a table without rowids.
    public let rowID: Int64?
    /// The table that the row refers to.
    public let parent: String
    /// The number of the constraint in `PRAGMA foreign_key_list` of the table.
    public let constraintIndex: Int

    package init(table: String, rowID: Int64?, parent: String, constraintIndex: Int) {
        self.table = table
        self.rowID = rowID
        self.parent = parent
        self.constraintIndex = constraintIndex
    }
}

extension Connection {
    /// Checks all tables and indexes of all databases for damage: `PRAGMA integrity_check(100)`.
    ///
    /// - Parameter maxErrors: The maximum number of reported problems.
    /// - Returns: SQLite's descriptions of the problems; empty if there are none.
    /// - Throws: ``SQLiteError``: `SQLITE_NOTADB` (26) when the file is not a database, `SQLITE_CORRUPT` (11) when the
    ///   schema is too damaged for other checks.
    public func integrityCheck(maxErrors: Int = 100) throws -> [String] {
        try problems("integrity_check", maxErrors)
    }

    /// Checks for damage without comparing indexes with their tables, which is faster than
    /// ``integrityCheck(maxErrors:)``: `PRAGMA quick_check(100)`.
    ///
    /// - Parameter maxErrors: The maximum number of reported problems.
    /// - Returns: SQLite's descriptions of the problems; empty if there are none.
    /// - Throws: ``SQLiteError``, as ``integrityCheck(maxErrors:)``.
    public func quickCheck(maxErrors: Int = 100) throws -> [String] {
        try problems("quick_check", maxErrors)
    }

    private func problems(_ pragma: String, _ maxErrors: Int) throws -> [String] {
        let count = Int32(clamping: Swift.max(1, maxErrors))
        var lines: [String] = []
        do {
            try forEach("PRAGMA \(raw: pragma)(\(raw: "\(count)"))") { lines.append(try $0.get(0)) }
        } catch let error as SQLiteError where error.resultCode == .corrupt && !lines.isEmpty {
            // SQLite listed the damage before it failed on it: return the list.
        }
        return lines == ["ok"] ? [] : lines
    }

    /// Returns the rows that refer to rows that do not exist: `PRAGMA foreign_key_check("cars")`.
    ///
    /// - Parameters:
    ///   - table: The table whose rows are checked; `nil` for all.
    ///   - schema: The database: `main`, `temp`, or the name of an attached database. `nil` checks all databases, or
    ///     with `table` the first database that has the table.
    /// - Throws: ``SQLiteError``; `SQLITE_ERROR` (1) for an unknown table or an invalid foreign key.
    public func foreignKeyCheck(table: String? = nil, in schema: String? = nil) throws -> [ForeignKeyViolation] {
        let place: SQL = schema.map { "\(name: $0)." } ?? ""
        let argument: SQL = table.map { "(\(name: $0))" } ?? ""
        let sql: SQL = "PRAGMA \(place)foreign_key_check\(argument)"
        var violations: [ForeignKeyViolation] = []
        try forEach(sql) { row in
            violations.append(
                ForeignKeyViolation(
                    table: try row.get(0), rowID: try row.get(1), parent: try row.get(2),
                    constraintIndex: try row.get(3)
                )
            )
        }
        return violations
    }
}
