import SquallSQLite

/// A connection to a database.
///
///     let connection = try Connection("app.db")                                     // the recommended configuration
///     let connection = try Connection(storageLocation: .onDisk("app.db"))           // SQLite's own defaults
///
/// A connection, its statements and its rows belong to one thread at a time; the compiler sees to that.
public final class Connection {
    /// What the connection does when another one of its shared cache has locked a table.
    public let tableLockPolicy: TableLockPolicy

    /// The settings that the connection was opened with.
    public let configuration: Configuration

    // `@exclusivity(unchecked)`: read at every step of every statement.
    @exclusivity(unchecked) private(set) var openHandle: OpaquePointer?

    /// The handle, unless the connection is closed or something else has it.
    var handle: OpaquePointer? { openHandle ?? takeBack() }

    /// The statements that are alive, each with the next.
    @exclusivity(unchecked) unowned(unsafe) var firstStatement: Statement?

    // Its methods call nothing that could come back here.
    @exclusivity(unchecked) private var cache: StatementCache
    let interruption: Interruption

    /// What the folders after this one keep for the connection, one object of each type.
    private var companions: [ObjectIdentifier: AnyObject] = [:]

    /// How many `transaction` and `savepoint` closures are running.
    @exclusivity(unchecked) var transactionDepth = 0

    /// What SQLite is calling. The statements that it runs for it must not be stepped, reset or closed by what it calls.
    let callbacks: UnsafeMutablePointer<Callbacks>

    /// The handle of a connection that was closed by such a closure, until the last of them has returned.
    private var closing: OpaquePointer?

    /// What has the handle when the connection has not.
    private var claim: ConnectionClaim?

    @exclusivity(unchecked) private var hook: RunningHook?
    /// The changes of callbacks that a hook has made, to be carried out when it returns.
    @exclusivity(unchecked) private var changesByHooks: [(OpaquePointer) -> Void] = []
    private var isClosing = false

    /// What an authorizer has denied last.
    var denial: String?

    /// Whether the connection is lent for the time of a closure, and for what.
    @exclusivity(unchecked) var access = Access.own

    /// Whether it was closed while it was lent.
    var isClosePutOff = false

    /// The settings that the current closure has changed.
    @exclusivity(unchecked) var settingsOfClosure = SettingsOfClosure()

    /// How many backups read by the handle itself; with one, the handle cannot be given away.
    var pins = 0

    /// The handle for interrupts from other threads, if one is in use.
    @exclusivity(unchecked) private var sharedInterruptHandle: InterruptHandle?

    /// Opens a database as SQift does: SQLite's own defaults.
    ///
    /// - Parameters:
    ///   - storageLocation: Where the database is.
    ///   - tableLockPolicy: What to do when another connection of a shared cache has locked a table.
    ///   - readOnly: The database must exist, and cannot be changed.
    ///   - multiThreaded: SQLite's multi-thread mode (`SQLITE_OPEN_NOMUTEX`): no mutex around each call.
    ///   - sharedCache: One cache for all connections of this process that ask for it. SQLite discourages it.
    /// - Throws: ``SQLiteError``, code 14 when the file cannot be opened.
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
    /// - Throws: ``SQLiteError``, code 14 when the file cannot be opened.
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

    /// - Parameter cancellation: Ends the waiting for a lock while the connection is being set up.
    init(
        path: String, tableLockPolicy: TableLockPolicy, flags: Int32, configuration: Configuration,
        cancellation: Cancellation? = nil
    ) throws {
        self.tableLockPolicy = tableLockPolicy
        self.configuration = configuration
        self.cache = StatementCache(capacity: configuration.statementCacheCapacity)
        self.interruption = Interruption(timeLimit: configuration.timeLimit)
        self.openHandle = try Self.open(path, flags: flags)
        self.callbacks = .allocate(capacity: 1)
        self.callbacks.initialize(to: Callbacks())
        interruption.connection = .passUnretained(self)
        if let cancellation {
            try withCancellation(cancellation) { try configuration.apply(to: self) }
        } else {
            try configuration.apply(to: self)
        }
        if let handle { interruption.install(on: handle) }
    }

    deinit {
        access = .own
        close()
        finishClosing()
        for context in callbackContexts { context.connection = nil }
        disownStatements()
        callbacks.deallocate()
    }

