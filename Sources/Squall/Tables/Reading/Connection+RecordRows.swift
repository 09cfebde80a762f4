// `rows` for records and for typed queries.

extension Connection {
    /// Begins a typed query and returns a cursor over its rows.
    ///
    ///     var users = try connection.rows(User.where { $0.age > 17 })
    ///     while let user = try users.next() { print(user.name) }
    ///
    /// - Throws: ``SQLiteError`` for a query that is wrong.
    @inlinable
    public func rows<Output>(_ query: some Selection<Output>) throws -> RowCursor<Output> {
        let select = query.select
        return RowCursor(try cursor(select.sql)) { try select.reader.read($0) }
    }

    /// Begins SQL and returns a cursor over its rows as records, by the names of the columns.
    ///
    ///     var users = try connection.rows("SELECT * FROM users ORDER BY age", as: User.self)
    ///     while let user = try users.next() { if user.age > 17 { break } }
    ///
    /// - Throws: ``SQLiteError`` for SQL that is wrong; ``ConversionError`` for a missing column.
    public func rows<Record: TableRecord>(
        _ sql: SQL, _ parameters: (any Bindable)??..., as type: Record.Type
    ) throws -> RowCursor<Record> {
        try rows(of: Record.table, sql, parameters.flattened)
    }

    /// Begins SQL with a list of values and returns a cursor over its rows as records.
    ///
    /// - Throws: ``SQLiteError`` for SQL that is wrong; ``ConversionError`` for a missing column.
    @_documentation(visibility: internal)
    public func rows<Record: TableRecord>(
        _ sql: SQL, _ list: some ParameterList, as type: Record.Type
    ) throws -> RowCursor<Record> {
        try rows(of: Record.table, sql, list)
    }

    /// Begins SQL and returns a cursor over its rows as records of a table, by the names of the columns.
    ///
    /// - Throws: ``SQLiteError`` for SQL that is wrong; ``ConversionError`` for a missing column.
    public func rows<T: RecordTable>(
        _ sql: SQL, _ parameters: (any Bindable)??..., from table: T
    ) throws -> RowCursor<T.Record> {
        try rows(of: table, sql, parameters.flattened)
    }

    private func rows<T: RecordTable>(of table: T, _ sql: SQL, _ list: some ParameterList) throws -> RowCursor<T.Record>
    {
        let core = try table.core.checked()
        let cursor = try cursor(sql, list)
        var reader = NamedRecordReader(core)
        try cursor.check(reader.checkColumns)
        return RowCursor(cursor) { try reader.read($0) }
    }
}
