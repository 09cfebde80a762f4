// `query` with a closure for each row.
//
// With a literal `nil` or a list of values, the closure can be omitted: these overloads then return `Row?` and `[Row]`. The unused
// parameter `all` makes the compiler prefer the overload for the first row. It is `Void`: a type with `T` would prevent inferring
// `T` from the default closure.
//
// SQiftCompatibility has the overloads for dictionaries with a literal `nil` or a list, those whose closure takes the dictionary
// built so far, and those of a statement.

extension Connection {
    /// Runs a query and returns the result of a closure for the first row, or `nil` when there is none. Used if the context gives
    /// no result type. Without a result type, a closure that returns a pair makes a dictionary.
    ///
    ///     let name = try connection.query("SELECT name FROM cars") {
    ///         try $0.get("name") as String
    ///     }
    ///     // String?
    ///
    /// - Throws: ``SQLiteError``, and what the closure throws.
    @inlinable
    public func query<T, each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P, body: (Row) throws -> T
    ) throws -> T? {
        try withStatement(sql, repeat each parameters) { try $0.query(body) }
    }

    /// Runs a query and returns the results of a closure for all rows.
    ///
    ///     let names: [String] = try connection.query("SELECT name FROM cars") {
    ///         try $0.get("name")
    ///     }
    ///
    /// - Throws: ``SQLiteError``, and what the closure throws, which ends the query.
    @inlinable
    public func query<T, each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P, as type: T.Type = T.self, body: (Row) throws -> T
    ) throws -> [T] {
        // The parameter `as` ranks this overload behind the one for the first row. The closure is not omitted here, and `T` is
        // inferred from it.
        try withStatement(sql, repeat each parameters) { try $0.query(body) }
    }

    /// Runs a query and returns a dictionary of the pairs that a closure makes from the rows. If keys are equal, the later row
    /// wins.
    ///
    ///     let prices: [String: Int] = try connection.query("SELECT name, price FROM cars") {
    ///         try ($0.get("name"), $0.get("price"))
    ///     }
    ///
    /// A query for two columns needs no closure: see ``query(_:_:)->Result``.
    ///
    /// - Throws: ``SQLiteError``, and what the closure throws, which ends the query.
    @inlinable
    public func query<Key: Hashable, Value, each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P, body: (Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        var elements: [Key: Value] = [:]
        try forEach(sql, repeat each parameters) { row in
            let (key, value) = try body(row)
            elements[key] = value
        }
        return elements
    }

    /// Runs a query with a literal `nil` among its values, and returns the result of a closure for the first row.
    @_documentation(visibility: internal)
    public func query<T>(
        _ sql: SQL, _ first: (any Bindable)??, _ others: (any Bindable)??...,
        body: (Row) throws -> T = { (row: Row) -> Row in row }
    ) throws -> T? {
        try withStatement(sql, ([first] + others).flattened) { try $0.query(body) }
    }

    /// Runs a query with a literal `nil` among its values, and returns the results of a closure for all rows.
    @_documentation(visibility: internal)
    public func query<T>(
        _ sql: SQL, _ first: (any Bindable)??, _ others: (any Bindable)??..., all: Void = (),
        body: (Row) throws -> T = { (row: Row) -> Row in row }
    ) throws -> [T] {
        try withStatement(sql, ([first] + others).flattened) { try $0.query(body) }
    }

    /// Runs a query with a list of values, and returns the result of a closure for the first row.
    @_documentation(visibility: internal)
    public func query<T>(
        _ sql: SQL, _ list: some ParameterList, body: (Row) throws -> T = { (row: Row) -> Row in row }
    ) throws -> T? {
        try withStatement(sql, list) { try $0.query(body) }
    }

    /// Runs a query with a list of values, and returns the results of a closure for all rows.
    @_documentation(visibility: internal)
    public func query<T>(
        _ sql: SQL, _ list: some ParameterList, all: Void = (), body: (Row) throws -> T = { (row: Row) -> Row in row }
    ) throws -> [T] {
        try withStatement(sql, list) { try $0.query(body) }
    }
}
