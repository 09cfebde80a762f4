// `prepare` with the three ways to give values of `Forms/Connection+QueryValues.swift`.

extension Connection {
    /// Prepares a statement that belongs to the caller, outside the cache.
    ///
    ///     let insert = try connection.prepare("INSERT INTO cars VALUES(?, ?, ?)")
    ///     try insert.bind(1, "Audi", 52_642).run()
    ///
    /// Without values, the statement runs only after its parameters are bound.
    ///
    /// - Throws: ``SQLiteError``: for SQL that is wrong, has no statement or more than one, and for a wrong number of
    ///   values.
    @inlinable
    public func prepare<each P: StatementParameter>(_ sql: SQL, _ parameters: repeat each P) throws -> Statement {
        let statement = try Statement(connection: self, sql: sql)
        let count = packCount(repeat (each P).self)
        guard count > 0 else { return statement }
        try refuseValues(beside: sql, given: count)
        return try statement.bind(repeat each parameters)
    }

    /// Prepares a statement with a literal `nil` among its values, or values of a type known only when the program runs.
    ///
    /// - Throws: ``SQLiteError``: for SQL that is wrong, has no statement or more than one, and for a wrong number of
    ///   values.
    @_documentation(visibility: internal)
    public func prepare(_ sql: SQL, _ first: (any Bindable)??, _ others: (any Bindable)??...) throws -> Statement {
        try prepare(sql, ([first] + others).flattened)
    }

    /// Prepares a statement with a list of values: in order, or by the names of the parameters, with or without their prefix:
    /// `["id": 1]`. An empty list binds nothing.
    ///
    /// - Throws: ``SQLiteError``: for SQL that is wrong, has no statement or more than one, for a wrong number of values, a
    ///   name that no parameter has, and a parameter without a value.
    @_documentation(visibility: internal)
    public func prepare(_ sql: SQL, _ list: some ParameterList) throws -> Statement {
        let statement = try Statement(connection: self, sql: sql)
        let count = list.listedValues.count
        guard count > 0 else { return statement }
        try refuseValues(beside: sql, given: count)
        return try statement.bind(list)
    }
}
