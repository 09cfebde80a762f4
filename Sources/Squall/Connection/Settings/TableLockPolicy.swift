#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a connection with a shared cache does when another connection of that cache has locked a table.
public enum TableLockPolicy: Hashable, Sendable {
    /// Sleeps for the interval, in seconds, and tries again, up to ``TableLockPolicy/longestWait`` in all.
    ///
    /// An interval of less than a microsecond counts as one. A lock that the connection itself holds is thrown at once:
    /// no waiting ends it.
    case poll(TimeInterval)

    /// Throws `SQLITE_LOCKED` at once.
    case fastFail

    /// The longest time that a statement waits for a table, in seconds.
    public static let longestWait: TimeInterval = 60
}

extension TableLockPolicy {
    /// Tries again until the table is free.
    func wait(_ attempt: () -> Int32) -> Int32 {
        let locked = ResultCode.lockedSharedCache.rawValue
        guard case .poll(let interval) = self else { return locked }
        let pause = min(max(interval, 1e-6), Self.longestWait)
        let end = ContinuousClock.now + .seconds(Self.longestWait)
        while ContinuousClock.now < end {
            sleepThread(.seconds(pause))
            let code = attempt()
            if code != locked { return code }
        }
        return locked
    }
}
