// The shapes of `Connection+Query.swift` with other forms of parameters. (`(any Bindable)??` ranks a form behind the one with
// a parameter pack for the compiler, so that it is used only where that one does not fit; `@_disfavoredOverload` would rank
// it beside the forms for `String` of SQiftCompatibility, which splice.)

// MARK: - A literal `nil`, or values of a type known only when the program runs

extension Connection {
    /// One value, or one made of a row, with a literal `nil` among the values, or values of a type known only when
    /// the program runs.
    public func query<T: Fetchable>(_ sql: SQL, _ first: (any Bindable)??, _ others: (any Bindable)??...) throws -> T {
        try withStatement(sql, flattened(first, others)) { try $0.query() }
    }

    /// The first row as `T?`, or all as `[T]`, with a literal `nil` among the values, or values of a type known only
    /// when the program runs.
    public func query<Result: QueryResult>(
        _ sql: SQL, _ first: (any Bindable)??, _ others: (any Bindable)??...
    ) throws -> Result {
        try withStatement(sql, flattened(first, others)) { try $0.query() }
    }

    /// All rows, `nil` for NULL, with a literal `nil` among the values, or values of a type known only when the
    /// program runs.
    public func query<T: Fetchable>(
        _ sql: SQL, _ first: (any Bindable)??, _ others: (any Bindable)??...
    ) throws -> [T?] {
        try withStatement(sql, flattened(first, others)) { try $0.query() }
    }

    /// The first row, with a literal `nil` among the values, or values of a type known only when the program runs.
    public func query(_ sql: SQL, _ first: (any Bindable)??, _ others: (any Bindable)??...) throws -> Row? {
        try withStatement(sql, flattened(first, others)) { try $0.query() }
    }

    /// All rows, with a literal `nil` among the values, or values of a type known only when the program runs.
    public func query(
        _ sql: SQL, _ first: (any Bindable)??, _ others: (any Bindable)??..., as type: Row.Type = Row.self
    ) throws -> [Row] {
        try withStatement(sql, flattened(first, others)) { try $0.query(as: type) }
    }

