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

/// A change of a column's type, nullability or other constraints.
package struct ColumnChange: Sendable {
    /// The column with the constraints to add.
    var column: ColumnDefinition
    /// Whether the change sets the type and `NOT NULL` to those of `column`.
    var hasType: Bool
    var dropped: DroppedConstraints
    var filling: SQL?

    /// Returns a column after the change.
    func applied(to old: ColumnDefinition) -> ColumnDefinition {
        typealias Key = ColumnDefinition.Constraint.Key
        var new = old
        if hasType {
            new.type = column.type
            let keepsConflict = dropped != .all && column.notNull?.conflict == nil
            new.notNull = column.notNull.map { keepsConflict ? old.notNull ?? $0 : $0 }
        }
        for key in Key.allCases {
            if let option = key.dropping, dropped.contains(option) { new.remove(key) }
        }
        for key in Key.allCases where key != .notNull || !hasType {
            for constraint in column.constraints(of: key) { new.add(constraint) }
        }
        return new
    }

    var description: String {
        "change \(column.sql.withLiterals.text) \(hasType) \(dropped.rawValue)"
            + (filling.map { " filling \($0.withLiterals.text)" } ?? "")
    }
}

/// The constraints that ``ChangeColumn`` drops from a column. `NOT NULL` is not among them: it follows from the type that
/// ``ChangeColumn`` sets.
///
///     ChangeColumn("age", dropping: [.default, .checks])
public struct DroppedConstraints: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// `PRIMARY KEY` of the column. A primary key of several columns is a constraint of the table; see ``DropConstraint``.
    public static let primaryKey = Self(rawValue: 1)
    /// `UNIQUE` of the column.
    public static let unique = Self(rawValue: 2)
    /// `DEFAULT …`. Existing rows keep their values.
    public static let `default` = Self(rawValue: 4)
    /// All `CHECK (…)` constraints of the column.
    public static let checks = Self(rawValue: 8)
    /// `COLLATE …`. The column is then compared by its bytes (`BINARY`).
    public static let collation = Self(rawValue: 16)
    /// All foreign keys of the column: `REFERENCES …`.
    public static let references = Self(rawValue: 32)
    /// `GENERATED ALWAYS AS (…)`. The column is then an ordinary column.
    public static let generated = Self(rawValue: 64)
    /// All of the above.
    public static let all = Self(ColumnDefinition.Constraint.Key.allCases.compactMap(\.dropping))
}
