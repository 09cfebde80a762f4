extension Database {
    /// Runs the closure of a write, under the limits of its call, and then ends the write.
    @inlinable
    @inline(__always)
    func endingWrite<Result>(
        _ lease: Lease, until deadline: Deadline?, _ cancellation: Cancellation? = nil,
        _ closure: (Connection) throws -> Result
    ) throws -> Result {
        let result: Result
        do {
            result = try lease.run(until: deadline, cancellation, closure)
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
        writer.end(pooled)
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
