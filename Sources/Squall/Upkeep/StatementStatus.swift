import SquallSQLite

/// The counters of a statement over all its runs, from `sqlite3_stmt_status`. SQLite counts in 32 bits.
public struct StatementStatus: Hashable, Sendable {
    /// The number of steps in full scans. A large number suggests adding an index.
    public let fullScanSteps: Int
    /// The number of sorts. An index could provide the order.
    public let sorts: Int
    /// The number of rows inserted into automatic indexes, which SQLite makes for one run. A permanent index avoids
    /// them.
    public let automaticIndexRows: Int
    /// The number of virtual machine instructions.
    public let virtualMachineSteps: Int
    /// The number of times that the statement was re-prepared because the schema had changed.
    public let reprepares: Int
    public let runs: Int
    /// The number of lookups that a Bloom filter avoided.
    public let filterHits: Int
    /// The number of lookups that a Bloom filter did not avoid.
    public let filterMisses: Int
    /// The size of the statement in bytes.
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
        filterHits = counter(SQLITE_STMTSTATUS_FILTER_HIT)
        filterMisses = counter(SQLITE_STMTSTATUS_FILTER_MISS)
        memoryUsed = counter(SQLITE_STMTSTATUS_MEMUSED)
    }
}

extension Statement {
    /// The counters since the statement was prepared, or since ``resetStatus()``.
    public var status: StatementStatus { StatementStatus(self, resetting: false) }

    /// Sets the counters to 0.
    ///
    /// - Returns: The counters before the reset.
    @discardableResult
    public func resetStatus() -> StatementStatus { StatementStatus(self, resetting: true) }
}
