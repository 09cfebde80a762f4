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
        try table(Record.table).rows(sql, parameters.flattened)
    }

    /// Begins SQL with a list of values and returns a cursor over its rows as records.
    ///
    /// - Throws: ``SQLiteError`` for SQL that is wrong; ``ConversionError`` for a missing column.
    @_documentation(visibility: internal)
    public func rows<Record: TableRecord>(
        _ sql: SQL, _ list: some ParameterList, as type: Record.Type
    ) throws -> RowCursor<Record> {
        try table(Record.table).rows(sql, list)
    }
}

extension Connection.TableAccess {
    /// Begins SQL and returns a cursor over its rows as records, by the names of the columns.
    ///
    ///     var found = try connection.table(points).rows("SELECT * FROM points ORDER BY x")
    ///     while let point = try found.next() { print(point) }
    ///
    /// - Throws: ``SQLiteError`` for SQL that is wrong; ``ConversionError`` for a missing column.
    public func rows(_ sql: SQL, _ parameters: (any Bindable)??...) throws -> RowCursor<Record> {
        try rows(sql, parameters.flattened)
    }

    /// Begins SQL with a list of values and returns a cursor over its rows as records.
    ///
    /// - Throws: ``SQLiteError`` for SQL that is wrong; ``ConversionError`` for a missing column.
    @_documentation(visibility: internal)
    public func rows(_ sql: SQL, _ list: some ParameterList) throws -> RowCursor<Record> {
        let cursor = try connection.cursor(sql, list)
        var reader = NamedRecordReader(try core.checked())
        try cursor.check(reader.checkColumns)
        return RowCursor(cursor) { try reader.read($0) }
    }
}
