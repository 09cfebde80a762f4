import SquallSQLite

extension Connection {
    /// The cost of a statement, from its first step to its end.
    public struct StatementProfile: Hashable, Sendable {
        /// The SQL as it was written.
        public let sql: String
        /// The SQL with the values of the parameters in their places.
        public let expandedSQL: String
        /// The time between the first step and the end, including time that the program spends between two steps.
        public let duration: Duration
        /// The number of returned rows.
        public let rows: Int
        /// The number of steps through tables without an index. A large number suggests adding one.
        public let fullScanSteps: Int
        /// The number of sorts, which an index could avoid.
        public let sorts: Int
        /// The number of rows inserted into automatic indexes, which SQLite made for this one run.
        public let automaticIndexRows: Int
        /// The number of virtual machine instructions.
        public let virtualMachineSteps: Int
    }

    /// Adds an observer of the cost of each statement, called when it ends, beside others.
    ///
    ///     connection.addProfileObserver { statement in
    ///         if statement.duration > .milliseconds(10) {
    ///             print(statement.duration, statement.sql)
    ///         }
    ///     }
    ///
    /// An observer cannot use the connection: every call throws. The connection retains its observers: capture the
    /// connection `weak` or `unowned` in them. On a closed connection, it is never called. For a database, see
    /// ``Database/addProfileObserver(_:)``.
    @discardableResult
    public func addProfileObserver(_ observer: @escaping (StatementProfile) -> Void) -> ObserverToken {
        slot(TraceSlot.self).add(TraceListener(profile: observer))
    }
}

extension TraceListener {
    fileprivate init(profile closure: @escaping (Connection.StatementProfile) -> Void) {
        let profiler = Profiler()
        let mask =
            Connection.TraceEvent.statementMask | Connection.TraceEvent.rowMask | Connection.TraceEvent.profileMask
        self.init(mask: mask, raw: { profiler.receive($0).map(closure) })
    }
}

/// Measures statements by the difference of their counters, which belong to the statement and are not reset.
private final class Profiler {
    private struct Counters {
        let values: [Int32]
        var rows = 0

        static let codes = [
            SQLITE_STMTSTATUS_FULLSCAN_STEP, SQLITE_STMTSTATUS_SORT, SQLITE_STMTSTATUS_AUTOINDEX,
            SQLITE_STMTSTATUS_VM_STEP,
        ]

        init(of statement: OpaquePointer) {
            values = Self.codes.map { sqlite3_stmt_status(statement, $0, 0) }
        }
    }

    private var running: [OpaquePointer: Counters] = [:]

    func receive(_ event: RawTraceEvent) -> Connection.StatementProfile? {
        let statement = event.subject
        switch event.mask {
        case Connection.TraceEvent.statementMask:
            // A trigger is reported as another beginning of its statement.
            if running[statement] == nil { running[statement] = Counters(of: statement) }
        case Connection.TraceEvent.rowMask:
            running[statement]?.rows += 1
        default:
            guard let start = running.removeValue(forKey: statement),
                let sql = event.writtenSQL, let expandedSQL = event.expandedSQL
            else { return nil }
            let end = Counters(of: statement)
            let counts = zip(end.values, start.values).map { Int($0 &- $1) }
            return Connection.StatementProfile(
                sql: sql,
                expandedSQL: expandedSQL,
                duration: .nanoseconds(event.nanoseconds),
                rows: start.rows,
                fullScanSteps: counts[0], sorts: counts[1], automaticIndexRows: counts[2],
                virtualMachineSteps: counts[3]
            )
        }
        return nil
    }
}
