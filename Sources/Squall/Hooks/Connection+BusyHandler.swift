import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Connection {
    /// The reaction to a database that another connection has locked.
    public enum BusyHandler {
        /// Tries again until this number of seconds has passed, to the millisecond, at most 24 days. Fails at once for
        /// zero and negative numbers.
        case timeout(TimeInterval)
        /// Calls a closure with the number of earlier calls for the same lock. `true` tries again at once: a closure that needs a
        /// pause must sleep. It cannot use the connection: every call throws. The connection retains the closure: capture the
        /// connection `weak` or `unowned` in it.
        case custom((_ invocationCount: Int32) -> Bool)
        /// Fails at once.
        case defaultBehavior
    }

    /// Sets the reaction to a database that another connection has locked. The default, also with
    /// `Configuration.sqlite`, is to fail at once with `SQLITE_BUSY` (5). SQLite does not call a handler if waiting
    /// cannot help, as for a lock upgrade that would deadlock.
    ///
    /// - Throws: ``SQLiteError``, `SQLITE_MISUSE` (21), when the connection is closed.
    public func busyHandler(_ handler: BusyHandler) throws {
        try checkIsUsable()
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
