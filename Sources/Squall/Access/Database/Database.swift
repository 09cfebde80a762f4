import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// # Access
//
// A database file has one connection that writes and several that read, for any number of threads and tasks.
//
//     let database = try Database("app.db")
//     try await database.write { try $0.run("INSERT INTO cars(name) VALUES('Audi')") }
//     let count: Int = try await database.read { try $0.query("SELECT count(*) FROM cars") }
//
// `Database` has two `PoolCore`s: `writer` with one connection, and `readers`. In memory they are the same. A core owns
// `PooledConnection`s. `PoolState` decides who gets one, without a lock. The core has the lock, and performs the
// actions. `IdleSlots` keeps an idle connection for each thread, so that most reads take no shared lock.
//
// A read runs so:
// 1. A read that blocks uses again the connection that this thread has leased, if any (`PooledConnection.nested`).
// 2. Otherwise `PoolCore.acquire` takes one from a slot or the idle list, opens one, or waits in the line.
// 3. `enter(.reading)` sets the access, which refuses writes. `beginSnapshot()` runs BEGIN, or continues a kept
//    snapshot.
// 4. The closure runs, on this thread. The closure of a task runs on a queue of `CallQueues`.
// 5. `endRead` keeps the transaction (`HeldReads`), or ends it, and cleans: statements, transactions, settings.
// 6. `release` puts the connection into a slot, or grants it to the first waiter.
//
// Invariants: One thread at a time uses a leased connection. Waiters are served in the order of their calls. The code
// of users, opening and closing run outside the core's lock. Only the writer writes and runs checkpoints, and it is
// closed last. A returned connection has no open transaction, except a kept one in a slot, and throws if it is used. Go
// on with `PoolState.swift` and `PoolCore.swift`.

/// A database for any number of threads and tasks. One connection, the writer, writes. Others, the readers, read at the
/// same time.
///
///     // The recommended configuration:
///     let database = try Database("app.db")
///     // SQLite's defaults:
///     let database = try Database(storageLocation: .onDisk("app.db"))
///
///     let names: [String] = try await database.read {
///         try $0.query("SELECT name FROM cars")
///     }
///     try await database.write { try $0.run("DELETE FROM cars WHERE price < \(floor)") }
///
///     // The same verbs in synchronous code:
///     let count: Int = try database.blocking.read {
///         try $0.query("SELECT count(*) FROM cars")
///     }
///
/// The verbs suspend the task and run their closure on another thread. Those of ``blocking`` run it on the calling
/// thread, which waits for its turn, and do not compile in asynchronous code. Callers get a connection in the order of their calls. The connection must not leave its
/// closure. A reader that its closure closes is replaced; the connection that writes is not, and every later write throws.
///
/// Inside a closure, the same thread can use the database again:
///
/// - a read inside a read, or a write inside a write, works on the same connection, in the same snapshot or
///   transaction;
/// - a read inside a write works on the connection of the write, and sees its changes;
/// - a write inside a read is an error, as are `PRAGMA journal_mode = …` and a checkpoint.
///
/// A database in WAL mode is read and written at the same time. In other modes, reads and writes wait for each other,
/// up to the busy timeout. All commits and checkpoints are made by the writer: readers are opened read-only, and closed
/// first.
///
/// A database in memory or in a temporary file has one connection, which reads and writes use in turn. A read still
/// refuses statements that write. All preparations are called with this connection.
///
/// Some settings of a closure end with the outermost closure: an authorizer, a progress handler, a busy handler,
/// limits, PRAGMA settings of a connection such as `foreign_keys`, and attached databases. Other hooks, functions,
/// collations, temporary tables, and `PRAGMA locking_mode`, `max_page_count`, `temp_store` and `wal_autocheckpoint`
/// remain on this one connection. Use the preparations for what all closures need, and ``addUpdateObserver(_:)`` and
/// its siblings for observers. A hook that remains is called by other closures, on other threads. Its captures must be
/// safe for that; the compiler cannot check it there.
///
/// A preparation uses only the connection that it receives: the verbs of the database throw there.
///
/// In a child process after `fork`, every use of the database throws, also in a closure that runs during the fork. That
/// closure must not use its connection in the child.
public final class Database: Sendable {
    /// The queue of the writer.
    public let writerConnectionQueue: ConnectionQueue
    /// The pool of the readers. It uses no snapshots: prefer ``read(deadline:_:)``.
    public let readerConnectionPool: ConnectionPool
    /// The path of the database file; empty for a database in memory.
    public let fileName: String

