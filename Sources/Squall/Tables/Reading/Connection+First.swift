extension Connection {
    /// Returns the first row of a query, or `nil` when there is none.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit.
    @inlinable
    public func first<Output>(_ query: some Selection<Output>) throws -> Output? {
        let select = query.select
        return try withStatement(select.sql) { try $0.nextRow().map { try select.reader.read($0) } }
    }

    /// Returns the first record, or `nil` when there is none: `SELECT … FROM "users" WHERE … LIMIT 1`.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit the record.
    @inlinable
    public func first<Record: TableRecord>(
        _ type: Record.Type, where condition: ((Columns<Record>) -> Condition)? = nil
    ) throws -> Record? {
        try table(Record.table).first(where: condition)
    }
}

extension Connection.TableAccess {
    /// Returns the first record, or `nil` when there is none: `SELECT … FROM "points" WHERE … LIMIT 1`.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit the record.
    @inlinable
    public func first(where condition: ((Columns<Record>) -> Condition)? = nil) throws -> Record? {
        try connection.withStatement(core.select(where: condition) + " LIMIT 1") { try $0.readFirst(core) }
    }
}
