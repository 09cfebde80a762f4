import SquallSQLite

/// A prepared statement.
///
/// `connection.prepare` returns a statement, which keeps its connection alive. A statement can be run and queried any
/// number of times, but not inside the closure of the same query.
///
///     let insert = try connection.prepare("INSERT INTO cars VALUES(?, ?, ?)")
///     try insert.bind(1, "Audi", 52_642).run()
///     try insert.bind(2, "Saab", nil).run()
public final class Statement {
    /// The SQL as it was given.
    public let sql: String

    @usableFromInline let handle: OpaquePointer

    /// The memory of the parameters' values; `nil` for a statement without parameters.
    @usableFromInline let arena: UnsafeMutablePointer<ParameterArena>?

    // Unmanaged: valid while the statement is used. `owner` keeps the connection of a statement that the user has
    // prepared. A cached statement is used between `borrow` and `return`, both methods of its connection, and a
    // connection that is released disowns its remaining statements. A strong reference would be a cycle, and a weak one
    // costs time at every step.
    @usableFromInline let unmanagedConnection: Unmanaged<Connection>
    private let owner: Connection?

    /// Whether the connection has been released, and has finalised the statement.
    private var isDisowned = false

    // `@exclusivity(unchecked)` as in `Row.Storage`: these are read at every step.

    /// The storage that the statement's rows read from; `nil` while a loop holds it.
    @usableFromInline @exclusivity(unchecked) var storage: Row.Storage?

    /// The storage of the current row, also while a loop holds it.
    ///
    /// `unowned(unsafe)`: read only on a row, when `storage` or the local variable of the loop keeps it; both
    /// are replaced together with this. A strong reference would make every row look kept.
    @exclusivity(unchecked) unowned(unsafe) var current: Row.Storage?

    /// Whether a deadline, a cancellation or a time limit was in force when the statement began: each row then checks it.
    @usableFromInline @exclusivity(unchecked) var checksInterruption = false

    /// Whether the statement is on a row, and whether a loop holds the storage.
    @usableFromInline @exclusivity(unchecked) var execution = Execution.idle

    /// The number of rows since the statement began.
    @usableFromInline @exclusivity(unchecked) var returnedRows = 0

    /// Whether the only `?` in the SQL are parameters, none of which has a name or a number; `nil` until it matters.
    @exclusivity(unchecked) var hasPlainParameters: Bool?

    /// Whether the parameters have no values: none were bound yet, or the last `bind` has failed.
    @exclusivity(unchecked) var lacksValues: Bool

    /// Whether the statement runs only after its parameters have values. An EXPLAIN does not run it, and needs none.
    @exclusivity(unchecked) var needsValues: Bool

    /// The region that the statement reads; `nil` until it is recorded.
    @exclusivity(unchecked) var region: StatementRegion?

    let callbacks: UnsafeMutablePointer<Callbacks>

    /// The connection's `callbacks.depth` when the statement was last stepped. A function must not step or reset the
    /// statement that is calling it: SQLite would crash.
    @exclusivity(unchecked) var callDepth = 0

    /// The value of SQLite's re-prepare counter at the last ``resetStatus()``. The counter itself is never reset: rows
    /// compare it to detect columns that have changed.
    var reprepareBase: Int32 = 0

    /// The value of SQLite's re-prepare counter that ``SchemaFits`` has taken into account.
    @exclusivity(unchecked) var notedReprepares: Int32 = 0

    /// The current and the remaining rows of a statement that writes. Such a statement has ended before its rows are
    /// read: it is `offRow`. Not a case of `Execution`, which is one byte.
    var returningRows: ArraySlice<Row>?

    // The list of the connection's statements. `unowned(unsafe)`: each leaves the list before it is deallocated.
    @exclusivity(unchecked) unowned(unsafe) private(set) var nextStatement: Statement?
    @exclusivity(unchecked) private unowned(unsafe) var previousStatement: Statement?

    /// Prepares a statement, and binds the values that are interpolated into its SQL.
    ///
    /// - Throws: ``SQLiteError`` for SQL that is invalid, or is not exactly one statement.
    @_disfavoredOverload
    public convenience init(connection: Connection, sql: SQL) throws {
        // Disfavoured, so that a file that imports both libraries gets the form of SQiftCompatibility.
        try self.init(preparing: sql, on: connection)
    }

    package convenience init(preparing sql: SQL, on connection: Connection) throws {
        if let failure = sql.failure { throw failure }
        let sql = connection.fitted(sql)
        let text = sql.text
        try connection.addModules(of: sql)
        let prepared = try connection.prepareOnly(text)
        self.init(connection: connection, sql: text, prepared: prepared, isOwned: true)
        if sql.hasValues { try bind(sql) }
    }

    /// Does not take a `String`: the SQL is a literal, or a ``SQL``.
    @available(
        *, unavailable, message: "a String may splice: write a literal, `let sql: SQL = \"…\"`, or SQL(raw: text)"
    )
    public convenience init(connection: Connection, sql: some StringProtocol) throws {
        throw SQLiteError.unavailableError
    }

