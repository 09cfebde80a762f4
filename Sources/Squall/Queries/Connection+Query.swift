// One shape of result after the other, each with its parameters in order:
//
//     query("… WHERE price > ?", 20_000)        query("… WHERE price > \(limit)")
//
// The other ways to give parameters are in `Connection+QueryParameters.swift`. Every statement comes from the cache.

extension Connection {
    /// The value in the first column of the first row, or the first row as an ``ExpressibleByRow``.
    ///
    ///     let count: Int = try connection.query("SELECT count(*) FROM cars")
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for no row, NULL, or a value that does not fit.
    @inlinable
    public func query<T: Fetchable, each P: StatementParameter>(_ sql: SQL, _ parameters: repeat each P) throws -> T {
        try withStatement(sql, repeat each parameters) { try $0.query() }
    }

    /// The first row as `T?`, `nil` for no row and for NULL; all rows as `[T]` or `Set<T>`, which leave NULLs out; or the pairs
    /// of two columns as `[Key: Value]`, in which the last of equal keys wins.
    ///
    ///     let price: Int? = try connection.query("SELECT price FROM cars WHERE id = ?", 99)
    ///     let names: [String] = try connection.query("SELECT name FROM cars WHERE price > \(limit)")
    ///     let prices: [String: Int?] = try connection.query("SELECT name, price FROM cars")
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    @inlinable
    public func query<Result: QueryResult, each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P
    ) throws -> Result {
        try withStatement(sql, repeat each parameters) { try $0.query() }
    }

    /// The values in the first column of all rows, which leaves NULLs out: the form for a loop.
    ///
    ///     for name: String in try connection.query("SELECT name FROM cars") { print(name) }
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    @inlinable
    public func query<T: Fetchable, each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P, of type: T.Type = T.self
    ) throws -> [T] {
        // The parameter `of` ranks this form behind the one above, which the compiler cannot use in a `for` loop.
        try withStatement(sql, repeat each parameters) { try $0.query() }
    }

    /// The values in the first column of all rows, `nil` for NULL.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    @inlinable
    public func query<T: Fetchable, each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P
    ) throws -> [T?] {
        try withStatement(sql, repeat each parameters) { try $0.query() }
    }

    /// The first row, with its values, or `nil` when there is none.
    ///
    ///     let row = try connection.query("SELECT * FROM cars LIMIT 1")
    ///
    /// - Throws: ``SQLiteError``.
    @inlinable
    public func query<each P: StatementParameter>(_ sql: SQL, _ parameters: repeat each P) throws -> sending Row? {
        // The row is detached when its statement is returned to the cache: nothing else refers to its values.
        nonisolated(unsafe) let row: Row? = try withStatement(sql, repeat each parameters) { try $0.query() }
        return row
    }

    /// All rows, each with its values.
    ///
    /// - Throws: ``SQLiteError``.
    @inlinable
    public func query<each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P, as type: Row.Type = Row.self
    ) throws -> sending [Row] {
        // As above.
        nonisolated(unsafe) let rows = try withStatement(sql, repeat each parameters) { try $0.query(as: type) }
        return rows
    }

    /// The first row as a `Decodable` (`T` or `T?`), or all rows (`[T]`), by the names of the columns.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for no row, a missing column, NULL, a value that does not fit, or JSON in
    ///   a column that does not decode.
    @inlinable
    public func query<T: Decodable, each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P,
        as type: T.Type = T.self, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> T {
        try withStatement(sql, repeat each parameters) { try $0.query(as: type, userInfo: userInfo) }
    }

    /// Returns the result of a closure for the first row, or `nil` when there is none. It is this form that is used where no type says
    /// whether one row or all are wanted.
    ///
    ///     let name = try connection.query("SELECT name FROM cars") { try $0.get("name") as String }       // String?
    ///
    /// - Throws: ``SQLiteError``, and what the function throws.
    @inlinable
    public func query<T, each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P, body: (Row) throws -> T
    ) throws -> T? {
        try withStatement(sql, repeat each parameters) { try $0.query(body) }
    }

    /// What a function makes of each row.
    ///
    ///     let names: [String] = try connection.query("SELECT name FROM cars") { try $0.get("name") }
    ///
    /// - Throws: ``SQLiteError``, and what the function throws, which ends the query.
    @inlinable
    public func query<T, each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P, as type: T.Type = T.self, body: (Row) throws -> T
    ) throws -> [T] {
        try withStatement(sql, repeat each parameters) { try $0.query(body) }
    }

    /// A dictionary of what a function makes of each row. Of equal keys the last wins.
    ///
    ///     let prices: [String: Int] = try connection.query("SELECT name, price FROM cars") {
    ///         try ($0.get("name"), $0.get("price"))
    ///     }
    ///
    /// - Throws: ``SQLiteError``, and what the function throws, which ends the query.
    @inlinable
    public func query<Key: Hashable, Value, each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P, body: (Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try withStatement(sql, repeat each parameters) { try $0.query(body) }
    }

    /// The same, for a function that is shown the dictionary so far.
    @inlinable
    public func query<Key: Hashable, Value, each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P, body: ([Key: Value], Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try withStatement(sql, repeat each parameters) { try $0.query(body) }
    }
}

extension Connection {
    /// Explains the error of a query whose result is none of the types that rows become.
    @available(
        *, unavailable,
        message: """
            a row becomes a value (Int, String?, a Binding), an ExpressibleByRow, a Decodable, an Array of these, or a Row; \
            for anything else, a tuple for instance, pass a closure: query(…) { try ($0.get(0), $0.get(1)) }
            """
    )
    @_disfavoredOverload
    public func query<T, each P: StatementParameter>(_ sql: SQL, _ parameters: repeat each P) throws -> T {
        throw SQLiteError.misuse(.unsuitableResult("no row becomes a \(T.self)"), sql: sql.text)
    }
}
