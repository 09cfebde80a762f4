/// A step of ``AlterTable``: ``AddColumn``, ``ChangeColumn``, ``RenameColumn``, ``DropColumn``, ``AddConstraint``,
/// ``DropConstraint`` or ``ChangeOptions``. All steps are types of the library.
public protocol AlterTableStep: Sendable {}

/// A step with its alteration, which is internal.
protocol AlterationStep: AlterTableStep {
    var alteration: TableAlteration { get }
}

/// A single change of a table.
package enum TableAlteration: Sendable {
    case add(ColumnDefinition, filling: SQL?)
    case change(ColumnChange)
    case rename(String, to: String)
    case drop(String)
    case addConstraint(TableConstraint)
    case dropConstraint(named: String)
    case dropClause(SQL)
    case dropAllConstraints
    case options(isStrict: Bool?, isWithoutRowID: Bool?)
    /// Replaces the whole definition at once, as a plan does.
    case replace(TableDefinition, droppedIndexes: Set<Identifier>)
}

extension TableAlteration {
    /// Whether the change may require a rebuild of the table.
    var mayRebuild: Bool {
        switch self {
        case .add(let column, let filling): filling != nil || !column.canBeAdded
        case .rename: false
        default: true
        }
    }

    /// The part of a version's checksum for this change. Equal changes have equal text.
    var description: String {
        switch self {
        case .add(let column, let filling):
            "add \(column.sql.withLiterals.text)" + (filling.map { " filling \($0.withLiterals.text)" } ?? "")
        case .change(let change): change.description
        case .rename(let name, let newName): "rename \(name) to \(newName)"
        case .drop(let name): "drop \(name)"
        case .addConstraint(let constraint): "add \(constraint.sql.withLiterals.text)"
        case .dropConstraint(let name): "drop constraint \(name)"
        case .dropClause(let clause): "drop clause \(clause.withLiterals.text)"
        case .dropAllConstraints: "drop all constraints"
        case .options(let isStrict, let isWithoutRowID):
            "options \(isStrict.map { "\($0)" } ?? "") \(isWithoutRowID.map { "\($0)" } ?? "")"
        case .replace(let table, _): "replace \(table.sql.withLiterals.text)"
        }
    }
}
