import SquallSQLite

extension Connection {
    /// Calls a closure with each statement that begins, its values in place, or stops with `nil`. What was set by
    /// ``traceEvent(mask:closure:)`` and ``profile(_:)``, and observers, stay beside it.
    ///
    ///     connection.trace { sql in print(sql) }
    ///
    /// The closure cannot use the connection: what it tries throws. The connection keeps it: capture the connection `weak` or
    /// `unowned` in it.
    public func trace(_ closure: ((String) -> Void)?) {
        slot(TraceSlot.self).replace(
            \.text,
            closure.map { closure in
                TraceListener(
                    mask: TraceEvent.statementMask,
                    raw: { event in (event.isOfTrigger ? event.sql : event.expandedSQL).map(closure) }
                )
            })
    }

    /// Calls a closure with what SQLite reports of the statements that it runs, or stops with `nil`. What was set by
    /// ``trace(_:)`` and ``profile(_:)``, and observers, stay beside it.
    ///
    /// Statements of SQLite's own, which have no SQL, are left out. The closure cannot use the connection: what it tries throws.
    /// The connection keeps it: capture the connection `weak` or `unowned` in it.
    ///
    /// - Parameters:
    ///   - mask: The kinds of events, the masks of ``TraceEvent`` joined by `|`; `nil` for all.
    ///   - closure: What to call.
    public func traceEvent(mask: UInt32? = nil, closure: ((TraceEvent) -> Void)?) {
        slot(TraceSlot.self).replace(\.event, closure.map { TraceListener(mask: mask, $0) })
    }

    /// Adds an observer beside other observers and the closures of `trace`, `traceEvent` and `profile`.
    @discardableResult
    public func addTraceObserver(mask: UInt32? = nil, _ observer: @escaping (TraceEvent) -> Void) -> ObserverToken {
        slot(TraceSlot.self).add(TraceListener(mask: mask, observer))
    }
}
