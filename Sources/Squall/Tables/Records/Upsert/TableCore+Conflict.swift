/// The unique constraint or index by which an upsert finds the row that is there: `("team", lower(email)) WHERE deleted IS NULL`.
struct ConflictTarget<Record> {
    /// The properties of the columns. Without them and an expression, it is the primary key.
    let columns: [PartialKeyPath<Record>]
    let expression: SQL?
    /// The condition of a partial index.
    let condition: ((Columns<Record>) -> Condition)?
}

/// The columns in a closure that follows an upsert without a label, where it could be the condition of an index or that of an update. Its
/// use does not compile.
@_documentation(visibility: internal)
@dynamicMemberLookup
public struct UnlabelledColumns<Record>: Sendable {
    @available(*, unavailable, message: "write the label of the index's condition: `indexWhere: { … }`")
    public subscript<Value>(dynamicMember keyPath: KeyPath<Record, Value>) -> Expr<Value> { Expr("NULL") }
}

/// Passes on the expression of a RETURNING clause, and explains the error for anything else.
@_documentation(visibility: internal)
@resultBuilder
public enum ReturningBuilder {
    @_documentation(visibility: internal)
    public static func buildExpression<Value>(_ expression: Expr<Value>) -> Expr<Value> { expression }

    @_documentation(visibility: internal)
    @available(*, unavailable, message: "return one column, such as the key, and read the rows by it")
    @_disfavoredOverload
    public static func buildExpression<Other>(_ other: Other) -> Expr<Int> { Expr("NULL") }

    @_documentation(visibility: internal)
    public static func buildBlock<Value>(_ expression: Expr<Value>) -> Expr<Value> { expression }
}

extension TableCore {
    /// Returns the insert of a record with an action for a row that would break a unique constraint.
    ///
    /// - Parameters:
    ///   - columns: The columns of the constraint; empty for the primary key.
    ///   - action: Returns the action: `NOTHING` or `UPDATE SET …`. It is given the names of the columns.
    package func insertion(
        onConflict columns: [PartialKeyPath<Record>], action: ([String]) throws -> SQL
    ) throws -> RecordInsertSQL {
        try insertion(
            onConflict: ConflictTarget(columns: columns, expression: nil, condition: nil), action: action)
    }

    /// Returns the insert of a record with an action for a row that would break a unique constraint or index.
    func insertion(
        onConflict target: ConflictTarget<Record>, action: ([String]) throws -> SQL
    ) throws -> RecordInsertSQL {
        let isKey = target.columns.isEmpty && target.expression == nil
        try isKey ? requireKey() : check()
        let names = try isKey ? keys.map(\.name) : target.columns.map { try requireColumn($0).name }
        var terms = names.map { "\(name: $0)" as SQL }
        if let expression = target.expression {
            terms.append(expression.expression(named: "the target of the conflict"))
        }
        // With literals: SQLite compares the condition with that of the index before values are bound.
        let rows: SQL = target.condition.map { " WHERE \(inScope($0).sql.withLiterals)" } ?? ""
        return RecordInsertSQL(
            insert: insertSQL,
            conflict: " ON CONFLICT(\(terms.joined(separator: ", ")))\(rows) DO \(try action(names))",
            requiresKey: keys.contains { names.contains($0.name) }
        )
    }

    /// Returns `UPDATE SET "name" = excluded."name"`, for all columns but those of the constraint and of the primary key; `NOTHING`
    /// without other columns.
    package func updateOfConflict(_ target: [String]) -> SQL {
        let kept = Set(target + keys.map(\.name))
        let names = columns.filter { $0.definition.generated == nil }.map(\.name).filter { !kept.contains($0) }
        return names.isEmpty ? "NOTHING" : .updateOfConflict(definition.name, SQL.excluded(names))
    }

    /// Returns `UPDATE SET "hits" = "pages"."hits" + ? WHERE …`
    func updateOfConflict(
        _ assignments: (UpsertColumns<Record>) -> [Assignment], _ condition: ((UpsertColumns<Record>) -> Condition)?
    ) throws -> SQL {
        let list = inUpsertScope(assignments)
        guard !list.isEmpty else { throw SQLiteError(QueryProblem.noAssignments, of: .table(definition.name)) }
        let rows: SQL = condition.map { " WHERE \(inUpsertScope($0).sql)" } ?? ""
        return .updateOfConflict(definition.name, try list.checkedSQL()) + rows
    }

    /// Runs a closure of an upsert. Queries that begin in it are subqueries.
    private func inUpsertScope<Result>(_ body: (UpsertColumns<Record>) -> Result) -> Result {
        QueryScope.run(names: [name, "excluded"]) { body(UpsertColumns(core: self)) }
    }

    /// ` RETURNING "users"."id"`
    func returning<Value>(_ expression: Expr<Value>) -> SQL { " RETURNING \(expression.sql)" }
}
