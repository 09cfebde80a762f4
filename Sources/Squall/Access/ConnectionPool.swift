import SquallSQLite
import Foundation

/// Lends connections that read one database, to several threads at the same time.
///
///     let pool = ConnectionPool(storageLocation: .onDisk("app.db"))
///     let count: Int = try pool.execute { connection in try connection.query("SELECT count(*) FROM cars") }
///
/// Connections are opened as they are needed, read-only: the database must exist. When the maximum is in use, or another
/// connection cannot be opened (`SQLITE_CANTOPEN`, as at the limit of open files), the next waits, in the order in which
/// they ask. All that are idle but one are closed after a while. The connection must not leave its closure.
///
/// A closure that uses its own pool works on the same connection: nothing waits for itself.
public final class ConnectionPool: Sendable {
    let core: PoolCore

    /// How many connections there are at most.
    public var maximumConnections: Int { core.maximum }

    /// How many connections a pool has at most unless it is told: twice as many as there are processors, at least 4.
    public static let defaultMaximum = max(4, ProcessInfo.processInfo.activeProcessorCount * 2)

    /// Makes a pool. Nothing is opened yet.
    ///
    /// - Parameters:
    ///   - storageLocation: Where the database is. In memory, every connection has an empty database of its own.
    ///   - tableLockPolicy: What to do when another connection of a shared cache has locked a table.
    ///   - drainDelay: After how many seconds the idle connections but one are closed, if none is in use then.
    ///   - maximumConnections: How many connections there are at most; `nil` for ``defaultMaximum``.
    ///   - sharedCache: One cache for all connections of this process that ask for it. Nobody then reads while another
    ///     writes, and reads take turns.
    ///   - configuration: How each connection is set up.
    ///   - connectionPreparation: Is called with each new connection. When it throws, the connection is closed, and
    ///     whoever it was opened for gets the error.
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
        let reader = ReaderFactory(
            path: storageLocation.plainPath, tableLockPolicy: tableLockPolicy,
            flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | cache,
            configuration: configuration, preparations: Preparations(reader: connectionPreparation)
        )
        core = PoolCore(
            "the pool", maximum: maximumConnections ?? Self.defaultMaximum, drainDelay: drainDelay,
            open: { try reader.open($0) }
        )
    }

    /// The pool of a database; with a single connection, that of its writer, which the pool lends to read only.
    init(core: PoolCore) {
        self.core = core
    }

    /// Runs a closure with a connection.
    ///
    /// There is no transaction: two queries of the closure may see different states of the database.
    ///
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws; ``SQLiteError`` when a connection cannot be opened, in a child process, and
    ///   when the file of the database has been deleted or replaced.
    @inlinable
    @discardableResult
    public func execute<Result>(closure: (Connection) throws -> Result) throws -> Result {
        let lease = try begin()
        defer { end(lease) }
        return try closure(lease.pooled.connection)
    }

    /// How many connections are open.
    public var connections: Int { core.statistics.connections }

    /// How many connections are in use.
    public var busyConnections: Int { core.statistics.busy }

    /// How many closures wait for a connection.
    public var waiting: Int { core.statistics.waiting }

    @usableFromInline
    func begin() throws -> Lease {
        if let pooled = PooledConnection.innermost(of: core) {
            guard pooled.connection.lending == .writing else { return Lease(pooled: pooled, kind: .nested) }
            pooled.connection.lending = .reading
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
            lease.pooled.connection.lending = .writing
        case .outermost:
            lease.pooled.clean()
            lease.pooled.leave()
            core.release(lease.pooled)
        }
    }
}

/// How connections that read are opened.
struct ReaderFactory: Sendable {
    let path: String
    let tableLockPolicy: TableLockPolicy
    let flags: Int32
    let configuration: Configuration
    let preparations: Preparations

    /// Opens a connection, prepares it, and then keeps it from writing: `PRAGMA query_only = 1`.
    ///
    /// - Parameter cancellation: Ends the statements of the preparation, and the waiting for locks.
    func open(_ cancellation: Cancellation? = nil) throws -> Connection {
        let connection = try Connection(
            path: path, tableLockPolicy: tableLockPolicy, flags: flags, configuration: configuration,
            cancellation: cancellation
        )
        guard let cancellation else {
            try prepare(connection)
            return connection
        }
        try connection.withCancellation(cancellation) { try prepare(connection) }
        return connection
    }

    /// Prepares a connection, and then keeps it from writing.
    func prepare(_ connection: Connection) throws {
        try Preparations.run(preparations.all, on: connection)
        try Preparations.run(preparations.reader, on: connection)
        try connection.run("PRAGMA query_only = 1")
    }
}

/// The closures that are called with new connections.
struct Preparations: Sendable {
    typealias Closure = @Sendable (Connection) throws -> Void

    /// For each connection, before the others.
    var all: Closure?
    /// For those that read.
    var reader: Closure?

    /// Calls a preparation with a new connection.
    ///
    /// - Throws: ``SQLiteError`` when it leaves a transaction open, or closes the connection.
    static func run(_ preparation: Closure?, on connection: Connection) throws {
        guard let preparation else { return }
        try preparation(connection)
        guard !connection.isClosed else {
            throw SQLiteError.misuse("the preparation has closed the connection")
        }
        guard !connection.isInTransaction else {
            connection.rollBackEverything()
            throw SQLiteError.misuse(
                "the preparation has left a transaction open; it was rolled back",
                hint: "`transaction` commits, or rolls back when its closure throws"
            )
        }
    }
}
