import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A view of a database that does not change while others write.
///
///     let snapshot = try await database.snapshot()
///     try await database.write { try $0.run("DELETE FROM cars") }
///     let count: Int = try await snapshot.read {
///         try $0.query("SELECT count(*) FROM cars")  // as before
///     }
///
/// A snapshot uses a separate connection, which is closed with it, and not a reader of the pool. While it is open, the
/// write-ahead log grows: SQLite cannot reuse the log while an older state may be read. Outside WAL mode, no connection
/// can write while the snapshot is open.
public final class ReadSnapshot: Sendable {
    let core: PoolCore
    // Kept, because readers must be closed before the writer.
    private let database: Database

    init(_ connection: sending Connection, of database: Database) {
        self.database = database
        let observers = database.observers
        core = PoolCore(.snapshot, connection, observers: { observers.installations(forReader: true) })
        database.snapshots.insert(core)
        core.updateObservers()
    }

    deinit {
        if !core.fork.isChild { core.close() }
    }

    /// Runs a closure with the connection of the snapshot without blocking the thread; see
    /// ``Database/read(deadline:_:)``. Several tasks and threads take turns.
    ///
    /// - Parameters:
    ///   - deadline: The maximum duration of the call, including waits; `nil` for no limit.
    ///   - body: Runs outside the threads that tasks share. The connection must not leave it.
    /// - Returns: The result of the closure.
    /// - Throws: The closure's error, `CancellationError`, and ``SQLiteError`` as ``Database/read(deadline:_:)``.
    @discardableResult
    public nonisolated(nonsending) func read<Result: Sendable>(
        deadline: Duration? = nil, _ body: @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        try await core.perform(deadline: deadline) { pooled, cancellation in
            pooled.enter(.reading)
            return try Lease(pooled: pooled, kind: .outermost).performRead(
                until: nil, cancellation, endingBy: end, body)
        }
    }

    /// Closes the snapshot, as suspending its database does. Blocks the thread until its running closure has returned,
    /// and has no asynchronous form: in a task, call it when no closure of the snapshot runs. Closing again does nothing.
    ///
    /// - Throws: ``SQLiteError``, `SQLITE_MISUSE` (21), inside a closure of the snapshot, and in a child process.
    public func close() throws {
        try core.fork.check()
        guard PooledConnection.innermost(of: core) == nil else {
            throw SQLiteError(DatabaseProblem.closedInsideClosure(.snapshot))
        }
        core.close()
    }

    @usableFromInline
    func begin(until deadline: Deadline?) throws -> Lease { try core.lease(.reading, until: deadline) }

    @usableFromInline
    func end(_ lease: Lease) {
        guard lease.kind == .outermost else { return }
        // The transaction stays open: it is the snapshot.
        lease.pooled.endStatements()
        lease.pooled.undoSettings()
        core.end(lease.pooled)
    }
}

extension Database {
    /// Returns a view of the present state of the database, which does not change while others write. It runs `BEGIN
    /// DEFERRED TRANSACTION` and a first read on a new connection. A database in memory or in a temporary file is
    /// copied.
    ///
    ///     let snapshot = try await database.snapshot()
    ///
    /// Cancelling and the deadline have the effects described in ``read(deadline:_:)``.
    ///
    /// - Parameter deadline: The maximum duration of the call, including waits and opening; `nil` for no limit.
    /// - Throws: `CancellationError`; ``SQLiteError`` when the connection cannot be opened, and as ``read(deadline:_:)``;
    ///   `SQLITE_MISUSE` (21), with the problem ``DatabaseProblem/snapshotInsideTransaction``, inside a read or a transaction of
    ///   a database that would have to be copied. Inside a closure, it also throws when another thread has begun to suspend or to
    ///   close the database.
    public nonisolated(nonsending) func snapshot(deadline: Duration? = nil) async throws -> ReadSnapshot {
        guard readers !== writer else {
            return try await performWrite(deadline) { try copiedSnapshot(of: bytes(of: $0.connection)) }
        }
        return try await performRead(deadline) { try openSnapshot($0.connection.interruption.cancellation) }
    }

