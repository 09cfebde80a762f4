import Dispatch

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension PoolCore {
    /// The shortest time between two drains, in seconds. Without it, a delay of 0 would keep a thread busy as long as a
    /// connection is in use.
    static let shortestDrainDelay = 0.05

    /// Returns the seconds until the next drain, for the delay that was given to the pool.
    static func drainInterval(_ delay: TimeInterval) -> TimeInterval {
        delay > shortestDrainDelay ? min(delay, 1e6) : shortestDrainDelay
    }

    /// A private queue, because the global queues stall when an application blocks their threads, and because closing a
    /// connection must not delay the timers.
    private static let drainQueue = DispatchQueue(label: "squall.drain")

    /// Called with the lock.
    func scheduleDrain() {
        guard let drainDelay else { return }
        isDrainPending = true
        Self.drainQueue.asyncAfter(deadline: .now() + Self.drainInterval(drainDelay)) { [weak self] in self?.drain() }
    }

    /// Closes all connections but one. While a connection is in use, nothing is closed, and the pool is drained later.
    private func drain() {
        let closing: [PooledConnection] = lock.withLock {
            isDrainPending = false
            while let pooled = idleSlots.takeAny() { state.collect([pooled]) }
            guard let closing = state.drain() else {
                scheduleDrain()
                return []
            }
            for pooled in closing { pooled.forgetHandle() }
            return closing
        }
        close(closing)
    }
}
