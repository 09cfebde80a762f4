// Writes that return what they have written: `… RETURNING …`, SQLite 3.35 and later.

extension Connection {
    /// Inserts a record, and returns it as the table has it then, with its key and its generated columns:
    /// `INSERT INTO "users"(…) VALUES(…) RETURNING "id", "name"`.
    ///
    ///     let stored = try connection.insertReturning(User(id: nil, name: "Cy", email: nil, age: 3))
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit the record.
    public func insertReturning<Record: TableRecord>(_ record: Record) throws -> Record {
        try insertReturning(record, into: Record.table)
    }

    /// Inserts a record into a table, and returns it as the table has it then.
    public func insertReturning<T: RecordTable>(_ record: T.Record, into table: T) throws -> T.Record {
        let core = table.core
        try core.check()
        let entry = try borrow(core.insertSQL + core.returning)
        defer { self.return(entry) }
        try entry.statement.beginBinding(count: core.writers.count)
        try withUnsafePointer(to: record) { try entry.statement.bindFields(core.writers, of: $0) }
        guard let row = try entry.statement.nextRow() else { throw entry.statement.noRowError(expected: T.Record.self) }
        return try core.reader.read(row)
    }

    /// Updates the records with a condition, and returns them as they are then: `UPDATE … RETURNING …`.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit the record, which is then changed all the
    ///   same: a transaction around it undoes that.
    public func updateReturning<Record: TableRecord>(
        _ type: Record.Type, @ListBuilder<Assignment> set assignments: (Columns<Record>) -> [Assignment],
        where condition: (Columns<Record>) -> Condition
    ) throws -> [Record] {
        try updateReturning(in: Record.table, set: assignments, where: condition)
    }

    /// Updates the records with a condition in a table, and returns them as they are then.
    public func updateReturning<T: RecordTable>(
        in table: T, @ListBuilder<Assignment> set assignments: (Columns<T.Record>) -> [Assignment],
        where condition: (Columns<T.Record>) -> Condition
    ) throws -> [T.Record] {
        let core = table.core
        return try withStatement(core.update(assignments, condition) + core.returning) { try $0.readAll(core.reader) }
    }

    /// Deletes the records with a condition, and returns them: `DELETE … RETURNING …`.
    ///
    /// - Throws: As ``updateReturning(_:set:where:)`` does.
    public func deleteReturning<Record: TableRecord>(
        _ type: Record.Type, where condition: (Columns<Record>) -> Condition
    ) throws -> [Record] {
        try deleteReturning(from: Record.table, where: condition)
    }

    /// Deletes the records with a condition from a table, and returns them.
    public func deleteReturning<T: RecordTable>(
        from table: T, where condition: (Columns<T.Record>) -> Condition
    ) throws -> [T.Record] {
        let core = table.core
        return try withStatement(core.delete(condition) + core.returning) { try $0.readAll(core.reader) }
    }
}

extension TableCore {
    /// ` RETURNING "users"."id", "users"."name"`
    fileprivate var returning: SQL { " RETURNING " + columns.map(\.reference).joined(separator: ", ") }
}
