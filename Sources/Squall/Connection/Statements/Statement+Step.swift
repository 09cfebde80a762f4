import SquallSQLite

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
        guard !isInLoop, !isCalling else { throw inUseError }
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

    func endExecution() {
        // What a function has kept for the statement goes with the reset, and its `deinit` may be the user's.
        callbacks.pointee.depth &+= 1
        sqlite3_reset(handle)
        callbacks.pointee.depth &-= 1
        isStepping = false
        if callbacks.pointee.isConnectionClosed { connection.finishClosing() }
    }
}
