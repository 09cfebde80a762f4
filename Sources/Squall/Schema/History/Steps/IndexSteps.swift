/// `CREATE UNIQUE INDEX "contacts_email" ON "contacts"("email") WHERE …`
public struct CreateIndex: SchemaStep, ActionStep {
    let action: SchemaAction

    public init(
        _ name: String, on table: String, _ columns: IndexedColumn..., unique: Bool = false, where condition: SQL? = nil
    ) {
        let index = IndexDefinition(name: name, table: table, columns: columns, isUnique: unique, condition: condition)
        action = .createIndex(index)
    }
}

/// `DROP INDEX "contacts_email"`
public struct DropIndex: SchemaStep, ActionStep {
    let action: SchemaAction

    public init(_ name: String) {
        action = .dropIndex(name)
    }
}

/// Renames an index, by dropping it and creating it again.
public struct RenameIndex: SchemaStep, ActionStep {
    let action: SchemaAction

    public init(_ name: String, to newName: String) {
        action = .renameIndex(name, to: newName)
    }
}

/// `CREATE VIEW "adults" AS SELECT …`
public struct CreateView: SchemaStep, ActionStep {
    let action: SchemaAction

    /// Creates a view.
    ///
    /// - Parameters:
    ///   - name: The name of the view.
    ///   - select: The `SELECT` statement. Interpolated values are written as literals.
    public init(_ name: String, as select: SQL) {
        action = .createView(name, select)
    }
}

/// `DROP VIEW "adults"`
public struct DropView: SchemaStep, ActionStep {
    let action: SchemaAction

    public init(_ name: String) {
        action = .dropView(name)
    }
}

/// `CREATE TRIGGER "log" AFTER INSERT ON "contacts" BEGIN …; END`
///
///     CreateTrigger(
///         "log",
///         "AFTER INSERT ON contacts BEGIN INSERT INTO log VALUES(new.name); END")
public struct CreateTrigger: SchemaStep, ActionStep {
    let action: SchemaAction

    /// Creates a trigger.
    ///
    /// - Parameters:
    ///   - name: The name of the trigger.
    ///   - clause: The SQL after the name. Interpolated values are written as literals.
    public init(_ name: String, _ clause: SQL) {
        action = .createTrigger(name, clause)
    }
}

/// `DROP TRIGGER "log"`
public struct DropTrigger: SchemaStep, ActionStep {
    let action: SchemaAction

    public init(_ name: String) {
        action = .dropTrigger(name)
    }
}
