import Foundation

extension DispatchQueue {
    /// Runs deadlines. A private serial queue, because the global queues come to a standstill when an application blocks
    /// their threads. Nothing that runs here may block.
    static let squallTimers = DispatchQueue(label: "squall.timers")
}

extension PoolCore {
    /// Refuses a waiter when its time is over. The timer is cancelled with the waiting, so that nothing of a finished call
    /// stays until its deadline.
    func watch(_ waiter: Waiter, until deadline: ContinuousClock.Instant) {
        guard lock.withLock({ waiter.resume != nil }) else { return }
        let timer = DispatchSource.makeTimerSource(queue: .squallTimers)
        timer.setEventHandler { [weak self, weak waiter] in
            if let waiter { self?.withdraw(waiter, Self.deadlineError) }
        }
        timer.schedule(deadline: deadline.dispatchTime)
        timer.activate()
        let isWaiting = lock.withLock {
            guard waiter.resume != nil else { return false }
            waiter.timer = timer
            return true
        }
        if !isWaiting { timer.cancel() }
    }

    static var deadlineError: SQLiteError {
        SQLiteError(
            code: ResultCode.interrupt.rawValue,
            message: "interrupted: the deadline has passed before a connection was free",
            hint: "all connections were in use: keep closures short, or allow more readers (maximumReaders)"
        )
    }
}

extension ContinuousClock.Instant {
    /// The time of the dispatch library, at most 30 years away.
    var dispatchTime: DispatchTime {
        .now() + max(0, min(ContinuousClock.now.duration(to: self) / .seconds(1), 1e9))
    }
}
