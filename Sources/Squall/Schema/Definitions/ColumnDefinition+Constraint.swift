// Everything that depends on the kind of a column's constraint. To add a kind, add a property to `ColumnDefinition` and a
// case here: the compiler then reports each switch that must handle it. Its public spelling is in ColumnConstraint.swift.

extension ColumnDefinition {
    /// A constraint of a column.
    enum Constraint: Hashable, Sendable {
        case primaryKey(PrimaryKey)
        case notNull(NotNull)
        case unique(Unique)
        case defaultValue(SQL)
        case check(Check)
        case collation(String)
        case references(ForeignKeyReference)
        case generated(Generated)

        /// The kinds of constraints, in the order in which they are printed.
        enum Key: CaseIterable {
            case primaryKey, notNull, unique, defaultValue, check, collation, references, generated
        }

        var key: Key {
            switch self {
            case .primaryKey: .primaryKey
            case .notNull: .notNull
            case .unique: .unique
            case .defaultValue: .defaultValue
            case .check: .check
            case .collation: .collation
            case .references: .references
            case .generated: .generated
            }
        }
    }
}

// MARK: - In a definition

extension ColumnDefinition {
    /// All constraints, in the order in which they are printed.
    var constraints: [Constraint] { Constraint.Key.allCases.flatMap { constraints(of: $0) } }

    /// The constraints of one kind. A column can have several checks and several foreign keys.
    func constraints(of key: Constraint.Key) -> [Constraint] {
        switch key {
        case .primaryKey: primaryKey.map { [.primaryKey($0)] } ?? []
        case .notNull: notNull.map { [.notNull($0)] } ?? []
        case .unique: unique.map { [.unique($0)] } ?? []
        case .defaultValue: defaultValue.map { [.defaultValue($0)] } ?? []
        case .check: checks.map { .check($0) }
        case .collation: collation.map { [.collation($0)] } ?? []
        case .references: references.map { .references($0) }
        case .generated: generated.map { [.generated($0)] } ?? []
        }
    }

    /// Adds a check or a foreign key. A constraint of any other kind replaces the existing one.
    mutating func add(_ constraint: Constraint) {
        switch constraint {
        case .primaryKey(let value): primaryKey = value
        case .notNull(let value): notNull = value
        case .unique(let value): unique = value
        case .defaultValue(let value): defaultValue = value
        case .check(let value): checks.append(value)
        case .collation(let value): collation = value
        case .references(let value): references.append(value)
        case .generated(let value): generated = value
        }
    }

    /// Removes all constraints of one kind.
    mutating func remove(_ key: Constraint.Key) {
        switch key {
        case .primaryKey: primaryKey = nil
        case .notNull: notNull = nil
        case .unique: unique = nil
        case .defaultValue: defaultValue = nil
        case .check: checks = []
        case .collation: collation = nil
        case .references: references = []
        case .generated: generated = nil
        }
    }

    /// Returns the column with every expression of its constraints replaced.
    func mapExpressions(_ transform: (SQL) -> SQL) -> ColumnDefinition {
        var column = self
        for key in Constraint.Key.allCases {
            column.remove(key)
            for constraint in constraints(of: key) { column.add(constraint.mapExpressions(transform)) }
        }
        return column
    }
}

// MARK: - As SQL

extension ColumnDefinition.Constraint {
    /// Returns the column clause: `NOT NULL`, `DEFAULT 0`.
    func sql(ofColumn name: String) -> SQL {
        switch self {
        case .primaryKey(let key):
            "PRIMARY KEY" + key.order.sql + key.conflict.sql + (key.isAutoincrement ? " AUTOINCREMENT" : "")
        case .notNull(let notNull): "NOT NULL" + notNull.conflict.sql
        case .unique(let unique): "UNIQUE" + unique.conflict.sql
        case .defaultValue(let value): "DEFAULT " + value.defaultValue(ofColumn: name)
        case .check(let check): check.sql
        case .collation(let collation): "COLLATE \(name: collation)"
        case .references(let reference): reference.sql
        case .generated(let generated): generated.sql(ofColumn: name)
        }
    }

    /// Returns the constraint with every expression in it replaced.
    fileprivate func mapExpressions(_ transform: (SQL) -> SQL) -> Self {
        switch self {
        case .primaryKey, .notNull, .unique, .collation, .references: self
        case .defaultValue(let value): .defaultValue(transform(value))
        case .check(let check): .check(.init(name: check.name, condition: transform(check.condition)))
        case .generated(let generated):
            .generated(.init(expression: transform(generated.expression), isStored: generated.isStored))
        }
    }

