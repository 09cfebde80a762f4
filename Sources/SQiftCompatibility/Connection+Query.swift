// The forms of `Connection.query` for SQL in a `String`. They are disfavoured and generic, so that the compiler makes a
// literal a `SQL` wherever it can, and its values are bound. Elsewhere the deprecation is the warning.
//
// A closure that is left out returns the row itself.

// MARK: - Values in order

extension Connection {
    /// Returns values or records. Takes SQL from a `String` and values in order.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<Result: QueryResult, S: StringProtocol>(
        _ sql: S, _ parameters: (any Bindable)?...
    ) throws -> Result {
        try query(SQL(raw: sql), parameters)
    }

    /// Returns the first row, or the result of a closure for it. Takes SQL from a `String` and values in order.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<T, S: StringProtocol>(
        _ sql: S, _ parameters: (any Bindable)?..., body: (Row) throws -> T = { (row: Row) -> Row in row }
    ) throws -> T? {
        try query(SQL(raw: sql), parameters, body: body)
    }

    /// Returns all rows, or the results of a closure for them. Takes SQL from a `String` and values in order.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<T, S: StringProtocol>(
        _ sql: S, _ parameters: (any Bindable)?..., all: Void = (),
        body: (Row) throws -> T = { (row: Row) -> Row in row }
    ) throws -> [T] {
        try query(SQL(raw: sql), parameters, body: body)
    }

    /// Decodes the first row, or all rows. Takes SQL from a `String` and values in order.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<T: Decodable, S: StringProtocol>(
        _ sql: S, _ parameters: (any Bindable)?...,
        as type: T.Type = T.self, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> T {
        try query(SQL(raw: sql), parameters, as: type, userInfo: userInfo)
    }

    /// Maps all rows to the pairs of a dictionary. Takes SQL from a `String` and values in order.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<Key: Hashable, Value, S: StringProtocol>(
        _ sql: S, _ parameters: (any Bindable)?..., body: (Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try query(SQL(raw: sql), parameters, body: body)
    }

    /// Maps all rows to pairs, given the dictionary so far. Takes SQL from a `String` and values in order.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<Key: Hashable, Value, S: StringProtocol>(
        _ sql: S, _ parameters: (any Bindable)?..., body: ([Key: Value], Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try query(SQL(raw: sql), parameters, body: body)
    }
}

// MARK: - A list of values, in order or by name

extension Connection {
    /// Returns values or records. Takes SQL from a `String` and a list of values.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<Result: QueryResult, S: StringProtocol>(
        _ sql: S, _ list: some ParameterList
    ) throws -> Result {
        try query(SQL(raw: sql), list.orNull)
    }

    /// Returns the first row, or the result of a closure for it. Takes SQL from a `String` and a list of values.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<T, S: StringProtocol>(
        _ sql: S, _ list: some ParameterList, body: (Row) throws -> T = { (row: Row) -> Row in row }
    ) throws -> T? {
        try query(SQL(raw: sql), list.orNull, body: body)
    }

    /// Returns all rows, or the results of a closure for them. Takes SQL from a `String` and a list of values.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<T, S: StringProtocol>(
        _ sql: S, _ list: some ParameterList, all: Void = (), body: (Row) throws -> T = { (row: Row) -> Row in row }
    ) throws -> [T] {
        try query(SQL(raw: sql), list.orNull, body: body)
    }

    /// Decodes the first row, or all rows. Takes SQL from a `String` and a list of values.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<T: Decodable, S: StringProtocol>(
        _ sql: S, _ list: some ParameterList,
        as type: T.Type = T.self, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> T {
        try query(SQL(raw: sql), list.orNull, as: type, userInfo: userInfo)
    }

    /// Maps all rows to the pairs of a dictionary. Takes SQL from a `String` and a list of values.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<Key: Hashable, Value, S: StringProtocol>(
        _ sql: S, _ list: some ParameterList, body: (Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try query(SQL(raw: sql), list.orNull, body: body)
    }

    /// Maps all rows to pairs, given the dictionary so far. Takes SQL from a `String` and a list of values.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<Key: Hashable, Value, S: StringProtocol>(
        _ sql: S, _ list: some ParameterList, body: ([Key: Value], Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try query(SQL(raw: sql), list.orNull, body: body)
    }
}
