import SquallSQLite

/// A prepared statement.
///
/// `connection.prepare` makes one of your own; a statement keeps its connection alive. It may be run and queried any
/// number of times, but not by the closure of its own query.
///
///     let insert = try connection.prepare("INSERT INTO cars VALUES(?, ?, ?)")
///     try insert.bind(1, "Audi", 52_642).run()
///     try insert.bind(2, "Saab", nil).run()
public final class Statement {
    /// The SQL as it was given.
    public let sql: String

    @usableFromInline let handle: OpaquePointer

    /// Where the values of the parameters are, if it has any.
    @usableFromInline let arena: UnsafeMutablePointer<ParameterArena>?

    // Valid for as long as the statement is used: `owner` keeps the connection of a statement of the user's. A cached
    // statement is used between `borrow` and `return`, both methods of its connection, and a connection that is released
    // disowns the statements that are left. A strong reference would be a cycle, and a weak one costs at every step.
    @usableFromInline let unmanagedConnection: Unmanaged<Connection>
    private let owner: Connection?

    /// Whether the connection has been released, and has finalised the statement.
    private var isDisowned = false

    // `@exclusivity(unchecked)` as in `Row.Storage`: these are read at every step.

    /// What the rows of the statement read from; `nil` while a loop has it.
    @usableFromInline @exclusivity(unchecked) var storage: Row.Storage?

    /// The storage that stands on the current row, also while a loop has it.
    ///
    /// Read only while `isStepping`: then either `storage` or the local variable of the loop keeps it, and whoever replaces
    /// that replaces this. A strong reference would make every row look kept.
    @exclusivity(unchecked) private unowned(unsafe) var current: Row.Storage?

    /// Whether a deadline, a cancellation or a time limit was in force when the statement began.
    @usableFromInline @exclusivity(unchecked) var isWatched = false

    /// Whether a loop has the storage.
    @exclusivity(unchecked) private var isInLoop = false

    /// Whether the only `?` in the SQL are parameters, none of which has a name or a number; `nil` until it matters.
    @exclusivity(unchecked) var hasPlainParameters: Bool?

    /// Whether the parameters have no values: none were bound yet, or the last `bind` has failed.
    @exclusivity(unchecked) var lacksValues: Bool

    private let callbacks: UnsafeMutablePointer<Callbacks>

    /// Whether a first step has been made since the last reset.
    @usableFromInline @exclusivity(unchecked) var isStepping = false

    /// Whether there may be rows to let go of since the last reset.
    @exclusivity(unchecked) private var hasRows = false
    /// The connection's `callbacks.depth` when it was last stepped. SQLite would not survive a statement that is stepped or
    /// reset by a function that it is calling.
    @exclusivity(unchecked) private var depth = 0

    /// The value of SQLite's re-prepare counter at the last ``resetStatus()``. The counter itself is never reset: rows
    /// compare it to detect columns that have changed.
    var reprepareBase: Int32 = 0

    /// The rows that are left of a statement that writes, and before them the one that it stands on.
    private var writtenRows: ArraySlice<Row>?

    // The list of the connection's statements: each leaves it before it is deallocated.
    @exclusivity(unchecked) unowned(unsafe) private(set) var nextStatement: Statement?
    @exclusivity(unchecked) private unowned(unsafe) var previousStatement: Statement?

    /// Prepares the statement of some SQL; values that are interpolated into it are bound.
    ///
    /// - Throws: ``SQLiteError`` for SQL that is wrong, has no statement, or more than one.
    public convenience init(connection: Connection, sql: SQL) throws {
        if let failure = sql.failure { throw failure }
        let sql = connection.fitted(sql)
        let text = sql.text
        let handle = try connection.prepareOnly(text)
        self.init(connection: connection, sql: text, handle: handle, isOwned: true)
        if sql.hasValues { try bind(sql) }
    }

    /// Does not take a `String`: the SQL is a literal, or a ``SQL``.
    @available(
        *, unavailable, message: "a String may splice: write a literal, `let sql: SQL = \"…\"`, or SQL(raw: text)"
    )
    public convenience init(connection: Connection, sql: some StringProtocol) throws {
        throw SQLiteError.textRefused
    }

