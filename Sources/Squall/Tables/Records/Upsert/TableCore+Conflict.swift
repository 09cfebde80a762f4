extension TableCore {
    /// Returns the insert of a record with an action for a row that would break a unique constraint.
    ///
    /// - Parameters:
    ///   - columns: The columns of the constraint; empty for the primary key.
    ///   - action: Returns the action: `NOTHING` or `UPDATE SET …`. It is given the names of the columns.
    package func insertion(
        onConflict columns: [PartialKeyPath<Record>], action: ([String]) throws -> SQL
    ) throws -> RecordInsertSQL {
        let target = try conflictTarget(columns)
        return RecordInsertSQL(
            insert: insertSQL, conflict: " ON CONFLICT(\(names: target)) DO \(try action(target))",
            requiresKey: keys.contains { target.contains($0.name) }
        )
    }

    /// Returns the names of the columns of a unique constraint; those of the primary key for no columns.
    func conflictTarget(_ columns: [PartialKeyPath<Record>]) throws -> [String] {
        try columns.isEmpty ? requireKey() : check()
        return try columns.isEmpty ? keys.map(\.name) : columns.map { try requireColumn($0).name }
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
