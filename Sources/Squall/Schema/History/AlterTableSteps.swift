/// Adds a column to a table. In the rows that are there, it has its default or what it is filled with.
public struct AddColumn: AlterTableStep, AlterationStep {
    let alteration: TableAlteration

    /// - Parameter filling: An expression over the row as it was before.
    public init<Value: FunctionArgument & StatementParameter>(
        _ name: String, _ type: Value.Type, _ constraints: ColumnConstraint<Value>..., fillingWith filling: SQL? = nil
    ) {
        alteration = .add(ColumnDef(name, type, constraints).definition, filling: filling)
    }

    /// A column as SQL has it: `AddColumn("price", sql: "DECIMAL(10, 2) DEFAULT 0")`.
    public init(_ name: String, sql: SQL, fillingWith filling: SQL? = nil) {
        alteration = .add(ColumnDef(name, sql: sql).definition, filling: filling)
    }
}

/// Gives a column another type, and adds and drops constraints of it; what is not named stays.
///
///     ChangeColumn("name", to: String.self)                                     // TEXT NOT NULL
///     ChangeColumn("name", to: String.self, fillingWith: "coalesce(name, '')")
///     ChangeColumn("age", to: Int?.self, .check("age > 0"), dropping: [.default, .unique])
public struct ChangeColumn: AlterTableStep, AlterationStep {
    let alteration: TableAlteration

    /// - Parameters:
    ///   - dropped: The constraints that the column loses. `NOT NULL` goes with the type.
    ///   - filling: The new values, an expression over the row as it was before; the old values when it is left out.
    public init<Value: FunctionArgument & StatementParameter>(
        _ name: String, to type: Value.Type, _ constraints: ColumnConstraint<Value>...,
        dropping dropped: DroppedConstraints = [], fillingWith filling: SQL? = nil
    ) {
        let column = ColumnDef(name, type, constraints).definition
        let change = ColumnChange(column: column, hasType: true, dropped: dropped, filling: filling)
        alteration = .change(change)
    }

    /// The column as SQL has it, and nothing of what it was: `ChangeColumn("price", sql: "DECIMAL(10, 2) DEFAULT 0")`.
    public init(_ name: String, sql: SQL, fillingWith filling: SQL? = nil) {
        var column = ColumnDef(name, sql: sql).definition
        column.name = name
        let change = ColumnChange(column: column, hasType: true, dropped: .all, filling: filling)
        alteration = .change(change)
    }

    /// The column with constraints dropped, or other values: `ChangeColumn("age", dropping: .default)`.
    public init(_ name: String, dropping dropped: DroppedConstraints = [], fillingWith filling: SQL? = nil) {
        let column = ColumnDefinition(name: name)
        let change = ColumnChange(column: column, hasType: false, dropped: dropped, filling: filling)
        alteration = .change(change)
    }
}

/// `ALTER TABLE … RENAME COLUMN "name" TO "full_name"`, also where indexes, triggers, views and other tables name it.
public struct RenameColumn: AlterTableStep, AlterationStep {
    let alteration: TableAlteration

    public init(_ name: String, to newName: String) {
        alteration = .rename(name, to: newName)
    }
}

/// Drops a column, and the indexes on it. A constraint, a trigger or a view that uses the column makes the version throw.
public struct DropColumn: AlterTableStep, AlterationStep {
    let alteration: TableAlteration

    public init(_ name: String) {
        alteration = .drop(name)
    }
}

/// Adds a constraint of the table: `AddConstraint(.check("first < last"), named: "order")`.
public struct AddConstraint: AlterTableStep, AlterationStep {
    let alteration: TableAlteration

    public init(_ kind: TableConstraint.Kind, named name: String? = nil) {
        alteration = .addConstraint(TableConstraint(name: name, kind))
    }
}

/// Drops a constraint of the table by its name or its clause: `DropConstraint("UNIQUE (a, b)")`.
public struct DropConstraint: AlterTableStep, AlterationStep {
    let alteration: TableAlteration

    public init(named name: String) {
        alteration = .dropConstraint(named: name)
    }

    /// - Parameter clause: The constraint as SQL has it. Space, case and quotes make no difference.
    public init(_ clause: SQL) {
        alteration = .dropClause(clause)
    }

    /// All constraints of the table; those of its columns stay.
    public static var all: DropConstraint { DropConstraint(alteration: .dropAllConstraints) }

    private init(alteration: TableAlteration) {
        self.alteration = alteration
    }
}

/// Makes a table `STRICT` or `WITHOUT ROWID`, or no longer.
public struct ChangeOptions: AlterTableStep, AlterationStep {
    let alteration: TableAlteration

    public init(strict: Bool? = nil, withoutRowID: Bool? = nil) {
        alteration = .options(isStrict: strict, isWithoutRowID: withoutRowID)
    }
}
