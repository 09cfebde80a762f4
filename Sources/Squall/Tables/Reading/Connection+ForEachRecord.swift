extension Connection {
    /// Calls a function with each row of a query, one at a time, in constant memory.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError``; what the function throws, which ends the query.
    @inlinable
    public func forEach<Output>(_ query: some Selection<Output>, body: (Output) throws -> Void) throws {
        let select = query.select
        try withStatement(select.sql) { statement in
            try statement.forEachRow { try body(try select.reader.read($0)) }
        }
    }

    /// Calls a function with each record, one at a time, in constant memory.
    ///
    ///     try connection.forEach(User.self, where: { $0.age > 17 }) { user in … }
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError``; what the function throws, which ends the query.
    @inlinable
    public func forEach<Record: TableRecord>(
        _ type: Record.Type, where condition: ((Columns<Record>) -> Condition)? = nil,
        body: (Record) throws -> Void
    ) throws {
        try table(Record.table).forEach(where: condition, body: body)
    }
}

extension Connection.TableAccess {
    /// Calls a function with each record, one at a time, in constant memory.
    ///
    ///     try connection.table(points).forEach(where: { $0.x > 3 }) { point in … }
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError``; what the function throws, which ends the query.
    @inlinable
    public func forEach(
        where condition: ((Columns<Record>) -> Condition)? = nil, body: (Record) throws -> Void
    ) throws {
        try connection.withStatement(try core.select(where: condition)) { statement in
            try statement.forEachRow { try body(try core.reader.read($0)) }
        }
    }
}
