/// A table and the database that it is in.
package struct TableName: Hashable, Sendable {
    let database: Identifier
    let table: Identifier

    init(_ database: Identifier, _ table: Identifier) {
        self.database = database
        self.table = table
    }

    /// A table of the main database.
    init(_ table: Identifier) { self.init("main", table) }

    /// The virtual tables that may store their rows in the table: `search` for `search_data`.
    var possibleOwners: [TableName] {
        let text = table.spelling
        return text.indices.filter { text[$0] == "_" }.map { TableName(database, Identifier(text[..<$0])) }
    }
}

/// The part of a table that statements read.
struct TableRegion: Hashable, Sendable {
    /// The columns whose values matter. Without columns, only the number of rows matters: `SELECT count(*) FROM cars`.
    var columns: ColumnMask
    /// The rows that matter; `nil` for all rows.
    var rowIDs: Set<Int64>?
    /// Whether rows have a rowid by which they can be told apart.
    var hasRowIDs = true
    /// The column that is another name of the rowid: `id` of `id INTEGER PRIMARY KEY`; `nil` if there is none, or it is not known.
    var rowIDColumn: Identifier?
    /// Whether SQLite's pre-update hook numbers the columns as the table does.
    var isComparable = true
    /// The columns with a default value.
    var columnsWithDefault = ColumnMask.none
    /// Whether the table is a virtual table, which stores its rows in other tables: `search_data`, `search_content`.
    var isVirtual = false

    /// A whole table of which nothing is known. It may be a virtual one.
    static let everything = TableRegion(columns: .all, isVirtual: true)

    mutating func formUnion(_ other: TableRegion) {
        columns.formUnion(other.columns)
        if let more = other.rowIDs { rowIDs?.formUnion(more) } else { rowIDs = nil }
        hasRowIDs = hasRowIDs && other.hasRowIDs
        rowIDColumn = rowIDColumn ?? other.rowIDColumn
        isComparable = isComparable && other.isComparable
        columnsWithDefault.formUnion(other.columnsWithDefault)
        isVirtual = isVirtual || other.isVirtual
    }
}

/// The part of a database that statements read.
struct Region: Hashable, Sendable {
    /// The tables. Not all of them, if the region is everything.
    private(set) var tables: [TableName: TableRegion] = [:]
    /// Whether any change of the database matters.
    private(set) var isEverything = false

    static let everything = Region(tables: [:], isEverything: true)

    mutating func insert(_ name: TableName, _ table: TableRegion) {
        if tables[name]?.formUnion(table) == nil { tables[name] = table }
    }

    /// Returns the region with a row alone of its only table.
    func limited(toRowID rowID: Int64) -> Region {
        Region(
            tables: tables.mapValues { table in
                var table = table
                table.rowIDs = [rowID]
                return table
            }, isEverything: isEverything)
    }

    /// The region with all columns of its tables.
    var withAllColumns: Region {
        Region(
            tables: tables.mapValues { table in
                var table = table
                table.columns = .all
                return table
            }, isEverything: isEverything)
    }

    mutating func formUnion(_ other: Region) {
        isEverything = isEverything || other.isEverything
        for (name, table) in other.tables { insert(name, table) }
    }
}
