import Squall

extension Database: SQLStore {
    /// Runs an asynchronous closure with a reader, in one snapshot: `BEGIN DEFERRED TRANSACTION`, the closure, `COMMIT
    /// TRANSACTION`.
    ///
    ///     let cars: [Car] = try await database.read { connection in
    ///         try await connection.query("SELECT * FROM cars")
    ///     }
    ///
    /// The closure starts when the transaction has begun. A thread holds the connection until the closure has ended, and each
    /// statement is handed to it. A closure that does not
    /// wait for anything else is faster as a synchronous one: see `read(deadline:_:)`.
    ///
    /// - Parameters:
    ///   - deadline: The maximum duration of the call, including waits for the connection; `nil` for 60 seconds.
    ///   - body: Must not use the database but by its connection: it might wait for itself.
    /// - Throws: The closure's error, `CancellationError`, and `SQLiteError`.
    @_disfavoredOverload
    @discardableResult
    public nonisolated(nonsending) func read<Value: Sendable>(
        deadline: Duration?, _ body: nonisolated(nonsending) (StoreConnection) async throws -> Value
    ) async throws -> Value {
        try await intercepted(.read) {
            try await withConnection(body) { handover in
                try await self.performRead(deadline ?? Self.durationLimit) { try handover.run(on: $0.connection) }
            }
        }
    }

    /// Runs an asynchronous closure with the writer, in a transaction: `BEGIN IMMEDIATE TRANSACTION`, the closure, `COMMIT
    /// TRANSACTION`; or `ROLLBACK` when the closure throws or the commit fails.
    ///
    ///     try await database.write { connection in
    ///         try await connection.run("DELETE FROM cars WHERE price < \(floor)")
    ///     }
    ///
    /// The closure starts when the transaction has begun. Other writes wait until it has ended, and a thread is blocked: do
    /// not wait for a network in it. The transaction is never shared with other closures.
    ///
    /// - Parameters:
    ///   - deadline: The maximum duration of the call, including waits for the writer; `nil` for 60 seconds.
    ///   - body: Must not use the database but by its connection: it might wait for itself.
    /// - Throws: The closure's error, `CancellationError`, and `SQLiteError`.
    @_disfavoredOverload
    @discardableResult
    public nonisolated(nonsending) func write<Value: Sendable>(
        deadline: Duration?, _ body: nonisolated(nonsending) (StoreConnection) async throws -> Value
    ) async throws -> Value {
        try await intercepted(.write) {
            try await withConnection(body) { handover in
                try await self.performTransaction(deadline ?? Self.durationLimit) { try handover.run(on: $0) }
            }
        }
    }

    /// Runs an asynchronous closure in a transaction that takes place once for a key, and returns its result, also when the
    /// call is repeated.
    ///
    /// - Throws: As ``write(deadline:_:)``; the error of coding the result.
    @discardableResult
    public nonisolated(nonsending) func write<Value: Codable & Sendable>(
        idempotencyKey key: String, deadline: Duration?,
        _ body: nonisolated(nonsending) (StoreConnection) async throws -> Value
    ) async throws -> Value {
        try await write(deadline: deadline) { (connection: StoreConnection) in try await connection.once(key, body) }
    }

    /// Migrates the file to the latest version of a schema; see `migrate(_:to:options:waiting:progress:)`.
    ///
    /// - Throws: `SchemaError`, `SQLiteError`, `CancellationError`, and the error of a closure.
    @_disfavoredOverload
    @discardableResult
    public nonisolated(nonsending) func migrate(_ schema: Schema) async throws -> Bool {
        try await migrate(schema, to: nil)
    }

    private static var durationLimit: Duration { .seconds(60) }

    /// Runs a closure while a thread holds a connection for it.
    private nonisolated(nonsending) func withConnection<Value: Sendable>(
        _ body: nonisolated(nonsending) (StoreConnection) async throws -> Value,
        holding hold: @escaping @Sendable (StatementHandover) async throws -> Void
    ) async throws -> Value {
        let handover = StatementHandover()
        async let held: Void = {
            do {
                try await hold(handover)
            } catch {
                handover.leave(error)
                throw error
            }
        }()
        do {
            try await handover.begin()
            let value = try await body(StoreConnection(handover))
            handover.finish()
            try await held
            return value
        } catch {
            handover.finish(error)
            try? await held
            throw error
        }
    }
}
