import Squall

// # SquallStore
//
// One interface to a database in a file and to one on other machines: asynchronous closures with a connection.
//
//     func rename<Store: SQLStore>(_ id: Int, to name: String, in store: Store) async throws {
//         try await store.write(idempotencyKey: "rename-\(id)") { connection in
//             try await connection.run("UPDATE cars SET name = \(name) WHERE id = \(id)")
//         }
//     }
//
// `SQLStore` is the protocol of a database, and `StoreConnection` has the verbs. A store implements `SQLRunner`, the
// three calls to which it reduces them. `Database` is a store: its runner is a `StatementHandover`.
// `SchemaCopy` and `StoreVersion` migrate a database that is elsewhere.
//
// A write to a `Database` runs so:
// 1. A thread begins a transaction on the writer, and waits in `StatementHandover.run(on:)` for statements.
// 2. The closure runs in its task. Each verb puts its values into the SQL, and hands the work to that thread.
// 3. The thread runs it, reads the rows on its connection, and resumes the task with the result.
// 4. `finish` ends the loop. The thread commits, or rolls back after an error of the closure.
//
// Invariants: Only the thread that holds the connection uses it, for one statement after the other. A connection whose
// closure has ended throws. A call has a deadline, 60 seconds by default, because it blocks the thread. A closure may
// run twice on another store. A key is written in the transaction of its closure, and so a write with a key takes place
// once. A migration of a store runs its steps on a copy of the schema in memory, and sends their SQL. The SQL of an
// `Execute` is sent unchanged.

/// An SQLite database that is read and written by asynchronous closures: a `Database` of this process, or one on other
/// machines, as the package `SquallCluster` has it.
///
/// The data layer of an app is written once, for any store:
///
///     struct Accounts<Store: SQLStore> {
///         let store: Store
///
///         func balance(of id: Int) async throws -> Int? {
///             try await store.read {
///                 try await $0.query("SELECT balance FROM accounts WHERE id = \(id)")
///             }
///         }
///     }
///
/// A closure may run again after a failure that another attempt can cure, so that it must have no other effects than those of
/// its statements.
public protocol SQLStore: Sendable {
    /// Runs a closure whose statements read one state of the database.
    ///
    /// - Parameters:
    ///   - deadline: The maximum duration of the call; `nil` for the limit of the store.
    ///   - body: The connection must not leave it.
    /// - Throws: The closure's error, `SQLiteError`, `CancellationError`, and the errors of the store.
    @discardableResult
    nonisolated(nonsending) func read<Value: Sendable>(
        deadline: Duration?, _ body: nonisolated(nonsending) (StoreConnection) async throws -> Value
    ) async throws -> Value

    /// Runs a closure in a transaction: `BEGIN IMMEDIATE TRANSACTION`, the closure, `COMMIT TRANSACTION`; or `ROLLBACK` when the
    /// closure throws.
    ///
    /// - Parameters:
    ///   - deadline: The maximum duration of the call; `nil` for the limit of the store.
    ///   - body: The connection must not leave it.
    /// - Throws: The closure's error, `SQLiteError`, `CancellationError`, and the errors of the store.
    @discardableResult
    nonisolated(nonsending) func write<Value: Sendable>(
        deadline: Duration?, _ body: nonisolated(nonsending) (StoreConnection) async throws -> Value
    ) async throws -> Value

    /// Runs a closure in a transaction that takes place once for a key, and returns its result, also when the call is repeated.
    ///
    ///     let id: Int64 = try await store.write(idempotencyKey: request.id) {
    ///         try await $0.insert(order)
    ///     }
    ///
    /// The key and the result, as JSON, are written by the same transaction, to the table `squall_writes`.
    ///
    /// - Throws: As ``write(deadline:_:)``; the error of coding the result.
    @discardableResult
    nonisolated(nonsending) func write<Value: Codable & Sendable>(
        idempotencyKey key: String, deadline: Duration?,
        _ body: nonisolated(nonsending) (StoreConnection) async throws -> Value
    ) async throws -> Value

    /// Migrates the database to the latest version of a schema. Each version is one transaction.
    ///
    /// - Returns: Whether any version was run.
    /// - Throws: `SchemaError`, `SQLiteError`, `CancellationError`, and the errors of the store.
    @discardableResult
    nonisolated(nonsending) func migrate(_ schema: Schema) async throws -> Bool
}

extension SQLStore {
    /// Runs a closure whose statements read one state of the database.
    ///
    /// - Throws: As ``read(deadline:_:)``.
    @_disfavoredOverload
    @discardableResult
    public nonisolated(nonsending) func read<Value: Sendable>(
        _ body: nonisolated(nonsending) (StoreConnection) async throws -> Value
    ) async throws -> Value {
        try await read(deadline: nil, body)
    }

    /// Runs a closure in a transaction.
    ///
    /// - Throws: As ``write(deadline:_:)``.
    @_disfavoredOverload
    @discardableResult
    public nonisolated(nonsending) func write<Value: Sendable>(
        _ body: nonisolated(nonsending) (StoreConnection) async throws -> Value
    ) async throws -> Value {
        try await write(deadline: nil, body)
    }

    /// Runs a closure without a result in a transaction, also where the call is all of a closure that returns nothing.
    ///
    /// - Throws: As ``write(deadline:_:)-(_,(StoreConnection)->Value)``.
    @_disfavoredOverload
    public nonisolated(nonsending) func write(
        deadline: Duration? = nil, _ body: nonisolated(nonsending) (StoreConnection) async throws -> Void
    ) async throws {
        try await write(deadline: deadline) { connection -> Bool in
            try await body(connection)
            return true
        }
    }

    /// Runs a closure in a transaction that takes place once for a key, and returns its result.
    ///
    /// - Throws: As ``write(idempotencyKey:deadline:_:)-(_,_,(StoreConnection)->Value)``.
    @discardableResult
    public nonisolated(nonsending) func write<Value: Codable & Sendable>(
        idempotencyKey key: String, _ body: nonisolated(nonsending) (StoreConnection) async throws -> Value
    ) async throws -> Value {
        try await write(idempotencyKey: key, deadline: nil, body)
    }

    /// Runs a closure in a transaction that takes place once for a key.
    ///
    /// - Throws: As ``write(deadline:_:)``.
    @_disfavoredOverload
    public nonisolated(nonsending) func write(
        idempotencyKey key: String, deadline: Duration? = nil,
        _ body: nonisolated(nonsending) (StoreConnection) async throws -> Void
    ) async throws {
        _ = try await write(idempotencyKey: key, deadline: deadline) { connection in
            try await body(connection)
            return true
        }
    }
}
