extension Database {
    /// The verbs of the database for synchronous code: they have the same names, and block the calling thread.
    ///
    ///     let n: Int = try database.blocking.read { try $0.query("SELECT count(*) FROM cars") }
    ///     try database.blocking.write { try $0.run("DELETE FROM cars WHERE price < \(floor)") }
    ///
    /// Does not compile in asynchronous code, where it would block a thread that tasks share: leave out `blocking`
    /// there, and `await` the verb of the database.
    @available(*, noasync, message: "blocks a thread that tasks share: leave out 'blocking', and write 'await'")
    @inlinable
    public var blocking: Blocking { Blocking(self) }

    /// The verbs of a database that block the calling thread; see ``Database/blocking``.
    ///
    /// Closures run on the thread of the caller, and can return anything but the connection. In a closure, the same
    /// thread can use the database again: a read inside a read, or a write inside a write, has the same connection, in the
    /// same snapshot or transaction. A read inside a write sees its changes. A write inside a read throws.
    public struct Blocking {
        @usableFromInline
        package let database: Database

        @usableFromInline
        init(_ database: Database) { self.database = database }
    }
}

extension Database.Blocking {
    /// Runs a closure with a reader, in one snapshot, as ``Database/read(deadline:_:)`` does: `BEGIN DEFERRED
    /// TRANSACTION`, the closure, `COMMIT TRANSACTION`.
    ///
    ///     let n: Int = try database.blocking.read { try $0.query("SELECT count(*) FROM cars") }
    ///
    /// Inside another read of the same thread, the closure works on the same connection and in the same snapshot;
    /// inside a write, on the connection of the write.
    ///
    /// - Parameters:
    ///   - deadline: The maximum duration of the call, including waits for a connection and for locks; `nil` for no
    ///     limit.
    ///   - body: Runs on the calling thread. The connection must not leave it.
    /// - Returns: The result of the closure.
    /// - Throws: The closure's error, and ``SQLiteError`` as ``Database/read(deadline:_:)``.
    @inlinable
    @discardableResult
    public func read<Result>(deadline: Duration? = nil, _ body: (Connection) throws -> Result) throws -> Result {
        let end = deadline.map { Deadline(after: $0) }
        return try database.beginRead(until: end).performRead(until: end, endingBy: { database.endRead($0) }, body)
    }

    /// Runs a closure with the writer, in a transaction, as ``Database/write(deadline:isolated:_:)`` does: `BEGIN IMMEDIATE
    /// TRANSACTION`, the closure, `COMMIT TRANSACTION`; or `ROLLBACK` when the closure throws or the commit fails.
    ///
    ///     let id = try database.blocking.write { connection in
    ///         try connection.run("INSERT INTO cars(name) VALUES(?)", "Audi")
    ///         return connection.lastInsertRowID
    ///     }
    ///
    /// Inside another transaction of the same thread, it is a savepoint: the changes of the closure are undone when it
    /// throws, and the outer transaction continues. <doc:Rollbacks> lists all situations.
    ///
    /// - Parameters:
    ///   - deadline: The maximum duration of the call, including waits for the connection and for locks; `nil` for no
    ///     limit. When it passes, the transaction is rolled back.
    ///   - isolated: Whether the closure has a transaction that no other closure shares.
    ///   - body: Runs on the calling thread. The connection must not leave it.
    /// - Returns: The result of the closure.
    /// - Throws: The closure's error, and ``SQLiteError`` as ``Database/write(deadline:isolated:_:)``.
    @discardableResult
    public func write<Result>(
        deadline: Duration? = nil, isolated: Bool = false, _ body: (Connection) throws -> Result
    ) throws -> Result {
        let end = deadline.map { Deadline(after: $0) }
        if database.writer.groupsCommits, !isolated, !database.isUsedByThisThread {
            return try database.groupedTransaction(until: end, body)
        }
        let lease = try database.beginWrite(until: end)
        return try database.endingWrite(lease, until: end) { connection in
            guard connection.isInTransaction else { return try lease.pooled.transaction(body) }
            return try connection.savepoint(named: "squall_transaction") { try body(connection) }
        }
    }

    /// Runs a closure with the writer, without a transaction around it, as
    /// ``Database/writeWithoutTransaction(deadline:_:)`` does: each statement is a transaction by itself, unless the
    /// closure begins one.
    ///
    ///     try database.blocking.writeWithoutTransaction { try $0.vacuum() }
    ///
    /// Inside another write of the same thread, the closure works on the same connection, in the same transaction if
    /// there is one.
    ///
    /// - Parameters:
    ///   - deadline: The maximum duration of the call, including waits for the connection and for locks; `nil` for no
    ///     limit.
    ///   - body: Runs on the calling thread. The connection must not leave it.
    /// - Returns: The result of the closure.
    /// - Throws: The closure's error, and ``SQLiteError`` as ``Database/writeWithoutTransaction(deadline:_:)``.
    @inlinable
    @discardableResult
    public func writeWithoutTransaction<Result>(
        deadline: Duration? = nil, _ body: (Connection) throws -> Result
    ) throws -> Result {
        let end = deadline.map { Deadline(after: $0) }
        let lease = try database.beginWrite(until: end)
        return try database.endingWrite(lease, until: end, nil, body)
    }
}
