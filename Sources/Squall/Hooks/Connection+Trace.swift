import SquallSQLite

extension Connection {
    /// Calls a closure with each statement that begins, with its values in place, or stops with `nil`. Observers and
    /// the closures of ``traceEvent(mask:closure:)`` and ``profile(_:)`` remain.
    ///
    ///     connection.trace { sql in print(sql) }
    ///
    /// The closure cannot use the connection: every call throws. The connection retains it: capture the connection
    /// `weak` or `unowned` in it.
    ///
    /// On a closed connection, the closure is never called. For a database, see ``Database/addTraceObserver(mask:_:)``.
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

    /// Calls a closure with the events that SQLite reports for its statements, or stops with `nil`. Observers and the
    /// closures of ``trace(_:)`` and ``profile(_:)`` remain.
    ///
    /// Internal statements of SQLite, which have no SQL, are left out. The closure cannot use the connection: every
    /// call throws. The connection retains it: capture the connection `weak` or `unowned` in it.
    ///
    /// On a closed connection, the closure is never called. For a database, see ``Database/addTraceObserver(mask:_:)``.
    ///
    /// - Parameters:
    ///   - mask: The kinds of events: masks of ``TraceEvent`` joined by `|`, or `nil` for all.
    ///   - closure: The closure to call.
    public func traceEvent(mask: UInt32? = nil, closure: ((TraceEvent) -> Void)?) {
        slot(TraceSlot.self).replace(\.event, closure.map { TraceListener(mask: mask, $0) })
    }

    /// Adds an observer beside other observers and the closures of `trace`, `traceEvent` and `profile`. On a closed
    /// connection, it is never called.
    ///
    /// - Parameters:
    ///   - mask: The kinds of events: masks of ``TraceEvent`` joined by `|`, or `nil` for all.
    ///   - observer: The closure to call.
    @discardableResult
    public func addTraceObserver(mask: UInt32? = nil, _ observer: @escaping (TraceEvent) -> Void) -> ObserverToken {
        slot(TraceSlot.self).add(TraceListener(mask: mask, observer))
    }
}
