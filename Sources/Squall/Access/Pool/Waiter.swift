import Dispatch

/// A call that waits for a connection of a ``PoolCore``.
///
/// Sendable, because `stage` is used under the core's lock. The timer is set under that lock while the waiter is in the line,
/// and read by whoever has taken it out. The outcome is set by them before the caller continues.
final class Waiter: @unchecked Sendable {
    enum Outcome {
        /// A connection, or with `nil` a permit to open one.
        case granted(PooledConnection?)
        case refused(any Error)
    }

    enum Stage {
        /// Nothing has been requested yet.
        case new
        /// In the line, with its number there.
        case waiting(number: Int, resume: (Outcome) -> Void)
        /// The outcome is known, or will be in a moment.
        case resumed
        /// Withdrawn before it made its request.
        case withdrawn(any Error)
    }

    var stage = Stage.new
    /// Ends the waiting at the deadline.
    var timer: (any DispatchSourceTimer)?
    var outcome = Outcome.granted(nil)

    var isWaiting: Bool {
        if case .waiting = stage { true } else { false }
    }

    /// What to call with the outcome of a waiter that has been taken out of the line.
    func takeResume() -> (Outcome) -> Void {
        guard case .waiting(_, let resume) = stage else { return { _ in } }
        stage = .resumed
        return resume
    }
}
