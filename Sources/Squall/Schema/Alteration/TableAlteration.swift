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

    func callAsFunction(_ old: ColumnDefinition) -> ColumnDefinition {
        var new = old
        if hasType {
            new.type = column.type
            let keepsConflict = dropped != .all && column.notNull?.conflict == nil
            new.notNull = column.notNull.map { keepsConflict ? old.notNull ?? $0 : $0 }
        } else if let notNull = column.notNull {
            new.notNull = notNull
        }
        if dropped.contains(.primaryKey) { new.primaryKey = nil }
        if dropped.contains(.unique) { new.unique = nil }
        if dropped.contains(.default) { new.defaultValue = nil }
        if dropped.contains(.checks) { new.checks = [] }
        if dropped.contains(.collation) { new.collation = nil }
        if dropped.contains(.references) { new.references = [] }
        if dropped.contains(.generated) { new.generated = nil }
        new.primaryKey = column.primaryKey ?? new.primaryKey
        new.unique = column.unique ?? new.unique
        new.defaultValue = column.defaultValue ?? new.defaultValue
        new.checks += column.checks
        new.collation = column.collation ?? new.collation
        new.references += column.references
        new.generated = column.generated ?? new.generated
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
    public static let all: Self = [.primaryKey, .unique, .default, .checks, .collation, .references, .generated]
}

extension ColumnDefinition {
    /// Whether `ALTER TABLE … ADD COLUMN` takes the column, whatever rows there are.
    var canBeAdded: Bool {
        guard primaryKey == nil, unique == nil, generated?.isStored != true else { return false }
        let hasDefault = defaultValue.map { $0.withLiterals.text.uppercased() != "NULL" } ?? false
        if generated != nil { return notNull == nil }
        if notNull != nil && !hasDefault { return false }
        // With foreign keys on, such a column must begin as NULL.
        if !references.isEmpty && hasDefault { return false }
        return !hasDefault || defaultValue?.isConstantDefault == true
    }
}

extension SQL {
    /// Whether it is a literal, and neither an expression nor the time.
    fileprivate var isConstantDefault: Bool {
        let tokens = SQLTokenizer.tokens(of: withLiterals.text)
        return !tokens.contains { $0.is("(") || $0.text.uppercased().hasPrefix("CURRENT_") }
    }
}
