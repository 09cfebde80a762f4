// The other verbs for SQL in a `String`. They are disfavoured like the forms of `query`.

extension Connection {
    /// Runs a script. Takes the SQL from a `String`.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func execute(_ sql: some StringProtocol) throws {
        try execute(SQL(raw: sql))
    }

    /// Runs one statement. Takes SQL from a `String` and values in order.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func run(_ sql: some StringProtocol, _ parameters: (any Bindable)?...) throws {
        try run(SQL(raw: sql), parameters)
    }

    /// Runs one statement. Takes SQL from a `String` and a list of values.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func run(_ sql: some StringProtocol, _ list: some ParameterList) throws {
        try run(SQL(raw: sql), list.orNull)
    }

    /// Prepares a statement. Takes SQL from a `String` and values in order.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func prepare(_ sql: some StringProtocol, _ parameters: (any Bindable)?...) throws -> Statement {
        try prepare(SQL(raw: sql), parameters)
    }

    /// Prepares a statement. Takes SQL from a `String` and a list of values.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func prepare(_ sql: some StringProtocol, _ list: some ParameterList) throws -> Statement {
        try prepare(SQL(raw: sql), list.orNull)
    }

    /// Calls a closure with each row. Takes SQL from a `String` and values in order.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func forEach(
        _ sql: some StringProtocol, _ parameters: (any Bindable)?..., body: (Row) throws -> Void
    ) throws {
        try forEach(SQL(raw: sql), parameters, body: body)
    }

    /// Calls a closure with each row. Takes SQL from a `String` and a list of values.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func forEach(
        _ sql: some StringProtocol, _ list: some ParameterList, body: (Row) throws -> Void
    ) throws {
        try forEach(SQL(raw: sql), list.orNull, body: body)
    }

    /// Returns the query plan of a statement. Takes SQL from a `String` and values in order.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public func explainQueryPlan(_ sql: some StringProtocol, _ parameters: (any Bindable)?...) throws -> QueryPlan {
        try explainQueryPlan(SQL(raw: sql), parameters)
    }
}

extension Statement {
    /// Prepares a statement. Takes the SQL from a `String`.
    @_disfavoredOverload
    @available(*, deprecated, message: "may splice: write a literal, let sql: SQL = \"…\", or SQL(raw: text)")
    public convenience init(connection: Connection, sql: some StringProtocol) throws {
        try self.init(connection: connection, sql: SQL(raw: sql))
    }
}
