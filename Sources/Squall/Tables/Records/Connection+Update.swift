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
        try table(Record.table).update(record, columns)
    }

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
        try table(Record.table).update(set: assignments, where: condition)
    }

    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: "write the condition, `{ … } where: { $0.id == 1 }`; `where: { _ in \"TRUE\" }` updates all rows"
    )
    public func update<Record: TableRecord>(
        _ type: Record.Type,
        @ListBuilder<Assignment> set assignments: (Columns<Record>) -> [Assignment] = { _ in [] }
    ) throws {
        throw SQLiteError.unavailableError
    }
}

extension Connection.TableAccess {
    /// Updates the row with the key of a record: `UPDATE "points" SET "label" = ? WHERE "points"."x" = ? AND "points"."y" = ?`.
    ///
    ///     try connection.table(points).update(point)             // all columns
    ///     try connection.table(points).update(point, \.label)    // one
    ///
    /// - Returns: Whether there is such a row. Of a view, `false`: SQLite does not count what its INSTEAD OF triggers change.
    /// - Throws: ``SQLiteError``, also for a table without a primary key, and for a record whose key is `nil`.
    @inlinable
    @discardableResult
    public func update(_ record: Record, _ columns: PartialKeyPath<Record>...) throws -> Bool {
        try update(record, columns)
    }

    // Generic code that nothing specialises looked up types for each record: 900 instructions (callgrind, 2026-11-23).
    @inlinable
    func update(_ record: Record, _ columns: [PartialKeyPath<Record>]) throws -> Bool {
        try core.requireKey()
        guard columns.isEmpty, !core.nonKeyBinders.isEmpty else { return try updateSome(record, columns) }
        try connection.run(core.updateSQL, with: record, core.nonKeyBinders, core.keyBinders)
        return try connection.changes > 0 || requireKeyUnlessFound(false, record)
    }

    @usableFromInline
    func updateSome(_ record: Record, _ columns: [PartialKeyPath<Record>]) throws -> Bool {
        // A table whose columns are all in the key has nothing to update. The result still says whether the row exists.
        if columns.isEmpty { return try requireKeyUnlessFound(hasRow(of: record), record) }
        let chosen = try columns.map { try core.requireColumn($0) }
        let assignments = chosen.map { "\(name: $0.name) = ?" as SQL }.joined(separator: ", ")
        let sql: SQL = "UPDATE \(name: core.name) SET \(assignments) WHERE \(core.keyCondition)"
        try connection.run(sql, with: record, chosen.map(\.write), core.keyBinders)
        return try requireKeyUnlessFound(connection.changes > 0, record)
    }

    private func hasRow(of record: Record) throws -> Bool {
        try connection.withUnboundStatement("SELECT 1 FROM \(name: core.name) WHERE \(core.keyCondition)") {
            statement in
            try statement.bind(record, core.keyBinders)
            return try statement.nextRow() != nil
        }
    }

    /// Updates the records that meet a condition: `UPDATE "points" SET "label" = ? WHERE …`.
    ///
    ///     try connection.table(points).update {
    ///         $0.label.set(to: "left")
    ///     } where: {
    ///         $0.x < 0
    ///     }
    ///
    /// The condition `"TRUE"` updates all rows.
    ///
    /// - Returns: The number of rows.
    /// - Throws: ``SQLiteError``: `SQLITE_CONSTRAINT` (19) when a row breaks a constraint.
    @discardableResult
    public func update(
        @ListBuilder<Assignment> set assignments: (Columns<Record>) -> [Assignment],
        where condition: (Columns<Record>) -> Condition
    ) throws -> Int {
        try connection.run(core.update(assignments, condition))
        return connection.changes
    }

    /// Passes on whether a row was found.
    ///
    /// - Throws: ``SQLiteError`` when none was found and the record has no key.
    @usableFromInline
    func requireKeyUnlessFound(_ isFound: Bool, _ record: Record) throws -> Bool {
        if !isFound { try core.requireKeyValue(of: record) }
        return isFound
    }
}

extension TableCore {
    package func update(
        _ assignments: (Columns<Record>) -> [Assignment], _ condition: (Columns<Record>) -> Condition
    ) throws -> SQL {
        try check()
        let list = inScope(assignments)
        guard !list.isEmpty else { throw SQLiteError(QueryProblem.noAssignments, of: .table(definition.name)) }
        return "UPDATE \(name: name) SET \(try list.checkedSQL()) WHERE \(inScope(condition).sql)"
    }
}
