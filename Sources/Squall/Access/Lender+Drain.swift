import Foundation

extension Lender {
    /// Called with the lock.
    func scheduleDrain() {
        guard let drainDelay else { return }
        isDrainPending = true
        let delay = drainDelay > 0 ? min(drainDelay, 1e6) : 0
        DispatchQueue.global().asyncAfter(deadline: .now() + delay) { [weak self] in self?.drain() }
    }

    /// Closes all connections but one, unless some are in use: then it tries again later.
    private func drain() {
        var drained: [Seat] = []
        lock.withLock {
            isDrainPending = false
            guard seats.count > 1, !isStopped else { return }
            while let seat = parking.takeAny() { makeIdle(seat) }
            guard permits == 0 else { return scheduleDrain() }
            while idleCount > 1, let seat = takeIdle() {
                forget(seat)
                drained.append(seat)
            }
            // They count as lent while they are being closed, so that `close` waits for them.
            permits += drained.count
        }
        for seat in drained {
            seat.close()
            releasePermit()
        }
    }
}