    private static func open(_ path: String, flags: Int32) throws -> OpaquePointer {
        guard !path.utf8.contains(0) else { throw pathWithNULError }
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            // A failed open leaves a handle, which has the message and must be closed.
            let error = SQLiteError(code, on: handle)
            sqlite3_close_v2(handle)
            throw SQLiteError(
                code: error.extendedCode, message: "\(error.message): \(path)",
                hint: flags & SQLITE_OPEN_URI == 0 ? OpeningFailure.hint(path, flags: flags) : nil
            )
        }
        sqlite3_extended_result_codes(handle, 1)
        return handle
    }

    static var pathWithNULError: SQLiteError {
        SQLiteError(code: SQLITE_CANTOPEN, message: "a path cannot have a NUL character")
    }

    /// Closes the connection. A transaction that is open is rolled back, and what still uses the connection throws from
    /// then on; rows that have been read stay. Closing again does nothing.
    ///
    /// A function or a collation that closes its own connection fails, and the statement that called it.
    ///
    /// One that a queue, a pool or a database has lent is closed when it is given back.
    public func close() {
        guard access == .own else {
            isClosePutOff = true
            return
        }
        isClosePutOff = false
        guard !isClosing else { return }
        invalidateInterruptHandle()
        guard let handle else {
            if hook?.handle != nil { hook?.isToClose = true }
            // A claim may have ended just now.
            guard let claim, !claim.closeAtEnd() else {
                for context in callbackContexts { context.connectionDidClose() }
                return
            }
            return close()
        }
        guard callbacks.pointee.depth == 0 else {
            // SQLite cannot be closed under a statement that runs.
            closing = handle
            openHandle = nil
            callbacks.pointee.isConnectionClosed = true
            return sqlite3_interrupt(handle)
        }
        isClosing = true
        defer { isClosing = false }
        for context in callbackContexts { context.connectionWillClose() }
        rollBackEverything()
        endBusyStatements()
        cache.removeAll()
        openHandle = nil
        interruption.cancellation?.run(on: nil)
        // Statements that are still held keep the closed handle valid until they go.
        Self.close(handle)
        for context in callbackContexts { context.connectionDidClose() }
    }

    /// Does what `close` had to put off, when SQLite has returned.
    func finishClosing() {
        guard callbacks.pointee.depth == 0, let handle = closing else { return }
        closing = nil
        openHandle = handle
        close()
    }

    /// Makes the statements that are running fail with `SQLITE_INTERRUPT` (9), as a function or a hook may want to. Other
    /// threads use ``interruptHandle``.
    public func interrupt() {
        if access != .returned, let handle = handle ?? hook?.handle { sqlite3_interrupt(handle) }
    }

    /// Interrupts the statements of the connection from any thread, also after the connection has been closed.
    public var interruptHandle: InterruptHandle {
        if let sharedInterruptHandle { return sharedInterruptHandle }
        // The connection may serve another closure by now.
        if access == .returned { return InterruptHandle(nil) }
        let handle = InterruptHandle(handle ?? hook?.handle ?? claim?.handle)
        sharedInterruptHandle = handle
        return handle
    }

    /// Makes the handles that are in use do nothing from now on.
    @inline(__always)
    func invalidateInterruptHandle() {
        guard let shared = sharedInterruptHandle else { return }
        shared.invalidate()
        sharedInterruptHandle = nil
    }
}

// MARK: - Hooks

extension Connection {
    /// A hook of the user's that runs.
    struct RunningHook {
        let name: StaticString
        /// The connection's handle, which it has not got meanwhile.
        let handle: OpaquePointer?
        /// Whether the hook has closed the connection, which is done afterwards.
        var isToClose = false
    }

    /// Runs a hook, which cannot use the connection.
    func withoutHandle<Result>(during name: StaticString, _ body: () -> Result) -> Result {
        let outer = (hook, openHandle)
        hook = RunningHook(name: name, handle: openHandle ?? hook?.handle)
        openHandle = nil
        callbacks.pointee.depth &+= 1
        let result = body()
        let isToClose = hook?.isToClose == true
        (hook, openHandle) = outer
        if isToClose { close() }
        if !changesByHooks.isEmpty, hook == nil, let handle = openHandle {
            for change in changesByHooks { change(handle) }
            changesByHooks = []
        }
        callbacks.pointee.depth &-= 1
        return result
    }

    /// Gives SQLite callbacks that were changed: now, or when the hook that has changed them returns. A claim on the handle
    /// installs them when it ends.
    func changeCallbacks(_ change: @escaping (OpaquePointer) -> Void) {
        if let handle {
            change(handle)
        } else if hook != nil {
            changesByHooks.append(change)
        }
    }

