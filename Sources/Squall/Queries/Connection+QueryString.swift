// The shapes of `Connection+Query.swift` for SQL in a `String` variable. A literal always is a `SQL`: these forms are
// disfavoured and generic, so that the compiler never takes a literal for a `String`, which would splice what is
// interpolated into it.

// MARK: - Values in order

extension Connection {
    /// One value, or one made of a row of SQL that is known only when the program runs.
    @_disfavoredOverload
    public func query<T: Fetchable, S: StringProtocol>(_ sql: S, _ parameters: (any Bindable)?...) throws -> T {
        try withStatement(SQL(raw: sql), parameters) { try $0.query() }
    }

    /// The first row as `T?`, or all as `[T]` of SQL that is known only when the program runs.
    @_disfavoredOverload
    public func query<Result: QueryResult, S: StringProtocol>(
        _ sql: S, _ parameters: (any Bindable)?...
    ) throws -> Result {
        try withStatement(SQL(raw: sql), parameters) { try $0.query() }
    }

    /// All rows, `nil` for NULL of SQL that is known only when the program runs.
    @_disfavoredOverload
    public func query<T: Fetchable, S: StringProtocol>(_ sql: S, _ parameters: (any Bindable)?...) throws -> [T?] {
        try withStatement(SQL(raw: sql), parameters) { try $0.query() }
    }

    /// The first row of SQL that is known only when the program runs.
    @_disfavoredOverload
    public func query<S: StringProtocol>(_ sql: S, _ parameters: (any Bindable)?...) throws -> Row? {
        try withStatement(SQL(raw: sql), parameters) { try $0.query() }
    }

    /// All rows of SQL that is known only when the program runs.
    @_disfavoredOverload
    public func query<S: StringProtocol>(
        _ sql: S, _ parameters: (any Bindable)?..., as type: Row.Type = Row.self
    ) throws -> [Row] {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(as: type) }
    }

    /// A `Decodable`, one or all of SQL that is known only when the program runs.
    @_disfavoredOverload
    public func query<T: Decodable, S: StringProtocol>(
        _ sql: S, _ parameters: (any Bindable)?...,
        as type: T.Type = T.self, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> T {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(as: type, userInfo: userInfo) }
    }

    /// What a closure makes of the first row of SQL that is known only when the program runs.
    @_disfavoredOverload
    public func query<T, S: StringProtocol>(
        _ sql: S, _ parameters: (any Bindable)?..., body: (Row) throws -> T
    ) throws -> T? {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(body) }
    }

    /// What a closure makes of each row of SQL that is known only when the program runs.
    @_disfavoredOverload
    public func query<T, S: StringProtocol>(
        _ sql: S, _ parameters: (any Bindable)?..., body: (Row) throws -> T
    ) throws -> [T] {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(body) }
    }

    /// A dictionary of the pairs that a closure makes of SQL that is known only when the program runs.
    @_disfavoredOverload
    public func query<Key: Hashable, Value, S: StringProtocol>(
        _ sql: S, _ parameters: (any Bindable)?..., body: (Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(body) }
    }

    /// A dictionary of the pairs that a closure makes, with what it makes of those that have a key already of SQL
    /// that is known only when the program runs.
    @_disfavoredOverload
    public func query<Key: Hashable, Value, S: StringProtocol>(
        _ sql: S, _ parameters: (any Bindable)?..., body: ([Key: Value], Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(body) }
    }
}

// MARK: - An array

extension Connection {
    /// One value, or one made of a row, with an array of values, of SQL that is known only when the program runs.
    @_disfavoredOverload
    public func query<T: Fetchable, S: StringProtocol>(_ sql: S, _ parameters: [(any Bindable)?]) throws -> T {
        try withStatement(SQL(raw: sql), parameters) { try $0.query() }
    }

    /// The first row as `T?`, or all as `[T]`, with an array of values, of SQL that is known only when the program
    /// runs.
    @_disfavoredOverload
    public func query<Result: QueryResult, S: StringProtocol>(
        _ sql: S, _ parameters: [(any Bindable)?]
    ) throws -> Result {
        try withStatement(SQL(raw: sql), parameters) { try $0.query() }
    }

    /// All rows, `nil` for NULL, with an array of values, of SQL that is known only when the program runs.
    @_disfavoredOverload
    public func query<T: Fetchable, S: StringProtocol>(_ sql: S, _ parameters: [(any Bindable)?]) throws -> [T?] {
        try withStatement(SQL(raw: sql), parameters) { try $0.query() }
    }

    /// The first row, with an array of values, of SQL that is known only when the program runs.
    @_disfavoredOverload
    public func query<S: StringProtocol>(_ sql: S, _ parameters: [(any Bindable)?]) throws -> Row? {
        try withStatement(SQL(raw: sql), parameters) { try $0.query() }
    }