    init(connection: Connection, sql: String, handle: OpaquePointer, isOwned: Bool) {
        self.sql = sql
        self.unmanagedConnection = .passUnretained(connection)
        self.callbacks = connection.callbacks
        self.owner = isOwned ? connection : nil
        self.handle = handle
        self.parameterCount = Int(sqlite3_bind_parameter_count(handle))
        // An EXPLAIN runs nothing that would need them.
        self.lacksValues = parameterCount > 0 && sqlite3_stmt_isexplain(handle) == 0
        self.arena = parameterCount > 0 ? .allocate(capacity: 1) : nil
        self.arena?.initialize(to: ParameterArena(keepsLargeValues: !isOwned))
        self.isReadOnly = sqlite3_stmt_readonly(handle) != 0
        self.hasNoColumns = sqlite3_column_count(handle) == 0
        let pragma = Pragma(sqlite3_sql(handle))
        // (To ask for the journal mode is no writing, but SQLite says so.)
        let mayRead = isReadOnly || pragma?.name == "journal_mode"
        self.isAllowedInReads = mayRead && pragma?.isForbiddenInReads != true
        self.changesSettings = Script.Setting(sqlite3_sql(handle)) != nil
        if pragma?.name == "busy_timeout" { connection.interruption.knowsBusyTimeout = false }
        nextStatement = connection.firstStatement
        nextStatement?.previousStatement = self
        connection.firstStatement = self
    }

    deinit {
        if !isDisowned { end() }
        arena?.pointee.deallocate()
        arena?.deinitialize(count: 1)
        arena?.deallocate()
    }

    /// Ends a cached statement whose connection is released before it: see `Connection.disownStatements()`.
    func disown() {
        isDisowned = true
        end()
    }

    /// Leaves the connection's list and finalises the statement. Rows that were kept take their values with them.
    private func end() {
        detachRow()
        // A row that is kept reads from the handle until it is detached.
        if !isKnownUniquelyReferenced(&storage) { storage?.detach() }
        isStepping = false
        nextStatement?.previousStatement = previousStatement
        if let previousStatement {
            previousStatement.nextStatement = nextStatement
        } else {
            connection.firstStatement = nextStatement
        }
        connection.finalize(handle)
    }

    var connection: Connection { unmanagedConnection.takeUnretainedValue() }

    /// Whether the statement stands on a row.
    public var isBusy: Bool { sqlite3_stmt_busy(handle) != 0 }

    /// Whether the statement leaves the database file as it is.
    public let isReadOnly: Bool

    /// Whether the statement may be run inside a read: see ``Connection/Access``.
    let isAllowedInReads: Bool

    /// Whether the statement changes settings of the connection, which is noticed when it is prepared.
    let changesSettings: Bool

    /// A statement without columns never gets any, however often SQLite prepares it anew.
    @usableFromInline let hasNoColumns: Bool

    /// The SQL with the values of the parameters in their places; `nil` when it would be too long.
    public var expandedSQL: String? {
        // SQLite takes the memory from the connection, which may be busy elsewhere.
        guard connection.handle != nil || connection.isClosed, let text = sqlite3_expanded_sql(handle) else {
            return nil
        }
        defer { sqlite3_free(text) }
        return String(cString: text)
    }

    /// The number of columns in the result; 0 for a statement that returns no rows.
    public var columnCount: Int { Int(sqlite3_column_count(handle)) }

    /// The names of the columns in the result.
    public var columnNames: [String] { Row.Layout(statement: handle).names }

    /// The number of parameters.
    public let parameterCount: Int

    /// The names of the parameters with their prefix (`:id`, `@id`, `$id`, `?1`), in order; `nil` for one without a name.
    public var parameterNames: [String?] {
        (0..<sqlite3_bind_parameter_count(handle)).map { index in
            sqlite3_bind_parameter_name(handle, index + 1).map { String(cString: $0) }
        }
    }

    /// The current row, or `nil` when there is none. A function or handler that the statement's own step calls gets `nil`.
    public var row: Row? {
        if let writtenRows { return writtenRows.first }
        // A row taken during a step would stay live while the statement moves on: nobody would detach it. At the end of its
        // last step a statement that still calls is no longer busy, but has no columns.
        guard let storage, isStepping, !isCalling, storage.statement != nil, sqlite3_data_count(handle) > 0
        else { return nil }
        return Row(storage)
    }
}

