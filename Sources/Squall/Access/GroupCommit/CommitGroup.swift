import Dispatch

/// Writes that are committed together, in one transaction.
///
/// Sendable, because `outcome` and `callbacks` are used under the lock, and the other properties only by the thread that
/// has the connection.
final class CommitGroup: @unchecked Sendable {
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
    /// The time after which no closure joins.
    private let end: Deadline
    private var members = 1
    /// Whether SQLite has ended the transaction.
    var isUndone = false

    private let lock = Lock()
    private var outcome: Outcome?
    private var callbacks: [(Outcome) -> Void] = []

    /// - Parameter duration: The time after which no closure joins.
    init(longest duration: Duration) {
        end = Deadline(after: duration)
    }

    /// Whether another closure may join.
    var hasRoom: Bool { members < Self.largest && !isUndone && !end.hasPassed }

    /// Counts a closure that joins.
    func join() { members += 1 }

    /// Sets the outcome, and tells it to the callers of the closures.
    func finish(_ outcome: Outcome) {
        let callbacks = lock.withLock {
            self.outcome = outcome
            defer { self.callbacks = [] }
            return self.callbacks
        }
        for callback in callbacks { callback(outcome) }
    }

    /// Calls a closure with the outcome: now, or on the thread that ends the group. It must not block.
    private func whenFinished(_ callback: @escaping (Outcome) -> Void) {
        let outcome = lock.withLock {
            if self.outcome == nil { callbacks.append(callback) }
            return self.outcome
        }
        if let outcome { callback(outcome) }
    }

    nonisolated(nonsending) func finished() async -> Outcome {
        if let outcome = lock.withLock({ outcome }) { return outcome }
        return await withCheckedContinuation { continuation in whenFinished { continuation.resume(returning: $0) } }
    }

    /// Blocks the thread until the group has ended.
    func waitUntilFinished() -> Outcome {
        if let outcome = lock.withLock({ outcome }) { return outcome }
        let isDone = DispatchSemaphore(value: 0)
        whenFinished { _ in isDone.signal() }
        isDone.wait()
        return lock.withLock { outcome } ?? .undone
    }
}
