extension SchemaComparison {
    /// Throws unless the definition read from the SQL of a table is complete: a table created from it must look the same to
    /// SQLite. A part that was not understood would be lost silently.
    func checkUnderstanding(of table: TableDefinition) throws {
        guard let entry = try connection.catalog().entry(.table, named: table.name), let sql = entry.sql else {
            throw SchemaError.notFound("table \"\(table.name)\"")
        }
        guard !entry.isVirtual else {
            throw SchemaError.invalid(["\"\(table.name)\" is a virtual table, which cannot be altered"])
        }
        let copy = try connection.catalog().freeName("squall_copy_\(table.name)")
        let isSame = try connection.undoing("squall_copy") {
            try connection.runSingle(table.sql(named: copy))
            let catalog = connection.catalog()
            return try TableReport(of: table.name, catalog) == TableReport(of: copy, catalog)
        }
        let hasAll = ColumnDefinition.Constraint.Key.allCases.flatMap(\.unreportedWords).allSatisfy { word in
            let counts = [sql, table.sql.text].map { SQLTokenizer.tokens(of: $0).filter { $0.is(word) }.count }
            return counts[0] == counts[1]
        }
        guard isSame && hasAll else {
            throw SchemaError.invalid(["the SQL of the table \"\(table.name)\" is not understood: \(sql)"])
        }
    }
}

/// All that SQLite reports of the columns, foreign keys and constraints of a table.
private struct TableReport: Equatable {
    private struct Constraint: Hashable {
        let isUnique: Bool
        let origin: SchemaCatalog.IndexOrigin
        let columns: [SchemaCatalog.IndexColumn]
    }

    private let columns: [SchemaCatalog.Column]
    private let foreignKeys: [SchemaCatalog.ForeignKey]
    private let constraints: [Constraint: Int]

    init(of table: String, _ catalog: SchemaCatalog) throws {
        columns = try catalog.allColumns(ofTable: table).map { column in
            var column = column
            column.type = column.type.replacing(" ", with: "")
            column.defaultValue = column.defaultValue?.replacing(" ", with: "")
            return column
        }
        foreignKeys = try catalog.foreignKeys(ofTable: table).map { key in
            var key = key
            key.parent = key.parent.asciiFolded
            return key
        }
        let indexes = try catalog.indexes(ofTable: table).filter { $0.origin != .statement }
        constraints = try Dictionary(
            indexes.map {
                (
                    Constraint(
                        isUnique: $0.isUnique, origin: $0.origin, columns: try catalog.columns(ofIndex: $0.name)), 1
                )
            }, uniquingKeysWith: +)
    }
}
