extension Connection {
    /// Updates the row with the key of a record: `UPDATE "users" SET "name" = ?, "age" = ? WHERE "users"."id" = ?`.
    ///
    ///     try connection.update(user)                  // all columns
    ///     try connection.update(user, \.name, \.age)   // these
    ///
    /// - Returns: Whether there is such a row.
    /// - Throws: ``SQLiteError``, also for a table without a primary key, and for a record whose key is `nil`.
    @discardableResult
    public func update<Record: TableRecord>(_ record: Record, _ columns: PartialKeyPath<Record>...) throws -> Bool {
        try update(record, Record.table.core, columns)
    }

    /// Updates the row with the key of a record in a table.
    @discardableResult
    public func update<T: RecordTable>(
        _ record: T.Record, in table: T, _ columns: PartialKeyPath<T.Record>...
    ) throws -> Bool {
        try update(record, table.core, columns)
    }

    /// Deletes the row with the key of a record: `DELETE FROM "users" WHERE "users"."id" = ?`.
    ///
    /// - Returns: Whether there was such a row.
    /// - Throws: ``SQLiteError``, also for a table without a primary key, and for a record whose key is `nil`.
    @discardableResult
    public func delete<Record: TableRecord>(_ record: Record) throws -> Bool {
        try delete(record, from: Record.table)
    }

    /// Deletes the row with the key of a record from a table.
    @discardableResult
    public func delete<T: RecordTable>(_ record: T.Record, from table: T) throws -> Bool {
        let core = table.core
        try core.requireKey()
        try run(core.deleteSQL, with: record, core.keyWriters)
        return try isFound(record, core, changes > 0)
    }

    private func update<Record>(
        _ record: Record, _ core: TableCore<Record>, _ columns: [PartialKeyPath<Record>]
    ) throws -> Bool {
        try core.requireKey()
        if columns.isEmpty {
            // Of a table that is all key there is nothing to update; whether the row is there shows all the same.
            if core.nonKeyWriters.isEmpty { return try isFound(record, core, exists(record, core)) }
            try run(core.updateSQL, with: record, core.nonKeyWriters, core.keyWriters)
        } else {
            let chosen = try columns.map { try core.requireColumn($0) }
            let assignments = chosen.map { "\(name: $0.name) = ?" as SQL }.joined(separator: ", ")
            let sql: SQL = "UPDATE \(name: core.definition.name) SET \(assignments) WHERE \(core.keyCondition)"
            try run(sql, with: record, chosen.map(\.write), core.keyWriters)
        }
        return try isFound(record, core, changes > 0)
    }

    /// Whether there was a row. That there was none for a record without a key is a mistake of the program.
    private func isFound<Record>(_ record: Record, _ core: TableCore<Record>, _ isFound: Bool) throws -> Bool {
        if !isFound { try core.requireKeyValue(of: record) }
        return isFound
    }

    private func exists<Record>(_ record: Record, _ core: TableCore<Record>) throws -> Bool {
        let entry = try borrow("SELECT 1 FROM \(name: core.definition.name) WHERE \(core.keyCondition)")
        defer { self.return(entry) }
        try entry.statement.beginBinding(count: core.keyWriters.count)
        try withUnsafePointer(to: record) { try entry.statement.bindFields(core.keyWriters, of: $0) }
        return try entry.statement.nextRow() != nil
    }
}
