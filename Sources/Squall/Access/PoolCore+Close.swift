import SquallSQLite
import Foundation

extension PoolCore {
    /// Interrupts what is running on the connections that are lent. Under the lock, and with no place to park at, so that it
    /// reaches neither an idle connection nor anybody who comes later.
    func interrupt() {
        if fork.isChild { return }
        lock.withLock {
            for pooled in idleSlots.bar(true) { makeIdle(pooled) }
            for pooled in connections where pooled.isLent {
                if let handle = pooled.handle { sqlite3_interrupt(handle) }
            }
            if !isBarred, !isStopped { _ = idleSlots.bar(false) }
        }
    }

    /// Refuses those who wait, and everybody who comes.
    func stop() {
        var refused: [(Waiter.Outcome) -> Void] = []
        lock.withLock {
            isStopped = true
            for pooled in idleSlots.bar(true) { makeIdle(pooled) }
            while let resume = line.removeFirst() { refused.append(resume) }
        }
        for resume in refused { resume(.refused(closedError)) }
    }

    /// The same; closes what is idle, and calls back when what is lent has been given back and closed.
    func close(then done: @escaping () -> Void) {
        stop()
        var idle: [PooledConnection] = []
        lock.withLock {
            isClosed = true
            whenClosed.append(done)
            while let pooled = takeIdle() {
                forget(pooled)
                idle.append(pooled)
            }
            permits += idle.count + 1
        }
        for pooled in idle {
            pooled.close()
            releasePermit()
        }
        releasePermit()
    }

    /// The same, blocking the thread until all is closed.
    func close() {
        let isDone = DispatchSemaphore(value: 0)
        close { isDone.signal() }
        isDone.wait()
    }

    struct Snapshot {
        var connections: Int
        var busy: Int
        var waiting: Int
        var counts: Counts
    }

    var statistics: Snapshot {
        lock.withLock {
            var counts = counts
            let usage = idleSlots.usage
            counts.leases += usage.leases
            counts.cacheHits += usage.cacheHits
            counts.cacheMisses += usage.cacheMisses
            return Snapshot(
                connections: connections.count, busy: connections.count { $0.isLent } - idleSlots.parked,
                waiting: line.count,
                counts: counts
            )
        }
    }
}
