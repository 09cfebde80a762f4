// `query` and `first` for tuples. Each has two forms, for two ways to give values to the parameters: one after the other, or as a
// list. The values of the parameters are existentials: boxing them costs some allocations for a query, and nothing for a row.

extension Connection {
    /// Runs a query and returns its rows as tuples of the given types.
    ///
    ///     let rows = try connection.query(
    ///         "SELECT name, price FROM cars", as: (String, Int?).self)
    ///     for (name, price) in rows { print(name, price ?? 0) }
    ///
    /// The query must have one column for each type, which is checked before a row is read. NULL needs an optional type.
    ///
    /// - Parameters:
    ///   - sql: One statement, which comes from the cache. Values are interpolated, or given for its parameters.
    ///   - parameters: The values of the parameters, in order: one after the other, or as an array. A dictionary gives them by
    ///     name, with or without the prefix: `["id": 1]`.
    ///   - types: The types of the columns.
    /// - Throws: ``SQLiteError``, also of the kind ``SQLiteError/Kind/columnCount(expected:found:)``; ``ConversionError`` for a
    ///   value that does not fit.
    @inlinable
    public func query<First: FunctionArgument, Second: FunctionArgument, each Value: FunctionArgument>(
        _ sql: SQL, _ parameters: (any Bindable)??..., as types: (First, Second, repeat each Value).Type
    ) throws -> [(First, Second, repeat each Value)] {
        try withStatement(sql, parameters.flattened) { try $0.tuples(types) }
    }

    /// Runs a query with a list of values and returns its rows as tuples.
    ///
    /// - Throws: ``SQLiteError``, also of the kind ``SQLiteError/Kind/columnCount(expected:found:)``; ``ConversionError`` for a
    ///   value that does not fit.
    @_documentation(visibility: internal)
    @inlinable
    public func query<First: FunctionArgument, Second: FunctionArgument, each Value: FunctionArgument>(
        _ sql: SQL, _ list: some ParameterList, as types: (First, Second, repeat each Value).Type
    ) throws -> [(First, Second, repeat each Value)] {
        try withStatement(sql, list) { try $0.tuples(types) }
    }

    /// Runs a query and returns its first row as a tuple of the given types; `nil` when there is none.
    ///
    ///     let totals = try connection.first(
    ///         "SELECT count(*), avg(price) FROM cars", as: (Int, Double?).self)
    ///
    /// Give the tuple a name before you read its third element or a later one: Swift 6.3.1 does not find it in one expression.
    ///
    /// - Parameters:
    ///   - sql: One statement, which comes from the cache. Values are interpolated, or given for its parameters.
    ///   - parameters: The values of the parameters, in order: one after the other, or as an array. A dictionary gives them by
    ///     name, with or without the prefix: `["id": 1]`.
    ///   - types: The types of the columns.
    /// - Throws: ``SQLiteError``, also of the kind ``SQLiteError/Kind/columnCount(expected:found:)``; ``ConversionError`` for a
    ///   value that does not fit.
    @inlinable
    public func first<First: FunctionArgument, Second: FunctionArgument, each Value: FunctionArgument>(
        _ sql: SQL, _ parameters: (any Bindable)??..., as types: (First, Second, repeat each Value).Type
    ) throws -> (First, Second, repeat each Value)? {
        try withStatement(sql, parameters.flattened) { try $0.firstTuple(types) }
    }

    /// Runs a query with a list of values and returns its first row as a tuple; `nil` when there is none.
    ///
    /// - Throws: ``SQLiteError``, also of the kind ``SQLiteError/Kind/columnCount(expected:found:)``; ``ConversionError`` for a
    ///   value that does not fit.
    @_documentation(visibility: internal)
    @inlinable
    public func first<First: FunctionArgument, Second: FunctionArgument, each Value: FunctionArgument>(
        _ sql: SQL, _ list: some ParameterList, as types: (First, Second, repeat each Value).Type
    ) throws -> (First, Second, repeat each Value)? {
        try withStatement(sql, list) { try $0.firstTuple(types) }
    }
}
