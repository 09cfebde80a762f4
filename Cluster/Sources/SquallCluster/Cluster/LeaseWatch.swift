import NIOConcurrencyHelpers
import NIOCore

/// Closes a connection that is lent to a call when the call's deadline passes, or when another node leads.
///
/// A leader that is stopped, or cut off from this client, does not close its connections. Requests would wait for it
/// until the deadline of their call.
final class LeaseWatch: Sendable {
    private let lease: LeaderPool.Lease
    private let deadline: CallDeadline
    private let directory: LeaderDirectory
    private let interval: TimeAmount
    /// The next timer; `nil` when the watch has ended.
    private let timer: NIOLockedValueBox<Scheduled<Void>?>

    init(
        _ lease: LeaderPool.Lease, until deadline: CallDeadline, _ directory: LeaderDirectory, interval: Duration
    ) {
        self.lease = lease
        self.deadline = deadline
        self.directory = directory
        self.interval = TimeAmount(interval)
        timer = NIOLockedValueBox(nil)
        timer.withLockedValue { $0 = schedule() }
    }

    func cancel() {
        let last = timer.withLockedValue { timer in
            defer { timer = nil }
            return timer
        }
        last?.cancel()
    }

    private func schedule() -> Scheduled<Void> {
        let time = min(deadline.nioDeadline, .now() + interval)
        return lease.connection.eventLoop.scheduleTask(deadline: time) { self.check() }
    }

    private func check() {
        if deadline.hasPassed { return close(.deadlineExceeded(mayHaveRun: false)) }
        Task {
            if await directory.isReplaced(lease.connection.address) {
                close(.connectionLost(reason: "another node leads", mayHaveRun: false))
            }
        }
        timer.withLockedValue { timer in
            if timer != nil { timer = schedule() }
        }
    }

    /// Closes the connection, unless the watch has ended: another call may have the connection then.
    private func close(_ error: ClusterError) {
        timer.withLockedValue { timer in
            if timer != nil { lease.connection.closeSoon(error) }
        }
    }
}
