/// A single difference between two definitions of a table.
public enum TableChange: Hashable, Sendable {
    case createTable(TableDefinition)
    case addColumn(ColumnDefinition, table: String)
    case dropColumn(ColumnDefinition, table: String)
    case changeColumn(from: ColumnDefinition, to: ColumnDefinition, table: String)
    case addConstraint(TableConstraint, table: String)
    case dropConstraint(TableConstraint, table: String)
    /// A change of `STRICT` or `WITHOUT ROWID`.
    case changeOptions(strict: Bool, withoutRowID: Bool, table: String)
    case createIndex(IndexDefinition)
    case dropIndex(IndexDefinition)
}

extension TableChange {
    /// The name of the table.
    public var table: String {
        switch self {
        case .createTable(let table): table.name
        case .addColumn(_, let table), .dropColumn(_, let table), .changeColumn(_, _, let table): table
        case .addConstraint(_, let table), .dropConstraint(_, let table), .changeOptions(_, _, let table): table
        case .createIndex(let index), .dropIndex(let index): index.table
        }
    }

    /// Whether the change affects the table itself rather than one of its indexes.
    var isOfTable: Bool {
        switch self {
        case .createIndex, .dropIndex: false
        default: true
        }
    }
}

extension TableChange: CustomStringConvertible {
    /// The step of a ``Version`` that makes the change: `AddColumn("url", sql: "TEXT")`.
    @_documentation(visibility: internal)
    public var description: String {
        switch self {
        case .createTable(let table): table.swiftSource
        case .addColumn(let column, _): "AddColumn(\(column.swiftArguments))"
        case .dropColumn(let column, _): "DropColumn(\(column.name.swiftLiteral))"
        case .changeColumn(_, let column, _): "ChangeColumn(\(column.swiftArguments))"
        case .addConstraint(let constraint, _): "AddConstraint(\(constraint.kind.swiftSource)\(constraint.swiftName))"
        case .dropConstraint(let constraint, _): "DropConstraint(\(constraint.unnamed.sql.text.swiftLiteral))"
        case .changeOptions(let strict, let withoutRowID, _):
            "ChangeOptions(strict: \(strict), withoutRowID: \(withoutRowID))"
        case .createIndex(let index): index.swiftSource
        case .dropIndex(let index): "DropIndex(\(index.name.swiftLiteral))"
        }
    }
}
