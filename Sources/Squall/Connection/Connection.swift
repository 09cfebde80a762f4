import SquallSQLite

// # Connection
//
// A connection owns an SQLite handle, its statements, and the checks before a statement runs.
//
//     let connection = try Connection("app.db")
//     let insert = try connection.prepare("INSERT INTO cars(name) VALUES(?)")
//     for name in ["Audi", "Saab"] { try insert.bind(name).run() }
//     print(connection.lastInsertRowID)
//
// `Handle` has the state of the handle, an enum, and the running calls of SQLite. `Statements` has `Statement`, the
// cache and the cursors. `Settings` configures. `Catalog` reads the schema, and `Regions` finds what a statement reads.
// Later rooms reach in by followers (`Following`), companions and the lease of a closure.
//
// A statement runs so:
// 1. `borrow(_:)` finds it in the cache, or compiles it by `prepareNext(_:on:flags:)`, which checks PRAGMAs before.
// 2. `bind` resets the statement and gives all its parameters values.
// 3. `willStart(_:)` checks the handle, the transaction, the access, the values, the running calls and the limits.
// 4. `Statement+Step.swift` steps. `endExecution()` resets, and `finishCallbacks()` ends what callbacks have begun.
// 5. `return(_:)` gives the statement back to the cache, without values.
//
// Invariants: One thread at a time uses a connection. Only interrupts, cancellations and the end of a claim come from
// others. In most hooks, and while a claim owns the handle, `handle` is `nil` and the verbs throw. Work that would free
// memory in a call of SQLite waits for the end of the outermost call (`postpone(_:)`). `close` rolls back, evicts the
// cache, and closes the handle. EXPLAIN, long SQL and statements that change settings are not cached. Go on with
// `HandleState.swift` and `Connection+Statements.swift`.

/// A connection to a database.
///
///     // The recommended configuration:
///     let connection = try Connection("app.db")
///     // SQLite's defaults:
///     let connection = try Connection(storageLocation: .onDisk("app.db"))
///
/// A connection, its statements and its rows belong to one thread at a time. The compiler checks this.
public final class Connection {
    /// The behaviour when another connection of a shared cache has locked a table.
    package let lockPolicy: TableLockPolicy

    /// The settings that the connection was opened with.
    public let configuration: Configuration

    /// The state of the SQLite handle. `@exclusivity(unchecked)`: each hook sets it twice. The checks made an insert with an
    /// update observer 1.37× the instructions of one without, instead of 1.31× (callgrind, 2026-11-22).
    @exclusivity(unchecked) var state: HandleState { didSet { openHandle = state.handle } }

    /// The handle of `state`, which every step of every statement reads: `@exclusivity(unchecked)`, as in
    /// `Row.Storage`.
    @exclusivity(unchecked) private(set) var openHandle: OpaquePointer?

    /// The handle, except while the connection is closed, claimed, or inside a hook. Ends a claim that has been
    /// released.
    package var handle: OpaquePointer? { openHandle ?? takeBack() }

    /// The statements and cursors of the connection.
    @exclusivity(unchecked) var statements = StatementList()

    // `@exclusivity(unchecked)`: used by every statement. Its methods call nothing that could use it again.
    @exclusivity(unchecked) var cache: StatementCache
    let interruption: Interruption

    /// The schemas that the databases fit. `@exclusivity(unchecked)`: read by every statement. Its methods call nothing that could use it
    /// again.
    @exclusivity(unchecked) var schemaFits = SchemaFits()

    /// The objects that other parts of the library keep for the connection, one of each type.
    private(set) var companions: [ObjectIdentifier: AnyObject] = [:]

    /// The number of running `transaction` and `savepoint` closures.
    @exclusivity(unchecked) var transactionDepth = 0

    /// The use of the connection by a closure of a queue, a pool or a database. `@exclusivity(unchecked)`: read by every statement.
    @exclusivity(unchecked) var lease = ConnectionLease()

    /// The objects that follow what the connection does. `@exclusivity(unchecked)`: read by every statement.
    @exclusivity(unchecked) var followers = ConnectionFollowers()

    /// The state of SQLite's calls to functions, collations and hooks. These must not step, reset or close the
    /// statements that call them.
    package let callbacks: UnsafeMutablePointer<Callbacks>
    let callbackMemory = CallbackMemory()

