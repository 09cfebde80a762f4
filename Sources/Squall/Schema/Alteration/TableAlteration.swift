/// What a step of ``AlterTable`` does: ``AddColumn``, ``ChangeColumn``, ``RenameColumn``, ``DropColumn``, ``AddConstraint``,
/// ``DropConstraint``.
public protocol AlterTableStep: Sendable {
    var alteration: TableAlteration { get }
}

/// One change of a table.
public struct TableAlteration: Sendable {
    enum Kind: Sendable {
        case add(ColumnDefinition, filling: SQL?)
        case change(ColumnChange)
        case rename(String, to: String)
        case drop(String)
        case addConstraint(TableConstraint)
        case dropConstraint(named: String)
        case dropClause(SQL)
        case dropAllConstraints
        case options(isStrict: Bool?, isWithoutRowID: Bool?)
        /// All at once: what a plan does.
        case replace(TableDefinition, droppedIndexes: Set<Identifier>)
    }

    let kind: Kind

    init(_ kind: Kind) {
        self.kind = kind
    }
}

extension TableAlteration.Kind {
    /// Whether the table may have to be rebuilt.
    var mayRebuild: Bool {
        switch self {
        case .add(let column, let filling): filling != nil || !column.canBeAdded
        case .rename: false
        default: true
        }
    }

    /// The same text for the same change: what a checksum is made of.
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

/// Another type, nullability or other constraints for a column.
struct ColumnChange: Sendable {
    /// The column, with what is added.
    var column: ColumnDefinition
    /// Whether the type and NOT NULL are those of `column`.
    var hasType: Bool
    var dropped: DroppedConstraints
    var filling: SQL?

    /// Returns a column with the change.
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

/// What ``ChangeColumn`` takes away from a column.
public struct DroppedConstraints: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    public static let primaryKey = Self(rawValue: 1)
    public static let unique = Self(rawValue: 2)
    public static let `default` = Self(rawValue: 4)
    public static let checks = Self(rawValue: 8)
    public static let collation = Self(rawValue: 16)
    public static let references = Self(rawValue: 32)
    public static let generated = Self(rawValue: 64)
    public static let all = Self(ColumnDefinition.Constraint.Key.allCases.compactMap(\.dropping))
}