// MARK: - Stepping

extension Statement {
    /// Moves to the next row, or runs the statement when it returns none. After the end, starts over.
    ///
    /// A statement that writes and returns rows (`RETURNING`) does all its work with the first step.
    ///
    /// - Returns: `true` when there is a row, which ``row`` then gives.
    /// - Throws: ``SQLiteError``.
    @discardableResult
    public func step() throws -> Bool {
        try nextRow() != nil
    }

    /// Runs a statement that has no columns, and so no rows.
    @usableFromInline
    func runWithoutRows() throws {
        guard !isCalling else { throw inUse() }
        depth = callbacks.pointee.depth
        try willStart()
        var code = sqlite3_step(handle)
        if code == ResultCode.lockedSharedCache.rawValue { code = stepWhenUnlocked() }
        while code == SQLITE_ROW { code = sqlite3_step(handle) }
        defer { endExecution() }
        if code != SQLITE_DONE { throw connection.error(code, sql: sql) }
    }

    private func stepWhenUnlocked() -> Int32 {
        connection.tableLockPolicy.wait {
            sqlite3_reset(handle)
            return sqlite3_step(handle)
        }
    }

    /// Moves to the next row, and gives it.
    @inlinable
    func nextRow() throws -> Row? {
        guard isReadOnly else { return try nextWrittenRow() }
        let storage = try freshStorage()
        return try advance(storage) ? Row(storage) : nil
    }

    /// The next row of a statement that writes (`RETURNING`). SQLite gives the rows first, and commits or fails at the end:
    /// such a statement is run to its end before anybody sees its rows, and never stands in the way of another's commit.
    @usableFromInline
    func nextWrittenRow() throws -> Row? {
        if writtenRows == nil {
            writtenRows = try allRows()[...]
        } else {
            writtenRows = writtenRows?.dropFirst()
        }
        guard let row = writtenRows?.first else {
            writtenRows = nil
            return nil
        }
        return row
    }

    /// Drops the rows that are left of a statement that writes; it has been run to its end already.
    @usableFromInline
    func dropWrittenRows() -> Bool {
        defer { writtenRows = nil }
        return writtenRows != nil
    }

    private func allRows() throws -> [Row] {
        var rows: [Row] = []
        var row = Row(try takeStorage())
        defer { putBack(&row) }
        while try advance(row.storage) {
            rows.append(row)
            try replace(&row)
        }
        return rows
    }

    /// Leaves the result where it is, and with it the read lock. The bound values stay.
    ///
    /// - Throws: ``SQLiteError`` from the closure of a query of this very statement.
    public func reset() throws {
        guard !isInLoop, !isCalling else { throw inUse() }
        rewind()
    }

    /// Calls a closure with every row, and resets the statement.
    @inlinable
    @inline(__always)
    func forEachRow(_ body: (Row) throws -> Void) throws {
        try forEachRow { row, _ in try body(row) }
    }

    /// Calls a closure with every row until it sets `stop`, and resets the statement.
    @inlinable
    func forEachRow(_ body: (_ row: Row, _ stop: inout Bool) throws -> Void) throws {
        guard isReadOnly else { return try forEachWrittenRow(body) }
        var row = Row(try takeStorage())
        defer { putBack(&row) }
        var stop = false
        while try !stop && advance(row.storage) {
            try body(row, &stop)
            // One look per row keeps rows that escape from ever showing what the statement has moved on to.
            if !isKnownUniquelyReferenced(&row.storage) || row.storage.statement == nil { try replace(&row) }
        }
    }

    @usableFromInline
    func forEachWrittenRow(_ body: (_ row: Row, _ stop: inout Bool) throws -> Void) throws {
        var stop = false
        for row in try allRows() {
            try body(row, &stop)
            if stop { return }
        }
    }

    @inlinable
    func advance(_ storage: Row.Storage) throws -> Bool {
        if !isStepping { try willStart() } else if isWatched { try checkWatch() }
        let code = sqlite3_step(handle)
        guard code == SQLITE_ROW else { return try finish(code, storage) }
        if !isStepping {
            isStepping = true
            storage.beginExecution()
        }
        return true
    }

