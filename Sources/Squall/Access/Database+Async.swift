import Foundation

extension Database {
    /// Runs a closure with a connection that reads, in one snapshot, without blocking the caller: `BEGIN DEFERRED
    /// TRANSACTION`, the closure, `COMMIT TRANSACTION`.
    ///
    ///     let cars: [Car] = try await database.read { try $0.query("SELECT * FROM cars") }
    ///
    /// The closure does not run on one of the threads that tasks share, but it is part of the task: task-local values and `Task.isCancelled` are those of the caller. While all connections are in use, the task is
    /// suspended; it waits in one line with the calls of ``executeRead(deadline:closure:)``.
    ///
    /// When the task is cancelled, the statement that runs, the waiting for a lock, for a connection or for the opening
    /// of one ends, and no further statement begins; the error is a `CancellationError`. The same holds when the
    /// deadline has passed, with the ``SQLiteError`` of an interrupt (`SQLITE_INTERRUPT`, 9).
    ///
    /// - Parameters:
    ///   - deadline: The longest time that the call may take, waiting and opening included; `nil` for as long as it
    ///     takes.
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws, `CancellationError`, and ``SQLiteError`` as ``executeRead(deadline:closure:)``.
    @discardableResult
    public nonisolated(nonsending) func read<Result: Sendable>(
        deadline: Duration? = nil, _ body: @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        try await readers.perform(deadline: deadline) { pooled, cancellation in
            let lease = try beginRead(on: pooled)
            defer { endRead(lease) }
            return try pooled.connection.withCancellation(cancellation) { try body(pooled.connection) }
        }
    }

    /// Runs a closure with the connection that writes, in a transaction, without blocking the caller: `BEGIN IMMEDIATE
    /// TRANSACTION`, the closure, `COMMIT TRANSACTION`; or `ROLLBACK TRANSACTION` when the closure throws or the commit
    /// fails.
    ///
    ///     try await database.write { try $0.run("DELETE FROM cars WHERE price < \(floor)") }
    ///     try await database.write(deadline: .seconds(2)) { … }
    ///
    /// Cancelling, and the deadline, are those of ``read(deadline:_:)``: the transaction is then rolled back. Once the
    /// commit has begun, it is the outcome of the commit that is reported: the call returns, and all is written, or it
    /// throws, and nothing is.
    ///
    /// - Parameters:
    ///   - deadline: The longest time that the call may take, waiting included; `nil` for as long as it takes.
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws, `CancellationError`, and ``SQLiteError`` as ``executeWrite(deadline:closure:)`` and
    ///   when the transaction cannot begin or commit.
    @discardableResult
    public nonisolated(nonsending) func write<Result: Sendable>(
        deadline: Duration? = nil, _ body: @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        try await writer.perform(deadline: deadline) { pooled, cancellation in
            pooled.enter(.writing)
            return try endingWrite(Lease(pooled: pooled, kind: .outermost)) {
                try pooled.connection.withCancellation(cancellation) { try pooled.transaction(body) }
            }
        }
    }

    /// Runs a closure with the connection that writes, without blocking the caller. There is no transaction around it:
    /// each statement is one of its own, unless the closure begins one. It is for what cannot run in a transaction, such
    /// as `VACUUM` and a checkpoint; ``write(deadline:_:)`` is for the rest.
    ///
    ///     try await database.writeWithoutTransaction { try $0.vacuum() }
    ///
    /// Cancelling, and the deadline, are those of ``read(deadline:_:)``: no further statement begins. What earlier
    /// statements of the closure have committed stays committed.
    ///
    /// - Parameters:
    ///   - deadline: The longest time that the call may take, waiting included; `nil` for as long as it takes.
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws, `CancellationError`, and ``SQLiteError`` as
    ///   ``executeWrite(deadline:closure:)``, also when the closure leaves a transaction open, which is rolled back.
    @discardableResult
    public nonisolated(nonsending) func writeWithoutTransaction<Result: Sendable>(
        deadline: Duration? = nil, _ body: @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        try await writer.perform(deadline: deadline) { pooled, cancellation in
            pooled.enter(.writing)
            return try endingWrite(Lease(pooled: pooled, kind: .outermost)) {
                try pooled.connection.withCancellation(cancellation) { try body(pooled.connection) }
            }
        }
    }
}