    let writer: PoolCore
    /// The core of the readers; in a database with one connection, the core of the writer.
    let readers: PoolCore
    let readerFactory: ConnectionFactory
    let writerFactory: ConnectionFactory
    /// The open snapshots.
    let snapshots = WeakList<PoolCore>()
    /// The running backups.
    let backups = WeakList<BackupSession>()
    let observers: DatabaseObservers
    let events: DatabaseEvents
    let interceptors = Locked(NumberedList<any DatabaseInterceptor>())
    let suspension = Suspension()
    let companions = DatabaseCompanions()
    /// The folder of a temporary database, which is removed with it.
    private let folder: TemporaryFolder?

    /// Whether this thread runs a closure of the database.
    package var isUsedByThisThread: Bool { PooledConnection.innermost(of: writer, or: readers) != nil }

    /// Opens a database as SQift does: SQLite's own defaults.
    ///
    /// - Parameters:
    ///   - storageLocation: The location of the database.
    ///   - tableLockPolicy: The behaviour when another connection of a shared cache has locked a table.
    ///   - multiThreaded: SQLite's multi-thread mode (`SQLITE_OPEN_NOMUTEX`): no connection is used by two threads at a
    ///     time.
    ///   - sharedCache: Use one cache for all connections. SQLite discourages it. Reads then take turns.
    ///   - drainDelay: The time in seconds after which all idle readers except one are closed, if none is in use then.
    ///   - writerConnectionPreparation: A closure that is called with the writer.
    ///   - readerConnectionPreparation: A closure that is called with each new reader; in memory, with the one
    ///     connection.
    /// - Throws: ``SQLiteError``, `SQLITE_CANTOPEN` (14) when the file cannot be opened, and the error of a
    ///   preparation.
    public convenience init(
        storageLocation: StorageLocation = .inMemory,
        tableLockPolicy: TableLockPolicy = .fastFail,
        multiThreaded: Bool = true,
        sharedCache: Bool = false,
        drainDelay: TimeInterval = 1.0,
        writerConnectionPreparation: (@Sendable (Connection) throws -> Void)? = nil,
        readerConnectionPreparation: (@Sendable (Connection) throws -> Void)? = nil
    ) throws {
        var flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        flags |= multiThreaded ? SQLITE_OPEN_NOMUTEX : SQLITE_OPEN_FULLMUTEX
        flags |= sharedCache ? SQLITE_OPEN_SHAREDCACHE : SQLITE_OPEN_PRIVATECACHE
        try self.init(
            storageLocation: storageLocation, tableLockPolicy: tableLockPolicy, flags: flags, drainDelay: drainDelay,
            writerConnectionPreparation: writerConnectionPreparation,
            readerConnectionPreparation: readerConnectionPreparation
        )
    }

