import NIOConcurrencyHelpers
import NIOCore

/// A connection that is closed when the deadline of the call passes that has it, or when another node leads.
///
/// A leader that is stopped, or cut off from this client, does not close its connections. Requests would wait for it
/// until the deadline of their call. One timer serves many calls, because setting one wakes the thread of the event loop.
final class WatchedConnection: Sendable {
    private struct Call {
        let deadline: CallDeadline
        /// The next time at which the other nodes are asked who leads.
        var question: NIODeadline
    }

    private struct State {
        /// The number of calls that have had the connection.
        var calls = 0
        /// The call that has the connection.
        var call: Call?
        var timer: Scheduled<Void>?
        var timerTime = NIODeadline.distantFuture
    }

    let connection: NodeConnection
    private let directory: LeaderDirectory
    private let interval: TimeAmount
    private let state = NIOLockedValueBox(State())

    /// - Parameter interval: The time between two questions to the other nodes.
    init(_ connection: NodeConnection, _ directory: LeaderDirectory, interval: Duration) {
        self.connection = connection
        self.directory = directory
        self.interval = TimeAmount(interval)
    }

    /// Begins to watch for a call.
    func begin(until deadline: CallDeadline) {
        let question = NIODeadline.now() + interval
        state.withLockedValue { state in
            state.calls += 1
            state.call = Call(deadline: deadline, question: question)
            schedule(&state, at: min(deadline.nioDeadline, question))
        }
    }

    /// Ends the watch for the call. The timer stays for the next one.
    func end() {
        state.withLockedValue { $0.call = nil }
    }

    /// Schedules a check, unless one comes before.
    private func schedule(_ state: inout State, at time: NIODeadline) {
        if state.timerTime <= time { return }
        state.timer?.cancel()
        state.timerTime = time
        state.timer = connection.eventLoop.scheduleTask(deadline: time) { [weak self] in self?.check() }
    }

    private func check() {
        let now = NIODeadline.now()
        let askingCall: Int? = state.withLockedValue { state in
            // A timer that was replaced may still come.
            guard state.timerTime <= now else { return nil }
            state.timerTime = .distantFuture
            guard var call = state.call else { return nil }
            if call.deadline.hasPassed {
                connection.closeSoon(.deadlineExceeded(mayHaveRun: false))
                return nil
            }
            let asks = call.question <= now
            if asks { call.question = now + interval }
            state.call = call
            schedule(&state, at: min(call.deadline.nioDeadline, call.question))
            return asks ? state.calls : nil
        }
        guard let askingCall else { return }
        Task {
            if await directory.isReplaced(connection.address) { close(inCall: askingCall) }
        }
    }

    /// Closes the connection because another node leads, unless another call has it now.
    private func close(inCall number: Int) {
        state.withLockedValue { state in
            guard state.call != nil, state.calls == number else { return }
            connection.closeSoon(.connectionLost(reason: "another node leads", mayHaveRun: false))
        }
    }
}