    /// All rows, with an array of values, of SQL that is known only when the program runs.
    @_disfavoredOverload
    public func query<S: StringProtocol>(
        _ sql: S, _ parameters: [(any Bindable)?], as type: Row.Type = Row.self
    ) throws -> [Row] {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(as: type) }
    }

    /// A `Decodable`, one or all, with an array of values, of SQL that is known only when the program runs.
    @_disfavoredOverload
    public func query<T: Decodable, S: StringProtocol>(
        _ sql: S, _ parameters: [(any Bindable)?],
        as type: T.Type = T.self, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> T {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(as: type, userInfo: userInfo) }
    }

    /// What a closure makes of the first row, with an array of values, of SQL that is known only when the program runs.
    @_disfavoredOverload
    public func query<T, S: StringProtocol>(
        _ sql: S, _ parameters: [(any Bindable)?], body: (Row) throws -> T
    ) throws -> T? {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(body) }
    }

    /// What a closure makes of each row, with an array of values, of SQL that is known only when the program runs.
    @_disfavoredOverload
    public func query<T, S: StringProtocol>(
        _ sql: S, _ parameters: [(any Bindable)?], body: (Row) throws -> T
    ) throws -> [T] {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(body) }
    }

    /// A dictionary of the pairs that a closure makes, with an array of values, of SQL that is known only when the
    /// program runs.
    @_disfavoredOverload
    public func query<Key: Hashable, Value, S: StringProtocol>(
        _ sql: S, _ parameters: [(any Bindable)?], body: (Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(body) }
    }

    /// A dictionary of the pairs that a closure makes, with what it makes of those that have a key already, with an
    /// array of values, of SQL that is known only when the program runs.
    @_disfavoredOverload
    public func query<Key: Hashable, Value, S: StringProtocol>(
        _ sql: S, _ parameters: [(any Bindable)?], body: ([Key: Value], Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(body) }
    }
}

// MARK: - A dictionary, by the names of the parameters with their prefix

extension Connection {
    /// One value, or one made of a row, with values by the names of the parameters, of SQL that is known only when
    /// the program runs.
    @_disfavoredOverload
    public func query<T: Fetchable, S: StringProtocol>(_ sql: S, _ parameters: [String: (any Bindable)?]) throws -> T {
        try withStatement(SQL(raw: sql), parameters) { try $0.query() }
    }

    /// The first row as `T?`, or all as `[T]`, with values by the names of the parameters, of SQL that is known only
    /// when the program runs.
    @_disfavoredOverload
    public func query<Result: QueryResult, S: StringProtocol>(
        _ sql: S, _ parameters: [String: (any Bindable)?]
    ) throws -> Result {
        try withStatement(SQL(raw: sql), parameters) { try $0.query() }
    }

    /// All rows, `nil` for NULL, with values by the names of the parameters, of SQL that is known only when the
    /// program runs.
    @_disfavoredOverload
    public func query<T: Fetchable, S: StringProtocol>(
        _ sql: S, _ parameters: [String: (any Bindable)?]
    ) throws -> [T?] {
        try withStatement(SQL(raw: sql), parameters) { try $0.query() }
    }

    /// The first row, with values by the names of the parameters, of SQL that is known only when the program runs.
    @_disfavoredOverload
    public func query<S: StringProtocol>(_ sql: S, _ parameters: [String: (any Bindable)?]) throws -> Row? {
        try withStatement(SQL(raw: sql), parameters) { try $0.query() }
    }

    /// All rows, with values by the names of the parameters, of SQL that is known only when the program runs.
    @_disfavoredOverload
    public func query<S: StringProtocol>(
        _ sql: S, _ parameters: [String: (any Bindable)?], as type: Row.Type = Row.self
    ) throws -> [Row] {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(as: type) }
    }

    /// A `Decodable`, one or all, with values by the names of the parameters, of SQL that is known only when the
    /// program runs.
    @_disfavoredOverload
    public func query<T: Decodable, S: StringProtocol>(
        _ sql: S, _ parameters: [String: (any Bindable)?],
        as type: T.Type = T.self, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> T {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(as: type, userInfo: userInfo) }
    }

    /// What a closure makes of the first row, with values by the names of the parameters, of SQL that is known only
    /// when the program runs.
    @_disfavoredOverload
    public func query<T, S: StringProtocol>(
        _ sql: S, _ parameters: [String: (any Bindable)?], body: (Row) throws -> T
    ) throws -> T? {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(body) }
    }

    /// What a closure makes of each row, with values by the names of the parameters, of SQL that is known only when
    /// the program runs.
    @_disfavoredOverload
    public func query<T, S: StringProtocol>(
        _ sql: S, _ parameters: [String: (any Bindable)?], body: (Row) throws -> T
    ) throws -> [T] {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(body) }
    }

    /// A dictionary of the pairs that a closure makes, with values by the names of the parameters, of SQL that is
    /// known only when the program runs.
    @_disfavoredOverload
    public func query<Key: Hashable, Value, S: StringProtocol>(
        _ sql: S, _ parameters: [String: (any Bindable)?], body: (Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(body) }
    }

    /// A dictionary of the pairs that a closure makes, with what it makes of those that have a key already, with
    /// values by the names of the parameters, of SQL that is known only when the program runs.
    @_disfavoredOverload
    public func query<Key: Hashable, Value, S: StringProtocol>(
        _ sql: S, _ parameters: [String: (any Bindable)?], body: ([Key: Value], Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(body) }
    }
}