    /// Runs SQL that is none of the authorizer's and of the progress handler's business: the transaction must end, and what
    /// is only asked is nobody's secret.
    @discardableResult
    func runInternally(
        _ sql: String, on handle: OpaquePointer, isHidden: Bool = false, into value: inout Int
    ) -> Int32 {
        let outer = callbacks.pointee
        callbacks.pointee.isInternal = true
        callbacks.pointee.isHidden = isHidden
        defer {
            callbacks.pointee.isInternal = outer.isInternal
            callbacks.pointee.isHidden = outer.isHidden
        }
        return sqlite3_exec(
            handle, sql,
            { context, _, values, _ in
                guard let text = values?.pointee.map({ String(cString: $0) }), let number = Int(text) else { return 0 }
                context?.assumingMemoryBound(to: Int.self).pointee = number
                return 0
            }, &value, nil
        )
    }

    @discardableResult
    func runInternally(_ sql: String, on handle: OpaquePointer) -> Int32 {
        var value = 0
        return runInternally(sql, on: handle, into: &value)
    }

    /// The answer of a pragma, a number; `nil` when SQLite has none.
    func ask(_ pragma: String, on handle: OpaquePointer) -> Int? {
        var value = 0
        return runInternally("PRAGMA \(pragma)", on: handle, isHidden: true, into: &value) == SQLITE_OK ? value : nil
    }
}

// MARK: - Giving the handle away

extension Connection {
    func giveAway(_ handle: OpaquePointer, reason: String) -> ConnectionClaim {
        cache.removeAll()
        for context in callbackContexts { context.connection = nil }
        // No closure of the user's is called on another thread.
        interruption.stepAside(on: handle)
        let contexts = Array(companions.values) + [interruption]
        let claim = ConnectionClaim(handle: handle, reason: reason, callbackContexts: contexts)
        self.claim = claim
        openHandle = nil
        return claim
    }

    /// The handle after a claim that has ended. Here, and not where the claim ends, because that may be another thread.
    @inline(never)
    private func takeBack() -> OpaquePointer? {
        guard let claim, let handle = claim.takeBack() else { return nil }
        self.claim = nil
        openHandle = handle
        for context in callbackContexts {
            context.connection = .passUnretained(self)
            context.install(on: handle)
        }
        return handle
    }

    private var callbackContexts: [any CallbackContext] {
        [interruption] + companions.values.compactMap { $0 as? any CallbackContext }
    }

    /// The slow way to the handle, for those who look at `openHandle` first: the getter above costs them a retain.
    @inline(never)
    func requireHandle(sql: String) throws -> OpaquePointer {
        guard let handle else { throw closedError(sql: sql) }
        return handle
    }

    /// Ends the cached statements that a caller still holds.
    ///
    /// The optimiser may release a connection directly after the last use of it in a caller, and the cached statement that
    /// the same caller holds only afterwards. Such a statement must not reach for the connection again.
    private func disownStatements() {
        while let statement = firstStatement { statement.disown() }
    }

    /// Finalises a statement, now or when a claim ends.
    func finalize(_ statement: OpaquePointer) {
        if let claim, claim.finalizeAtEnd(statement) { return }
        // What a function has kept for the statement goes with it, and its `deinit` may be the user's.
        callbacks.pointee.depth &+= 1
        sqlite3_finalize(statement)
        callbacks.pointee.depth &-= 1
        if callbacks.pointee.isConnectionClosed { finishClosing() }
    }
}

extension Connection {
    /// The connection's own object of a type, made when first asked for, kept until the connection goes.
    func companion<Companion: AnyObject>(_ make: () -> Companion) -> Companion {
        if let known = companions[ObjectIdentifier(Companion.self)] as? Companion { return known }
        let made = make()
        companions[ObjectIdentifier(Companion.self)] = made
        return made
    }
}

// MARK: - Properties

extension Connection {
    /// The handle for what may be asked inside hooks as well.
    private var handleInHooks: OpaquePointer? { handle ?? hook?.handle }

    /// The path of the main database file; empty for one in memory.
    public var fileName: String { filePath(of: "main").map { String(cString: $0) } ?? "" }

    /// The path of a database that is in a file.
    func filePath(of name: String) -> UnsafePointer<CChar>? {
        guard let handle = handleInHooks, let path = sqlite3_db_filename(handle, name), path.pointee != 0
        else { return nil }
        // SQLite calls a database that was deserialized "x".
        if let vfs = vfsName(of: name), strcmp(vfs, "memdb") == 0 { return nil }
        return path
    }