    /// Returns the expression that refers to columns of the row, and the name of its owner for error messages.
    func rowExpression(ofColumn name: String) -> (sql: SQL, owner: String)? {
        switch self {
        case .primaryKey, .notNull, .unique, .defaultValue, .collation, .references: nil
        case .check(let check): (check.condition, "a check of \"\(name)\"")
        case .generated(let generated): (generated.expression, "the column \"\(name)\"")
        }
    }
}

extension ColumnDefinition.Constraint.Key {
    /// The keywords of the constraint that no PRAGMA reports. Unquoted they cannot be names, so they are counted in the SQL
    /// instead.
    var unreportedWords: [String] {
        switch self {
        case .primaryKey: ["AUTOINCREMENT"]
        case .check: ["CHECK"]
        case .collation: ["COLLATE"]
        case .notNull, .unique, .defaultValue, .references, .generated: []
        }
    }
}

// MARK: - In alterations

extension ColumnDefinition.Constraint.Key {
    /// The option of ``ChangeColumn`` that drops the constraint; `nil` for `NOT NULL`, which is dropped with the type.
    var dropping: DroppedConstraints? {
        switch self {
        case .primaryKey: .primaryKey
        case .notNull: nil
        case .unique: .unique
        case .defaultValue: .default
        case .check: .checks
        case .collation: .collation
        case .references: .references
        case .generated: .generated
        }
    }

    /// Whether `ALTER TABLE … DROP COLUMN` accepts a column with the constraint.
    var allowsDropColumn: Bool {
        switch self {
        case .primaryKey, .unique, .references: false
        case .notNull, .defaultValue, .check, .collation, .generated: true
        }
    }
}

extension ColumnDefinition.Constraint {
    /// Returns whether `ALTER TABLE … ADD COLUMN` accepts the constraint for a column, regardless of the rows in the table.
    fileprivate func canBeAdded(with column: ColumnDefinition) -> Bool {
        let isGenerated = column.generated != nil
        return switch self {
        case .primaryKey, .unique: false
        case .notNull: !isGenerated && column.hasDefault
        case .defaultValue(let value): isGenerated || !column.hasDefault || value.isConstantDefault
        case .check, .collation: true
        // With foreign keys on, SQLite requires NULL as the default of such a column.
        case .references: isGenerated || !column.hasDefault
        case .generated(let generated): !generated.isStored
        }
    }
}

extension ColumnDefinition {
    /// Whether `ALTER TABLE … ADD COLUMN` accepts the column, regardless of the rows in the table.
    var canBeAdded: Bool { constraints.allSatisfy { $0.canBeAdded(with: self) } }

    /// Whether `ALTER TABLE … DROP COLUMN` may accept the column.
    var canBeDropped: Bool { constraints.allSatisfy(\.key.allowsDropColumn) }

    /// Whether every row must be given a value for the column.
    var needsValue: Bool { notNull != nil && !hasDefault && generated == nil }

    /// Whether there is a default other than `NULL`.
    private var hasDefault: Bool { defaultValue.map { $0.withLiterals.text.uppercased() != "NULL" } ?? false }
}

extension SQL {
    /// Whether the SQL is a literal, rather than an expression or the current time.
    fileprivate var isConstantDefault: Bool {
        let tokens = SQLTokenizer.tokens(of: withLiterals.text)
        return !tokens.contains { $0.is("(") || $0.text.uppercased().hasPrefix("CURRENT_") }
    }
}

// MARK: - Compared

extension ColumnDefinition.Constraint {
    /// The constraint in a form that is equal for equivalent constraints, however they are written.
    enum Canonical: Equatable {
        /// A constraint that can also be declared as a constraint of the table.
        case ofTable(TableConstraint.Kind)
        /// A property of the column alone; `nil` if it makes no difference.
        case ofColumn(CanonicalColumn.Trait?)
        /// A primary key: the key belongs to the table, `AUTOINCREMENT` to the column.
        case key(TableConstraint.Kind, CanonicalColumn.Trait?)
    }

    func canonical(ofColumn name: String) -> Canonical {
        switch self {
        case .primaryKey(let key):
            .key(
                .primaryKey([IndexedColumn(name, order: key.order)], onConflict: key.conflict),
                key.isAutoincrement ? .autoincrement : nil)
        case .notNull(let notNull): .ofColumn(.notNull(notNull.conflict))
        case .unique(let unique): .ofTable(.unique([IndexedColumn(name)], onConflict: unique.conflict))
        case .defaultValue(let value): .ofColumn(.defaultValue(of: value))
        case .check(let check): .ofTable(.check(check.condition))
        case .collation(let collation):
            .ofColumn(collation.isSameName(as: "BINARY") ? nil : .collation(Identifier(collation)))
        case .references(let reference): .ofTable(.foreignKey([name], reference))
        case .generated(let generated):
            .ofColumn(.generated(generated.expression.normalized, isStored: generated.isStored))
        }
    }
}
