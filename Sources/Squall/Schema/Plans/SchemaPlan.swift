/// What brings a file to declared tables, before anything of it is done.
///
///     let plan = try connection.plan(toMatch: User.table, points)     // reads only
///     print(plan)                                                     // AlterTable("users") { … }
///     try plan.apply()                                                // refuses to lose anything
///     try plan.apply(allowing: .columns)                              // but what is in columns that are not declared
///
/// Tables of the file that are not declared are left alone, and so are indexes and triggers.
public struct SchemaPlan {
    /// What is to be done.
    public let changes: [TableChange]
    /// What would be lost, at most. What is listed as `rows` is lost only when ``AllowedLosses/tables`` is allowed; otherwise
    /// the plan cannot be applied.
    public let losses: [SchemaLoss]
    /// What becomes of each table, by its name, when everything that `losses` has may be lost.
    public let outcomes: [String: SyncOutcome]

    let connection: Connection
    let tables: [TableDefinition]
    /// Why tables cannot be changed with their rows, by their names.
    let obstacles: [Identifier: [String]]

    /// Whether there is nothing to do.
    public var isEmpty: Bool { changes.isEmpty }
}

/// What becomes of a table: SQLiteORM's six outcomes, and one more.
public enum SyncOutcome: String, Hashable, Sendable {
    case newTableCreated
    case alreadyInSync
    case oldColumnsRemoved
    case newColumnsAdded
    case newColumnsAddedAndOldColumnsRemoved
    case droppedAndRecreated
    /// Columns, constraints or indexes were changed, and all rows kept: here SQLiteORM drops the table.
    case tableChanged
}

extension SchemaPlan: CustomStringConvertible {
    /// The steps of a ``Version`` that do the same.
    public var description: String { changes.swiftSource }
}

extension [TableChange] {
    /// The steps of a ``Version`` that make the changes.
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
