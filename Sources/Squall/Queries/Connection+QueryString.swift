// The shapes of `Connection+Query.swift` for SQL in a `String` variable. A literal always is a `SQL`: these forms are
// disfavoured and generic, so that the compiler never takes a literal for a `String`, which would splice what is
// interpolated into it.

// MARK: - Values in order

extension Connection {
    @_disfavoredOverload
    public func query<T: Fetchable, S: StringProtocol>(_ sql: S, _ parameters: (any Bindable)?...) throws -> T {
        try withStatement(SQL(raw: sql), parameters) { try $0.query() }
    }

    @_disfavoredOverload
    public func query<Result: QueryResult, S: StringProtocol>(
        _ sql: S, _ parameters: (any Bindable)?...
    ) throws -> Result {
        try withStatement(SQL(raw: sql), parameters) { try $0.query() }
    }

    @_disfavoredOverload
    public func query<T: Fetchable, S: StringProtocol>(_ sql: S, _ parameters: (any Bindable)?...) throws -> [T?] {
        try withStatement(SQL(raw: sql), parameters) { try $0.query() }
    }

    @_disfavoredOverload
    public func query<S: StringProtocol>(_ sql: S, _ parameters: (any Bindable)?...) throws -> Row? {
        try withStatement(SQL(raw: sql), parameters) { try $0.query() }
    }

    @_disfavoredOverload
    public func query<S: StringProtocol>(
        _ sql: S, _ parameters: (any Bindable)?..., as type: Row.Type = Row.self
    ) throws -> [Row] {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(as: type) }
    }

    @_disfavoredOverload
    public func query<T: Decodable, S: StringProtocol>(
        _ sql: S, _ parameters: (any Bindable)?...,
        as type: T.Type = T.self, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> T {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(as: type, userInfo: userInfo) }
    }

    @_disfavoredOverload
    public func query<T, S: StringProtocol>(
        _ sql: S, _ parameters: (any Bindable)?..., body: (Row) throws -> T
    ) throws -> T? {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(body) }
    }

    @_disfavoredOverload
    public func query<T, S: StringProtocol>(
        _ sql: S, _ parameters: (any Bindable)?..., body: (Row) throws -> T
    ) throws -> [T] {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(body) }
    }

    @_disfavoredOverload
    public func query<Key: Hashable, Value, S: StringProtocol>(
        _ sql: S, _ parameters: (any Bindable)?..., body: (Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(body) }
    }

    @_disfavoredOverload
    public func query<Key: Hashable, Value, S: StringProtocol>(
        _ sql: S, _ parameters: (any Bindable)?..., body: ([Key: Value], Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(body) }
    }
}

// MARK: - An array

extension Connection {
    @_disfavoredOverload
    public func query<T: Fetchable, S: StringProtocol>(_ sql: S, _ parameters: [(any Bindable)?]) throws -> T {
        try withStatement(SQL(raw: sql), parameters) { try $0.query() }
    }

    @_disfavoredOverload
    public func query<Result: QueryResult, S: StringProtocol>(
        _ sql: S, _ parameters: [(any Bindable)?]
    ) throws -> Result {
        try withStatement(SQL(raw: sql), parameters) { try $0.query() }
    }

    @_disfavoredOverload
    public func query<T: Fetchable, S: StringProtocol>(_ sql: S, _ parameters: [(any Bindable)?]) throws -> [T?] {
        try withStatement(SQL(raw: sql), parameters) { try $0.query() }
    }

    @_disfavoredOverload
    public func query<S: StringProtocol>(_ sql: S, _ parameters: [(any Bindable)?]) throws -> Row? {
        try withStatement(SQL(raw: sql), parameters) { try $0.query() }
    }

    @_disfavoredOverload
    public func query<S: StringProtocol>(
        _ sql: S, _ parameters: [(any Bindable)?], as type: Row.Type = Row.self
    ) throws -> [Row] {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(as: type) }
    }

    @_disfavoredOverload
    public func query<T: Decodable, S: StringProtocol>(
        _ sql: S, _ parameters: [(any Bindable)?],
        as type: T.Type = T.self, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> T {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(as: type, userInfo: userInfo) }
    }

    @_disfavoredOverload
    public func query<T, S: StringProtocol>(
        _ sql: S, _ parameters: [(any Bindable)?], body: (Row) throws -> T
    ) throws -> T? {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(body) }
    }

    @_disfavoredOverload
    public func query<T, S: StringProtocol>(
        _ sql: S, _ parameters: [(any Bindable)?], body: (Row) throws -> T
    ) throws -> [T] {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(body) }
    }

    @_disfavoredOverload
    public func query<Key: Hashable, Value, S: StringProtocol>(
        _ sql: S, _ parameters: [(any Bindable)?], body: (Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(body) }
    }

    @_disfavoredOverload
    public func query<Key: Hashable, Value, S: StringProtocol>(
        _ sql: S, _ parameters: [(any Bindable)?], body: ([Key: Value], Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(body) }
    }
}

// MARK: - A dictionary, by the names of the parameters with their prefix

extension Connection {
    @_disfavoredOverload
    public func query<T: Fetchable, S: StringProtocol>(_ sql: S, _ parameters: [String: (any Bindable)?]) throws -> T {
        try withStatement(SQL(raw: sql), parameters) { try $0.query() }
    }

    @_disfavoredOverload
    public func query<Result: QueryResult, S: StringProtocol>(
        _ sql: S, _ parameters: [String: (any Bindable)?]
    ) throws -> Result {
        try withStatement(SQL(raw: sql), parameters) { try $0.query() }
    }

    @_disfavoredOverload
    public func query<T: Fetchable, S: StringProtocol>(
        _ sql: S, _ parameters: [String: (any Bindable)?]
    ) throws -> [T?] {
        try withStatement(SQL(raw: sql), parameters) { try $0.query() }
    }

    @_disfavoredOverload
    public func query<S: StringProtocol>(_ sql: S, _ parameters: [String: (any Bindable)?]) throws -> Row? {
        try withStatement(SQL(raw: sql), parameters) { try $0.query() }
    }

    @_disfavoredOverload
    public func query<S: StringProtocol>(
        _ sql: S, _ parameters: [String: (any Bindable)?], as type: Row.Type = Row.self
    ) throws -> [Row] {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(as: type) }
    }

    @_disfavoredOverload
    public func query<T: Decodable, S: StringProtocol>(
        _ sql: S, _ parameters: [String: (any Bindable)?],
        as type: T.Type = T.self, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> T {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(as: type, userInfo: userInfo) }
    }

    @_disfavoredOverload
    public func query<T, S: StringProtocol>(
        _ sql: S, _ parameters: [String: (any Bindable)?], body: (Row) throws -> T
    ) throws -> T? {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(body) }
    }

    @_disfavoredOverload
    public func query<T, S: StringProtocol>(
        _ sql: S, _ parameters: [String: (any Bindable)?], body: (Row) throws -> T
    ) throws -> [T] {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(body) }
    }

    @_disfavoredOverload
    public func query<Key: Hashable, Value, S: StringProtocol>(
        _ sql: S, _ parameters: [String: (any Bindable)?], body: (Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(body) }
    }

    @_disfavoredOverload
    public func query<Key: Hashable, Value, S: StringProtocol>(
        _ sql: S, _ parameters: [String: (any Bindable)?], body: ([Key: Value], Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try withStatement(SQL(raw: sql), parameters) { try $0.query(body) }
    }
}
