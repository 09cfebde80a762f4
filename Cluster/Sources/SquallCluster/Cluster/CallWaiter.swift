import NIOConcurrencyHelpers
import NIOCore

/// A task that waits for its turn until a deadline.
final class CallWaiter<Value: Sendable>: Sendable {
    private enum State {
        case created
        case waiting(CheckedContinuation<Value, any Error>, Scheduled<Void>)
        case ended
    }

    private let state = NIOLockedValueBox(State.created)

    /// Waits until the waiter is resumed.
    ///
    /// - Parameters:
    ///   - loop: The event loop of the deadline's timer.
    ///   - start: Enters the waiter where it will be resumed. Called once.
    ///   - withdraw: Called when the deadline passed or the task was cancelled. It returns whether the waiter has not
    ///     been granted its turn. If it was, the turn is what the task gets.
    ///   - lateError: Returns the error of a passed deadline.
    nonisolated(nonsending) func wait(
        until deadline: CallDeadline, on loop: any EventLoop,
        start: (CallWaiter) -> Void,
        withdraw: @escaping @Sendable (CallWaiter) -> Bool,
        lateError: @escaping @Sendable () -> ClusterError
    ) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let timer = loop.scheduleTask(deadline: deadline.nioDeadline) { [self] in
                    if withdraw(self) { resume(with: .failure(lateError())) }
                }
                state.withLockedValue { $0 = .waiting(continuation, timer) }
                start(self)
                // A cancellation before `start` has found nothing to withdraw.
                if Task.isCancelled, withdraw(self) { resume(with: .failure(CancellationError())) }
            }
        } onCancel: {
            if withdraw(self) { resume(with: .failure(CancellationError())) }
        }
    }

    /// Resumes the task. Called by whoever removed the waiter from where it was entered.
    func resume(with result: Result<Value, any Error>) {
        let waiting = state.withLockedValue { state in
            defer { state = .ended }
            return state
        }
        guard case .waiting(let continuation, let timer) = waiting else { return }
        timer.cancel()
        continuation.resume(with: result)
    }
}
