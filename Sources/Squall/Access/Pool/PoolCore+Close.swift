import Dispatch
import SquallSQLite

extension PoolCore {
    /// Interrupts the statements of the connections that are in use. It holds the lock and empties the slots, so that
    /// neither an idle connection nor a later caller is interrupted.
    ///
    /// - Parameter isSuspending: Whether later statements of these connections throw as well, until ``resume()``.
    func interrupt(isSuspending: Bool = false) {
        if fork.isChild { return }
        lock.withLock {
            if isSuspending { refusesStatements = true }
            let wasSharing = state.isSharing
            stopSharing()
            for pooled in state.leasedOrInSlots {
                // The flag first: it explains the interrupt.
                if isSuspending { pooled.connection.interruption.flags.isSuspended = true }
                if let handle = pooled.handle { sqlite3_interrupt(handle) }
            }
            if wasSharing {
                state.resumeSharing()
                _ = idleSlots.setSharing(true)
            }
        }
    }

    /// Whether this thread has leased a connection of the core, or opens one.
    var isUsedByThisThread: Bool { PooledConnection.innermost(of: self) != nil || isOpeningOnThisThread }

    /// Refuses the waiters, and every request from now on.
    func stop() {
        let refused = lock.withLock {
            stopSharing()
            return state.stop().map { $0.takeResume() }
        }
        for resume in refused { resume(.refused(closedError)) }
    }

    /// Stops leasing and closes the idle connections. Calls `done` when the last leased connection has been returned
    /// and closed.
    ///
    /// - Parameter optimizes: Whether the statistics are updated before, as configured.
    func close(optimizing optimizes: Bool = false, then done: @escaping () -> Void) {
        stop()
        let (idle, callbacks) = lock.withLock {
            if optimizes { optimizesAtEnd = true }
            whenClosed.append(done)
            let idle = state.close()
            for pooled in idle { pooled.forgetHandle() }
            return (idle, takeDueCallbacks())
        }
        close(idle)
        for callback in callbacks { callback() }
    }

    /// Stops leasing, and blocks the thread until all connections are closed.
    ///
    /// - Parameter optimizes: Whether the statistics are updated before, as configured.
    func close(optimizing optimizes: Bool = false) {
        let isDone = DispatchSemaphore(value: 0)
        close(optimizing: optimizes) { isDone.signal() }
        isDone.wait()
    }

    /// Returns the callbacks that are due, and forgets them. Called with the lock.
    func takeDueCallbacks() -> [() -> Void] {
        if whenQuiet.isEmpty, whenClosed.isEmpty { return [] }
        guard state.isQuiet else { return [] }
        let isFinished = state.isFinished
        defer { if isFinished { whenClosed = [] } }
        return whenQuiet.removeAll() + (isFinished ? whenClosed : [])
    }
}

extension PoolCore {
    /// The statistics of a pool.
    struct Statistics {
        var connections: Int
        var busy: Int
        var waiting: Int
        var leases: Int
        var waits: Int
        var opened: Int
        var cacheHits: Int
        var cacheMisses: Int
        var continuedReads: Int
        var returnedRows: Int
        var lostTransactions: Int
    }

    /// The present statistics.
    var statistics: Statistics {
        lock.withLock {
            let slots = idleSlots.usage
            return Statistics(
                connections: state.connections.count,
                busy: state.connections.count - state.idle.count - idleSlots.connections,
                waiting: state.line.count,
                leases: state.counts.leases + slots.leases,
                waits: state.counts.waits,
                opened: state.counts.opened,
                cacheHits: usage.cacheHits + slots.cacheHits,
                cacheMisses: usage.cacheMisses + slots.cacheMisses,
                continuedReads: usage.continuedReads + slots.continuedReads,
                returnedRows: usage.returnedRows + slots.returnedRows,
                lostTransactions: lostTransactions
            )
        }
    }
}
