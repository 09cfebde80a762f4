// Statements that return the rows that they write: `… RETURNING …`.

extension Connection {
    /// Inserts a record and returns the stored row, with its key and its generated columns:
    /// `INSERT INTO "users"(…) VALUES(…) RETURNING "id", "name"`.
    ///
    ///     let stored = try connection.insertReturning(
    ///         User(id: nil, name: "Cy", email: nil, age: 3))
    ///
    /// It is the row before the AFTER triggers of the table, which SQLite runs later: what they change in it is not returned.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit the record.
    public func insertReturning<Record: TableRecord>(_ record: Record) throws -> Record {
        try insertReturning(record, into: Record.table)
    }

    /// Inserts a record into a table and returns the stored row.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit the record.
    public func insertReturning<T: RecordTable>(_ record: T.Record, into table: T) throws -> T.Record {
        let core = table.core
        try core.check()
        return try withUnboundStatement(core.insertSQL + core.returning) { statement in
            try statement.bind(record, core.binders)
            guard let row = try statement.nextRow() else { throw statement.noRowError(expected: T.Record.self) }
            return try core.reader.read(row)
        }
    }

    /// Updates the records that meet a condition and returns the updated rows: `UPDATE … RETURNING …`.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit the record. The rows are changed even
    ///   then; a transaction around the call undoes it.
    public func updateReturning<Record: TableRecord>(
        _ type: Record.Type, @ListBuilder<Assignment> set assignments: (Columns<Record>) -> [Assignment],
        where condition: (Columns<Record>) -> Condition
    ) throws -> [Record] {
        try updateReturning(in: Record.table, set: assignments, where: condition)
    }

    /// Updates the records of a table that meet a condition and returns the updated rows.
    ///
    /// - Throws: As ``updateReturning(_:set:where:)`` does.
    public func updateReturning<T: RecordTable>(
        in table: T, @ListBuilder<Assignment> set assignments: (Columns<T.Record>) -> [Assignment],
        where condition: (Columns<T.Record>) -> Condition
    ) throws -> [T.Record] {
        let core = table.core
        return try withStatement(core.update(assignments, condition) + core.returning) { try $0.readAll(core.reader) }
    }

    /// Deletes the records that meet a condition and returns them: `DELETE … RETURNING …`.
    ///
    /// - Throws: As ``updateReturning(_:set:where:)`` does.
    public func deleteReturning<Record: TableRecord>(
        _ type: Record.Type, where condition: (Columns<Record>) -> Condition
    ) throws -> [Record] {
        try deleteReturning(from: Record.table, where: condition)
    }

    /// Deletes the records of a table that meet a condition and returns them.
    ///
    /// - Throws: As ``updateReturning(_:set:where:)`` does.
    public func deleteReturning<T: RecordTable>(
        from table: T, where condition: (Columns<T.Record>) -> Condition
    ) throws -> [T.Record] {
        let core = table.core
        return try withStatement(core.deleteSQL(where: condition) + core.returning) { try $0.readAll(core.reader) }
    }
}

extension TableCore {
    /// ` RETURNING "users"."id", "users"."name"`
    fileprivate var returning: SQL { " RETURNING " + columns.map(\.reference).joined(separator: ", ") }
}