    /// The part of SQLite that reads and writes the file.
    func vfsName(of name: String) -> UnsafePointer<CChar>? {
        var vfs: UnsafeMutablePointer<sqlite3_vfs>?
        let code = withUnsafeMutablePointer(to: &vfs) {
            sqlite3_file_control(handleInHooks, name, SQLITE_FCNTL_VFS_POINTER, $0)
        }
        return code == SQLITE_OK ? vfs?.pointee.zName : nil
    }

    /// Whether the main database cannot be changed.
    public var readOnly: Bool { handleInHooks.map { sqlite3_db_readonly($0, "main") == 1 } ?? false }

    /// Whether SQLite was compiled to be used from several threads.
    public var threadSafe: Bool { sqlite3_threadsafe() > 0 }

    /// The rowid of the last row that was inserted.
    public var lastInsertRowID: Int64 { handleInHooks.map { sqlite3_last_insert_rowid($0) } ?? 0 }

    /// The number of rows that the last INSERT, UPDATE or DELETE changed itself.
    public var changes: Int { handleInHooks.map { Int(squall_changes($0)) } ?? 0 }

    /// The number of rows changed since the connection was opened.
    public var totalChanges: Int { handleInHooks.map { Int(squall_total_changes($0)) } ?? 0 }

    /// Whether a transaction is open.
    public var isInTransaction: Bool { handleInHooks.map { sqlite3_get_autocommit($0) == 0 } ?? false }

    /// Whether the connection has been closed.
    public var isClosed: Bool { handle == nil && hook?.handle == nil && claim?.isOfOpenConnection != true }

    /// What the statement cache has done so far.
    public var statementCache: StatementCacheStatistics { cache.statistics }
}

// MARK: - Statements

extension Connection {
    /// Prepares the one statement of some SQL.
    func prepareOnly(_ text: String, flags: UInt32 = 0) throws -> OpaquePointer {
        guard let handle else { throw closedError(sql: text) }
        var script = Script(text)
        guard let statement = try prepareNext(&script, on: handle, flags: flags) else {
            throw SQLiteError.misuse("the SQL has no statement", sql: text)
        }
        do {
            if try script.findNext() {
                throw SQLiteError(
                    code: SQLITE_MISUSE, message: "the SQL has more than one statement", sql: text,
                    offset: script.position, hint: "`execute` runs scripts"
                )
            }
        } catch {
            sqlite3_finalize(statement)
            throw error
        }
        return statement
    }

    /// Prepares the next statement of a script, as soon as `tableLockPolicy` lets it; `nil` at the end.
    func prepareNext(_ script: inout Script, on handle: OpaquePointer, flags: UInt32 = 0) throws -> OpaquePointer? {
        // SQLite reads the schema with statements of its own.
        interruption.start()
        if access != .own {
            try checkAccess(script)
            try willPrepare(script, on: handle)
        }
        defer { if callbacks.pointee.isConnectionClosed { finishClosing() } }
        do {
            let statement = try script.prepareNext(on: handle, flags: flags)
            guard openHandle == nil, let statement else { return statement }
            // A hook has closed the connection.
            sqlite3_finalize(statement)
            throw closedError(sql: script.text)
        } catch let first as SQLiteError where first.extendedResultCode == .lockedSharedCache {
            var result = Result<OpaquePointer?, any Error>.failure(first)
            _ = tableLockPolicy.wait {
                result = Result { try script.prepareNext(on: handle, flags: flags) }
                guard case .failure(let error as SQLiteError) = result else { return SQLITE_OK }
                return error.extendedCode
            }
            return try result.get()
        } catch let error as SQLiteError {
            throw explained(error)
        }
    }

    /// Borrows a statement from the cache, or a new one that the cache keeps. `withStatement` does this for one closure.
    @usableFromInline
    func borrow(_ sql: SQL) throws -> StatementCache.Entry {
        if let failure = sql.failure { throw failure }
        if openHandle == nil { _ = try requireHandle(sql: sql.text) }
        if let entry = cache.borrow(sql) { return entry }
        let sql = fitted(sql)
        let text = sql.text
        let prepared = try prepareOnly(text, flags: UInt32(SQLITE_PREPARE_PERSISTENT))
        return cache.insert(Statement(connection: self, sql: text, handle: prepared, isOwned: false), for: sql)
    }

    /// Returns a borrowed statement to the cache, reset and without values.
    @usableFromInline
    func `return`(_ entry: StatementCache.Entry) {
        cache.return(entry)
    }

