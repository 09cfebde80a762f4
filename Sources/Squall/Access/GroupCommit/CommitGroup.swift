import Dispatch

/// Writes that are committed together, in one transaction.
final class CommitGroup: Sendable {
    enum Outcome {
        /// The closures' work is committed.
        case committed
        /// The work is committed to a file that has been deleted or replaced.
        case lost(any Error)
        /// Nothing is committed. Each closure runs again, in a separate transaction.
        case undone
    }

    /// The maximum number of closures. A crash loses more work that is not acknowledged yet, and the first caller waits longer,
    /// the larger a group is.
    private static let largest = 64

    private struct State {
        var members = 1
        var isUndone = false
        var outcome: Outcome?
        var callbacks: [(Outcome) -> Void] = []
    }

    /// The time after which no closure joins.
    private let end: Deadline
    private let state = Locked(State())

    /// - Parameter duration: The time after which no closure joins.
    init(longest duration: Duration) {
        end = Deadline(after: duration)
    }

    /// Whether another closure may join.
    var hasRoom: Bool { state.withLock { $0.members < Self.largest && !$0.isUndone } && !end.hasPassed }

    /// Counts a closure that joins.
    func join() { state.withLock { $0.members += 1 } }

    /// Whether SQLite has ended the transaction.
    var isUndone: Bool { state.withLock { $0.isUndone } }

    /// Notes whether SQLite has ended the transaction in a closure.
    func didRunClosure(isUndone: Bool) { state.withLock { $0.isUndone = isUndone } }

    /// Sets the outcome, and tells it to the callers of the closures.
    func finish(_ outcome: Outcome) {
        let callbacks = state.withLock { state in
            state.outcome = outcome
            defer { state.callbacks = [] }
            return state.callbacks
        }
        for callback in callbacks { callback(outcome) }
    }

    /// Calls a closure with the outcome: now, or on the thread that ends the group. It must not block.
    private func whenFinished(_ callback: @escaping (Outcome) -> Void) {
        let outcome = state.withLock { state in
            if state.outcome == nil { state.callbacks.append(callback) }
            return state.outcome
        }
        if let outcome { callback(outcome) }
    }

    nonisolated(nonsending) func finished() async -> Outcome {
        if let outcome = state.withLock({ $0.outcome }) { return outcome }
        return await withCheckedContinuation { continuation in whenFinished { continuation.resume(returning: $0) } }
    }

    /// Blocks the thread until the group has ended.
    func waitUntilFinished() -> Outcome {
        if let outcome = state.withLock({ $0.outcome }) { return outcome }
        let isDone = DispatchSemaphore(value: 0)
        whenFinished { _ in isDone.signal() }
        isDone.wait()
        return state.withLock { $0.outcome } ?? .undone
    }
}
