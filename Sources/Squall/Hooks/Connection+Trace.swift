import SquallSQLite

extension Connection {
    /// Adds an observer of the events that SQLite reports for its statements, beside others.
    ///
    ///     connection.addTraceObserver(mask: Connection.TraceEvent.statementMask) { event in
    ///         if case .statement(let sql, _) = event { print(sql) }
    ///     }
    ///
    /// Internal statements of SQLite, which have no SQL, are left out. An observer cannot use the connection: every call
    /// throws. The connection retains its observers: capture the connection `weak` or `unowned` in them. On a closed
    /// connection, it is never called. For a database, see ``Database/addTraceObserver(mask:_:)``.
    ///
    /// - Parameters:
    ///   - mask: The kinds of events: masks of ``TraceEvent`` joined by `|`, or `nil` for all.
    ///   - observer: The closure to call.
    @discardableResult
    public func addTraceObserver(mask: UInt32? = nil, _ observer: @escaping (TraceEvent) -> Void) -> ObserverToken {
        slot(TraceSlot.self).add(TraceListener(mask: mask, observer))
    }

    /// Adds an observer of the text of each statement that begins: SQL with the values in place, or the comment that
    /// SQLite reports inside a trigger.
    @discardableResult
    package func traceStatements(_ observer: @escaping (String) -> Void) -> ObserverToken {
        slot(TraceSlot.self).add(
            TraceListener(
                mask: TraceEvent.statementMask,
                raw: { event in (event.isOfTrigger ? event.sql : event.expandedSQL).map(observer) }
            ))
    }
}
