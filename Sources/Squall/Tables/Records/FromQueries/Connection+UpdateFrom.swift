extension Connection {
    /// Updates records with the rows of another table: `UPDATE "orders" SET "name" = "customers"."name" FROM "customers" WHERE …`.
    ///
    ///     try connection.update(Order.self, from: Customer.self) { order, customer in
    ///         order.name.set(to: customer.name)
    ///     } where: { order, customer in
    ///         order.customer == customer.id
    ///     }
    ///
    /// If several rows of the other table meet the condition for one record, SQLite uses one of them.
    ///
    /// - Parameters:
    ///   - type: The type of the records to update.
    ///   - source: The type of the records of the other table, which can be the same one.
    ///   - assignments: The columns to set, and their values.
    ///   - condition: The condition that pairs the rows of both tables.
    /// - Returns: The number of rows.
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a row breaks a constraint.
    @discardableResult
    public func update<Record: TableRecord, Source: TableRecord>(
        _ type: Record.Type, from source: Source.Type,
        @ListBuilder<TargetAssignment<Record>> set assignments: (UpdateTarget<Record>, Columns<Source>) ->
            [TargetAssignment<Record>],
        where condition: (Columns<Record>, Columns<Source>) -> Condition
    ) throws -> Int {
        try table(Record.table).update(from: Source.table, set: assignments, where: condition)
    }
}

extension Connection.TableAccess {
    /// Updates records with the rows of another table: `UPDATE "points" SET "label" = "names"."label" FROM "names" WHERE …`.
    ///
    /// If several rows of the other table meet the condition for one record, SQLite uses one of them.
    ///
    /// - Parameters:
    ///   - source: The other table, which can be the same one.
    ///   - assignments: The columns to set, and their values.
    ///   - condition: The condition that pairs the rows of both tables.
    /// - Returns: The number of rows.
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a row breaks a constraint.
    @discardableResult
    public func update<Source: RecordTable>(
        from source: Source,
        @ListBuilder<TargetAssignment<Record>> set assignments: (UpdateTarget<Record>, Columns<Source.Record>) ->
            [TargetAssignment<Record>],
        where condition: (Columns<Record>, Columns<Source.Record>) -> Condition
    ) throws -> Int {
        let other = source.core
        try core.check()
        try other.check()
        let alias = Identifier(other.name) == Identifier(core.name) ? "\(other.name)_2" : nil
        let (columns, others) = (Columns(core: core, alias: nil), Columns(core: other, alias: alias))
        let names = [core.name, alias ?? other.name]
        let list = QueryScope.run(names: names) { assignments(UpdateTarget(columns: columns), others) }.map(
            \.assignment)
        guard !list.isEmpty else { throw SQLiteError(QueryProblem.noAssignments, of: .table(core.definition.name)) }
        let from: SQL = alias.map { "\(name: other.name) AS \(name: $0)" } ?? "\(name: other.name)"
        try connection.run(
            """
            UPDATE \(name: core.definition.name) SET \(try list.checkedSQL()) FROM \(from) \
            WHERE \(QueryScope.run(names: names) { condition(columns, others) }.sql)
            """
        )
        return connection.changes
    }
}
