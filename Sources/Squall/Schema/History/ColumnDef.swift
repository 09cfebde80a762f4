/// A column of ``CreateTable`` or ``AddColumn``.
///
///     ColumnDef("name", String?.self)                      // "name" TEXT
///     ColumnDef("email", String.self, .unique)             // "email" TEXT NOT NULL UNIQUE
///     ColumnDef("price", sql: "DECIMAL(10, 2) DEFAULT 0")  // "price" DECIMAL(10, 2) DEFAULT 0
public struct ColumnDef: Sendable {
    var definition: ColumnDefinition

    /// A column of a type of Swift: the type of the column, and `NOT NULL`, follow from it.
    public init<Value: FunctionArgument & StatementParameter>(
        _ name: String, _ type: Value.Type, _ constraints: ColumnConstraint<Value>...
    ) {
        self.init(name, type, constraints)
    }

    init<Value: FunctionArgument & StatementParameter>(
        _ name: String, _ type: Value.Type, _ constraints: [ColumnConstraint<Value>]
    ) {
        let isOptional = Value.self != Value.ColumnBase.self
        definition = ColumnDefinition(
            name: name, type: SQLType.name(of: Value.ColumnBase.self), notNull: isOptional ? nil : .init()
        )
        for constraint in constraints { constraint.apply(&definition) { SQL(parameter: $0).withLiterals } }
        // SQLite assigns such a key for NULL, also where it is NOT NULL.
        if definition.primaryKey != nil, definition.type == "INTEGER" { definition.notNull = nil }
    }

    /// A column as SQL has it, without its name: `ColumnDef("price", sql: "DECIMAL(10, 2) DEFAULT 0")`.
    public init(_ name: String, sql: SQL) {
        let literals = sql.withLiterals
        var parser = TableParser("CREATE TABLE t(\(SQL("\(name: name)").text) \(literals.text))")
        definition = parser.table(named: "t").columns.first ?? ColumnDefinition(name: name)
        definition.name = name
        // Thrown when the column is created: this initialiser cannot throw.
        if literals.failure != nil { definition.defaultValue = literals }
    }
}

/// Puts the columns of ``CreateTable`` together.
@resultBuilder
public enum ColumnDefsBuilder {
    public static func buildExpression(_ column: ColumnDef) -> [ColumnDef] { [column] }
    public static func buildBlock(_ columns: [ColumnDef]...) -> [ColumnDef] { columns.flatMap(\.self) }
    public static func buildArray(_ columns: [[ColumnDef]]) -> [ColumnDef] { columns.flatMap(\.self) }
    public static func buildOptional(_ columns: [ColumnDef]?) -> [ColumnDef] { columns ?? [] }
}
