import SquallSQLite

/// A statement that took long.
public struct SlowStatement: Hashable, Sendable {
    /// The SQL as it was written, with the names of the parameters in their places.
    public let sql: String
    /// The SQL with the values of the parameters in their places; `nil` unless the observer asks for values.
    public let expandedSQL: String?
    /// The time from the first step to the end, including time that the program spends between two steps. SQLite measures in
    /// milliseconds.
    public let duration: Duration
}

extension Connection {
    /// Adds an observer of statements that take at least a certain time, beside other observers. On a closed connection, it is never
    /// called.
    ///
    ///     connection.addSlowStatementObserver(from: .milliseconds(100)) { statement in
    ///         print(statement.duration, statement.sql)
    ///     }
    ///
    /// SQLite reads the clock twice for each statement. The observer costs less than ``addProfileObserver(_:)``, which counts
    /// rows and steps. It cannot use the connection: every call throws.
    ///
    /// - Parameters:
    ///   - threshold: The shortest duration, in whole milliseconds.
    ///   - includesValues: Whether the observer receives the SQL with the values of the parameters.
    ///   - observer: The closure to call.
    @discardableResult
    public func addSlowStatementObserver(
        from threshold: Duration, includingValues includesValues: Bool = false,
        _ observer: @escaping (SlowStatement) -> Void
    ) -> ObserverToken {
        let nanoseconds = Int64(clamping: threshold.clampedNanoseconds)
        return slot(TraceSlot.self).add(
            TraceListener(
                mask: TraceEvent.profileMask, endsKeptSnapshots: false,
                raw: { event in
                    guard event.nanoseconds >= nanoseconds, let sql = event.writtenSQL else { return }
                    observer(
                        SlowStatement(
                            sql: sql, expandedSQL: includesValues ? event.expandedSQL : nil,
                            duration: .nanoseconds(event.nanoseconds)))
                }))
    }
}
