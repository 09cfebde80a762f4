// The forms of `Connection.query` for SQL in a `String`. They are disfavoured and generic, so that the compiler makes a
// literal a `SQL` wherever it can, and its values are bound. Elsewhere the deprecation is the warning.

// MARK: - Values in order

extension Connection {
    /// Returns the first value. Takes SQL from a `String` and values in order.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<T: Fetchable, S: StringProtocol>(_ sql: S, _ parameters: (any Bindable)?...) throws -> T {
        try query(SQL(raw: sql), parameters)
    }

    /// Returns the first value or `nil`, or all values. Takes SQL from a `String` and values in order.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<Result: QueryResult, S: StringProtocol>(
        _ sql: S, _ parameters: (any Bindable)?...
    ) throws -> Result {
        try query(SQL(raw: sql), parameters)
    }

    /// Returns all values, `nil` for NULL. Takes SQL from a `String` and values in order.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<T: Fetchable, S: StringProtocol>(_ sql: S, _ parameters: (any Bindable)?...) throws -> [T?] {
        try query(SQL(raw: sql), parameters)
    }

    /// Returns the first row or `nil`. Takes SQL from a `String` and values in order.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<S: StringProtocol>(_ sql: S, _ parameters: (any Bindable)?...) throws -> Row? {
        try query(SQL(raw: sql), parameters)
    }

    /// Returns all rows. Takes SQL from a `String` and values in order.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<S: StringProtocol>(
        _ sql: S, _ parameters: (any Bindable)?..., as type: Row.Type = Row.self
    ) throws -> [Row] {
        try query(SQL(raw: sql), parameters, as: type)
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

    /// Maps the first row. Takes SQL from a `String` and values in order.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<T, S: StringProtocol>(
        _ sql: S, _ parameters: (any Bindable)?..., body: (Row) throws -> T
    ) throws -> T? {
        try query(SQL(raw: sql), parameters, body: body)
    }

    /// Maps all rows. Takes SQL from a `String` and values in order.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<T, S: StringProtocol>(
        _ sql: S, _ parameters: (any Bindable)?..., body: (Row) throws -> T
    ) throws -> [T] {
        try query(SQL(raw: sql), parameters, body: body)
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

// MARK: - An array of values

extension Connection {
    /// Returns the first value. Takes SQL from a `String` and an array of values.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<T: Fetchable, S: StringProtocol>(_ sql: S, _ parameters: [(any Bindable)?]) throws -> T {
        try query(SQL(raw: sql), parameters)
    }

    /// Returns the first value or `nil`, or all values. Takes SQL from a `String` and an array of values.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<Result: QueryResult, S: StringProtocol>(
        _ sql: S, _ parameters: [(any Bindable)?]
    ) throws -> Result {
        try query(SQL(raw: sql), parameters)
    }

    /// Returns all values, `nil` for NULL. Takes SQL from a `String` and an array of values.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<T: Fetchable, S: StringProtocol>(_ sql: S, _ parameters: [(any Bindable)?]) throws -> [T?] {
        try query(SQL(raw: sql), parameters)
    }

    /// Returns the first row or `nil`. Takes SQL from a `String` and an array of values.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<S: StringProtocol>(_ sql: S, _ parameters: [(any Bindable)?]) throws -> Row? {
        try query(SQL(raw: sql), parameters)
    }

    /// Returns all rows. Takes SQL from a `String` and an array of values.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<S: StringProtocol>(
        _ sql: S, _ parameters: [(any Bindable)?], as type: Row.Type = Row.self
    ) throws -> [Row] {
        try query(SQL(raw: sql), parameters, as: type)
    }

    /// Decodes the first row, or all rows. Takes SQL from a `String` and an array of values.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<T: Decodable, S: StringProtocol>(
        _ sql: S, _ parameters: [(any Bindable)?],
        as type: T.Type = T.self, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> T {
        try query(SQL(raw: sql), parameters, as: type, userInfo: userInfo)
    }

    /// Maps the first row. Takes SQL from a `String` and an array of values.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<T, S: StringProtocol>(
        _ sql: S, _ parameters: [(any Bindable)?], body: (Row) throws -> T
    ) throws -> T? {
        try query(SQL(raw: sql), parameters, body: body)
    }

    /// Maps all rows. Takes SQL from a `String` and an array of values.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<T, S: StringProtocol>(
        _ sql: S, _ parameters: [(any Bindable)?], body: (Row) throws -> T
    ) throws -> [T] {
        try query(SQL(raw: sql), parameters, body: body)
    }

    /// Maps all rows to the pairs of a dictionary. Takes SQL from a `String` and an array of values.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<Key: Hashable, Value, S: StringProtocol>(
        _ sql: S, _ parameters: [(any Bindable)?], body: (Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try query(SQL(raw: sql), parameters, body: body)
    }

    /// Maps all rows to pairs, given the dictionary so far. Takes SQL from a `String` and an array of values.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<Key: Hashable, Value, S: StringProtocol>(
        _ sql: S, _ parameters: [(any Bindable)?], body: ([Key: Value], Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try query(SQL(raw: sql), parameters, body: body)
    }
}

