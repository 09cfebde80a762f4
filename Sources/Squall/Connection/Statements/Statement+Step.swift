import SquallSQLite

extension Statement {
    /// Moves to the next row, or runs a statement that returns none. After the end, starts again.
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

    /// Runs a statement without columns, which returns no rows.
    @usableFromInline
    func runWithoutRows() throws {
        guard !isCalling else { throw inUseError }
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

    /// Moves to the next row and returns it; `nil` at the end.
    @inlinable
    func nextRow() throws -> Row? {
        guard isReadOnly else { return try nextWrittenRow() }
        let storage = try freshStorage()
        return try advance(storage) ? Row(storage) : nil
    }

    /// Returns the next row of a statement that writes (`RETURNING`). SQLite returns the rows first, and commits or
    /// fails at the end. Such a statement is therefore run to its end before its first row is returned. It never blocks
    /// the commit of another statement.
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

    /// Drops the remaining rows of a statement that writes, which has already run to its end.
    ///
    /// - Returns: Whether rows of such a statement were being read.
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

    /// Stops reading the result, and releases the read lock. The bound values are kept.
    ///
    /// - Throws: ``SQLiteError``, `SQLITE_MISUSE` (21), inside the closure of a query of this statement.
    public func reset() throws {
        guard !execution.isInLoop, !isCalling else { throw inUseError }
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
            // This check for each row keeps rows that escape from showing the values of later rows.
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
        if !execution.isOnRow { try willStart() } else if isWatched { try checkWatch() }
        let code = sqlite3_step(handle)
        guard code == SQLITE_ROW else { return try finish(code, storage) }
        if !execution.isOnRow {
            execution.enterRow()
            storage.beginExecution()
        }
        return true
    }

    /// Makes the checks before a first step. A retain and a release of the connection would take 10 ns.
    @inlinable
    @inline(__always)
    func willStart() throws {
        try unmanagedConnection._withUnsafeGuaranteedRef { try $0.willStart(self) }
    }

    /// Ends the statement when its time is over. SQLite calls the progress handler only once in many instructions, and
    /// not while a closure works between two rows.
    @usableFromInline
    func checkWatch() throws {
        guard let error = connection.interruptionError(sql: sql) else { return }
        endExecution()
        throw error
    }

    /// Handles a step that returned no row: the end, a locked table, or an error.
    @usableFromInline
    func finish(_ code: Int32, _ storage: Row.Storage) throws -> Bool {
        var code = code
        if !execution.isOnRow, code == ResultCode.lockedSharedCache.rawValue {
            code = stepWhenUnlocked()
            if code == SQLITE_ROW {
                execution.enterRow()
                storage.beginExecution()
                return true
            }
        }
        defer { endExecution() }
        if code != SQLITE_DONE { throw connection.error(code, sql: sql) }
        return false
    }

    func endExecution() {
        // SQLite frees the objects that functions have kept for the statement. Their `deinit` may be the user's code.
        callbacks.pointee.depth &+= 1
        sqlite3_reset(handle)
        callbacks.pointee.depth &-= 1
        execution.leaveRow()
        if callbacks.pointee.isConnectionClosed { connection.finishClosing() }
    }
}
