// `run` with the three ways to give values of `Forms/Connection+QueryValues.swift`.

extension Connection {
    /// Runs one statement. Rows that it returns are dropped.
    ///
    ///     try connection.run("INSERT INTO cars VALUES(?, ?, ?)", 1, "Audi", 52_642)
    ///     try connection.run("DELETE FROM cars WHERE price > \(limit)")
    ///
    /// The statement comes from the cache.
    ///
    /// - Throws: ``SQLiteError``: for SQL that is wrong, has no statement or more than one, for a wrong number of values,
    ///   and for what SQLite refuses.
    @inlinable
    public func run<each P: StatementParameter>(_ sql: SQL, _ parameters: repeat each P) throws {
        try withStatement(sql, repeat each parameters) { _ = try $0.run() }
    }

    /// Runs one statement with a literal `nil` among its values, or values of a type known only when the program runs.
    ///
    /// - Throws: ``SQLiteError``: for SQL that is wrong, has no statement or more than one, for a wrong number of values,
    ///   and for what SQLite refuses.
    @_documentation(visibility: internal)
    public func run(_ sql: SQL, _ first: (any Bindable)??, _ others: (any Bindable)??...) throws {
        try withStatement(sql, ([first] + others).flattened) { _ = try $0.run() }
    }

    /// Runs one statement with a list of values: in order, or by the names of the parameters, with or without their prefix:
    /// `["id": 1]`.
    ///
    /// - Throws: ``SQLiteError``: for SQL that is wrong, has no statement or more than one, for a wrong number of values, a
    ///   name that no parameter has, a parameter without a value, and for what SQLite refuses.
    @_documentation(visibility: internal)
    public func run(_ sql: SQL, _ list: some ParameterList) throws {
        try withStatement(sql, list) { _ = try $0.run() }
    }
}
