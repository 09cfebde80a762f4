// `query` for `Decodable` types.

extension Connection {
    /// Runs a query and returns the first row as a `Decodable` (`T` or `T?`), or all rows (`[T]` or `Set<T>`), by the names of
    /// the columns.
    ///
    ///     struct Car: Decodable { let name: String; let price: Int }
    ///     let cars: [Car] = try connection.query("SELECT * FROM cars WHERE price > \(limit)")
    ///
    /// - Parameters:
    ///   - sql: One statement, which comes from the cache. Values are interpolated, or given for its parameters.
    ///   - parameters: The values of the parameters, in order: one after the other, or as an array. A dictionary gives them by
    ///     name, with or without the prefix: `["id": 1]`.
    ///   - type: The type to decode, where it cannot be inferred from the result.
    ///   - userInfo: The `userInfo` of the decoder.
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a missing column, NULL, a value that does not fit, or JSON in a column
    ///   that does not decode; for a single `T` also without a row.
    @inlinable
    public func query<T: Decodable, each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P,
        as type: T.Type = T.self, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> T {
        try withStatement(sql, repeat each parameters) { try $0.query(as: type, userInfo: userInfo) }
    }

    /// Runs a query with a literal `nil` among its values, and decodes the first row or all rows.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a missing column, NULL, a value that does not fit, or JSON in a column
    ///   that does not decode; for a single `T` also without a row.
    @_documentation(visibility: internal)
    public func query<T: Decodable>(
        _ sql: SQL, _ first: (any Bindable)??, _ others: (any Bindable)??...,
        as type: T.Type = T.self, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> T {
        try withStatement(sql, ([first] + others).flattened) { try $0.query(as: type, userInfo: userInfo) }
    }

    /// Runs a query with a list of values, and decodes the first row or all rows.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a missing column, NULL, a value that does not fit, or JSON in a column
    ///   that does not decode; for a single `T` also without a row.
    @_documentation(visibility: internal)
    public func query<T: Decodable>(
        _ sql: SQL, _ list: some ParameterList,
        as type: T.Type = T.self, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> T {
        try withStatement(sql, list) { try $0.query(as: type, userInfo: userInfo) }
    }
}
