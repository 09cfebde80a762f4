import SquallSQLite

extension Statement {
    /// Moves to the next row. A statement without columns is run. After the last row, the next call runs the statement again.
    ///
    /// A statement that writes and returns rows (`RETURNING`) does all its work with the first step.
    ///
    /// - Returns: `true` when there is a row, which ``row`` then returns.
    /// - Throws: ``SQLiteError``: the error of SQLite; `SQLITE_MISUSE` (21) before the parameters have values, and inside the
    ///   closure of a query of this statement; ``ResultCode/transactionLost`` after SQLite has ended the transaction.
    @discardableResult
    public func step() throws -> Bool {
        try nextRow() != nil
    }

    /// Runs a statement without columns. Some PRAGMAs have none and still step through rows.
    @usableFromInline
    func runWithoutRows() throws {
        guard !isCallingFunction else { throw inUseError }
        callDepth = callbacks.pointee.depth
        try willStart()
        var code = sqlite3_step(handle)
        if code == ResultCode.lockedSharedCache.rawValue { code = stepWhenUnlocked() }
        while code == SQLITE_ROW { code = sqlite3_step(handle) }
        noteSchema(code)
        // The error is read before the reset, which changes it.
        defer { endExecution() }
        if code != SQLITE_DONE { throw connection.failure(code, sql: sql) }
        if mayLeaveSomething { reportSavepoint() }
    }

    /// Reports a `SAVEPOINT`, `RELEASE` or `ROLLBACK TO` that has run.
    private func reportSavepoint() {
        connection.lease.mayHaveLeftovers = true
        guard connection.followers.events.contains(.transactions), let action = StatementFacts(of: handle)?.savepoint
        else {
            return
        }
        connection.followers { $0.didRun(action) }
    }

    private func stepWhenUnlocked() -> Int32 {
        connection.lockPolicy.wait(connection.interruption) {
            // SQLite requires a reset after `SQLITE_LOCKED`, before the statement is stepped again.
            sqlite3_reset(handle)
            return sqlite3_step(handle)
        }
    }

    /// Moves to the next row and returns it; `nil` at the end.
    @inlinable
    func nextRow() throws -> Row? {
        guard isReadOnly else { return try nextReturningRow() }
        let storage = try freshStorage()
        return try advance(storage) ? Row(storage) : nil
    }

    /// Returns the next row of a statement that writes (`RETURNING`). SQLite returns the rows first, and commits or
    /// fails at the end. Such a statement is therefore run to its end before its first row is returned. While its rows
    /// are read it is not active, and another statement can commit.
    @usableFromInline
    func nextReturningRow() throws -> Row? {
        if returningRows == nil {
            returningRows = try allRows()[...]
        } else {
            returningRows = returningRows?.dropFirst()
        }
        guard let row = returningRows?.first else {
            returningRows = nil
            return nil
        }
        return row
    }

    /// Drops the remaining rows of a statement that writes, which has already run to its end.
    ///
    /// - Returns: Whether there were rows to drop.
    @usableFromInline
    func dropReturningRows() -> Bool {
        defer { returningRows = nil }
        return returningRows != nil
    }

    @discardableResult
    func allRows() throws -> [Row] {
        if isCheckpoint { connection.followers { $0.willCheckpoint() } }
        defer { if isCheckpoint { connection.followers { $0.didEndCheckpoint() } } }
        var rows: [Row] = []
        var row = Row(try takeStorage())
        defer { putBack(&row) }
        while try advance(row.storage) {
            rows.append(row)
            try giveNewStorage(to: &row)
        }
        return rows
    }

    /// Stops reading the result. Outside a transaction this releases the read lock. The bound values are kept.
    ///
    /// - Throws: ``SQLiteError``, `SQLITE_MISUSE` (21), inside the closure of a query of this statement and in a function that
    ///   the statement calls.
    public func reset() throws {
        guard !execution.isInLoop, !isCallingFunction else { throw inUseError }
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
        guard isReadOnly else { return try forEachReturningRow(body) }
        var row = Row(try takeStorage())
        defer { putBack(&row) }
        var stop = false
        while try !stop && advance(row.storage) {
            try body(row, &stop)
            try replaceKeptStorage(of: &row)
        }
    }

    /// Prepares the row of a loop for the next step. A row that a closure has kept must not show later values: it keeps its storage, and
    /// the loop continues with a new one.
    ///
    /// - Throws: ``SQLiteError`` when a rollback inside the closure has taken the statement from the storage.
    @inlinable
    @inline(__always)
    func replaceKeptStorage(of row: inout Row) throws {
        if !isKnownUniquelyReferenced(&row.storage) || row.storage.statement == nil { try giveNewStorage(to: &row) }
    }

    @usableFromInline
    func forEachReturningRow(_ body: (_ row: Row, _ stop: inout Bool) throws -> Void) throws {
        var stop = false
        for row in try allRows() {
            try body(row, &stop)
            if stop { return }
        }
    }

    @inlinable
    func advance(_ storage: Row.Storage) throws -> Bool {
        if !execution.isOnRow { try willStart() } else if checksInterruption { try endIfInterrupted() }
        let code = sqlite3_step(handle)
        guard code == SQLITE_ROW else { return try handleStepWithoutRow(code, storage) }
        returnedRows &+= 1
        if !execution.isOnRow {
            enterFirstRow(storage)
        }
        return true
    }

    /// The first step has returned a row.
    @usableFromInline
    func enterFirstRow(_ storage: Row.Storage) {
        execution.enterRow()
        storage.beginExecution()
        noteSchema(SQLITE_ROW)
    }

    /// Makes the checks before a first step, without a retain of the connection, which would take 10 ns.
    @inlinable
    @inline(__always)
    func willStart() throws {
        try unmanagedConnection._withUnsafeGuaranteedRef { try $0.willStart(self) }
    }

    /// Ends the statement when it has been interrupted. SQLite calls the progress handler only once in many instructions, and
    /// not while a closure works between two rows. Therefore each row checks the deadline and the cancellation.
    @usableFromInline
    func endIfInterrupted() throws {
        guard let error = connection.interruptionError(sql: sql) else { return }
        endExecution()
        throw error
    }

    /// Handles a step that returned no row: the end, a locked table, or an error.
    @usableFromInline
    func handleStepWithoutRow(_ code: Int32, _ storage: Row.Storage) throws -> Bool {
        var code = code
        if !execution.isOnRow, code == ResultCode.lockedSharedCache.rawValue {
            code = stepWhenUnlocked()
            if code == SQLITE_ROW {
                returnedRows &+= 1
                enterFirstRow(storage)
                return true
            }
        }
        if !execution.isOnRow { noteSchema(code) }
        defer { endExecution() }
        if code != SQLITE_DONE { throw connection.failure(code, sql: sql) }
        if mayLeaveSomething { reportSavepoint() }
        return false
    }

    func endExecution() {
        // SQLite frees the objects that functions have kept for the statement. Their `deinit` may be the user's code, which
        // must not use this statement: the reset counts as a call.
        callbacks.pointee.depth &+= 1
        sqlite3_reset(handle)
        callbacks.pointee.depth &-= 1
        execution.leaveRow()
        unmanagedConnection._withUnsafeGuaranteedRef { $0.lease.returnedRows &+= returnedRows }
        returnedRows = 0
        if callbacks.pointee.hasWorkLeft { connection.finishCallbacks() }
    }
}
