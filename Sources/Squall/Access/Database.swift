import SquallSQLite
import Foundation

/// A database for any number of threads and tasks: one connection writes, others read at the same time.
///
///     let database = try Database("app.db")                                     // the recommended configuration
///     let database = try Database(storageLocation: .onDisk("app.db"))           // SQLite's own defaults
///
///     try database.transaction { connection in try connection.run("INSERT INTO cars(name) VALUES('Audi')") }
///     let count: Int = try database.executeRead { try $0.query("SELECT count(*) FROM cars") }
///
///     let names: [String] = try await database.read { try $0.query("SELECT name FROM cars") }
///     try await database.write { try $0.run("DELETE FROM cars WHERE price < \(floor)") }
///
/// `executeRead`, `executeWrite` and `transaction` run their closure on the thread that calls, which waits for its
/// turn; they do not compile in asynchronous code. `read`, `write` and `writeWithoutTransaction` suspend the task and run
/// the closure elsewhere. Those who wait are served in the order in which they came. The connection must not leave its
/// closure.
///
/// Inside a closure, the same thread can use the database again:
///
/// - a read inside a read, or a write inside a write, works on the same connection, in the same snapshot or
///   transaction;
/// - a read inside a write works on the connection of the write, and sees what that has written;
/// - a write inside a read is an error, as are `PRAGMA journal_mode = …` and a checkpoint.
///
/// A database in WAL mode is read and written at the same time; otherwise the two wait for each other, as long as the
/// busy timeout says. All commits and checkpoints are made by the one connection that writes: readers are opened
/// read-only, and closed first.
///
/// A database in memory or in a temporary file has one connection, which reads and writes take in turns; while it
/// reads, statements that write are refused. All preparations are called with it.
///
/// What a closure sets ends with the outermost closure: an authorizer, a progress handler, a busy handler, limits, the
/// settings by PRAGMA that belong to a connection, such as `foreign_keys`, and attached databases. Other hooks, functions,
/// collations, temporary tables, and `PRAGMA locking_mode`, `max_page_count`, `temp_store` and `wal_autocheckpoint` stay with
/// that one connection. The preparations are the place for what all closures need, and ``addUpdateObserver(_:)`` and its like
/// for observers. A hook that stays is called by other closures, on other threads: what it captures must bear that, which the
/// compiler cannot check there.
///
/// The process must not use the database after `fork` in the child: everything throws there.
public final class Database: Sendable {
    /// Lends the connection that writes.
    public let writerConnectionQueue: ConnectionQueue
    /// Lends the connections that read. Without a snapshot: ``executeRead(deadline:closure:)`` is better in nearly every case.
    public let readerConnectionPool: ConnectionPool

    let writer: PoolCore
    /// The same as the writer for a database that has one connection.
    let readers: PoolCore
    let reader: ReaderFactory
    let snapshots = SnapshotList()
    let observers: DatabaseObservers

    /// Opens a database as SQift does: SQLite's own defaults.
    ///
    /// - Parameters:
    ///   - storageLocation: Where the database is.
    ///   - tableLockPolicy: What to do when another connection of a shared cache has locked a table.
    ///   - multiThreaded: SQLite's multi-thread mode (`SQLITE_OPEN_NOMUTEX`): no connection is used by two threads at a
    ///     time.
    ///   - sharedCache: One cache for all connections. SQLite discourages it: reads then take turns.
    ///   - drainDelay: After how many seconds the idle readers but one are closed, if none is in use then.
    ///   - writerConnectionPreparation: Is called with the connection that writes.
    ///   - readerConnectionPreparation: Is called with each new connection that reads; in memory, with the one connection.
    /// - Throws: ``SQLiteError``, `SQLITE_CANTOPEN` (14) when the file cannot be opened, and what a preparation throws.
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

    /// Opens a database with flags of `sqlite3_open_v2` and SQLite's own defaults. Those who read get the flags too,
    /// but for writing and creating.
    ///
    /// - Throws: ``SQLiteError``, code 14 when the file cannot be opened, and what the first preparation throws.
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
        let reader = ReaderFactory(
            path: isURI ? storageLocation.path : connection.fileName, tableLockPolicy: tableLockPolicy,
            flags: flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) | SQLITE_OPEN_READONLY,
            configuration: .sqlite, preparations: Preparations(reader: readerConnectionPreparation)
        )
        try self.init(
            connection, preparation: writerConnectionPreparation, reader: reader, maximumReaders: nil,
            drainDelay: drainDelay
        )
    }

    /// Opens a database at a path, with the recommended configuration if none is given.
    ///
    /// - Parameters:
    ///   - path: The path, also when it begins with `file:`. `":memory:"` and `""` are SQLite's names for a database in
    ///     memory and in a temporary file.
    ///   - mode: What to expect of the file.
    ///   - configuration: How each connection is set up.
    ///   - maximumReaders: How many connections read at most; `nil` for ``ConnectionPool/defaultMaximum``.
    ///   - drainDelay: After how many seconds the idle readers but one are closed, if none is in use then.
    ///   - preparation: Is called with each connection when it has been opened, before the closures below: the place for
    ///     functions, collations and attached databases.
    ///   - writerConnectionPreparation: Is called with the connection that writes.
    ///   - readerConnectionPreparation: Is called with each new connection that reads; in memory, with the one connection.
    /// - Throws: ``SQLiteError``: `SQLITE_CANTOPEN` (14) when the file cannot be opened, is missing, or is there and must
    ///   not be; `SQLITE_NOTADB` (26) when it is not a database; and what a preparation throws.
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
        let connection = try Connection(path, mode: mode, configuration: configuration)
        let reader = ReaderFactory(
            path: mode.forReading.name(of: connection.fileName), tableLockPolicy: .fastFail,
            flags: mode.forReading.flags, configuration: configuration,
            preparations: Preparations(all: preparation, reader: readerConnectionPreparation)
        )
        try self.init(
            connection, preparation: writerConnectionPreparation, reader: reader, maximumReaders: maximumReaders,
            drainDelay: drainDelay
        )
    }

    private init(
        _ connection: sending Connection, preparation: Preparations.Closure?, reader: ReaderFactory,
        maximumReaders: Int?,
        drainDelay: TimeInterval
    ) throws {
        let watch = FileIdentity(connection)
        try Preparations.run(reader.preparations.all, on: connection)
        try Preparations.run(preparation, on: connection)
        if watch == nil { try Preparations.run(reader.preparations.reader, on: connection) }
        // A look before each write took 0.3 µs of 4; one in a tick of the clock, some milliseconds, is nothing.
        let observers = DatabaseObservers()
        self.observers = observers
        writer = PoolCore(
            "the database", connection, timeBetweenLooks: 1,
            observers: { observers.installations(forReader: false) }
        )
        self.reader = reader
        if let watch {
            readers = PoolCore(
                "the database", maximum: maximumReaders ?? ConnectionPool.defaultMaximum, drainDelay: drainDelay,
                watch: watch, observers: { observers.installations(forReader: true) }, open: { try reader.open($0) }
            )
        } else {
            readers = writer
        }
        writerConnectionQueue = ConnectionQueue(core: writer)
        readerConnectionPool = ConnectionPool(core: readers)
    }

    deinit {
        if writer.fork.isChild { return }
        readers.close()
        writer.close()
    }
}