    /// Opens a database with flags of `sqlite3_open_v2` and SQLite's own defaults. Readers get the same flags, except
    /// those for writing and creating.
    ///
    /// - Throws: ``SQLiteError``, `SQLITE_CANTOPEN` (14) when the file cannot be opened, and the error of the first
    ///   preparation.
    public convenience init(
        storageLocation: StorageLocation,
        tableLockPolicy: TableLockPolicy = .fastFail,
        flags: Int32,
        drainDelay: TimeInterval = 1.0,
        writerConnectionPreparation: (@Sendable (Connection) throws -> Void)? = nil,
        readerConnectionPreparation: (@Sendable (Connection) throws -> Void)? = nil
    ) throws {
        let connection = try Connection(
            storageLocation: storageLocation, tableLockPolicy: tableLockPolicy, flags: flags
        )
        let isURI = flags & SQLITE_OPEN_URI != 0
        let readerFactory = ConnectionFactory(
            role: .reader, path: isURI ? storageLocation.path : connection.fileName, tableLockPolicy: tableLockPolicy,
            flags: flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) | SQLITE_OPEN_READONLY,
            configuration: .sqlite, preparations: Preparations(reader: readerConnectionPreparation)
        )
        let writerFactory = ConnectionFactory(
            role: .writer, path: readerFactory.path, tableLockPolicy: tableLockPolicy,
            flags: flags & ~SQLITE_OPEN_CREATE,
            configuration: .sqlite, preparations: Preparations(writer: writerConnectionPreparation)
        )
        try self.init(
            connection, writerFactory, readerFactory, maximumReaders: nil, drainDelay: drainDelay, folder: nil
        )
    }

    /// Opens a database at a path, with the recommended configuration if none is given.
    ///
    /// - Parameters:
    ///   - path: The path, also when it begins with `file:`. `":memory:"` and `""` are SQLite's names for a database in
    ///     memory and in a temporary file.
    ///   - mode: Whether the file must exist, may be created, or is only read.
    ///   - configuration: The settings of each connection.
    ///   - maximumReaders: The maximum number of readers; `nil` for ``ConnectionPool/defaultMaximum``.
    ///   - drainDelay: The time in seconds after which all idle readers except one are closed, if none is in use then.
    ///   - preparation: A closure that is called with each new connection before the closures below: the place for
    ///     functions, collations and attached databases.
    ///   - writerConnectionPreparation: A closure that is called with the writer.
    ///   - readerConnectionPreparation: A closure that is called with each new reader; in memory, with the one
    ///     connection.
    /// - Throws: ``SQLiteError``: `SQLITE_CANTOPEN` (14) when the file cannot be opened, is missing, or exists although
    ///   it must not; `SQLITE_NOTADB` (26) when it is not a database; and the error of a preparation.
    public convenience init(
        _ path: String,
        mode: Connection.Mode = .create,
        configuration: Configuration = .recommended,
        maximumReaders: Int? = nil,
        drainDelay: TimeInterval = 1.0,
        preparation: (@Sendable (Connection) throws -> Void)? = nil,
        writerConnectionPreparation: (@Sendable (Connection) throws -> Void)? = nil,
        readerConnectionPreparation: (@Sendable (Connection) throws -> Void)? = nil
    ) throws {
        try self.init(
            path, mode: mode, configuration: configuration, maximumReaders: maximumReaders, drainDelay: drainDelay,
            preparations: Preparations(
                all: preparation, writer: writerConnectionPreparation, reader: readerConnectionPreparation),
            folder: nil
        )
    }

    convenience init(
        _ path: String, mode: Connection.Mode, configuration: Configuration, maximumReaders: Int?,
        drainDelay: TimeInterval, preparations: Preparations, folder: TemporaryFolder?
    ) throws {
        let configuration = configuration.with(configuration.key?.separate())
        let connection = try Connection(path, mode: mode, configuration: configuration)
        let readerFactory = ConnectionFactory(
            role: .reader, path: mode.forReading.name(of: connection.fileName), tableLockPolicy: .fastFail,
            flags: mode.forReading.flags, configuration: configuration, preparations: preparations
        )
        let writerFactory = ConnectionFactory(
            role: .writer, path: mode.name(of: connection.fileName), tableLockPolicy: .fastFail,
            flags: mode.flags & ~SQLITE_OPEN_CREATE, configuration: configuration, preparations: preparations
        )
        try self.init(
            connection, writerFactory, readerFactory, maximumReaders: maximumReaders, drainDelay: drainDelay,
            folder: folder
        )
    }

    private init(
        _ connection: sending Connection, _ writerFactory: ConnectionFactory, _ readerFactory: ConnectionFactory,
        maximumReaders: Int?, drainDelay: TimeInterval, folder: TemporaryFolder?
    ) throws {
        let file = DatabaseFile(connection)
        fileName = connection.fileName
        try writerFactory.prepare(connection)
        if file == nil { try Preparations.run(readerFactory.preparations.reader, on: connection) }
        let observers = DatabaseObservers()
        let events = DatabaseEvents()
        let pool = file.map { file in
            PoolCore(
                .database, maximum: maximumReaders ?? ConnectionPool.defaultMaximum, drainDelay: drainDelay,
                keepsSnapshots: readerFactory.configuration.heldReads, file: file, events: events,
                observers: { observers.installations(forReader: true) },
                open: { try readerFactory.open($0) }
            )
        }
        self.observers = observers
        self.events = events
        self.folder = folder
        writer = PoolCore(
            // A check before every write took 0.3 µs of 4 µs. A check in each tick of the clock, some milliseconds, is
            // not measurable.
            .database, connection, timeBetweenChecks: 1,
            logLimit: LogLimit(of: readerFactory.configuration, readers: pool), readers: pool,
            groupsCommits: writerFactory.configuration.groupCommit, events: events,
            observers: { observers.installations(forReader: false) },
            reopen: { try writerFactory.open($0) }
        )
        self.readerFactory = readerFactory
        self.writerFactory = writerFactory
        readers = pool ?? writer
        writerConnectionQueue = ConnectionQueue(core: writer)
        readerConnectionPool = ConnectionPool(core: readers)
    }

    deinit {
        if writer.fork.isChild {
            // The folder is the parent's.
            if let folder { _ = Unmanaged.passRetained(folder) }
            return
        }
        // Without blocking: the last reference may be released inside a closure that a pool of the database runs.
        readers.close { [writer, folder] in writer.close { withExtendedLifetime(folder) {} } }
    }
}
