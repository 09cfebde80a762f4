// `run` in all the forms of `Connection+Query.swift`.

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

    /// The same with a literal `nil`, or values of a type known only when the program runs.
    public func run(_ sql: SQL, _ first: (any Bindable)??, _ others: (any Bindable)??...) throws {
        try withStatement(sql, flattened(first, others)) { _ = try $0.run() }
    }

    /// The same with an array of values.
    public func run(_ sql: SQL, _ parameters: [(any Bindable)?]) throws {
        try withStatement(sql, parameters) { _ = try $0.run() }
    }

    /// The same with values by the names of the parameters, with or without their prefix: `["id": 1]`.
    public func run(_ sql: SQL, _ parameters: [String: (any Bindable)?]) throws {
        try withStatement(sql, parameters) { _ = try $0.run() }
    }
}