    /// A `Decodable`, one or all, with a literal `nil` among the values, or values of a type known only when the
    /// program runs.
    public func query<T: Decodable>(
        _ sql: SQL, _ first: (any Bindable)??, _ others: (any Bindable)??...,
        as type: T.Type = T.self, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> T {
        try withStatement(sql, flattened(first, others)) { try $0.query(as: type, userInfo: userInfo) }
    }

    /// What a closure makes of the first row, with a literal `nil` among the values, or values of a type known only
    /// when the program runs.
    public func query<T>(
        _ sql: SQL, _ first: (any Bindable)??, _ others: (any Bindable)??..., body: (Row) throws -> T
    ) throws -> T? {
        try withStatement(sql, flattened(first, others)) { try $0.query(body) }
    }

    /// What a closure makes of each row, with a literal `nil` among the values, or values of a type known only when
    /// the program runs.
    public func query<T>(
        _ sql: SQL, _ first: (any Bindable)??, _ others: (any Bindable)??..., as type: T.Type = T.self,
        body: (Row) throws -> T
    ) throws -> [T] {
        try withStatement(sql, flattened(first, others)) { try $0.query(body) }
    }

    /// A dictionary of the pairs that a closure makes, with a literal `nil` among the values, or values of a type
    /// known only when the program runs.
    public func query<Key: Hashable, Value>(
        _ sql: SQL, _ first: (any Bindable)??, _ others: (any Bindable)??..., body: (Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try withStatement(sql, flattened(first, others)) { try $0.query(body) }
    }

    /// A dictionary of the pairs that a closure makes, with what it makes of those that have a key already, with a
    /// literal `nil` among the values, or values of a type known only when the program runs.
    public func query<Key: Hashable, Value>(
        _ sql: SQL, _ first: (any Bindable)??, _ others: (any Bindable)??...,
        body: ([Key: Value], Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try withStatement(sql, flattened(first, others)) { try $0.query(body) }
    }
}

// MARK: - An array

extension Connection {
    /// One value, or one made of a row, with an array of values.
    public func query<T: Fetchable>(_ sql: SQL, _ parameters: [(any Bindable)?]) throws -> T {
        try withStatement(sql, parameters) { try $0.query() }
    }

    /// The first row as `T?`, or all as `[T]`, with an array of values.
    public func query<Result: QueryResult>(_ sql: SQL, _ parameters: [(any Bindable)?]) throws -> Result {
        try withStatement(sql, parameters) { try $0.query() }
    }

    /// All rows, `nil` for NULL, with an array of values.
    public func query<T: Fetchable>(_ sql: SQL, _ parameters: [(any Bindable)?]) throws -> [T?] {
        try withStatement(sql, parameters) { try $0.query() }
    }

    /// The first row, with an array of values.
    public func query(_ sql: SQL, _ parameters: [(any Bindable)?]) throws -> Row? {
        try withStatement(sql, parameters) { try $0.query() }
    }

    /// All rows, with an array of values.
    public func query(_ sql: SQL, _ parameters: [(any Bindable)?], as type: Row.Type = Row.self) throws -> [Row] {
        try withStatement(sql, parameters) { try $0.query(as: type) }
    }

    /// A `Decodable`, one or all, with an array of values.
    public func query<T: Decodable>(
        _ sql: SQL, _ parameters: [(any Bindable)?],
        as type: T.Type = T.self, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> T {
        try withStatement(sql, parameters) { try $0.query(as: type, userInfo: userInfo) }
    }

    /// What a closure makes of the first row, with an array of values.
    public func query<T>(_ sql: SQL, _ parameters: [(any Bindable)?], body: (Row) throws -> T) throws -> T? {
        try withStatement(sql, parameters) { try $0.query(body) }
    }

    /// What a closure makes of each row, with an array of values.
    public func query<T>(
        _ sql: SQL, _ parameters: [(any Bindable)?], as type: T.Type = T.self, body: (Row) throws -> T
    ) throws -> [T] {
        try withStatement(sql, parameters) { try $0.query(body) }
    }

    /// A dictionary of the pairs that a closure makes, with an array of values.
    public func query<Key: Hashable, Value>(
        _ sql: SQL, _ parameters: [(any Bindable)?], body: (Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try withStatement(sql, parameters) { try $0.query(body) }
    }

    /// A dictionary of the pairs that a closure makes, with what it makes of those that have a key already, with an
    /// array of values.
    public func query<Key: Hashable, Value>(
        _ sql: SQL, _ parameters: [(any Bindable)?], body: ([Key: Value], Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try withStatement(sql, parameters) { try $0.query(body) }
    }
}

// MARK: - A dictionary, by the names of the parameters with their prefix

extension Connection {
    /// One value, or one made of a row, with values by the names of the parameters, with or without their prefix.
    public func query<T: Fetchable>(_ sql: SQL, _ parameters: [String: (any Bindable)?]) throws -> T {
        try withStatement(sql, parameters) { try $0.query() }
    }

    /// The first row as `T?`, or all as `[T]`, with values by the names of the parameters, with or without their prefix.
    public func query<Result: QueryResult>(_ sql: SQL, _ parameters: [String: (any Bindable)?]) throws -> Result {
        try withStatement(sql, parameters) { try $0.query() }
    }

    /// All rows, `nil` for NULL, with values by the names of the parameters, with or without their prefix.
    public func query<T: Fetchable>(_ sql: SQL, _ parameters: [String: (any Bindable)?]) throws -> [T?] {
        try withStatement(sql, parameters) { try $0.query() }
    }

    /// The first row, with values by the names of the parameters, with or without their prefix.
    public func query(_ sql: SQL, _ parameters: [String: (any Bindable)?]) throws -> Row? {
        try withStatement(sql, parameters) { try $0.query() }
    }

    /// All rows, with values by the names of the parameters, with or without their prefix.
    public func query(
        _ sql: SQL, _ parameters: [String: (any Bindable)?], as type: Row.Type = Row.self
    ) throws -> [Row] {
        try withStatement(sql, parameters) { try $0.query(as: type) }
    }

    /// A `Decodable`, one or all, with values by the names of the parameters, with or without their prefix.
    public func query<T: Decodable>(
        _ sql: SQL, _ parameters: [String: (any Bindable)?],
        as type: T.Type = T.self, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> T {
        try withStatement(sql, parameters) { try $0.query(as: type, userInfo: userInfo) }
    }

    /// What a closure makes of the first row, with values by the names of the parameters, with or without their prefix.
    public func query<T>(_ sql: SQL, _ parameters: [String: (any Bindable)?], body: (Row) throws -> T) throws -> T? {
        try withStatement(sql, parameters) { try $0.query(body) }
    }

    /// What a closure makes of each row, with values by the names of the parameters, with or without their prefix.
    public func query<T>(
        _ sql: SQL, _ parameters: [String: (any Bindable)?], as type: T.Type = T.self, body: (Row) throws -> T
    ) throws -> [T] {
        try withStatement(sql, parameters) { try $0.query(body) }
    }

    /// A dictionary of the pairs that a closure makes, with values by the names of the parameters, with or without their prefix.
    public func query<Key: Hashable, Value>(
        _ sql: SQL, _ parameters: [String: (any Bindable)?], body: (Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try withStatement(sql, parameters) { try $0.query(body) }
    }

    /// A dictionary of the pairs that a closure makes, with what it makes of those that have a key already, with
    /// values by the names of the parameters, with or without their prefix.
    public func query<Key: Hashable, Value>(
        _ sql: SQL, _ parameters: [String: (any Bindable)?], body: ([Key: Value], Row) throws -> (Key, Value)
    ) throws -> [Key: Value] {
        try withStatement(sql, parameters) { try $0.query(body) }
    }
}
