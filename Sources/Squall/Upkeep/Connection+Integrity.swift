/// A row that refers to one that is not there.
public struct ForeignKeyViolation: Hashable, Sendable {
    /// The table of the row.
    public let table: String
    /// The row; `nil` in a table without rowids.
    public let rowID: Int64?
    /// The table that the row refers to.
    public let parent: String
    /// The number of the constraint in `PRAGMA foreign_key_list` of the table.
    public let constraintIndex: Int
}

extension Connection {
    /// Looks for damage in everything: `PRAGMA integrity_check(100)`. Reads all tables and indexes, of all databases.
    ///
    /// - Parameter maxErrors: How many problems to look for at most.
    /// - Returns: The problems in SQLite's words; nothing when there are none.
    /// - Throws: ``SQLiteError``: code 26 when the file is no database, 11 when the schema is damaged so that nothing else
    ///   can be looked at.
    public func integrityCheck(maxErrors: Int = 100) throws -> [String] {
        try problems("integrity_check", maxErrors)
    }

    /// The same without comparing indexes with their tables, which is faster: `PRAGMA quick_check(100)`.
    public func quickCheck(maxErrors: Int = 100) throws -> [String] {
        try problems("quick_check", maxErrors)
    }

    private func problems(_ pragma: String, _ maxErrors: Int) throws -> [String] {
        let count = Int32(clamping: Swift.max(1, maxErrors))
        var lines: [String] = []
        do {
            try forEach("PRAGMA \(raw: pragma)(\(raw: "\(count)"))") { lines.append(try $0.get(0)) }
        } catch let error as SQLiteError where error.resultCode == .corrupt && !lines.isEmpty {
            // SQLite has said what is damaged, and then came upon it.
        }
        return lines == ["ok"] ? [] : lines
    }

    /// Looks for rows that refer to ones that are not there: `PRAGMA foreign_key_check("cars")`.
    ///
    /// - Parameters:
    ///   - table: The table whose rows are checked; `nil` for all.
    ///   - schema: The database: `main`, `temp`, or one that was attached; `nil` for all, and for the first one that has
    ///     the table.
    /// - Throws: ``SQLiteError``, code 1 for an unknown table or a foreign key to something that cannot be referred to.
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
