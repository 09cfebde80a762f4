extension Database {
    /// Runs a closure with the writer, without a transaction around it: each statement is a transaction by itself,
    /// unless the closure begins one.
    ///
    ///     try database.executeWrite { try $0.run("INSERT INTO cars(name) VALUES(?)", "Audi") }
    ///
    /// Inside another write of the same thread, the closure works on the same connection, in the same transaction if
    /// there is one.
    ///
    /// Blocks the calling thread, and does not compile in asynchronous code: use ``write(deadline:isolated:_:)`` there, or
    /// ``writeWithoutTransaction(deadline:_:)``, which has no transaction around its closure either.
    ///
    /// - Parameters:
    ///   - deadline: The maximum duration of the call, including waits for the connection and for locks; `nil` for no
    ///     limit.
    ///   - closure: Runs on the calling thread. The connection must not leave it.
    /// - Returns: The result of the closure.
    /// - Throws: The closure's error; ``SQLiteError``: `SQLITE_MISUSE` (21) inside a read, after `close`, in a child
    ///   process, and when the closure leaves a transaction open, which is rolled back; `SQLITE_READONLY_DBMOVED`
    ///   (``ResultCode/fileMoved``) when the file has been deleted or replaced, also during the closure;
    ///   `SQLITE_INTERRUPT` (9) when the deadline has passed.
    @available(
        *, noasync, message: "blocks a thread that tasks share: use 'write', or 'writeWithoutTransaction'"
    )
    @inlinable
    @discardableResult
    public func executeWrite<Result>(
        deadline: Duration? = nil, closure: (Connection) throws -> Result
    ) throws -> Result {
        let end = deadline.map { Deadline(after: $0) }
        let lease = try beginWrite(until: end)
        return try endingWrite(lease, until: end) { try lease.run(until: end, closure) }
    }

    /// Runs a closure with the writer, in a transaction: `BEGIN IMMEDIATE TRANSACTION`, the closure,
    /// `COMMIT TRANSACTION`; or `ROLLBACK` when the closure throws or the commit fails.
    ///
    ///     let id = try database.transaction { connection in
    ///         try connection.run("INSERT INTO cars(name) VALUES(?)", "Audi")
    ///         return connection.lastInsertRowID
    ///     }
    ///
    /// Inside another transaction of the same thread, it is a savepoint: the changes of the closure are undone when it
    /// throws, and the outer transaction continues. <doc:Rollbacks> lists all situations.
    ///
    /// Blocks the calling thread, and does not compile in asynchronous code: use ``write(deadline:isolated:_:)`` there.
    ///
    /// With ``Configuration/groupCommit``, the closure may share its transaction with others, and run twice: see
    /// <doc:GroupCommit>.
    ///
    /// - Parameters:
    ///   - transactionType: The time at which the transaction takes its locks. Only an immediate one is shared.
    ///   - deadline: The maximum duration of the call, including waits for the connection and for locks; `nil` for no
    ///     limit. When it passes, the transaction is rolled back.
    ///   - isolated: Whether the closure has a transaction that no other closure shares.
    ///   - closure: Runs on the calling thread. The connection must not leave it.
    /// - Returns: The result of the closure.
    /// - Throws: The closure's error; ``SQLiteError`` as ``executeWrite(deadline:closure:)``, and when the
    ///   transaction cannot begin or commit.
    @available(*, noasync, message: "blocks a thread that tasks share: use 'write'")
    @discardableResult
    public func transaction<Result>(
        transactionType: Connection.TransactionType = .immediate, deadline: Duration? = nil, isolated: Bool = false,
        closure: (Connection) throws -> Result
    ) throws -> Result {
        let end = deadline.map { Deadline(after: $0) }
        if writer.groupsCommits, !isolated, transactionType == .immediate, !isUsedByThisThread {
            return try groupedTransaction(until: end, closure)
        }
        let lease = try beginWrite(until: end)
        return try endingWrite(lease, until: end) {
            try lease.run(until: end) { _ in try transaction(transactionType, lease.pooled, closure) }
        }
    }

    private func transaction<Result>(
        _ type: Connection.TransactionType, _ pooled: PooledConnection, _ closure: (Connection) throws -> Result
    ) throws -> Result {
        let connection = pooled.connection
        if connection.isInTransaction {
            return try connection.savepoint(named: "squall_transaction") { try closure(connection) }
        }
        guard type == .immediate else {
            return try connection.transaction(transactionType: type) { try closure(connection) }
        }
        return try pooled.transaction(closure)
    }

    /// Runs the closure of a write, and then ends the write.
    @inlinable
    @inline(__always)
    func endingWrite<Result>(
        _ lease: Lease, until deadline: Deadline?, _ cancellation: Cancellation? = nil,
        _ body: () throws -> Result
    ) throws -> Result {
        let result: Result
        do {
            result = try body()
        } catch {
            endWrite(lease, hasFailed: true, until: deadline, cancellation)
            throw error
        }
        if let error = endWrite(lease, hasFailed: false, until: deadline, cancellation) { throw error }
        return result
    }

    @usableFromInline
    func beginWrite(until deadline: Deadline?) throws -> Lease {
        if let pooled = try PooledConnection.nested(in: writer, or: readers) {
            guard pooled.connection.access == .writing else { throw writeInsideReadError }
            return Lease(pooled: pooled, kind: .nested)
        }
        // As in a read. A write could wait for the readers, to truncate the log.
        try readers.checkIsNotOpening()
        let pooled = try writer.acquire(until: deadline)
        pooled.enter(.writing)
        return Lease(pooled: pooled, kind: .outermost)
    }

    /// Ends a write, and rolls back a transaction that the closure has left open.
    ///
    /// - Parameters:
    ///   - hasFailed: Whether the closure has thrown. The log is then not truncated: that may take longer than the caller
    ///     of a write that has ended at its deadline expects.
    ///   - deadline: The time until which it may wait for readers, to truncate the log.
    ///   - cancellation: Ends this wait.
    /// - Returns: The error of a closure that has left a transaction open, or has committed to a deleted or replaced
    ///   file.
    @usableFromInline
    @discardableResult
    func endWrite(
        _ lease: Lease, hasFailed: Bool, until deadline: Deadline?, _ cancellation: Cancellation?
    ) -> (any Error)? {
        guard lease.kind == .outermost else { return nil }
        let pooled = lease.pooled
        let error = pooled.clean() ? .transactionLeftOpen : writer.errorAfterWrite(pooled)
        if pooled.connection.callbacks.pointee.hasWorkLeft { pooled.connection.finishCallbacks() }
        if hasFailed {
            pooled.playBackJournal()
        } else {
            writer.keepStatistics(pooled, until: deadline, cancellation)
            writer.keepLogLimit(pooled, until: deadline, cancellation)
        }
        pooled.leave()
        writer.release(pooled)
        return error
    }

    private var writeInsideReadError: SQLiteError {
        .misuse(
            .insideRead(.write),
            hint: "read inside the write, or write after the read"
        )
    }
}

extension SQLiteError {
    /// The error of a write whose closure has left a transaction open, which was rolled back.
    static var transactionLeftOpen: SQLiteError {
        SQLiteError(
            DatabaseProblem.transactionLeftOpen,
            hint: "`transaction`, `write` and `executeInTransaction` commit, or roll back when their closure throws")
    }
}
