import Squall

/// The tables, views and functions that statements can use.
struct Catalog: Sendable {
    var tables: [Identifier: CatalogTable] = [:]
    var functions: [Identifier: [FunctionDeclaration]] = [:]
}

/// A table, a view or a virtual table of the schema.
struct CatalogTable: Sendable {
    enum Kind: Hashable, Sendable {
        case table
        /// A view, with its `CREATE VIEW`.
        case view(sql: String)
        /// A virtual table, with the name of its module in lower case.
        case virtual(module: String)
    }

    let name: Identifier
    let kind: Kind
    /// The columns in their order, with hidden ones, which `*` leaves out.
    var columns: [CatalogColumn]
    /// Whether the columns `rowid`, `oid` and `_rowid_` exist.
    let hasRowID: Bool

    func column(_ name: Identifier) -> CatalogColumn? { columns.first { $0.name == name } }

    /// The columns that an INSERT without a list of columns writes.
    var writtenColumns: [CatalogColumn] { columns.filter { !$0.isHidden && !$0.isGenerated } }

    /// The names that a rowid has in every table that has one.
    static let rowIDNames: Set<Identifier> = ["rowid", "oid", "_rowid_"]

    /// Returns the rowid by one of its names; `nil` for a table without one.
    func rowID(named name: Identifier) -> CatalogColumn? {
        guard hasRowID, Self.rowIDNames.contains(name) else { return nil }
        return CatalogColumn(
            name: name, declaredType: "INTEGER", isNotNull: true, isRowID: true, isHidden: true, type: .rowID)
    }
}

/// A column of a table.
struct CatalogColumn: Sendable {
    let name: Identifier
    /// The declared type as it was written; empty without one, and for an expression of a view.
    let declaredType: String
    /// Whether SQLite refuses NULL: by NOT NULL, by the primary key of a table without a rowid, and for a rowid.
    let isNotNull: Bool
    /// Whether the column is another name of the rowid.
    let isRowID: Bool
    let isHidden: Bool
    /// Whether the value is computed, so that an INSERT leaves the column out.
    var isGenerated = false
    /// The Swift type; `nil` where the schema does not say it.
    var type: ValueType?
}

/// A function of the app's, declared by a comment: `-- function: distance(Double, Double) -> Double?`.
struct FunctionDeclaration: Hashable, Sendable {
    let name: Identifier
    /// The types of the arguments; `nil` for any number of any type.
    let arguments: [ValueType]?
    let result: ValueType
    let resultIsOptional: Bool
    let location: SourceLocation
}
