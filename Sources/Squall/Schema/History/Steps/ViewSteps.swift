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
