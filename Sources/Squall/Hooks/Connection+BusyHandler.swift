import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Connection {
    /// Is asked when another connection has locked the database, with how often it has been asked for the same lock already.
    /// `true` tries again, at once: a handler that wants to wait sleeps itself.
    public typealias CustomBusyHandler = (_ invocationCount: Int32) -> Bool

    /// What to do when another connection has locked the database.
    public enum BusyHandler {
        /// Tries again until so many seconds have passed, to the millisecond; at most 24 days. Nothing and less fail at once.
        case timeout(TimeInterval)
        /// Asks a closure. It cannot use the connection: what it tries throws. The connection keeps it: capture the connection
        /// `weak` or `unowned` in it.
        case custom(CustomBusyHandler)
        /// Fails at once.
        case defaultBehavior
    }

    /// Sets what to do when another connection has locked the database. Without it, and with `Configuration.sqlite`, a statement
    /// fails at once with `SQLITE_BUSY` (5). SQLite does not ask where waiting could not help, as for a lock upgrade that would
    /// be a deadlock.
    ///
    /// - Throws: ``SQLiteError`` when the connection is closed.
    public func busyHandler(_ handler: BusyHandler) throws {
        if isClosed { throw closedError() }
        let policy: Interruption.BusyPolicy =
            switch handler {
            case .timeout(let seconds):
                if let milliseconds = Int32(
                    exactly: (Swift.min(Swift.max(seconds, 0), 2_147_483) * 1000).rounded(.down)),
                    milliseconds > 0
                {
                    .wait(milliseconds: milliseconds)
                } else {
                    .fail
                }
            case .custom(let closure): .ask(closure)
            case .defaultBehavior: .fail
            }
        interruption.setBusyPolicy(policy, of: self)
    }
}
