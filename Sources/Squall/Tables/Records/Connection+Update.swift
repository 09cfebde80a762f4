extension Connection {
    /// Updates the row with the key of a record: `UPDATE "users" SET "name" = ?, "age" = ? WHERE "users"."id" = ?`.
    ///
    ///     try connection.update(user)                  // all columns
    ///     try connection.update(user, \.name, \.age)   // these
    ///
    /// - Returns: Whether there is such a row. Of a view, `false`: SQLite does not count what its INSTEAD OF triggers change.
    /// - Throws: ``SQLiteError``, also for a table without a primary key, and for a record whose key is `nil`.
    @inlinable
    @discardableResult
    public func update<Record: TableRecord>(_ record: Record, _ columns: PartialKeyPath<Record>...) throws -> Bool {
        try update(record, Record.table.core, columns)
    }

    /// Updates the row with the key of a record in a table.
    ///
    /// - Returns: Whether there is such a row. Of a view, `false`: SQLite does not count what its INSTEAD OF triggers change.
    /// - Throws: ``SQLiteError``, also for a table without a primary key, and for a record whose key is `nil`.
    @inlinable
    @discardableResult
    public func update<T: RecordTable>(
        _ record: T.Record, in table: T, _ columns: PartialKeyPath<T.Record>...
    ) throws -> Bool {
        try update(record, table.core, columns)
    }

    // Generic code that nothing specialises looked up types for each record: 900 instructions (callgrind, 2026-11-23).
    @inlinable
    func update<Record>(
        _ record: Record, _ core: TableCore<Record>, _ columns: [PartialKeyPath<Record>]
    ) throws -> Bool {
        try core.requireKey()
        guard columns.isEmpty, !core.nonKeyBinders.isEmpty else { return try updateSome(record, core, columns) }
        try run(core.updateSQL, with: record, core.nonKeyBinders, core.keyBinders)
        return try changes > 0 || requireKeyUnlessFound(false, record, core)
    }

    @usableFromInline
    func updateSome<Record>(
        _ record: Record, _ core: TableCore<Record>, _ columns: [PartialKeyPath<Record>]
    ) throws -> Bool {
        // A table whose columns are all in the key has nothing to update. The result still says whether the row exists.
        if columns.isEmpty { return try requireKeyUnlessFound(exists(record, core), record, core) }
        let chosen = try columns.map { try core.requireColumn($0) }
        let assignments = chosen.map { "\(name: $0.name) = ?" as SQL }.joined(separator: ", ")
        let sql: SQL = "UPDATE \(name: core.name) SET \(assignments) WHERE \(core.keyCondition)"
        try run(sql, with: record, chosen.map(\.write), core.keyBinders)
        return try requireKeyUnlessFound(changes > 0, record, core)
    }

    private func exists<Record>(_ record: Record, _ core: TableCore<Record>) throws -> Bool {
        try withUnboundStatement("SELECT 1 FROM \(name: core.name) WHERE \(core.keyCondition)") {
            statement in
            try statement.bind(record, core.keyBinders)
            return try statement.nextRow() != nil
        }
    }
}

extension Connection {
    /// Updates the records that meet a condition: `UPDATE "users" SET "age" = "users"."age" + ? WHERE …`.
    ///
    ///     try connection.update(User.self) {
    ///         $0.age.set(to: $0.age + 1)
    ///     } where: {
    ///         $0.name == "Ada"
    ///     }
    ///
    /// The condition `"TRUE"` updates all rows.
    ///
    /// - Returns: The number of rows.
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a row breaks a constraint.
    @discardableResult
    public func update<Record: TableRecord>(
        _ type: Record.Type, @ListBuilder<Assignment> set assignments: (Columns<Record>) -> [Assignment],
        where condition: (Columns<Record>) -> Condition
    ) throws -> Int {
        try update(in: Record.table, set: assignments, where: condition)
    }

    /// Updates the records of a table that meet a condition.
    ///
    /// - Returns: The number of rows.
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a row breaks a constraint.
    @discardableResult
    public func update<T: RecordTable>(
        in table: T, @ListBuilder<Assignment> set assignments: (Columns<T.Record>) -> [Assignment],
        where condition: (Columns<T.Record>) -> Condition
    ) throws -> Int {
        try run(table.core.update(assignments, condition))
        return changes
    }
}

extension Connection {
    /// Passes on whether a row was found.
    ///
    /// - Throws: ``SQLiteError`` when none was found and the record has no key.
    @usableFromInline
    func requireKeyUnlessFound<Record>(_ isFound: Bool, _ record: Record, _ core: TableCore<Record>) throws -> Bool {
        if !isFound { try core.requireKeyValue(of: record) }
        return isFound
    }
}

extension TableCore {
    func update(
        _ assignments: (Columns<Record>) -> [Assignment], _ condition: (Columns<Record>) -> Condition
    ) throws -> SQL {
        try check()
        let list = inScope(assignments)
        guard !list.isEmpty else { throw SQLiteError(QueryProblem.noAssignments, of: .table(definition.name)) }
        return "UPDATE \(name: name) SET \(try list.checkedSQL()) WHERE \(inScope(condition).sql)"
    }
}
