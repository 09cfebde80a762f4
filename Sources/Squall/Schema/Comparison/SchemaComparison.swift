/// The comparison of a file with what a program means by its tables.
///
/// There is one for each depth, and every verb uses one of them:
///
/// - ``changes(toMatch:)``: the definition of a table behaves like a declared one, however either is written. `plan`, `sync`, `drift`, and
///   `squall diff`, which has the definitions of both files, use it.
/// - ``differences(from:)``: a table has the columns that the program's SQL uses. `require` uses it, at each start of an app: it reads the
///   columns, and no SQL.
/// - ``checkUnderstanding(of:)``: the definition that the library has read from the SQL of a table is complete. A rebuild begins with it.
struct SchemaComparison {
    let connection: Connection

    init(_ connection: Connection) {
        self.connection = connection
    }

    /// Returns the table of a file that a declared table has the name of, with the changes that turn it into the declared one; `nil` if there
    /// is none.
    func changes(toMatch table: TableDefinition) throws -> (from: TableDefinition, changes: [TableChange])? {
        try connection.tableInfo(table.name).map { ($0, TableComparison(from: $0, to: table).changes) }
    }
}

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
