import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A pool of connections that read one database, for several threads at the same time.
///
///     let pool = ConnectionPool(storageLocation: .onDisk("app.db"))
///     let count: Int = try pool.execute { try $0.query("SELECT count(*) FROM cars") }
///
/// Connections are opened when they are needed, read-only: the database must exist. When the maximum is in use, or
/// another connection cannot be opened (`SQLITE_CANTOPEN`, as at the limit of open files), callers wait in the order of
/// their calls. After a while, all idle connections except one are closed. The connection must not leave its closure.
///
/// A closure that uses its own pool gets the same connection, and does not wait for itself.
public final class ConnectionPool: Sendable {
    let core: PoolCore

    /// The maximum number of connections.
    public var maximumConnections: Int { core.maximum }

    /// The default maximum number of connections: twice the number of processors, at least 4.
    public static let defaultMaximum = max(4, sysconf(Int32(_SC_NPROCESSORS_ONLN)) * 2)

    /// Makes a pool. No connection is opened yet.
    ///
    /// - Parameters:
    ///   - storageLocation: The location of the database. In memory, every connection has a separate, empty database.
    ///   - tableLockPolicy: The behaviour when another connection of a shared cache has locked a table.
    ///   - drainDelay: The time in seconds after which all idle connections except one are closed, if none is in use
    ///     then.
    ///   - maximumConnections: The maximum number of connections; `nil` for ``defaultMaximum``.
    ///   - sharedCache: Use one cache for all connections of this process that set this. Reads then take turns, and
    ///     wait for writes.
    ///   - configuration: The settings of each connection.
    ///   - connectionPreparation: A closure that is called with each new connection. When it throws, the connection is
    ///     closed, and the error is that of the call that needed the connection. It cannot use the pool.
    public init(
        storageLocation: StorageLocation,
        tableLockPolicy: TableLockPolicy = .fastFail,
        availableConnectionDrainDelay drainDelay: TimeInterval = 1.0,
        maximumConnections: Int? = nil,
        sharedCache: Bool = false,
        configuration: Configuration = .sqlite,
        connectionPreparation: (@Sendable (Connection) throws -> Void)? = nil
    ) {
        let cache = sharedCache ? SQLITE_OPEN_SHAREDCACHE : SQLITE_OPEN_PRIVATECACHE
        let readers = ConnectionFactory(
            role: .reader, path: storageLocation.plainPath, tableLockPolicy: tableLockPolicy,
            flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | cache,
            configuration: configuration, preparations: Preparations(reader: connectionPreparation)
        )
        core = PoolCore(
            .connection, maximum: maximumConnections ?? Self.defaultMaximum, drainDelay: drainDelay,
            open: { try readers.open($0) }
        )
    }

    /// Makes the pool of a database. With a single connection, it leases the writer for reads.
    init(core: PoolCore) {
        self.core = core
    }

    /// Runs a closure with a connection.
    ///
    /// The closure runs without a transaction: two of its queries may see different states of the database.
    ///
    /// - Returns: The result of the closure.
    /// - Throws: The closure's error; ``SQLiteError``: `SQLITE_READONLY` (8) for SQL that writes, `SQLITE_MISUSE` (21) after
    ///   the database of the pool was closed and in a child process, `SQLITE_READONLY_DBMOVED`
    ///   (``ResultCode/fileMoved``) when the file has been deleted or replaced; and the error of opening a connection,
    ///   such as `SQLITE_CANTOPEN` (14).
    @inlinable
    @discardableResult
    public func execute<Result>(closure: (Connection) throws -> Result) throws -> Result {
        try begin().performRead(until: nil, endingBy: { end($0) }, closure)
    }

    /// The number of open connections.
    public var connections: Int { core.statistics.connections }

    /// The number of connections in use.
    public var busyConnections: Int { core.statistics.busy }

    /// The number of closures that wait for a connection.
    public var waiting: Int { core.statistics.waiting }

    @usableFromInline
    func begin() throws -> Lease {
        if let pooled = try PooledConnection.nested(in: core) {
            guard pooled.connection.access == .writing else { return Lease(pooled: pooled, kind: .nested) }
            pooled.connection.access = .reading
            return Lease(pooled: pooled, kind: .insideWrite(beginsTransaction: false))
        }
        let pooled = try core.acquire()
        pooled.enter(.reading)
        return Lease(pooled: pooled, kind: .outermost)
    }

    @usableFromInline
    func end(_ lease: Lease) {
        switch lease.kind {
        case .nested: break
        case .insideWrite:
            lease.pooled.connection.access = .writing
        case .outermost:
            lease.pooled.clean()
            core.end(lease.pooled)
        }
    }
}
