import SquallStore
import Squall

extension Cluster: SQLStore {
    /// Runs a closure that reads on the leader, in one snapshot.
    ///
    ///     let cars: [Car] = try await cluster.read {
    ///         try await $0.query("SELECT * FROM cars WHERE price > \(limit)")
    ///     }
    ///
    /// `BEGIN` is sent with the first statement and `COMMIT` after the closure, without waiting for their replies. When the
    /// leader changes, the closure is run again.
    ///
    /// - Parameters:
    ///   - consistency: What the read sees of writes that other clients have completed.
    ///   - inTransaction: Whether all statements see one snapshot. A closure of one statement needs no transaction.
    ///   - deadline: The maximum duration of the call; `nil` for that of the settings.
    ///   - body: The connection must not leave it.
    /// - Throws: `SQLiteError` for what SQLite refuses, ``ClusterError/noLeader(_:)`` if there is no leader before the deadline,
    ///   ``ClusterError/cannotConnect(address:reason:)`` if the leader cannot be reached until the last attempt,
    ///   ``ClusterError/deadlineExceeded(mayHaveRun:)``, `CancellationError`, or the error of the closure.
    @discardableResult
    public nonisolated(nonsending) func read<Value: Sendable>(
        _ consistency: ReadConsistency, inTransaction: Bool = true, deadline: Duration? = nil,
        _ body: nonisolated(nonsending) (StoreConnection) async throws -> Value
    ) async throws -> Value {
        try await readTransaction(consistency, inTransaction: inTransaction, deadline: deadline) {
            try await body(connection($0))
        }
    }

    @discardableResult
    public nonisolated(nonsending) func read<Value: Sendable>(
        deadline: Duration?, _ body: nonisolated(nonsending) (StoreConnection) async throws -> Value
    ) async throws -> Value {
        try await read(.leader, deadline: deadline, body)
    }

    /// Runs a closure in a transaction that writes: `BEGIN IMMEDIATE`, the statements of the closure, `COMMIT`.
    ///
    /// If the closure throws an error, the transaction is rolled back. If the leader changes before COMMIT, or another
    /// client has the database locked, the closure is run again.
    ///
    /// - Throws: ``ClusterError/commitOutcomeUnknown(cause:)`` if the write may or may not have been committed. After
    ///   any other error, it was not: `SQLiteError` for what SQLite refuses, ``ClusterError/noLeader(_:)``,
    ///   ``ClusterError/cannotConnect(address:reason:)``, ``ClusterError/deadlineExceeded(mayHaveRun:)``,
    ///   `CancellationError`, or the error of the closure.
    @discardableResult
    public nonisolated(nonsending) func write<Value: Sendable>(
        deadline: Duration?, _ body: nonisolated(nonsending) (StoreConnection) async throws -> Value
    ) async throws -> Value {
        try await writeTransaction(deadline: deadline) { try await body(connection($0)) }
    }

    /// Runs a closure in a transaction that takes place once for all calls with the same key, and returns its result.
    ///
    /// When the outcome of COMMIT is unknown, the write is attempted again, and done only if its key is not there. Keys
    /// are deleted after the lifetime in the settings.
    ///
    /// - Throws: The errors of a write without a key. After ``ClusterError/commitOutcomeUnknown(cause:)`` the write may
    ///   be called again with the same key. `SQLiteError` of the kind `storedResult` if the stored result is of another
    ///   type.
    @discardableResult
    public nonisolated(nonsending) func write<Value: Codable & Sendable>(
        idempotencyKey key: String, deadline: Duration?,
        _ body: nonisolated(nonsending) (StoreConnection) async throws -> Value
    ) async throws -> Value {
        try await writeTransaction(idempotencyKey: key, deadline: deadline) { try await body(connection($0)) }
    }

    /// Migrates the database to the latest version of a schema. Each version is one transaction. A version that fails is
    /// rolled back; the earlier ones are kept.
    ///
    /// Of several clients that call it at once, one runs each version, and the others go on after it. A schema with a version
    /// that runs a closure (`Execute { … }`) is refused before anything is run. Foreign keys are off while a version runs that
    /// rebuilds or drops a table; rows that newly refer to missing rows then make it fail.
    ///
    /// The deadline of each version is the `migrationDeadline` of the settings.
    ///
    /// - Returns: Whether any version was run.
    /// - Throws: `SchemaError`, and the errors of a write. After ``ClusterError/commitOutcomeUnknown(cause:)`` it may be called
    ///   again.
    @discardableResult
    public nonisolated(nonsending) func migrate(_ schema: Schema) async throws -> Bool {
        var hasRun = false
        var turnsOff = false
        while true {
            let step = try await migration(withForeignKeysOff: turnsOff) {
                try await schema.migrateNextVersion(connection($0), withForeignKeysOff: turnsOff)
            }
            switch step {
            case .finished: return hasRun
            case .ran: hasRun = true
            case .needsForeignKeys(let off): turnsOff = off
            }
        }
    }

    private func connection(_ transaction: ClusterTransaction) -> StoreConnection {
        StoreConnection(ClusterRunner(transaction: transaction, receivedRows: receivedRows))
    }
}
