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
        try table(Record.table).insertReturning(record)
    }

    /// Updates the records that meet a condition and returns the updated rows: `UPDATE … RETURNING …`.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit the record. The rows are changed even
    ///   then; a transaction around the call undoes it.
    public func updateReturning<Record: TableRecord>(
        _ type: Record.Type, @ListBuilder<Assignment> set assignments: (Columns<Record>) -> [Assignment],
        where condition: (Columns<Record>) -> Condition
    ) throws -> [Record] {
        try table(Record.table).updateReturning(set: assignments, where: condition)
    }

    /// Deletes the records that meet a condition and returns them: `DELETE … RETURNING …`.
    ///
    /// - Throws: As ``updateReturning(_:set:where:)`` does.
    public func deleteReturning<Record: TableRecord>(
        _ type: Record.Type, where condition: (Columns<Record>) -> Condition
    ) throws -> [Record] {
        try table(Record.table).deleteReturning(where: condition)
    }
}

extension Connection.TableAccess {
    /// Inserts a record and returns the stored row, with its key and its generated columns:
    /// `INSERT INTO "points"(…) VALUES(…) RETURNING "x", "y"`.
    ///
    /// It is the row before the AFTER triggers of the table, which SQLite runs later: what they change in it is not returned.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit the record.
    public func insertReturning(_ record: Record) throws -> Record {
        try core.check()
        return try connection.withUnboundStatement(core.insertSQL + core.returning) { statement in
            try statement.bind(record, core.binders)
            guard let row = try statement.nextRow() else { throw statement.noRowError(expected: Record.self) }
            return try core.reader.read(row)
        }
    }

    /// Updates the records that meet a condition and returns the updated rows: `UPDATE … RETURNING …`.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit the record. The rows are changed even
    ///   then; a transaction around the call undoes it.
    public func updateReturning(
        @ListBuilder<Assignment> set assignments: (Columns<Record>) -> [Assignment],
        where condition: (Columns<Record>) -> Condition
    ) throws -> [Record] {
        try connection.withStatement(core.update(assignments, condition) + core.returning) {
            try $0.readAll(core.reader)
        }
    }

    /// Deletes the records that meet a condition and returns them: `DELETE … RETURNING …`.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit the record. The rows are deleted even
    ///   then; a transaction around the call undoes it.
    public func deleteReturning(where condition: (Columns<Record>) -> Condition) throws -> [Record] {
        try connection.withStatement(core.deleteSQL(where: condition) + core.returning) { try $0.readAll(core.reader) }
    }
}

extension TableCore {
    /// ` RETURNING "users"."id", "users"."name"`
    fileprivate var returning: SQL { " RETURNING " + columns.map(\.reference).joined(separator: ", ") }
}
