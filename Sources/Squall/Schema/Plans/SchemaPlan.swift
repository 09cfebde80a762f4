/// The changes that make a file match declared tables, before any of them is made.
///
///     let plan = try connection.plan(toMatch: User.table, points)  // reads only
///     print(plan)                         // AlterTable("users") { … }
///     try plan.apply()                    // refuses to lose anything
///     try plan.apply(allowing: .columns)  // drops undeclared columns with their values
///
/// Undeclared tables of the file are left alone, and so are indexes and triggers.
public struct SchemaPlan {
    /// The changes, in the order in which they are made.
    public let changes: [TableChange]
    /// The greatest possible losses. Losses listed as `rows` occur only if ``AllowedLosses/tables`` is allowed; otherwise
    /// the plan cannot be applied.
    public let losses: [SchemaLoss]
    /// The outcome for each table, by its name, if every loss in `losses` is allowed.
    public let outcomes: [String: SyncOutcome]

    let connection: Connection
    let tables: [TableDefinition]
    /// The reasons why tables cannot be changed with their rows, by table name.
    let obstacles: [Identifier: [String]]

    /// Whether the file already matches the tables.
    public var isEmpty: Bool { changes.isEmpty }
}

/// The outcome of a plan for one table: SQLiteORM's six outcomes, and one more.
public enum SyncOutcome: String, Hashable, Sendable {
    case newTableCreated
    case alreadyInSync
    case oldColumnsRemoved
    case newColumnsAdded
    case newColumnsAddedAndOldColumnsRemoved
    case droppedAndRecreated
    /// Columns, constraints or indexes were changed, and all rows kept. SQLiteORM drops the table in this case.
    case tableChanged
}

extension SchemaPlan: CustomStringConvertible {
    /// The steps of a ``Version`` that make the changes, as Swift source.
    @_documentation(visibility: internal)
    public var description: String { changes.swiftSource }
}

extension [TableChange] {
    /// The steps of a ``Version`` that make the changes, as Swift source.
    var swiftSource: String {
        var lines: [String] = []
        var open: String?
        for change in self {
            let isAlteration: Bool
            switch change {
            case .createTable, .createIndex, .dropIndex: isAlteration = false
            default: isAlteration = true
            }
            if let table = open, !isAlteration || table != change.table {
                lines.append("}")
                open = nil
            }
            if isAlteration, open == nil {
                lines.append("AlterTable(\(change.table.swiftLiteral)) {")
                open = change.table
            }
            lines.append((isAlteration ? "    " : "") + change.description)
        }
        if open != nil { lines.append("}") }
        return lines.joined(separator: "\n")
    }
}
