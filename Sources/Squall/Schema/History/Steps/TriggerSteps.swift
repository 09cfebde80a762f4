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
