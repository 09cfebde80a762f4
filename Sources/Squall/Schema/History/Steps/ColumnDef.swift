/// A column of ``CreateTable`` or ``AddColumn``.
///
///     ColumnDef("name", String?.self)               // "name" TEXT
///     ColumnDef("email", String.self, .unique)      // "email" TEXT NOT NULL UNIQUE
///     ColumnDef("price", sql: "DECIMAL DEFAULT 0")  // "price" DECIMAL DEFAULT 0
public struct ColumnDef: Sendable {
    var definition: ColumnDefinition

    /// Declares a column by a Swift type, which decides the type of the column and whether it is `NOT NULL`.
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
        let now = InsertTime.sql(of: Value.ColumnBase.self)
        for constraint in constraints {
            constraint.apply(to: &definition, now: now) { SQL(parameter: $0).withLiterals }
        }
        definition.checkDefault(of: Value.ColumnBase.self, now: now) {
            SQL(parameter: try Value.fromArgument($0)).parameters.first ?? .null
        }
        // SQLite assigns such a key for NULL, even if it is declared `NOT NULL`.
        if definition.primaryKey != nil, definition.type == "INTEGER" { definition.notNull = nil }
    }

    /// Declares a column in SQL, without its name: `ColumnDef("price", sql: "DECIMAL(10, 2) DEFAULT 0")`.
    public init(_ name: String, sql: SQL) {
        let clauses = sql.withLiterals
        // The line break keeps the closing parenthesis out of a trailing comment.
        var parser = TableParser("CREATE TABLE t(\(SQL("\(name: name)").text) \(clauses.text)\n)")
        let table = parser.table(named: "t")
        definition = table.columns.first ?? ColumnDefinition(name: name)
        definition.name = name
        let isOne = table.columns.count == 1 && table.constraints.isEmpty
        if clauses.failure != nil || parser.fault != nil || !isOne {
            // The step that creates or adds the column throws this error.
            let reason =
                "the column \"\(name)\" is not understood, \(parser.fault ?? "it is not one column"): \(clauses.text)"
            definition.checks.append(.init(condition: clauses.failure == nil ? .refused(reason) : clauses))
        }
    }
}
