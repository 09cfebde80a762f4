/// Tables, or columns of a table, whose changes are followed: `.table("cars", columns: "price")`.
public struct DatabaseRegion: Hashable, Sendable {
    let table: TableName
    /// The columns; `nil` for all.
    let columns: Set<Identifier>?

    /// A table, with all its columns or some of them. Inserted and deleted rows are changes of any column.
    ///
    /// - Parameters:
    ///   - name: The table. It need not exist yet.
    ///   - columns: The columns; none for all. A name that the table does not have stands for all.
    ///   - database: The name of the database: `main`, or that of an attached one.
    public static func table(_ name: String, columns: String..., database: String = "main") -> DatabaseRegion {
        DatabaseRegion(
            table: TableName(Identifier(database), Identifier(name)),
            columns: columns.isEmpty ? nil : Set(columns.map { Identifier($0) }))
    }
}

/// The changes that the observers of a database need to know.
struct Interest: Equatable, Sendable {
    struct Table: Equatable {
        /// The union of what is observed of the table, of any row. Its columns are compared when a row is updated.
        var region: TableRegion
        /// Whether an observer needs the rowids of the changed rows.
        var needsRowIDs: Bool
    }

    private(set) var tables: [TableName: Table] = [:]
    /// The virtual tables, which store their rows in other tables.
    private var virtualTables: Set<TableName> = []

    /// - Parameter needsRowIDs: Whether the observer needs the rowids of all changed rows.
    mutating func insert(_ region: Region, needsRowIDs: Bool) {
        for (name, table) in region.tables {
            var ofAnyRow = table
            ofAnyRow.rowIDs = nil
            var known = tables[name] ?? Table(region: ofAnyRow, needsRowIDs: false)
            known.region.formUnion(ofAnyRow)
            known.needsRowIDs = known.needsRowIDs || table.hasRowIDs && (needsRowIDs || table.rowIDs != nil)
            tables[name] = known
            if table.isVirtual { virtualTables.insert(name) }
        }
    }

    /// Returns the virtual table that stores its rows in a table: `search` for `search_data`.
    func virtualTable(storing name: TableName) -> TableName? {
        virtualTables.isEmpty ? nil : name.possibleOwners.first { virtualTables.contains($0) }
    }

    func isVirtual(_ name: TableName) -> Bool { virtualTables.contains(name) }
}
