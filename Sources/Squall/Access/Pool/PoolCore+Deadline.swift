import Dispatch

extension PoolCore {
    /// Refuses a waiter at its deadline. The timer is cancelled when the waiter is resumed: otherwise it would keep the
    /// call in memory until the deadline.
    func startTimer(of waiter: Waiter, _ deadline: Deadline) {
        guard lock.withLock({ waiter.isWaiting }) else { return }
        let timer = DispatchSource.makeTimerSource(queue: .squallTimers)
        timer.setEventHandler { [weak self, weak waiter] in
            if let self, let waiter { self.withdraw(waiter, self.deadlineError) }
        }
        timer.schedule(deadline: deadline.dispatchTime)
        timer.activate()
        let isWaiting = lock.withLock {
            if waiter.isWaiting { waiter.timer = timer }
            return waiter.isWaiting
        }
        if !isWaiting { timer.cancel() }
    }

    var deadlineError: SQLiteError {
        SQLiteError.interrupted(.deadline, hint: inUseHint).changed {
            $0.message += " before a connection was free"
        }
    }

    private var inUseHint: String {
        if lock.withLock({ state.isHeld }) {
            return "a checkpoint holds new reads back until the running ones have ended: keep closures short"
        }
        return opensConnections
            ? "all connections were in use: keep closures short, or allow more readers (maximumReaders)"
            : "the connection was in use: keep closures short"
    }
}