    fileprivate func openSnapshot(_ cancellation: Cancellation?) throws -> ReadSnapshot {
        let connection = try openSeparately(readerFactory, cancellation)
        try connection.withCancellation(cancellation) { try beginSnapshot(connection) }
        return try listedSnapshot(connection)
    }

    /// Opens a connection that is not of a pool, to the file of the readers.
    func openSeparately(_ factory: ConnectionFactory, _ cancellation: Cancellation?) throws -> Connection {
        try readers.file?.check()
        let connection = try factory.open(cancellation)
        // The path may have been given to another file while the connection was being opened.
        try readers.file?.check()
        return connection
    }

    /// Makes a snapshot of a connection that sees the present state.
    private func listedSnapshot(_ connection: sending Connection) throws -> ReadSnapshot {
        let snapshot = ReadSnapshot(connection, of: self)
        // A suspension or a close that began before the snapshot was in the list does not close it: inside a write, the
        // readers may be closed already.
        do throws(SQLiteError) {
            try readers.checkIsRunning()
        } catch {
            snapshot.core.close()
            throw error
        }
        return snapshot
    }

    private func beginSnapshot(_ connection: Connection) throws {
        try connection.run("BEGIN DEFERRED TRANSACTION")
        connection.transactionDepth += 1
        try connection.readSchema()
    }

    func bytes(of connection: Connection) throws -> Data {
        guard !connection.isInTransaction else {
            throw SQLiteError(
                DatabaseProblem.snapshotInsideTransaction, hint: "make the snapshot before the read or the transaction")
        }
        return try connection.serialize()
    }

    fileprivate func copiedSnapshot(of data: Data) throws -> ReadSnapshot {
        try listedSnapshot(readerFactory.openCopy(of: data))
    }
}

extension Database.Blocking {
    /// Returns a view of the present state of the database as ``Database/snapshot(deadline:)`` does.
    ///
    /// - Parameter deadline: The maximum duration of the call, including waits; `nil` for no limit.
    /// - Throws: ``SQLiteError`` as ``Database/snapshot(deadline:)``.
    public func snapshot(deadline: Duration? = nil) throws -> ReadSnapshot {
        guard database.readers !== database.writer else {
            let end = deadline.map { Deadline(after: $0) }
            let lease = try database.writer.lease(.writing, until: end)
            let bytes = try database.endingWrite(lease, until: end) { try database.bytes(of: $0) }
            return try database.copiedSnapshot(of: bytes)
        }
        // Inside a read: while the snapshot is opened, a reader, or the writer that this thread uses, is in use.
        return try read(deadline: deadline) { _ in
            let cancellation = PooledConnection.cancellation()
            defer { cancellation?.end() }
            return try database.openSnapshot(cancellation)
        }
    }
}

extension ReadSnapshot {
    /// The verbs of the snapshot for synchronous code, under the same names. Does not compile in asynchronous code.
    @available(*, noasync, message: "blocks a thread that tasks share: leave out 'blocking', and write 'await'")
    @inlinable
    public var blocking: Blocking { Blocking(self) }

    /// The verbs of a snapshot that block the calling thread; see ``ReadSnapshot/blocking``.
    public struct Blocking {
        @usableFromInline
        let snapshot: ReadSnapshot

        @usableFromInline
        init(_ snapshot: ReadSnapshot) { self.snapshot = snapshot }

        /// Runs a closure with the connection of the snapshot as ``ReadSnapshot/read(deadline:_:)`` does.
        ///
        /// - Parameters:
        ///   - deadline: The maximum duration of the call, including waits; `nil` for no limit.
        ///   - body: Runs on the calling thread. The connection must not leave it.
        /// - Returns: The result of the closure.
        /// - Throws: The closure's error; ``SQLiteError`` as ``Database/read(deadline:_:)``.
        @inlinable
        @discardableResult
        public func read<Result>(deadline: Duration? = nil, _ body: (Connection) throws -> Result) throws -> Result {
            let end = deadline.map { Deadline(after: $0) }
            return try snapshot.begin(until: end).performRead(until: end, endingBy: { snapshot.end($0) }, body)
        }
    }
}

extension Connection {
    /// Reads from the file: SQLite begins a snapshot, and opens the write-ahead log, with the first statement that reads.
    func readSchema() throws { try run(SchemaCatalog.firstRow) }
}
