extension Database {
    /// Runs a closure with a reader, in one snapshot, without blocking the thread: `BEGIN DEFERRED TRANSACTION`, the
    /// closure, `COMMIT TRANSACTION`.
    ///
    ///     let cars: [Car] = try await database.read { try $0.query("SELECT * FROM cars") }
    ///
    /// The snapshot begins between the call and the first query: all queries of the closure see what was committed then.
    /// A transaction that the reader has kept is used again while it is current: see ``Configuration/heldReads``.
    ///
    /// The closure runs outside the threads that tasks share, but is part of the task: task-local values and
    /// `Task.isCancelled` are those of the caller. While all connections are in use, the task is suspended, and waits
    /// in one line with all other reads.
    ///
    /// Cancelling the task ends the running statement, or the wait for a lock, for a connection or for opening one. No
    /// further statement begins, and the call throws `CancellationError`. A deadline that passes has the same effect,
    /// with `SQLITE_INTERRUPT` (9).
    ///
    /// - Parameters:
    ///   - deadline: The maximum duration of the call, including waits and opening; `nil` for no limit.
    ///   - body: Runs outside the threads that tasks share. The connection must not leave it.
    /// - Returns: The result of the closure.
    /// - Throws: The closure's error; `CancellationError`; ``SQLiteError``: `SQLITE_READONLY` (8) for SQL that writes,
    ///   `SQLITE_MISUSE` (21) after `close` and in a child process, `SQLITE_READONLY_DBMOVED`
    ///   (``ResultCode/fileMoved``) when the file has been deleted or replaced, `SQLITE_INTERRUPT` (9) when the deadline
    ///   has passed; and the error of opening a connection.
    @discardableResult
    public nonisolated(nonsending) func read<Result: Sendable>(
        deadline: Duration? = nil, _ body: @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        try await intercepted(.read) { try await performRead(deadline) { try body($0.connection) } }
    }

    /// Runs a closure as ``read(deadline:_:)`` does, without the interceptors.
    package nonisolated(nonsending) func performRead<Result: Sendable>(
        _ deadline: Duration?, _ body: @Sendable (PooledConnection) throws -> Result
    ) async throws -> Result {
        try await readers.perform(deadline: deadline) { pooled, cancellation in
            try beginRead(on: pooled).performRead(until: nil, cancellation, endingBy: endRead) { _ in try body(pooled) }
        }
    }

    /// Runs a closure with the writer, in a transaction, without blocking the thread: `BEGIN IMMEDIATE
    /// TRANSACTION`, the closure, `COMMIT TRANSACTION`; or `ROLLBACK` when the closure throws or the commit
    /// fails.
    ///
    ///     try await database.write { try $0.run("DELETE FROM cars WHERE price < \(floor)") }
    ///     try await database.write(deadline: .seconds(2)) { … }
    ///
    /// Cancelling and the deadline have the effects described in ``read(deadline:_:)``; the transaction is rolled back.
    /// Once the commit has begun, its outcome counts: the call returns and everything is written, or it throws and
    /// nothing is.
    ///
    /// With ``Configuration/groupCommit``, the closure may share its transaction with others, and run twice: see
    /// <doc:GroupCommit>.
    ///
    /// - Parameters:
    ///   - deadline: The maximum duration of the call, including waits; `nil` for no limit.
    ///   - isolated: Whether the closure has a transaction that no other closure shares.
    ///   - body: Runs outside the threads that tasks share. The connection must not leave it.
    /// - Returns: The result of the closure.
    /// - Throws: The closure's error, `CancellationError`, and ``SQLiteError`` as
    ///   ``writeWithoutTransaction(deadline:_:)``, and when the transaction cannot begin or commit.
    @discardableResult
    public nonisolated(nonsending) func write<Result: Sendable>(
        deadline: Duration? = nil, isolated: Bool = false, _ body: @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        try await intercepted(.write) {
            guard writer.groupsCommits, !isolated else { return try await performTransaction(deadline, body) }
            return try await groupedWrite(deadline, body)
        }
    }

    /// Runs a closure in a transaction that no other closure shares, without the interceptors.
    package nonisolated(nonsending) func performTransaction<Result: Sendable>(
        _ deadline: Duration?, _ body: @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        try await performWrite(deadline) { try $0.transaction(body) }
    }

    /// Runs a closure with the writer, without a transaction around it, and without blocking the thread. Each statement
    /// is a transaction by itself, unless the closure begins one. Use it for statements that cannot run in a
    /// transaction, such as `VACUUM` and checkpoints. Use ``write(deadline:isolated:_:)`` for all others.
    ///
    ///     try await database.writeWithoutTransaction { try $0.vacuum() }
    ///
    /// Cancelling and the deadline have the effects described in ``read(deadline:_:)``. Earlier statements of the
    /// closure stay committed.
    ///
    /// - Parameters:
    ///   - deadline: The maximum duration of the call, including waits; `nil` for no limit.
    ///   - body: Runs outside the threads that tasks share. The connection must not leave it.
    /// - Returns: The result of the closure.
    /// - Throws: The closure's error; `CancellationError`; ``SQLiteError``: `SQLITE_MISUSE` (21) inside a read, after
    ///   `close`, in a child process, and when the closure leaves a transaction open, which is rolled back;
    ///   `SQLITE_READONLY_DBMOVED` (``ResultCode/fileMoved``) when the file has been deleted or replaced, also during the
    ///   closure; `SQLITE_INTERRUPT` (9) when the deadline has passed.
    @discardableResult
    public nonisolated(nonsending) func writeWithoutTransaction<Result: Sendable>(
        deadline: Duration? = nil, _ body: @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        try await writeWithoutTransaction(as: .write, deadline, body)
    }

    /// Runs a closure with the writer inside the interceptors, as an operation.
    nonisolated(nonsending) func writeWithoutTransaction<Result: Sendable>(
        as operation: DatabaseOperation, _ deadline: Duration?, _ body: @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        try await intercepted(operation) { try await performWrite(deadline) { try body($0.connection) } }
    }

    /// Runs a closure with the writer, without the interceptors.
    nonisolated(nonsending) func performWrite<Result: Sendable>(
        _ deadline: Duration?, _ body: @Sendable (PooledConnection) throws -> Result
    ) async throws -> Result {
        try await writer.perform(deadline: deadline) { pooled, cancellation in
            pooled.enter(.writing)
            let lease = Lease(pooled: pooled, kind: .outermost)
            return try endingWrite(lease, until: cancellation.deadline, cancellation) { _ in try body(pooled) }
        }
    }
}
