// Updates and deletions of the rows with a condition; of all rows with the condition `"TRUE"`.

extension Connection {
    /// Updates the records with a condition: `UPDATE "users" SET "age" = "users"."age" + ? WHERE …`.
    ///
    ///     try connection.update(User.self) { $0.age.set(to: $0.age + 1) } where: { $0.name == "Ada" }
    ///
    /// - Returns: The number of rows.
    /// - Throws: ``SQLiteError``.
    @discardableResult
    public func update<Record: TableRecord>(
        _ type: Record.Type, @ListBuilder<Assignment> set assignments: (Columns<Record>) -> [Assignment],
        where condition: (Columns<Record>) -> Condition
    ) throws -> Int {
        try update(in: Record.table, set: assignments, where: condition)
    }

    /// Updates the records with a condition in a table.
    @discardableResult
    public func update<T: RecordTable>(
        in table: T, @ListBuilder<Assignment> set assignments: (Columns<T.Record>) -> [Assignment],
        where condition: (Columns<T.Record>) -> Condition
    ) throws -> Int {
        try run(table.core.update(assignments, condition))
        return changes
    }

    /// Deletes the records with a condition: `DELETE FROM "users" WHERE …`.
    ///
    ///     try connection.delete(User.self) { $0.age < 18 }
    ///
    /// - Returns: The number of rows.
    /// - Throws: ``SQLiteError``.
    @discardableResult
    public func delete<Record: TableRecord>(
        _ type: Record.Type, where condition: (Columns<Record>) -> Condition
    ) throws -> Int {
        try delete(from: Record.table, where: condition)
    }

    /// Deletes the records with a condition from a table.
    @discardableResult
    public func delete<T: RecordTable>(from table: T, where condition: (Columns<T.Record>) -> Condition) throws -> Int {
        try run(table.core.delete(condition))
        return changes
    }
}

extension TableCore {
    func update(
        _ assignments: (Columns<Record>) -> [Assignment], _ condition: (Columns<Record>) -> Condition
    ) throws -> SQL {
        try check()
        let list = assignments(source).map(\.sql)
        guard !list.isEmpty else { throw SQLiteError.misuse(.noAssignments(table: definition.name)) }
        return "UPDATE \(name: definition.name) SET \(list.joined(separator: ", ")) WHERE \(condition(source).sql)"
    }

    func delete(_ condition: (Columns<Record>) -> Condition) throws -> SQL {
        try check()
        return "DELETE FROM \(name: definition.name) WHERE \(condition(source).sql)"
    }
}
