import CSQLite
import Foundation

extension Lender {
    /// Interrupts what is running on the connections that are lent. Under the lock, and with no place to park at, so that it
    /// reaches neither an idle connection nor anybody who comes later.
    func interrupt() {
        if fork.isChild { return }
        lock.withLock {
            for seat in parking.bar(true) { makeIdle(seat) }
            for seat in seats where seat.isLent {
                if let handle = seat.handle { sqlite3_interrupt(handle) }
            }
            if !isBarred, !isStopped { _ = parking.bar(false) }
        }
    }

    /// Refuses those who wait, and everybody who comes.
    func stop() {
        var refused: [(Waiter.Outcome) -> Void] = []
        lock.withLock {
            isStopped = true
            for seat in parking.bar(true) { makeIdle(seat) }
            while let resume = line.removeFirst() { refused.append(resume) }
        }
        for resume in refused { resume(.refused(closedError)) }
    }

    /// The same; closes what is idle, and calls back when what is lent has been given back and closed.
    func close(then done: @escaping () -> Void) {
        stop()
        var idle: [Seat] = []
        lock.withLock {
            isClosed = true
            whenClosed.append(done)
            while let seat = takeIdle() {
                forget(seat)
                idle.append(seat)
            }
            permits += idle.count + 1
        }
        for seat in idle {
            seat.close()
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
            let usage = parking.usage
            counts.loans += usage.loans
            counts.cacheHits += usage.cacheHits
            counts.cacheMisses += usage.cacheMisses
            return Snapshot(
                connections: seats.count, busy: seats.count { $0.isLent } - parking.parked, waiting: line.count,
                counts: counts
            )
        }
    }
}
