// `prepare` in all the forms of `Connection+Query.swift`.

extension Connection {
    /// Prepares a statement of your own, outside the cache.
    ///
    ///     let insert = try connection.prepare("INSERT INTO cars VALUES(?, ?, ?)")
    ///     try insert.bind(1, "Audi", 52_642).run()
    ///
    /// Without values, the parameters are NULL until they are bound.
    ///
    /// - Throws: ``SQLiteError``: for SQL that is wrong, has no statement or more than one, and for a wrong number of
    ///   values.
    @inlinable
    public func prepare<each P: StatementParameter>(_ sql: SQL, _ parameters: repeat each P) throws -> Statement {
        let statement = try Statement(connection: self, sql: sql)
        var count = 0
        for _ in repeat (each P).self { count += 1 }
        guard count > 0 else { return statement }
        try refuseValues(beside: sql, given: count)
        return try statement.bind(repeat each parameters)
    }

    /// The same with a literal `nil`, or values of a type known only when the program runs.
    public func prepare(_ sql: SQL, _ first: (any Bindable)??, _ others: (any Bindable)??...) throws -> Statement {
        try prepare(sql, flattened(first, others))
    }

    /// The same with an array of values; an empty one binds nothing.
    public func prepare(_ sql: SQL, _ parameters: [(any Bindable)?]) throws -> Statement {
        let statement = try Statement(connection: self, sql: sql)
        guard !parameters.isEmpty else { return statement }
        try refuseValues(beside: sql, given: parameters.count)
        return try statement.bind(parameters)
    }

    /// The same with values by the names of the parameters, with or without their prefix: `["id": 1]`.
    public func prepare(_ sql: SQL, _ parameters: [String: (any Bindable)?]) throws -> Statement {
        let statement = try Statement(connection: self, sql: sql)
        guard !parameters.isEmpty else { return statement }
        try refuseValues(beside: sql, given: parameters.count)
        return try statement.bind(parameters)
    }
}
