import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The behaviour of a connection when another connection of its shared cache has locked a table.
public enum TableLockPolicy: Hashable, Sendable {
    /// Sleeps for the interval, in seconds, and tries again, for at most ``TableLockPolicy/longestWait`` altogether.
    ///
    /// A deadline, and the cancellation of the task, end the wait.
    ///
    /// An interval of less than a microsecond counts as a microsecond. A lock that the connection itself holds is an
    /// error at once, because waiting cannot end it.
    case poll(TimeInterval)

    /// Throws `SQLITE_LOCKED` (6) at once.
    case fastFail

    /// The longest time that a statement waits for a table, in seconds.
    public static let longestWait: TimeInterval = 60
}

extension TableLockPolicy {
    /// Tries again until the table is free, as the policy allows, and returns the last result code.
    ///
    /// - Returns: `SQLITE_INTERRUPT` (9) when the interruption has ended the wait.
    func wait(_ interruption: Interruption, _ attempt: () -> Int32) -> Int32 {
        let locked = ResultCode.lockedSharedCache.rawValue
        guard case .poll(let interval) = self else { return locked }
        let pause = min(max(interval, 1e-6), Self.longestWait)
        let start = MonotonicClock.now
        defer { interruption.addWait(since: start) }
        let end = Deadline(after: .seconds(Self.longestWait))
        while !end.hasPassed {
            if interruption.reasonNotToBegin != nil { return SQLITE_INTERRUPT }
            interruption.sleep(until: min(Deadline(after: .seconds(pause)), interruption.deadline ?? end))
            if interruption.reasonNotToBegin != nil { return SQLITE_INTERRUPT }
            let code = attempt()
            if code != locked { return code }
        }
        return locked
    }
}
