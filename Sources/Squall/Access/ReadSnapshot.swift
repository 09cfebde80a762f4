import SquallSQLite

/// A view of a database that stays as it was while others write.
///
///     let snapshot = try database.readSnapshot()
///     try database.executeWrite { try $0.run("DELETE FROM cars") }
///     let count: Int = try snapshot.executeRead { try $0.query("SELECT count(*) FROM cars") }     // as before
///
/// It has a connection of its own, which is closed with the snapshot, so that it keeps no reader waiting. As long as it
/// is there, the write-ahead log grows: it cannot begin anew while somebody may read an older state. Outside WAL mode,
/// nobody can write meanwhile.
public final class ReadSnapshot: Sendable {
    let core: PoolCore
    // A snapshot keeps its database: readers are to be closed before the writer.
    private let database: Database

    init(_ connection: sending Connection, of database: Database) {
        self.database = database
        let observers = database.observers
        core = PoolCore("the snapshot", connection, observers: { observers.installations(forReader: true) })
        database.snapshots.insert(core)
        core.updateObservers()
    }

    deinit {
        if !core.fork.isChild { core.close() }
    }

    /// Runs a closure with the connection of the snapshot. Several threads take turns.
    ///
    /// Blocks the calling thread, and does not compile in asynchronous code: use ``read(deadline:_:)`` there.
    ///
    /// - Parameters:
    ///   - deadline: The longest time that the call may take, waiting included; `nil` for as long as it takes.
    ///   - closure: Runs on the calling thread. The connection must not leave it.
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws; ``SQLiteError`` as ``Database/executeRead(deadline:closure:)``.
    @available(*, noasync, message: "blocks a thread that tasks share: use 'read'")
    @inlinable
    @discardableResult
    public func executeRead<Result>(
        deadline: Duration? = nil, closure: (Connection) throws -> Result
    ) throws -> Result {
        let time = deadline.map { ContinuousClock.now + $0 }
        let lease = try begin(until: time)
        defer { end(lease) }
        return try lease.run(until: time, closure)
    }

    /// The same without blocking the caller, as ``Database/read(deadline:_:)``.
    @discardableResult
    public nonisolated(nonsending) func read<Result: Sendable>(
        deadline: Duration? = nil, _ body: @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        try await core.perform(deadline: deadline) { pooled, cancellation in
            pooled.enter(.reading)
            defer { end(Lease(pooled: pooled, kind: .outermost)) }
            return try pooled.connection.withCancellation(cancellation) { try body(pooled.connection) }
        }
    }

    /// Closes the snapshot, when the closure that runs has returned. Closing again does nothing.
    ///
    /// - Throws: ``SQLiteError`` with code 21 inside a closure of the snapshot, and in a child process.
    public func close() throws {
        try core.fork.check()
        guard PooledConnection.innermost(of: core) == nil else {
            throw SQLiteError.misuse("a snapshot cannot be closed inside one of its closures")
        }
        core.close()
    }

    @usableFromInline
    func begin(until deadline: ContinuousClock.Instant?) throws -> Lease {
        if let pooled = PooledConnection.innermost(of: core) { return Lease(pooled: pooled, kind: .nested) }
        let pooled = try core.acquire(until: deadline)
        pooled.enter(.reading)
        return Lease(pooled: pooled, kind: .outermost)
    }

    @usableFromInline
    func end(_ lease: Lease) {
        guard lease.kind == .outermost else { return }
        // The transaction stays open; that is the snapshot.
        lease.pooled.endStatements()
        lease.pooled.undoSettings()
        lease.pooled.leave()
        core.release(lease.pooled)
    }
}

extension Database {
    /// A view of the database as it is now, that stays as it is while others write: `BEGIN DEFERRED TRANSACTION` and a
    /// first read, on a connection of its own. A database in memory or in a temporary file is copied.
    ///
    /// - Throws: ``SQLiteError`` when the connection cannot be opened, and as ``executeRead(deadline:closure:)``; with code 21
    ///   inside a transaction of a database that would have to be copied.
    public func readSnapshot() throws -> ReadSnapshot {
        guard let watch = readers.fileIdentity, readers !== writer else { return try copyAsSnapshot() }
        // Not while the database is being closed: it would not know of the snapshot.
        return try executeRead { _ in
            try watch.check()
            let connection = try reader.open()
            try watch.check()
            try connection.run("BEGIN DEFERRED TRANSACTION")
            connection.transactionDepth += 1
            try connection.run("SELECT 1 FROM sqlite_schema LIMIT 1")
            return ReadSnapshot(connection, of: self)
        }
    }

    private func copyAsSnapshot() throws -> ReadSnapshot {
        let data = try writerConnectionQueue.execute { try $0.serialize() }
        let connection = try Connection(":memory:", configuration: reader.configuration)
        if !data.isEmpty { try connection.deserialize(data, readOnly: true) }
        try reader.prepare(connection)
        return ReadSnapshot(connection, of: self)
    }
}

/// The snapshots of a database that there are.
///
/// Sendable, because the array is used under the lock alone.
final class SnapshotList: @unchecked Sendable {
    private struct Entry {
        weak var core: PoolCore?
    }

    private let lock = Lock()
    private var entries: [Entry] = []

    func insert(_ core: PoolCore) {
        lock.withLock {
            entries.removeAll { $0.core == nil }
            entries.append(Entry(core: core))
        }
    }

    var all: [PoolCore] { lock.withLock { entries.compactMap(\.core) } }
}
