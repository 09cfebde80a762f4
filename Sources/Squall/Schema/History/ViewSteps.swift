/// `CREATE VIEW "adults" AS SELECT …`
public struct CreateView: SchemaStep {
    public let action: SchemaAction

    /// - Parameter select: Values that are interpolated are written as literals.
    public init(_ name: String, as select: SQL) {
        action = SchemaAction(.createView(name, select))
    }
}

/// `DROP VIEW "adults"`
public struct DropView: SchemaStep {
    public let action: SchemaAction

    public init(_ name: String) {
        action = SchemaAction(.dropView(name))
    }
}