    /// What every first step asks, without a retain and a release of the connection: 10 ns.
    @inlinable
    @inline(__always)
    func willStart() throws {
        try unmanagedConnection._withUnsafeGuaranteedRef { try $0.willStart(self) }
    }

    /// Ends the statement when its time is over. SQLite asks only every so many instructions, and a closure may take its time
    /// between two rows.
    @usableFromInline
    func checkWatch() throws {
        guard let error = connection.interruptionError(sql: sql) else { return }
        endExecution()
        throw error
    }

    /// The slow end of a step: no more rows, a table to wait for, or an error.
    @usableFromInline
    func finish(_ code: Int32, _ storage: Row.Storage) throws -> Bool {
        var code = code
        if !isStepping, code == ResultCode.lockedSharedCache.rawValue {
            code = stepWhenUnlocked()
            if code == SQLITE_ROW {
                isStepping = true
                storage.beginExecution()
                return true
            }
        }
        defer { endExecution() }
        if code != SQLITE_DONE { throw connection.error(code, sql: sql) }
        return false
    }

    private func endExecution() {
        // What a function has kept for the statement goes with the reset, and its `deinit` may be the user's.
        callbacks.pointee.depth &+= 1
        sqlite3_reset(handle)
        callbacks.pointee.depth &-= 1
        isStepping = false
        if callbacks.pointee.isConnectionClosed { connection.finishClosing() }
    }
}

// MARK: - The storage of rows

extension Statement {
    /// The storage for a single step: a new one if somebody has kept the last row.
    @usableFromInline
    func freshStorage() throws -> Row.Storage {
        guard !isInLoop, !isCalling else { throw inUse() }
        depth = callbacks.pointee.depth
        if let storage, storage.statement == nil { throw aborted() }
        if storage != nil, !isKnownUniquelyReferenced(&storage) {
            storage = storage?.successor(for: handle)
        }
        let fresh = storage ?? Row.Storage(statement: handle)
        storage = fresh
        current = fresh
        hasRows = true
        return fresh
    }

    /// Takes the storage out for a loop, which holds it in a local variable: there it is cheap to ask whether it is shared.
    @usableFromInline
    func takeStorage() throws -> Row.Storage {
        let fresh = try freshStorage()
        storage = nil
        isInLoop = true
        return fresh
    }

    /// Gives a loop a new storage in place of one that somebody keeps.
    @usableFromInline
    func replace(_ row: inout Row) throws {
        if row.storage.statement == nil { throw aborted() }
        row.storage = row.storage.successor(for: handle)
        current = row.storage
    }

    /// Takes the storage back from a loop.
    @usableFromInline
    func putBack(_ row: inout Row) {
        if isKnownUniquelyReferenced(&row.storage), row.storage.statement != nil {
            storage = row.storage
        } else {
            storage = row.storage.successor(for: handle)
        }
        current = storage
        isInLoop = false
        if isStepping { endExecution() }
    }

    /// Resets the statement; a row that somebody keeps takes its values with it.
    @usableFromInline
    func rewind() {
        guard hasRows else { return }
        hasRows = false
        writtenRows = nil
        if storage != nil, !isKnownUniquelyReferenced(&storage) || storage?.statement == nil {
            storage = storage?.successor(for: handle)
            current = storage
        }
        if isStepping { endExecution() }
    }

    /// Resets the statement under whoever is reading it: their rows keep their values, and their next step throws.
    func abandon() {
        detachRow()
        endExecution()
    }

    /// Whether the statement may be in the middle of a step, calling the function that asks.
    var isCalling: Bool { callbacks.pointee.depth > depth && sqlite3_stmt_busy(handle) != 0 }

    private func detachRow() {
        if isStepping { current?.detach() }
    }
}

// MARK: - Errors

extension Statement {
    private func inUse() -> SQLiteError {
        .misuse(
            "the statement is in use: the closure of its own query, and a function that it calls, cannot step, bind or reset it",
            sql: sql)
    }

    private func aborted() -> SQLiteError {
        guard connection.handle != nil else { return connection.closedError(sql: sql) }
        return SQLiteError(
            code: ResultCode.transactionLost.rawValue,
            message: "the statement was ended by a rollback",
            sql: sql
        )
    }
}
