import SquallSQLite

/// What a statement has done in all its runs, by `sqlite3_stmt_status`. SQLite counts in 32 bits.
public struct StatementStatus: Hashable, Sendable {
    /// The rows that were passed in full scans: many ask for an index.
    public let fullScanSteps: Int
    /// How often rows were sorted: an index may have them in order.
    public let sorts: Int
    /// The rows that went into indexes that SQLite made for one run: a lasting index saves that.
    public let automaticIndexRows: Int
    /// The instructions of SQLite's machine.
    public let virtualMachineSteps: Int
    /// How often the statement was prepared anew, because the schema had changed.
    public let reprepares: Int
    public let runs: Int
    /// How often a Bloom filter saved a look-up (SQLite 3.38).
    public let filterHits: Int
    /// How often it did not.
    public let filterMisses: Int
    /// The bytes that the statement itself takes.
    public let memoryUsed: Int

    fileprivate init(_ statement: Statement, resetting: Bool) {
        let handle = statement.handle
        let reset: Int32 = resetting ? 1 : 0
        func counter(_ id: Int32) -> Int { Int(sqlite3_stmt_status(handle, id, reset)) }
        fullScanSteps = counter(SQLITE_STMTSTATUS_FULLSCAN_STEP)
        sorts = counter(SQLITE_STMTSTATUS_SORT)
        automaticIndexRows = counter(SQLITE_STMTSTATUS_AUTOINDEX)
        virtualMachineSteps = counter(SQLITE_STMTSTATUS_VM_STEP)
        let allReprepares = Row.Layout.generation(of: handle)
        reprepares = Int(allReprepares &- statement.reprepareBase)
        if resetting { statement.reprepareBase = allReprepares }
        runs = counter(SQLITE_STMTSTATUS_RUN)
        filterHits = Int(squall_filter_counter(handle, 1, reset))
        filterMisses = Int(squall_filter_counter(handle, 0, reset))
        memoryUsed = counter(SQLITE_STMTSTATUS_MEMUSED)
    }
}

extension Statement {
    /// What the statement has done since it was prepared, or since ``resetStatus()``.
    public var status: StatementStatus { StatementStatus(self, resetting: false) }

    /// Sets the counters to 0.
    ///
    /// - Returns: What they were.
    @discardableResult
    public func resetStatus() -> StatementStatus { StatementStatus(self, resetting: true) }
}