    init(connection: Connection, sql: String, prepared: PreparedStatement, isOwned: Bool) {
        let (handle, start) = (prepared.handle, prepared.start)
        self.sql = sql
        self.unmanagedConnection = .passUnretained(connection)
        self.callbacks = connection.callbacks
        self.owner = isOwned ? connection : nil
        self.handle = handle
        self.parameterCount = Int(sqlite3_bind_parameter_count(handle))
        self.needsValues = parameterCount > 0 && sqlite3_stmt_isexplain(handle) == 0
        self.lacksValues = needsValues
        self.arena = parameterCount > 0 ? .allocate(capacity: 1) : nil
        self.arena?.initialize(to: ParameterArena(keepsLargeValues: !isOwned))
        self.isReadOnly = sqlite3_stmt_readonly(handle) != 0
        self.hasNoColumns = sqlite3_column_count(handle) == 0
        self.start = start
        // SQLite reports `PRAGMA journal_mode` as writing even when it only reads.
        let mayRead = isReadOnly || start.pragma?.name == "journal_mode"
        self.isAllowedInReads = mayRead && start.pragma?.isForbiddenInReads != true
        self.isCheckpoint = start.pragma?.name == "wal_checkpoint"
        self.isPreparedEachTime = start.setting != nil
        self.mayLeaveSomething = isPreparedEachTime || start.verb?.mayUseSavepoint == true
        self.schemaEffect = SchemaEffect(of: start.verb)
        // SQLite sets it when it compiles the statement.
        if let pragma = start.pragma, pragma.name == "busy_timeout", pragma.isSet {
            connection.interruption.busyTimeoutWasSet()
        }
        nextStatement = connection.statements.first
        nextStatement?.previousStatement = self
        connection.statements.first = self
        connection.statements.count += 1
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

    /// Removes the statement from the connection's list and finalises it. Rows that are still referenced keep their
    /// values.
    private func end() {
        let isInCall = isCallingFunction
        detachRow()
        // A row that is still referenced reads from the handle until it is detached.
        if !isKnownUniquelyReferenced(&storage) { storage?.detach() }
        execution = .idle
        nextStatement?.previousStatement = previousStatement
        unmanagedConnection._withUnsafeGuaranteedRef { connection in
            if let previousStatement {
                previousStatement.nextStatement = nextStatement
            } else {
                connection.statements.first = nextStatement
            }
            connection.statements.count -= 1
            connection.finalize(handle, isInCall: isInCall)
        }
    }

    var connection: Connection { unmanagedConnection.takeUnretainedValue() }

    /// Whether the statement is on a row: it has been stepped, and has neither ended nor been reset.
    public var isBusy: Bool { sqlite3_stmt_busy(handle) != 0 }

    /// Whether the statement does not change the database file.
    public let isReadOnly: Bool

    /// The first word of the statement, and the PRAGMA that it sets.
    let start: StatementStart

    /// Whether the statement may be run inside a read: see ``Connection/Access``.
    let isAllowedInReads: Bool

    /// Whether the statement is not kept in the cache: it changes settings of the connection, which are noted when it is
    /// prepared.
    let isPreparedEachTime: Bool

    /// Whether the statement is a checkpoint, of which followers are told. SQLite reports it as writing.
    let isCheckpoint: Bool

    /// Whether the statement may leave a savepoint or a setting: by its first word, or changes settings.
    let mayLeaveSomething: Bool

    /// The change that the statement makes to the meaning of names, if any.
    let schemaEffect: SchemaEffect?

    /// Whether the statement has no columns. Preparing it again never adds any.
    @usableFromInline let hasNoColumns: Bool

    /// The SQL with the values in place of the parameters; `nil` when it would be too long.
    public var expandedSQL: String? {
        // SQLite allocates the text from the connection, which may be in use on another thread.
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

    /// The names of the parameters with their prefix (`:id`, `@id`, `$id`, `?1`), in order; `nil` for one without a
    /// name.
    public var parameterNames: [String?] {
        (0..<sqlite3_bind_parameter_count(handle)).map { index in
            sqlite3_bind_parameter_name(handle, index + 1).map { String(cString: $0) }
        }
    }

    /// The current row, or `nil` when there is none. Also `nil` in a function or handler that the statement's step
    /// calls.
    public var row: Row? {
        if let returningRows { return returningRows.first }
        // A row that is read during a step would not be detached when the statement moves on. During its last step, a
        // statement that still calls a function is not busy any more, and SQLite may have kept the row before.
        guard let storage, execution.isOnRow, storage.statement != nil, isBusy, !isCallingFunction else { return nil }
        return Row(storage)
    }
}

// MARK: - Errors

extension Statement {
    var inUseError: SQLiteError {
        .misuse(.statementInUse, sql: sql)
    }

    var abortedError: SQLiteError {
        guard connection.handle != nil else { return connection.closedError(sql: sql) }
        return SQLiteError(.endedByRollback, code: .transactionLost, sql: sql)
    }
}

/// The statements and the open cursors of a connection, which are linked lists.
struct StatementList {
    // `unowned(unsafe)`: a statement and a cursor leave the list before they are deallocated.
    unowned(unsafe) var first: Statement?
    unowned(unsafe) var firstCursor: CursorCore?

    /// The number of statements in the list.
    var count = 0

    /// The number of statements that are borrowed from the cache.
    var borrowed = 0
}
