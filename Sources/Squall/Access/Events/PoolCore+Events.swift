/// The events of a call, noted before its connection is returned, and sent afterwards.
struct CallReport {
    /// The time of the call on `MonotonicClock`; 0 if it was not measured.
    let start: UInt64
    /// The time that it has waited for locks, in nanoseconds.
    let waitedTime: UInt64
    let lostTransactions: Int
}

extension PooledConnection {
    /// Whether the call that returns the connection has something to report.
    @inline(__always)
    var hasReport: Bool {
        callStart != 0 || connection.lease.waitedTime != 0 || connection.lease.lostTransactions != 0
    }
}

extension PoolCore {
    /// The present time if calls are measured, otherwise 0.
    var timeOfCall: UInt64 { events?.isObserved == true ? MonotonicClock.now : 0 }

    private var access: DatabaseEvent.Access { opensConnections ? .read : .write }

    @inline(never)
    func takeReport(of pooled: PooledConnection) -> CallReport {
        let connection = pooled.connection
        defer {
            pooled.callStart = 0
            connection.lease.waitedTime = 0
            connection.lease.lostTransactions = 0
        }
        return CallReport(
            start: pooled.callStart, waitedTime: connection.lease.waitedTime,
            lostTransactions: connection.lease.lostTransactions)
    }

    func send(_ report: CallReport) {
        if report.lostTransactions > 0 { lock.withLock { lostTransactions += report.lostTransactions } }
        guard let events else { return }
        if report.start > 0 { events.send(.callEnded(access, duration: MonotonicClock.duration(since: report.start))) }
        if report.waitedTime > 0 {
            events.send(.lockWaitEnded(duration: .nanoseconds(Int64(clamping: report.waitedTime))))
        }
        if report.lostTransactions > 0 { events.send(.transactionsLost(count: report.lostTransactions)) }
    }

    /// Reports the end of the wait of a call.
    func reportWait(of waiter: Waiter) {
        guard waiter.callStart > 0 else { return }
        var error: (any Error)?
        if case .refused(let reason) = waiter.outcome { error = reason }
        let wait = DatabaseEvent.ConnectionWait(
            access: access, duration: MonotonicClock.duration(since: waiter.callStart), error: error)
        events?.send(.connectionWaitEnded(wait))
    }
}
