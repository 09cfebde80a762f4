import Squall

extension NodeConnection {
    /// Opens a database, which is created if the cluster has none with the name. A connection opens one.
    ///
    /// Any node opens a database. Statements run on the leader only, where `SELECT zeroblob(16384)` is run first: without it,
    /// rows of more than 32 columns could end a node of dqlite 1.11.
    public nonisolated(nonsending) func open(_ database: String, deadline: Duration? = nil) async throws {
        _ = try await send(.open(name: database), deadline: deadline) { try $0.databaseID() }
        try await enlargeBuffer(deadline: deadline)
    }

    /// Makes the node's buffer for replies larger, by one reply that does not fit.
    ///
    /// dqlite 1.11 writes the types of a row at the end of the buffer before it makes room for them. With more than 32
    /// columns, a row that began near the end of the first 4,096 bytes overwrote other memory and ended the node. Later
    /// rows begin in the first 4,096 bytes too, and the buffer does not shrink.
    private nonisolated(nonsending) func enlargeBuffer(deadline: Duration?) async throws {
        do {
            _ = try await queryOnce("SELECT zeroblob(16384)", deadline: deadline).all()
        } catch ClusterError.refused {
            // A follower sends no rows.
        }
    }

    /// Prepares a statement for the cache of the connection and returns the number of its parameters.
    @discardableResult
    public nonisolated(nonsending) func prepare(_ sql: String, deadline: Duration? = nil) async throws -> Int {
        let reply = try await run(sql, [], .prepare, deadline: deadline)
        guard case .prepared(let statement) = reply else { throw ClusterError.closed }
        return statement.parameterCount
    }

    /// Runs a statement without rows. It is prepared once and kept in the cache.
    @discardableResult
    public nonisolated(nonsending) func execute(
        _ sql: String, _ values: [BindingValue] = [], deadline: Duration? = nil
    ) async throws -> ExecutionResult {
        let reply = try await run(sql, values, .execute, deadline: deadline)
        return try decodeReply(reply) { try $0.result(sql: sql) }
    }

    /// Runs any number of statements without rows. The values are those of the first. Nothing is kept.
    ///
    /// Without a transaction of its own, the statements before one that fails stay in effect.
    @discardableResult
    public nonisolated(nonsending) func executeScript(
        _ sql: String, _ values: [BindingValue] = [], deadline: Duration? = nil
    ) async throws -> ExecutionResult {
        try StatementFacts.check(script: sql)
        return try await send(.executeSQL(sql, values: values), deadline: deadline) { try $0.result(sql: sql) }
    }

    /// Runs a statement that reads. It is prepared once and kept in the cache.
    ///
    /// The connection makes no other request until the rows are read to their end or closed.
    public nonisolated(nonsending) func query(
        _ sql: String, _ values: [BindingValue] = [], deadline: Duration? = nil
    ) async throws -> NodeRows {
        let reply = try await run(sql, values, .query, deadline: deadline)
        return try NodeRows(on: self, sql: sql, deadline: deadline, reply: reply)
    }

    /// Runs a statement that reads, without keeping it in the cache.
    public nonisolated(nonsending) func queryOnce(
        _ sql: String, _ values: [BindingValue] = [], deadline: Duration? = nil
    ) async throws -> NodeRows {
        let request = Request.querySQL(sql, values: values)
        try request.check(limit: settings.maximumMessageSize)
        try StatementFacts(sql).check(.query, sql: sql)
        return try NodeRows(
            on: self, sql: sql, deadline: deadline, reply: try await reply(to: .rows(request), deadline: deadline))
    }

    private nonisolated(nonsending) func run(
        _ sql: String, _ values: [BindingValue], _ use: StatementUse, deadline: Duration?
    ) async throws -> Reply {
        try Request.prepare(sql: sql).check(limit: settings.maximumMessageSize)
        try Request.execute(statement: 0, values: values).check(limit: settings.maximumMessageSize)
        return try await reply(to: .statement(sql: sql, values: values, use: use), deadline: deadline)
    }
}
