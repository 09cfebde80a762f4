// The shapes of `Connection+Query.swift` with other forms of parameters. (`(any Bindable)??` ranks a form behind the one with
// a parameter pack for the compiler, so that it is used only where that one does not fit; `@_disfavoredOverload` would rank
// it behind the forms for `String`, which would splice.)

// MARK: - A literal `nil`, or values of a type known only when the program runs

extension Connection {
    public func query<T: Fetchable>(_ sql: SQL, _ first: (any Bindable)??, _ others: (any Bindable)??...) throws -> T {
        try withStatement(sql, flattened(first, others)) { try $0.query() }
    }

    public func query<Result: QueryResult>(
        _ sql: SQL, _ first: (any Bindable)??, _ others: (any Bindable)??...
    ) throws -> Result {
        try withStatement(sql, flattened(first, others)) { try $0.query() }
    }

    public func query<T: Fetchable>(
        _ sql: SQL, _ first: (any Bindable)??, _ others: (any Bindable)??...
    ) throws -> [T?] {
        try withStatement(sql, flattened(first, others)) { try $0.query() }
    }

    public func query(_ sql: SQL, _ first: (any Bindable)??, _ others: (any Bindable)??...) throws -> Row? {
        try withStatement(sql, flattened(first, others)) { try $0.query() }
    }

    public func query(
        _ sql: SQL, _ first: (any Bindable)??, _ others: (any Bindable)??..., as type: Row.Type = Row.self
    ) throws -> [Row] {
        try withStatement(sql, flattened(first, others)) { try $0.query(as: type) }
    }

    public func query<T: Decodable>(
        _ sql: SQL, _ first: (any Bindable)??, _ others: (any Bindable)??...,
        as type: T.Type = T.self, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> T {
        try withStatement(sql, flattened(first, others)) { try $0.query(as: type, userInfo: userInfo) }
    }

    public func query<T>(
        _ sql: SQL, _ first: (any Bindable)??, _ others: (any Bindable)??..., body: (Row) throws -> T
    ) throws -> T? {
        try withStatement(sql, flattened(first, others)) { try $0.query(body) }
    }

    public func query<T>(
        _ sql: SQL, _ first: (any Bindable)??, _ others: (any Bindable)??..., body: (Row) throws -> T
    ) throws -> [T] {
        try withStatement(sql, flattened(first, others)) { try $0.query(body) }
    }

    public func query<Key: Hashable, Value>(
        _ sql: SQL, _ first: (any Bindable)??, _ others: (any Bindable)??..., body: (Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try withStatement(sql, flattened(first, others)) { try $0.query(body) }
    }

    public func query<Key: Hashable, Value>(
        _ sql: SQL, _ first: (any Bindable)??, _ others: (any Bindable)??...,
        body: ([Key: Value], Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try withStatement(sql, flattened(first, others)) { try $0.query(body) }
    }
}

// MARK: - An array

extension Connection {
    public func query<T: Fetchable>(_ sql: SQL, _ parameters: [(any Bindable)?]) throws -> T {
        try withStatement(sql, parameters) { try $0.query() }
    }

    public func query<Result: QueryResult>(_ sql: SQL, _ parameters: [(any Bindable)?]) throws -> Result {
        try withStatement(sql, parameters) { try $0.query() }
    }

    public func query<T: Fetchable>(_ sql: SQL, _ parameters: [(any Bindable)?]) throws -> [T?] {
        try withStatement(sql, parameters) { try $0.query() }
    }

    public func query(_ sql: SQL, _ parameters: [(any Bindable)?]) throws -> Row? {
        try withStatement(sql, parameters) { try $0.query() }
    }

    public func query(_ sql: SQL, _ parameters: [(any Bindable)?], as type: Row.Type = Row.self) throws -> [Row] {
        try withStatement(sql, parameters) { try $0.query(as: type) }
    }

    public func query<T: Decodable>(
        _ sql: SQL, _ parameters: [(any Bindable)?],
        as type: T.Type = T.self, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> T {
        try withStatement(sql, parameters) { try $0.query(as: type, userInfo: userInfo) }
    }

    public func query<T>(_ sql: SQL, _ parameters: [(any Bindable)?], body: (Row) throws -> T) throws -> T? {
        try withStatement(sql, parameters) { try $0.query(body) }
    }

    public func query<T>(_ sql: SQL, _ parameters: [(any Bindable)?], body: (Row) throws -> T) throws -> [T] {
        try withStatement(sql, parameters) { try $0.query(body) }
    }

    public func query<Key: Hashable, Value>(
        _ sql: SQL, _ parameters: [(any Bindable)?], body: (Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try withStatement(sql, parameters) { try $0.query(body) }
    }

    public func query<Key: Hashable, Value>(
        _ sql: SQL, _ parameters: [(any Bindable)?], body: ([Key: Value], Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try withStatement(sql, parameters) { try $0.query(body) }
    }
}

// MARK: - A dictionary, by the names of the parameters with their prefix

extension Connection {
    public func query<T: Fetchable>(_ sql: SQL, _ parameters: [String: (any Bindable)?]) throws -> T {
        try withStatement(sql, parameters) { try $0.query() }
    }

    public func query<Result: QueryResult>(_ sql: SQL, _ parameters: [String: (any Bindable)?]) throws -> Result {
        try withStatement(sql, parameters) { try $0.query() }
    }

    public func query<T: Fetchable>(_ sql: SQL, _ parameters: [String: (any Bindable)?]) throws -> [T?] {
        try withStatement(sql, parameters) { try $0.query() }
    }

    public func query(_ sql: SQL, _ parameters: [String: (any Bindable)?]) throws -> Row? {
        try withStatement(sql, parameters) { try $0.query() }
    }

    public func query(
        _ sql: SQL, _ parameters: [String: (any Bindable)?], as type: Row.Type = Row.self
    ) throws -> [Row] {
        try withStatement(sql, parameters) { try $0.query(as: type) }
    }

    public func query<T: Decodable>(
        _ sql: SQL, _ parameters: [String: (any Bindable)?],
        as type: T.Type = T.self, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> T {
        try withStatement(sql, parameters) { try $0.query(as: type, userInfo: userInfo) }
    }

    public func query<T>(_ sql: SQL, _ parameters: [String: (any Bindable)?], body: (Row) throws -> T) throws -> T? {
        try withStatement(sql, parameters) { try $0.query(body) }
    }

    public func query<T>(_ sql: SQL, _ parameters: [String: (any Bindable)?], body: (Row) throws -> T) throws -> [T] {
        try withStatement(sql, parameters) { try $0.query(body) }
    }

    public func query<Key: Hashable, Value>(
        _ sql: SQL, _ parameters: [String: (any Bindable)?], body: (Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try withStatement(sql, parameters) { try $0.query(body) }
    }

    public func query<Key: Hashable, Value>(
        _ sql: SQL, _ parameters: [String: (any Bindable)?], body: ([Key: Value], Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try withStatement(sql, parameters) { try $0.query(body) }
    }
}
