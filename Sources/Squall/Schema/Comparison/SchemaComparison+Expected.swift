import SquallSQLite

extension SchemaComparison {
    /// Returns the differences between an expected table and the table, view or virtual table that its name means in SQL.
    func differences(from table: ExpectedSchema.Table) throws -> [SchemaMismatch.Difference] {
        let catalog = try connection.hiddenCatalog(of: nil)
        let columns = try catalog.allColumns(ofTable: table.name)
        if columns.isEmpty { return [.missingTable(table.name)] }
        let found = Dictionary(columns.map { (Identifier($0.name), $0) }) { first, _ in first }
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
            if column.isNotNull, !match.isNotNull,
                try !match.isInPrimaryKey || catalog.rowIDColumn(ofTable: table.name, among: columns) == nil
            {
                differences.append(.nullable(table: table.name, column: column.name))
            }
            return differences
        }
        if differences.allSatisfy(\.isMissing) { return differences }
        // The columns of another one get their types from queries or from a module, and are never NOT NULL.
        let isTable = try connection.storedTable(named: table.name).map { $0.kind == .table && $0.isStored } ?? false
        return isTable ? differences : differences.filter(\.isMissing)
    }

    /// Whether a name that no column has stands for the rowid.
    private func hasRowID(named name: String, in table: String) -> Bool {
        guard name.isRowIDName, let handle = connection.handle else { return false }
        return sqlite3_table_column_metadata(handle, nil, table, name, nil, nil, nil, nil, nil) == SQLITE_OK
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
