// A parameter without a value is NULL, as in SQift: of a statement that is not bound, and of values by name that leave it out. In Squall,
// both are errors.

extension Statement {
    /// Prepares a statement, whose parameters are NULL until they are bound.
    public convenience init(connection: Connection, sql: SQL) throws {
        try self.init(preparing: sql, on: connection)
        treatMissingValuesAsNull()
    }

    /// Binds values by the names of the parameters. A parameter without a value is NULL.
    @discardableResult
    public func bind(_ values: [String: (any Bindable)?]) throws -> Statement {
        try bind(values.orNull)
    }
}

extension Connection {
    /// Prepares a statement, whose parameters are NULL until they are bound.
    public func prepare(_ sql: SQL) throws -> Statement {
        try Statement(connection: self, sql: sql)
    }

    /// Prepares a statement with values in order. An empty array binds nothing: the parameters are NULL.
    public func prepare(_ sql: SQL, _ values: [(any Bindable)?]) throws -> Statement {
        let statement = try prepare(sql, values.orNull)
        statement.treatMissingValuesAsNull()
        return statement
    }

    /// Prepares a statement with values by name. A parameter without a value is NULL.
    public func prepare(_ sql: SQL, _ values: [String: (any Bindable)?]) throws -> Statement {
        let statement = try prepare(sql, values.orNull)
        statement.treatMissingValuesAsNull()
        return statement
    }

    /// Runs one statement with values by name. A parameter without a value is NULL.
    public func run(_ sql: SQL, _ values: [String: (any Bindable)?]) throws {
        try run(sql, values.orNull)
    }

    /// Returns values or records. A parameter without a value by name is NULL.
    public func query<Result: QueryResult>(_ sql: SQL, _ values: [String: (any Bindable)?]) throws -> Result {
        try query(sql, values.orNull)
    }

    /// Returns the first row, or the result of a closure for it. A parameter without a value by name is NULL.
    public func query<T>(
        _ sql: SQL, _ values: [String: (any Bindable)?], body: (Row) throws -> T = { (row: Row) -> Row in row }
    ) throws -> T? {
        try query(sql, values.orNull, body: body)
    }

    /// Returns all rows, or the results of a closure for them. A parameter without a value by name is NULL.
    public func query<T>(
        _ sql: SQL, _ values: [String: (any Bindable)?], all: Void = (),
        body: (Row) throws -> T = { (row: Row) -> Row in row }
    ) throws -> [T] {
        try query(sql, values.orNull, body: body)
    }

    /// Decodes the first row, or all rows. A parameter without a value by name is NULL.
    public func query<T: Decodable>(
        _ sql: SQL, _ values: [String: (any Bindable)?],
        as type: T.Type = T.self, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> T {
        try query(sql, values.orNull, as: type, userInfo: userInfo)
    }

    /// Calls a closure with each row. A parameter without a value by name is NULL.
    public func forEach(
        _ sql: SQL, _ values: [String: (any Bindable)?], body: (Row) throws -> Void
    ) throws {
        try forEach(sql, values.orNull, body: body)
    }
}

extension ParameterList {
    /// The list, with NULL for each parameter that its names leave out.
    var orNull: some ParameterList { ListOrNull(listedValues: listedValues.orNull) }
}

private struct ListOrNull: ParameterList {
    let listedValues: ListedValues
}
