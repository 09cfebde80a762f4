import SquallSQLite

/// A column of a table that SQLite has found by its name.
private struct FoundColumn {
    let type: String
    let isNotNull: Bool
    let isInPrimaryKey: Bool
}

extension Connection {
    /// Returns the differences between an expected table and the table, view or virtual table that its name means in SQL.
    func differences(from table: ExpectedSchema.Table) throws -> [SchemaMismatch.Difference] {
        let found = try foundColumns(of: table.name)
        if found.isEmpty { return [.missingTable(table.name)] }
        let differences = try table.columns.flatMap { column -> [SchemaMismatch.Difference] in
            guard let match = found[Identifier(column.name)] else {
                let isFound = hasRowID(named: column.name, in: table.name)
                return isFound ? [] : [.missingColumn(table: table.name, column: column.name)]
            }
            var differences: [SchemaMismatch.Difference] = []
            if !column.fits(type: match.type) {
                differences.append(
                    .type(table: table.name, column: column.name, expected: column.type, found: match.type))
            }
            if column.isNotNull, !match.isNotNull, try !isRowID(match, among: found.values, of: table.name) {
                differences.append(.nullable(table: table.name, column: column.name))
            }
            return differences
        }
        // Its columns get their types from queries or from a module, and are never NOT NULL.
        let isComputed = try !differences.allSatisfy(\.isMissing) && !isStoredTable(table.name)
        return isComputed ? differences.filter(\.isMissing) : differences
    }

    private func foundColumns(of table: String) throws -> [Identifier: FoundColumn] {
        var columns: [Identifier: FoundColumn] = [:]
        try forEachRowOfSchema("PRAGMA table_xinfo(\(name: table))") { row in
            columns[Identifier(row.text(1))] = FoundColumn(
                type: row.text(2), isNotNull: sqlite3_column_int(row, 3) != 0,
                isInPrimaryKey: sqlite3_column_int(row, 5) != 0)
        }
        return columns
    }

    /// Whether a name that no column has stands for the rowid.
    private func hasRowID(named name: String, in table: String) -> Bool {
        let names: Set<Identifier> = ["rowid", "oid", "_rowid_"]
        guard names.contains(Identifier(name)), let handle else { return false }
        return sqlite3_table_column_metadata(handle, nil, table, name, nil, nil, nil, nil, nil) == SQLITE_OK
    }

    /// Whether a column is another name of the rowid, which cannot be NULL. Every other primary key has an index.
    private func isRowID(
        _ column: FoundColumn, among columns: some Collection<FoundColumn>, of table: String
    ) throws -> Bool {
        guard column.isInPrimaryKey, columns.count(where: \.isInPrimaryKey) == 1 else { return false }
        var hasIndex = false
        try forEachRowOfSchema("PRAGMA index_list(\(name: table))") { if $0.text(3) == "pk" { hasIndex = true } }
        return !hasIndex
    }

    /// Whether a name means a table that is neither a view nor a virtual table.
    private func isStoredTable(_ name: String) throws -> Bool {
        var databases: [String] = []
        try forEachRowOfSchema("PRAGMA database_list") { databases.append($0.text(1)) }
        // SQLite searches the temporary database first.
        for database in databases.filter({ $0 == "temp" }) + databases.filter({ $0 != "temp" }) {
            var isStored: Bool?
            try forEachRowOfSchema(
                """
                SELECT type = 'table' AND rootpage != 0 FROM \(name: database).sqlite_schema \
                WHERE type IN ('table', 'view') AND name = \(name) COLLATE NOCASE
                """
            ) { isStored = sqlite3_column_int($0, 0) != 0 }
            if let isStored { return isStored }
        }
        // A virtual table that has the name of its module.
        return false
    }
}

extension SchemaMismatch.Difference {
    fileprivate var isMissing: Bool {
        switch self {
        case .missingTable, .missingColumn: true
        case .type, .nullable: false
        }
    }
}

extension ExpectedSchema.Column {
    fileprivate func fits(type found: String) -> Bool {
        type.isEmpty || found.isEmpty || Affinity(type) == Affinity(found)
    }
}

// MARK: - Reading the schema

extension Connection {
    /// Calls a closure with each row that a query of the schema returns, without authorizers, trace observers and the regions of
    /// observed values.
    func forEachRowOfSchema(_ sql: SQL, _ body: (OpaquePointer) -> Void) throws {
        if let failure = sql.failure { throw failure }
        guard let handle else { throw closedError() }
        let text = sql.withLiterals.text
        let isPreparing = callbacks.pointee.isPreparing
        callbacks.pointee.isPreparing = true
        defer { callbacks.pointee.isPreparing = isPreparing }
        let code = forEachRowInternally(text, on: handle, body)
        if code != SQLITE_OK { throw failure(code, sql: text) }
    }
}

extension OpaquePointer {
    /// Returns the text of a column of this statement; empty for NULL.
    func text(_ column: Int32) -> String { sqlite3_column_text(self, column).map { String(cString: $0) } ?? "" }
}
