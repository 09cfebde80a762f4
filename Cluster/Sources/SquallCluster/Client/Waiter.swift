import NIOConcurrencyHelpers

/// A task that waits for a reply.
///
/// The flag is needed because a cancellation may reach the event loop before the request does.
final class Waiter: Sendable, Equatable {
    private struct State {
        var isCancelled = false
        var continuation: CheckedContinuation<Reply, any Error>?
    }

    private let state = NIOLockedValueBox(State())
    private let handler: (@Sendable (Result<Reply, any Error>) -> Void)?

    /// Makes a waiter for a task, or for a closure that gets the reply on the event loop.
    init(_ handler: (@Sendable (Result<Reply, any Error>) -> Void)? = nil) {
        self.handler = handler
    }

    var isCancelled: Bool { state.withLockedValue(\.isCancelled) }

    func cancel() {
        state.withLockedValue { $0.isCancelled = true }
    }

    func wait(with continuation: CheckedContinuation<Reply, any Error>) {
        state.withLockedValue { $0.continuation = continuation }
    }

    /// Resumes the task. The second call does nothing.
    func resume(with result: Result<Reply, any Error>) {
        if let handler { return handler(result) }
        let continuation = state.withLockedValue { state in
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(with: result)
    }

    static func == (left: Waiter, right: Waiter) -> Bool { left === right }
}