    /// What every statement asks before its first step.
    @usableFromInline
    func willStart(_ statement: Statement) throws {
        let handle = try openHandle ?? requireHandle(sql: statement.sql)
        if transactionDepth > 0 { try checkTransaction(handle, sql: statement.sql) }
        if access.isRestricted { try checkAccess(statement) }
        if statement.lacksValues { throw statement.missingValuesError }
        statement.isWatched = interruption.isActive
        if statement.isWatched { try checkInterruption(sql: statement.sql) }
    }

    /// Why the statement that runs must end now.
    func interruptionError(sql: String) -> SQLiteError? {
        interruption.reason.map { .interrupted($0, sql: sql) }
    }

    func checkInterruption(sql: String) throws {
        interruption.start()
        if let reason = interruption.reasonNotToBegin { throw SQLiteError.interrupted(reason, sql: sql) }
    }

    /// Throws when the transaction of a running `transaction` or `savepoint` is gone.
    func checkTransaction(_ handle: OpaquePointer, sql: String?) throws {
        guard transactionDepth > 0, sqlite3_get_autocommit(handle) != 0 else { return }
        throw SQLiteError(
            code: ResultCode.transactionLost.rawValue,
            message: "the transaction is lost: SQLite has rolled it back, or it was ended by hand; nothing was run",
            sql: sql
        )
    }
}

// MARK: - Ending what runs

extension Connection {
    /// Rolls the open transaction back, if there is one. Statements that are being read go on where SQLite lets them.
    func rollBackEverything() {
        guard let handle, sqlite3_get_autocommit(handle) == 0 else { return }
        cleanUp("ROLLBACK")
    }

    /// Runs SQL that puts something back as it was, whatever has ended the work before: past deadlines, and past what an
    /// authorizer or a progress handler says.
    ///
    /// - Returns: Whether that worked.
    @discardableResult
    func cleanUp(_ sql: String) -> Bool {
        guard let handle else { return false }
        var code = runInternally(sql, on: handle)
        if code != SQLITE_OK, openHandle != nil {
            // An interrupt is in effect until no statement runs, and ends a ROLLBACK too.
            endBusyStatements()
            code = runInternally(sql, on: handle)
        }
        if callbacks.pointee.isConnectionClosed { finishClosing() }
        return code == SQLITE_OK
    }

    /// Resets every statement that stands on a row. Those that are calling a function now go on.
    func endBusyStatements() {
        guard let database = openHandle else { return }
        var next = firstStatement
        while let statement = next {
            if statement.isBusy, !statement.isCalling { statement.abandon() }
            next = statement.nextStatement
        }
        guard callbacks.pointee.depth == 0 else { return }
        // SQLite's own, of virtual tables.
        var handle: OpaquePointer?
        while let other = sqlite3_next_stmt(database, handle) {
            if sqlite3_stmt_busy(other) != 0 { sqlite3_reset(other) }
            handle = other
        }
    }
}

// MARK: - Errors

extension Connection {
    func error(_ code: Int32, sql: String?) -> SQLiteError {
        if closing != nil { return closedError(sql: sql) }
        return explained(SQLiteError(code, on: handle, sql: sql))
    }

    /// An error of SQLite's with what it does not know: who has ended the statement, and what the authorizer has denied.
    private func explained(_ error: SQLiteError) -> SQLiteError {
        let reason: String? =
            switch error.code {
            case SQLITE_INTERRUPT: interruption.reason
            // What a wait for a lock that is ended says.
            case SQLITE_BUSY: interruption.reasonNotToBegin
            default: nil
            }
        if let reason { return .interrupted(reason, sql: error.sql) }
        if access == .reading, error.extendedCode == SQLITE_READONLY { return error.insideReadError }
        guard let denial else { return error }
        self.denial = nil
        guard error.code == SQLITE_AUTH || error.message == "authorizer malfunction" else { return error }
        return SQLiteError(
            code: error.extendedCode, message: "\(error.message): \(denial)", sql: error.sql, offset: error.offset
        )
    }

    /// Why there is no handle.
    func closedError(sql: String? = nil) -> SQLiteError {
        if let hook {
            let article = "\(hook.name)".first.map { "aeiou".contains($0) } == true ? "an" : "a"
            return .misuse("\(article) \(hook.name) cannot use its own connection", sql: sql)
        }
        guard let claim, claim.isOfOpenConnection else { return .connectionIsClosed(sql: sql) }
        return SQLiteError(code: SQLITE_BUSY, message: claim.reason, sql: sql)
    }
}
