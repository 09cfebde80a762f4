extension Database {
    /// Runs a closure with a reader, in one snapshot: `BEGIN DEFERRED TRANSACTION`, the closure,
    /// `COMMIT TRANSACTION`.
    ///
    ///     let count: Int = try database.executeRead {
    ///         try $0.query("SELECT count(*) FROM cars")
    ///     }
    ///
    /// The snapshot begins between the call and the first query: all queries of the closure see what was committed then.
    /// A transaction that the reader has kept is used again while it is current: see ``Configuration/heldReads``.
    ///
    /// Inside another read of the same thread, the closure works on the same connection and in the same snapshot;
    /// inside a write, on the connection of the write.
    ///
    /// Blocks the calling thread, and does not compile in asynchronous code: use ``read(deadline:_:)`` there.
    ///
    /// - Parameters:
    ///   - deadline: The maximum duration of the call, including waits for a connection and for locks; `nil` for no
    ///     limit.
    ///   - closure: Runs on the calling thread. The connection must not leave it.
    /// - Returns: The result of the closure.
    /// - Throws: The closure's error; ``SQLiteError``: `SQLITE_READONLY` (8) for SQL that writes, `SQLITE_MISUSE` (21)
    ///   after `close` and in a child process, `SQLITE_READONLY_DBMOVED` (``ResultCode/fileMoved``) when the file has
    ///   been deleted or replaced, `SQLITE_INTERRUPT` (9) when the deadline has passed; and the error of opening a
    ///   connection.
    @available(*, noasync, message: "blocks a thread that tasks share: use 'read'")
    @inlinable
    @discardableResult
    public func executeRead<Result>(
        deadline: Duration? = nil, closure: (Connection) throws -> Result
    ) throws -> Result {
        let end = deadline.map { Deadline(after: $0) }
        return try beginRead(until: end).performRead(until: end, endingBy: { endRead($0) }, closure)
    }

    @usableFromInline
    func beginRead(until deadline: Deadline?) throws -> Lease {
        if let pooled = try PooledConnection.nested(in: readers, or: writer) { return try beginReadAgain(pooled) }
        let pooled = try readers.acquire(until: deadline, keepsSnapshot: true)
        return try beginRead(on: pooled)
    }

    /// Begins a read on a leased connection. The connection is released when this fails.
    func beginRead(on pooled: PooledConnection) throws -> Lease {
        pooled.enter(.reading)
        do {
            try pooled.beginSnapshot()
        } catch {
            pooled.clean()
            readers.end(pooled)
            throw error
        }
        return Lease(pooled: pooled, kind: .outermost)
    }

    /// Begins a read inside another closure of the thread.
    private func beginReadAgain(_ pooled: PooledConnection) throws -> Lease {
        guard pooled.connection.access == .writing else { return Lease(pooled: pooled, kind: .nested) }
        // A statement that writes has a snapshot, and no transaction can be committed before its end.
        let beginsTransaction = !pooled.connection.isInTransaction && !pooled.connection.hasWriteInProgress
        pooled.connection.access = .reading
        do {
            if beginsTransaction { try pooled.beginSnapshot() }
        } catch {
            pooled.connection.access = .writing
            throw error
        }
        return Lease(pooled: pooled, kind: .insideWrite(beginsTransaction: beginsTransaction))
    }

    @usableFromInline
    func endRead(_ lease: Lease) {
        let pooled = lease.pooled
        switch lease.kind {
        case .nested: return
        case .insideWrite(let beginsTransaction):
            if beginsTransaction { pooled.endSnapshot() }
            pooled.connection.access = .writing
        case .outermost:
            if !readers.keepsSnapshots || !pooled.keepSnapshot() {
                pooled.endSnapshot()
                pooled.clean()
            }
            readers.end(pooled)
        }
    }
}
