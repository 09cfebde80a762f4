import Squall

/// Writes the schema on which queries depend as Swift source.
struct SchemaSource {
    let uses: [TableUse]
    let catalog: Catalog
    /// The version of the SQLite that has checked the queries.
    let sqliteVersion: String

    /// The end of the documentation of errors.
    static let error = "``SchemaMismatch`` if the schema of the database does not fit."

    /// The lines of the declaration.
    var lines: [String] {
        let version = SwiftLiteral(sqliteVersion).source()
        let start = "    static let expected = ExpectedSchema("
        let tables = tables
        var lines = [
            "/// The tables and columns that the queries of this module use.",
            "nonisolated enum SQLSchema {",
        ]
        if tables.isEmpty {
            lines.append("\(start)sqliteVersion: \(version), tables: [])")
        } else {
            lines += [start, "        sqliteVersion: \(version),", "        tables: ["]
            lines += tables.flatMap(Self.lines) + ["        ])"]
        }
        return lines + ["}"]
    }

    /// The tables with the columns that are used, in the order of their names and of the schema.
    private var tables: [(CatalogTable, [CatalogColumn])] {
        var used: [Identifier: Set<Identifier>] = [:]
        for use in uses { used[use.table, default: []].formUnion(use.columns) }
        return used.compactMap { name, columns in
            catalog.tables[name].map { table in (table, table.columns.filter { columns.contains($0.name) }) }
        }.sorted { $0.0.name.spelling < $1.0.name.spelling }
    }

    private static func lines(_ table: CatalogTable, _ columns: [CatalogColumn]) -> [String] {
        let name = SwiftLiteral(table.name.spelling).source()
        let start = "            ExpectedSchema.Table(\(name), ["
        if columns.isEmpty { return [start + "]),"] }
        let columns = columns.map { column in
            let (name, type) = (SwiftLiteral(column.name.spelling), SwiftLiteral(column.declaredType))
            let flag = "isNotNull: \(column.isNotNull)"
            return "                ExpectedSchema.Column(\(name.source()), \(type.source()), \(flag)),"
        }
        return [start] + columns + ["            ]),"]
    }
}
