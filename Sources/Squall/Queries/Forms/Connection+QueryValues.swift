// `query` for values and records, whose type says how many rows are wanted: `T`, `T?`, `[T]`, `[T?]`, `Set<T>`, `[Key: Value]`.
//
// Every shape of result, except the one for a loop, has three forms, for three ways to give values to the parameters, and is documented at the first:
//
//     query("…", 1, "x")                          a parameter pack, which is bound without existentials
//     query("…", 1, nil)                          a literal `nil`, or values of a type known only when the program runs
//     query("…", [1, "x"]), query("…", ["a": 1])  a list, in order or by name: `ParameterList`
//
// `(any Bindable)??` ranks the second form behind the first for the compiler, so that it is used only where that one does not
// fit. `@_disfavoredOverload` would rank it beside the forms for `String` of SQiftCompatibility, which splice.

extension Connection {
    /// Runs a query and returns its values, or the records that its rows become. The type of the result says which.
    ///
    ///     let count: Int = try connection.query("SELECT count(*) FROM cars")
    ///     let price: Int? = try connection.query("SELECT price FROM cars WHERE id = ?", 99)
    ///     let names: [String] = try connection.query(
    ///         "SELECT name FROM cars WHERE price > \(limit)")
    ///     let cars: [Car] = try connection.query("SELECT * FROM cars WHERE price > ?", limit)
    ///     let prices: [String: Int?] = try connection.query("SELECT name, price FROM cars")
    ///
    /// | type | result |
    /// |---|---|
    /// | `T` | the first row, which must be there |
    /// | `T?` | the first row; `nil` when there is none, and for NULL |
    /// | `[T]`, `Set<T>` | all rows, without those whose value is NULL; with them for ``BindingValue``, which has a case for NULL |
    /// | `[T?]` | all rows, `nil` for NULL |
    /// | `[Key: Value]` | the two columns of all rows; the last of equal keys wins |
    ///
    /// A value is read from the first column. An ``ExpressibleByRow`` is made from the whole row.
    ///
    /// - Parameters:
    ///   - sql: One statement, which comes from the cache. Values are interpolated, or given for its parameters.
    ///   - parameters: The values of the parameters, in order: one after the other, or as an array. A dictionary gives them by
    ///     name, with or without the prefix: `["id": 1]`.
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit, and for `T` also without a row and for
    ///   NULL.
    @inlinable
    public func query<Result: QueryResult, each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P
    ) throws -> Result {
        try withStatement(sql, repeat each parameters) { try $0.result() }
    }

    /// Runs a query and returns the values or records of all rows: the form for a loop.
    ///
    ///     for name: String in try connection.query("SELECT name FROM cars") { print(name) }
    ///     for price: Int? in try connection.query("SELECT price FROM cars") {
    ///         print(price ?? 0)
    ///     }
    ///
    /// Rows whose value is NULL are left out, unless the type is optional.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    @inlinable
    public func query<T: RowElement, each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P, of type: T.Type = T.self
    ) throws -> [T] {
        // The parameter `of` ranks this form behind the one above, which the compiler cannot use in a `for` loop.
        try withStatement(sql, repeat each parameters) { try $0.result() }
    }

    /// Runs a query and returns the first value, or `nil`: the form for a comparison with a literal, `query(…) == 1.5`.
    ///
    /// Beside a single generic form Swift 6.3 infers `Decimal` from such a literal, which Foundation for Linux rounds. `of` ranks
    /// this form behind the first one.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    @_documentation(visibility: internal)
    @inlinable
    public func query<T: Fetchable, each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P, of type: T.Type = T.self
    ) throws -> T? {
        try withStatement(sql, repeat each parameters) { try $0.result() }
    }

    /// Runs a query with a literal `nil` among its values, and returns values or records.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit, and where the result is one value
    ///   that is not optional, for no row and for NULL.
    @_documentation(visibility: internal)
    public func query<Result: QueryResult>(
        _ sql: SQL, _ first: (any Bindable)??, _ others: (any Bindable)??...
    ) throws -> Result {
        try withStatement(sql, ([first] + others).flattened) { try $0.query() }
    }

    /// Runs a query with a list of values, and returns values or records.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit, and where the result is one value
    ///   that is not optional, for no row and for NULL.
    @_documentation(visibility: internal)
    public func query<Result: QueryResult>(_ sql: SQL, _ list: some ParameterList) throws -> Result {
        try withStatement(sql, list) { try $0.query() }
    }

    /// Runs a query and returns the value of its first row; `nil` when there is none, and for NULL.
    ///
    ///     let count = try connection.first("SELECT count(*) FROM cars", as: Int.self)  // Int?
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    // Disfavoured, so that the compiler explains a tuple that does not fit by the forms for tuples.
    @_disfavoredOverload
    @inlinable
    public func first<Value: Fetchable>(
        _ sql: SQL, _ parameters: (any Bindable)??..., as type: Value.Type
    ) throws -> Value? {
        try withStatement(sql, parameters.flattened) { try $0.result() }
    }

    /// Runs a query with a list of values and returns the value of its first row; `nil` when there is none, and for NULL.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a value that does not fit.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    public func first<Value: Fetchable>(_ sql: SQL, _ list: some ParameterList, as type: Value.Type) throws -> Value? {
        try withStatement(sql, list) { try $0.result() }
    }
}
