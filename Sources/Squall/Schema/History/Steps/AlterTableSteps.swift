/// Adds a column to a table. Existing rows get its default, or the value of a filling expression.
public struct AddColumn: AlterTableStep, AlterationStep {
    let alteration: TableAlteration

    /// Adds a column of a Swift type.
    ///
    /// - Parameters:
    ///   - name: The name of the column.
    ///   - type: The Swift type, which decides the type of the column and whether it is `NOT NULL`.
    ///   - constraints: The other constraints of the column.
    ///   - filling: An expression over the existing row that computes the value of the new column.
    public init<Value: FunctionArgument & StatementParameter>(
        _ name: String, _ type: Value.Type, _ constraints: ColumnConstraint<Value>..., fillingWith filling: SQL? = nil
    ) {
        alteration = .add(ColumnDef(name, type, constraints).definition, filling: filling)
    }

    /// Adds a column declared in SQL: `AddColumn("price", sql: "DECIMAL(10, 2) DEFAULT 0")`.
    public init(_ name: String, sql: SQL, fillingWith filling: SQL? = nil) {
        alteration = .add(ColumnDef(name, sql: sql).definition, filling: filling)
    }
}

/// Changes the type of a column, and adds or drops constraints. Constraints that are not named are kept.
///
///     ChangeColumn("name", to: String.self)  // TEXT NOT NULL
///     ChangeColumn("name", to: String.self, fillingWith: "coalesce(name, '')")
///     ChangeColumn("age", to: Int?.self, .check("age > 0"), dropping: [.default, .unique])
public struct ChangeColumn: AlterTableStep, AlterationStep {
    let alteration: TableAlteration

    /// Changes the type of a column, and with it whether the column is `NOT NULL`.
    ///
    /// - Parameters:
    ///   - name: The name of the column.
    ///   - type: The new Swift type.
    ///   - constraints: The constraints to add. A CHECK or a REFERENCES is added to the existing ones; any other replaces
    ///     the one of its kind.
    ///   - dropped: The constraints to drop. `NOT NULL` is dropped with the type.
    ///   - filling: An expression over the old row that computes the new values; `nil` keeps the old ones.
    public init<Value: FunctionArgument & StatementParameter>(
        _ name: String, to type: Value.Type, _ constraints: ColumnConstraint<Value>...,
        dropping dropped: DroppedConstraints = [], fillingWith filling: SQL? = nil
    ) {
        let column = ColumnDef(name, type, constraints).definition
        let change = ColumnChange(column: column, hasType: true, dropped: dropped, filling: filling)
        alteration = .change(change)
    }

    /// Redeclares a column in SQL and keeps nothing of its old declaration: `ChangeColumn("price", sql: "DECIMAL(10, 2)
    /// DEFAULT 0")`. A primary key of several columns is dropped with one of them: add it again with ``AddConstraint``.
    public init(_ name: String, sql: SQL, fillingWith filling: SQL? = nil) {
        var column = ColumnDef(name, sql: sql).definition
        column.name = name
        let change = ColumnChange(column: column, hasType: true, dropped: .all, filling: filling)
        alteration = .change(change)
    }

    /// Drops constraints of a column or fills it with other values: `ChangeColumn("age", dropping: .default)`.
    public init(_ name: String, dropping dropped: DroppedConstraints = [], fillingWith filling: SQL? = nil) {
        let column = ColumnDefinition(name: name)
        let change = ColumnChange(column: column, hasType: false, dropped: dropped, filling: filling)
        alteration = .change(change)
    }
}

/// `ALTER TABLE … RENAME COLUMN "name" TO "full_name"`. Indexes, triggers, views and other tables follow the new name.
public struct RenameColumn: AlterTableStep, AlterationStep {
    let alteration: TableAlteration

    public init(_ name: String, to newName: String) {
        alteration = .rename(name, to: newName)
    }
}

/// Drops a column and the indexes on it. The version throws if a constraint, a trigger or a view uses the column.
public struct DropColumn: AlterTableStep, AlterationStep {
    let alteration: TableAlteration

    public init(_ name: String) {
        alteration = .drop(name)
    }
}

/// Adds a table constraint: `AddConstraint(.check("first < last"), named: "order")`.
public struct AddConstraint: AlterTableStep, AlterationStep {
    let alteration: TableAlteration

    public init(_ kind: TableConstraint.Kind, named name: String? = nil) {
        alteration = .addConstraint(TableConstraint(name: name, kind))
    }
}

/// Drops a table constraint by its name or its clause: `DropConstraint("UNIQUE (a, b)")`.
public struct DropConstraint: AlterTableStep, AlterationStep {
    let alteration: TableAlteration

    public init(named name: String) {
        alteration = .dropConstraint(named: name)
    }

    /// - Parameter clause: The constraint in SQL. Whitespace, case and quotes make no difference.
    public init(_ clause: SQL) {
        alteration = .dropClause(clause)
    }

    /// Drops all constraints of the table, and keeps those of its columns.
    public static var all: DropConstraint { DropConstraint(alteration: .dropAllConstraints) }

    private init(alteration: TableAlteration) {
        self.alteration = alteration
    }
}

/// Adds or removes `STRICT` and `WITHOUT ROWID`. `nil` leaves an option unchanged.
public struct ChangeOptions: AlterTableStep, AlterationStep {
    let alteration: TableAlteration

    public init(strict: Bool? = nil, withoutRowID: Bool? = nil) {
        alteration = .options(isStrict: strict, isWithoutRowID: withoutRowID)
    }
}
