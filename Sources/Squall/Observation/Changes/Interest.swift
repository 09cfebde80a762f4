/// The changes that the observers of a database need to know.
struct Interest: Equatable, Sendable {
    struct Table: Equatable {
        /// The columns that are observed. Their values are compared when a row is updated.
        var columns: ColumnMask
        /// Whether an observer needs the rowids of the changed rows.
        var needsRowIDs: Bool
        /// Whether rows have a rowid, which an update can change.
        var hasRowIDs: Bool
        /// Whether SQLite's pre-update hook numbers the columns as the table does.
        var isComparable: Bool
        /// The columns with a default value.
        var columnsWithDefault: ColumnMask
    }

    private(set) var tables: [TableName: Table] = [:]
    /// The virtual tables, which store their rows in other tables.
    private var virtualTables: Set<TableName> = []

    /// - Parameter needsRowIDs: Whether the observer needs the rowids of all changed rows.
    mutating func insert(_ region: Region, needsRowIDs: Bool) {
        for (name, table) in region.tables {
            let rowIDs = table.hasRowIDs && (needsRowIDs || table.rowIDs != nil)
            var known =
                tables[name]
                ?? Table(
                    columns: .none, needsRowIDs: false, hasRowIDs: true, isComparable: true, columnsWithDefault: .none)
            known.columns.formUnion(table.columns)
            known.needsRowIDs = known.needsRowIDs || rowIDs
            known.hasRowIDs = known.hasRowIDs && table.hasRowIDs
            known.isComparable = known.isComparable && table.isComparable
            known.columnsWithDefault.formUnion(table.columnsWithDefault)
            tables[name] = known
            if table.isVirtual { virtualTables.insert(name) }
        }
    }

    /// Returns the virtual table that stores its rows in a table: `search` for `search_data`.
    func virtualTable(storing name: TableName) -> TableName? {
        if virtualTables.isEmpty { return nil }
        let text = name.table.spelling
        return text.indices.filter { text[$0] == "_" }.lazy
            .map { TableName(name.database, Identifier(text[..<$0])) }
            .first { virtualTables.contains($0) }
    }
}
