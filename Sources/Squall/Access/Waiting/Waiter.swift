import Dispatch

/// A call that waits for a connection of a ``PoolCore``.
///
/// Sendable, because `stage` is used under the core's lock. The timer is set under that lock while the waiter is in the
/// line. The thread that removes the waiter from the line reads the timer, and sets the outcome before the caller
/// continues.
final class Waiter: @unchecked Sendable {
    enum Outcome {
        /// A connection, or with `nil` a permit to open one.
        case granted(PooledConnection?)
        /// A connection with the open transaction of a ``CommitGroup``. A task runs its closure before the call returns.
        case joined(PooledConnection)
        case refused(any Error)
    }

    typealias Resume = @Sendable (Outcome) -> Void

    /// How the closure of the caller may join a ``CommitGroup``.
    enum Membership {
        case none
        /// On the thread of the caller, which then continues the group.
        case thread
        /// On the thread that continues the group.
        case task
    }

    enum Stage {
        /// Nothing has been requested yet.
        case new
        /// In the line, with its number there.
        case waiting(number: Int, resume: Resume)
        /// Removed from the line; the outcome is set, or is about to be set.
        case resumed
        /// Withdrawn before it made its request.
        case withdrawn(any Error)
    }

    let membership: Membership
    var stage = Stage.new
    /// The timer that ends the wait at the deadline.
    var timer: (any DispatchSourceTimer)?
    var outcome = Outcome.granted(nil)
    /// The time of the call on `MonotonicClock`; 0 if it is not measured.
    var callStart: UInt64 = 0
    /// Whether the call was put in the line. Not the stage, which a late cancellation may change while the call has its outcome.
    var hasWaited = false

    init(joining membership: Membership = .none) {
        self.membership = membership
    }

    var isWaiting: Bool {
        if case .waiting = stage { true } else { false }
    }

    /// Returns the closure to call with the outcome of a waiter that has been removed from the line.
    func takeResume() -> Resume {
        guard case .waiting(_, let resume) = stage else { return { _ in } }
        stage = .resumed
        return resume
    }
}
