import SquallSQLite

/// The arguments of a trace callback, valid only during the call.
struct RawTraceEvent {
    let mask: UInt32
    /// The statement, or the connection that is being closed.
    let subject: OpaquePointer
    let detail: UnsafeMutableRawPointer?

    /// The SQL of a statement that begins, or a comment inside a trigger.
    var sql: String? { detail.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) } }

    /// The duration of a statement.
    var nanoseconds: Int64 { detail?.load(as: Int64.self) ?? 0 }

    /// Whether the event is of a trigger, or of a statement inside one.
    var isOfTrigger: Bool { sql != writtenSQL }

    /// The SQL as it was written; `nil` for an internal statement of SQLite, such as one that CREATE TABLE runs.
    var writtenSQL: String? { sqlite3_sql(subject).map { String(cString: $0) } }

    /// The SQL with the values of the parameters in their places, or as it was written if that would be too long; `nil`
    /// for an internal statement of SQLite.
    var expandedSQL: String? {
        guard let text = sqlite3_expanded_sql(subject) else { return writtenSQL }
        defer { sqlite3_free(text) }
        return String(cString: text)
    }

    /// The public event, or `nil` for a statement without SQL.
    var traceEvent: Connection.TraceEvent? {
        if mask == Connection.TraceEvent.connectionClosedMask { return .connectionClosed(connection: subject) }
        guard let expandedSQL else { return nil }
        switch mask {
        case Connection.TraceEvent.statementMask: return .statement(statement: expandedSQL, sql: sql ?? expandedSQL)
        case Connection.TraceEvent.profileMask:
            return .profile(statement: expandedSQL, seconds: Double(nanoseconds) / 1e9)
        case Connection.TraceEvent.rowMask: return .row(statement: expandedSQL)
        default: return nil
        }
    }
}

/// A closure that receives events of some kinds.
struct TraceListener {
    let mask: UInt32
    /// Whether it must see `BEGIN` and `COMMIT` of each read, so that readers keep no transactions.
    let endsKeptSnapshots: Bool
    let receive: (RawTraceEvent) -> Void

    init(mask: UInt32, endsKeptSnapshots: Bool = true, raw receive: @escaping (RawTraceEvent) -> Void) {
        self.mask = mask
        self.endsKeptSnapshots = endsKeptSnapshots
        self.receive = receive
    }

    init(mask: UInt32?, _ receive: @escaping (Connection.TraceEvent) -> Void) {
        self.init(mask: mask ?? Connection.TraceEvent.fullMask) { raw in raw.traceEvent.map(receive) }
    }
}

/// The slot of SQLite's trace callback.
final class TraceSlot: HookSlot<TraceListener> {
    override func install(_ isOn: Bool, on handle: OpaquePointer) {
        let endsKeptSnapshots = hooks.contains(where: \.endsKeptSnapshots)
        connection?._withUnsafeGuaranteedRef { $0.lease.isTraced = endsKeptSnapshots }
        guard isOn else {
            sqlite3_trace_v2(handle, 0, nil, nil)
            return
        }
        sqlite3_trace_v2(
            handle, hooks.reduce(0) { $0 | $1.mask },
            { mask, context, subject, detail in
                guard let subject else { return 0 }
                let event = RawTraceEvent(mask: mask, subject: OpaquePointer(subject), detail: detail)
                TraceSlot.with(context) { $0.received(event) }
                return 0
            },
            pointer
        )
    }

    private var isClosing = false

    /// The event of the close itself is still reported.
    override func connectionWillClose() { isClosing = true }

    override func connectionDidClose() {
        isClosing = false
        super.connectionWillClose()
    }

    private func received(_ event: RawTraceEvent) {
        if isClosing, event.mask != Connection.TraceEvent.connectionClosedMask { return }
        if connection?._withUnsafeGuaranteedRef({ $0.callbacks.pointee.isHidden }) == true { return }
        call("trace closure") {
            for listener in hooks where listener.mask & event.mask != 0 { listener.receive(event) }
        }
    }
}
