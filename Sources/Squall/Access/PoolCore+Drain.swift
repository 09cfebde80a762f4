import Foundation

extension PoolCore {
    /// The shortest time between two drains, in seconds. Without it, a delay of 0 keeps a thread busy as long as a connection
    /// is in use.
    static let shortestDrainDelay = 0.05

    /// The seconds until the next drain, for the delay that was asked for.
    static func drainInterval(_ delay: TimeInterval) -> TimeInterval {
        delay > shortestDrainDelay ? min(delay, 1e6) : shortestDrainDelay
    }

    /// A queue of its own: the global queues come to a standstill when an application blocks their threads, and closing a
    /// connection must not hold up the timers.
    private static let drainQueue = DispatchQueue(label: "squall.drain")

    /// Called with the lock.
    func scheduleDrain() {
        guard let drainDelay else { return }
        isDrainPending = true
        Self.drainQueue.asyncAfter(deadline: .now() + Self.drainInterval(drainDelay)) { [weak self] in self?.drain() }
    }

    /// Closes all connections but one, unless some are in use: then it tries again later.
    private func drain() {
        var drained: [PooledConnection] = []
        lock.withLock {
            isDrainPending = false
            guard connections.count > 1, !isStopped else { return }
            while let pooled = idleSlots.takeAny() { makeIdle(pooled) }
            guard permits == 0 else { return scheduleDrain() }
            while idleCount > 1, let pooled = takeIdle() {
                forget(pooled)
                drained.append(pooled)
            }
            // They count as lent while they are being closed, so that `close` waits for them.
            permits += drained.count
        }
        for pooled in drained {
            pooled.close()
            releasePermit()
        }
    }
}
