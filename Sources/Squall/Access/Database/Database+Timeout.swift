extension Database {
    /// Runs a closure as ``executeRead(deadline:closure:)`` does, but throws if no reader is free before a timeout. The
    /// timeout does not limit the closure.
    ///
    ///     let count: Int = try database.executeRead(timeout: .seconds(1)) {
    ///         try $0.query("SELECT count(*) FROM cars")
    ///     }
    ///
    /// - Parameters:
    ///   - timeout: The maximum time to wait for a connection; `.zero` to not wait.
    ///   - deadline: The maximum duration of the call, including waits; `nil` for no limit.
    ///   - closure: Runs on the calling thread. The connection must not leave it.
    /// - Returns: The result of the closure.
    /// - Throws: ``SQLiteError``, `SQLITE_BUSY` (5), with the problem ``DatabaseProblem/connectionTimeout(_:)``, after the
    ///   timeout; and as ``executeRead(deadline:closure:)``.
    @available(*, noasync, message: "blocks a thread that tasks share: use 'read'")
    @discardableResult
    public func executeRead<Result>(
        timeout: Duration, deadline: Duration? = nil, closure: (Connection) throws -> Result
    ) throws -> Result {
        if isUsedByThisThread {
            return try executeRead(deadline: deadline, closure: closure)
        }
        let end = deadline.map { Deadline(after: $0) }
        let lease = try beginRead(on: readers.acquire(waiting: timeout, until: end))
        defer { endRead(lease) }
        return try lease.run(until: end, closure)
    }

    /// Runs a closure as ``executeWrite(deadline:closure:)`` does, but throws if the writer is not free before a timeout.
    /// The timeout does not limit the closure.
    ///
    /// - Parameters:
    ///   - timeout: The maximum time to wait for the connection; `.zero` to not wait.
    ///   - deadline: The maximum duration of the call, including waits; `nil` for no limit.
    ///   - closure: Runs on the calling thread. The connection must not leave it.
    /// - Returns: The result of the closure.
    /// - Throws: ``SQLiteError``, `SQLITE_BUSY` (5), with the problem ``DatabaseProblem/connectionTimeout(_:)``, after the
    ///   timeout; and as ``executeWrite(deadline:closure:)``.
    @available(
        *, noasync, message: "blocks a thread that tasks share: use 'write', or 'writeWithoutTransaction'"
    )
    @discardableResult
    public func executeWrite<Result>(
        timeout: Duration, deadline: Duration? = nil, closure: (Connection) throws -> Result
    ) throws -> Result {
        let end = deadline.map { Deadline(after: $0) }
        let lease = try beginWrite(waiting: timeout, until: end)
        return try endingWrite(lease, until: end) { try lease.run(until: end, closure) }
    }

    /// Runs a closure as ``transaction(transactionType:deadline:isolated:closure:)`` does, but throws if the writer is not free
    /// before a timeout. The timeout does not limit the closure.
    ///
    /// - Parameters:
    ///   - transactionType: The time at which the transaction takes its locks.
    ///   - timeout: The maximum time to wait for the connection; `.zero` to not wait.
    ///   - deadline: The maximum duration of the call, including waits; `nil` for no limit.
    ///   - closure: Runs on the calling thread. The connection must not leave it.
    /// - Returns: The result of the closure.
    /// - Throws: ``SQLiteError``, `SQLITE_BUSY` (5), with the problem ``DatabaseProblem/connectionTimeout(_:)``, after the
    ///   timeout; and as ``transaction(transactionType:deadline:isolated:closure:)``.
    @available(*, noasync, message: "blocks a thread that tasks share: use 'write'")
    @discardableResult
    public func transaction<Result>(
        transactionType: Connection.TransactionType = .immediate, timeout: Duration, deadline: Duration? = nil,
        closure: (Connection) throws -> Result
    ) throws -> Result {
        // Nested, it has the connection already.
        try executeWrite(timeout: timeout, deadline: deadline) { _ in
            try transaction(transactionType: transactionType, closure: closure)
        }
    }

    /// Whether this thread runs a closure of the database.
    package var isUsedByThisThread: Bool { PooledConnection.innermost(of: writer, or: readers) != nil }

    private func beginWrite(waiting timeout: Duration, until deadline: Deadline?) throws -> Lease {
        if isUsedByThisThread { return try beginWrite(until: deadline) }
        try readers.checkIsNotOpening()
        let pooled = try writer.acquire(waiting: timeout, until: deadline)
        pooled.enter(.writing)
        return Lease(pooled: pooled, kind: .outermost)
    }
}
