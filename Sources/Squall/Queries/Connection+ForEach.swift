// `forEach` in all the forms of `Connection+Query.swift`.

extension Connection {
    /// Calls a function with each row, one at a time, in constant memory.
    ///
    ///     try connection.forEach("SELECT * FROM cars WHERE price > \(limit)") { row in print(row) }
    ///
    /// The statement comes from the cache. A row that the function keeps takes its values with it.
    ///
    /// - Throws: ``SQLiteError``, and what the function throws, which ends the query.
    @inlinable
    public func forEach<each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P, body: (Row) throws -> Void
    ) throws {
        try withStatement(sql, repeat each parameters) { try $0.forEach(body) }
    }

    /// Calls a closure with each row, until there are no more or the closure sets its second parameter to `true`.
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

    /// The same with a literal `nil`, or values of a type known only when the program runs.
    public func forEach(
        _ sql: SQL, _ first: (any Bindable)??, _ others: (any Bindable)??..., body: (Row) throws -> Void
    ) throws {
        try withStatement(sql, flattened(first, others)) { try $0.forEach(body) }
    }

    /// The same with an array of values.
    public func forEach(_ sql: SQL, _ parameters: [(any Bindable)?], body: (Row) throws -> Void) throws {
        try withStatement(sql, parameters) { try $0.forEach(body) }
    }

    /// The same with values by the names of the parameters, with or without their prefix: `["id": 1]`.
    public func forEach(_ sql: SQL, _ parameters: [String: (any Bindable)?], body: (Row) throws -> Void) throws {
        try withStatement(sql, parameters) { try $0.forEach(body) }
    }
}