// MARK: - Values by the names of the parameters

extension Connection {
    /// Returns the first value. Takes SQL from a `String` and values by name.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<T: Fetchable, S: StringProtocol>(_ sql: S, _ parameters: [String: (any Bindable)?]) throws -> T {
        try query(SQL(raw: sql), parameters)
    }

    /// Returns the first value or `nil`, or all values. Takes SQL from a `String` and values by name.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<Result: QueryResult, S: StringProtocol>(
        _ sql: S, _ parameters: [String: (any Bindable)?]
    ) throws -> Result {
        try query(SQL(raw: sql), parameters)
    }

    /// Returns all values, `nil` for NULL. Takes SQL from a `String` and values by name.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<T: Fetchable, S: StringProtocol>(
        _ sql: S, _ parameters: [String: (any Bindable)?]
    ) throws -> [T?] {
        try query(SQL(raw: sql), parameters)
    }

    /// Returns the first row or `nil`. Takes SQL from a `String` and values by name.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<S: StringProtocol>(_ sql: S, _ parameters: [String: (any Bindable)?]) throws -> Row? {
        try query(SQL(raw: sql), parameters)
    }

    /// Returns all rows. Takes SQL from a `String` and values by name.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<S: StringProtocol>(
        _ sql: S, _ parameters: [String: (any Bindable)?], as type: Row.Type = Row.self
    ) throws -> [Row] {
        try query(SQL(raw: sql), parameters, as: type)
    }

    /// Decodes the first row, or all rows. Takes SQL from a `String` and values by name.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<T: Decodable, S: StringProtocol>(
        _ sql: S, _ parameters: [String: (any Bindable)?],
        as type: T.Type = T.self, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> T {
        try query(SQL(raw: sql), parameters, as: type, userInfo: userInfo)
    }

    /// Maps the first row. Takes SQL from a `String` and values by name.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<T, S: StringProtocol>(
        _ sql: S, _ parameters: [String: (any Bindable)?], body: (Row) throws -> T
    ) throws -> T? {
        try query(SQL(raw: sql), parameters, body: body)
    }

    /// Maps all rows. Takes SQL from a `String` and values by name.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<T, S: StringProtocol>(
        _ sql: S, _ parameters: [String: (any Bindable)?], body: (Row) throws -> T
    ) throws -> [T] {
        try query(SQL(raw: sql), parameters, body: body)
    }

    /// Maps all rows to the pairs of a dictionary. Takes SQL from a `String` and values by name.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<Key: Hashable, Value, S: StringProtocol>(
        _ sql: S, _ parameters: [String: (any Bindable)?], body: (Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try query(SQL(raw: sql), parameters, body: body)
    }

    /// Maps all rows to pairs, given the dictionary so far. Takes SQL from a `String` and values by name.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func query<Key: Hashable, Value, S: StringProtocol>(
        _ sql: S, _ parameters: [String: (any Bindable)?], body: ([Key: Value], Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try query(SQL(raw: sql), parameters, body: body)
    }
}