    /// The number of backups that read from this handle. While there are any, the handle cannot be claimed.
    var backupsReading = 0

    /// Opens a database as SQift does: SQLite's own defaults.
    ///
    /// - Parameters:
    ///   - storageLocation: The location of the database.
    ///   - tableLockPolicy: The behaviour when another connection of a shared cache has locked a table.
    ///   - readOnly: Open the database read-only. It must exist.
    ///   - multiThreaded: SQLite's multi-thread mode (`SQLITE_OPEN_NOMUTEX`): no mutex around each call.
    ///   - sharedCache: Use one cache for all connections of this process that set this. SQLite discourages it.
    /// - Throws: ``SQLiteError``, `SQLITE_CANTOPEN` (14) when the file cannot be opened.
    public convenience init(
        storageLocation: StorageLocation = .inMemory,
        tableLockPolicy: TableLockPolicy = .fastFail,
        readOnly: Bool = false,
        multiThreaded: Bool = true,
        sharedCache: Bool = false
    ) throws {
        var flags = readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        flags |= multiThreaded ? SQLITE_OPEN_NOMUTEX : SQLITE_OPEN_FULLMUTEX
        flags |= sharedCache ? SQLITE_OPEN_SHAREDCACHE : SQLITE_OPEN_PRIVATECACHE
        try self.init(storageLocation: storageLocation, tableLockPolicy: tableLockPolicy, flags: flags)
    }

    /// Opens a database with flags of `sqlite3_open_v2` and SQLite's own defaults.
    ///
    /// - Throws: ``SQLiteError``, `SQLITE_CANTOPEN` (14) when the file cannot be opened.
    public convenience init(
        storageLocation: StorageLocation, tableLockPolicy: TableLockPolicy = .fastFail, flags: Int32
    ) throws {
        let isURI = flags & SQLITE_OPEN_URI != 0
        try self.init(
            path: isURI ? storageLocation.path : storageLocation.plainPath,
            tableLockPolicy: tableLockPolicy,
            flags: flags,
            configuration: .sqlite
        )
    }

    /// - Parameter cancellation: Ends a wait for a lock while the connection is being configured.
    init(
        path: String, tableLockPolicy: TableLockPolicy, flags: Int32, configuration: Configuration,
        cancellation: Cancellation? = nil
    ) throws {
        lockPolicy = tableLockPolicy
        let configuration = configuration.with(configuration.key(ofFile: path))
        self.configuration = configuration
        self.cache = StatementCache(capacity: configuration.statementCacheCapacity)
        self.interruption = Interruption(timeLimit: configuration.timeLimit)
        let handle = try Self.open(path, flags: flags, key: configuration.key?.base)
        self.state = .open(handle)
        self.openHandle = handle
        self.callbacks = callbackMemory.pointer
        callbacks.pointee.connection = .passUnretained(self)
        interruption.connection = .passUnretained(self)
        try withCancellation(cancellation) { try configuration.apply(to: self) }
        if let handle = self.handle { interruption.install(on: handle) }
    }

    deinit {
        access = .own
        // Without an update of the statistics, which calls collations: their closures may use an object that is being released as well.
        close(nil)
        finishClosing()
        for context in callbackContexts { context.connection = nil }
        disownStatements()
        callbacks.pointee.connection = nil
    }
}

// MARK: - Companions

extension Connection {
    /// Returns the connection's object of a type, which is created at its first use and kept as long as the connection.
    package func companion<Companion: AnyObject>(_ make: () -> Companion) -> Companion {
        if let known = companions[ObjectIdentifier(Companion.self)] as? Companion { return known }
        let made = make()
        companions[ObjectIdentifier(Companion.self)] = made
        return made
    }

    var callbackContexts: [any CallbackContext] {
        [interruption] + companions.values.compactMap { $0 as? any CallbackContext }
    }

    /// Returns the handle, or throws. Called only when `openHandle` is `nil`: reading `handle` instead would cost every
    /// caller a retain.
    @inline(never)
    func requireHandle(sql: String) throws -> OpaquePointer {
        guard let handle else { throw closedError(sql: sql) }
        return handle
    }
}
