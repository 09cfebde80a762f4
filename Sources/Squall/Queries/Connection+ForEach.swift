// `forEach` with the three ways to give values of `Forms/Connection+QueryValues.swift`.

extension Connection {
    /// Calls a closure with each row, one at a time, in constant memory.
    ///
    ///     try connection.forEach("SELECT * FROM cars WHERE price > \(limit)") { row in
    ///         print(row)
    ///     }
    ///
    /// The statement comes from the cache. A row that the closure keeps takes its values with it.
    ///
    /// - Throws: ``SQLiteError``, and what the closure throws, which ends the query.
    @inlinable
    public func forEach<each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P, body: (Row) throws -> Void
    ) throws {
        try withStatement(sql, repeat each parameters) { try $0.forEach(body) }
    }

    /// Calls a closure with each row, until the rows end or the closure sets its second parameter to `true`.
    ///
    ///     try connection.forEach("SELECT * FROM cars ORDER BY price") { car, stop in
    ///         print(car)
    ///         stop = try car.get("price") > limit
    ///     }
    ///
    /// The statement comes from the cache. A row that the closure keeps takes its values with it.
    ///
    /// - Throws: ``SQLiteError``, and what the closure throws, which ends the query.
    @inlinable
    public func forEach<each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P, body: (Row, _ stop: inout Bool) throws -> Void
    ) throws {
        try withStatement(sql, repeat each parameters) { try $0.forEach(body) }
    }

    /// Calls a closure with each row of a query with a literal `nil` among its values, or values of a type known only when the
    /// program runs.
    ///
    /// - Throws: ``SQLiteError``; the error of the closure, which ends the query.
    @_documentation(visibility: internal)
    public func forEach(
        _ sql: SQL, _ first: (any Bindable)??, _ others: (any Bindable)??..., body: (Row) throws -> Void
    ) throws {
        try withStatement(sql, ([first] + others).flattened) { try $0.forEach(body) }
    }

    /// Calls a closure with each row of a query with a list of values: in order, or by the names of the parameters.
    ///
    /// - Throws: ``SQLiteError``, also for a name that no parameter has and a parameter without a value; the error of the
    ///   closure, which ends the query.
    @_documentation(visibility: internal)
    public func forEach(_ sql: SQL, _ list: some ParameterList, body: (Row) throws -> Void) throws {
        try withStatement(sql, list) { try $0.forEach(body) }
    }
}
