import Foundation

import Dispatch

/// A call that waits in the line of a ``PoolCore``.
///
/// Sendable, because `resume`, `refusal` and `next` are used under the core's lock. The timer is set under that lock while
/// there is a `resume`, and read by whoever has taken it out, as the outcome is set by them before the caller goes on.
final class Waiter: @unchecked Sendable {
    enum Outcome {
        /// A pooled; without one, the connection is to be opened.
        case granted(PooledConnection?)
        case refused(any Error)
    }

    /// What to do when the turn has come, or will not come.
    @exclusivity(unchecked) var resume: ((Outcome) -> Void)?
    /// Why the waiter no longer wants a pooled.
    @exclusivity(unchecked) var refusal: (any Error)?
    @exclusivity(unchecked) var next: Waiter?
    /// Ends the waiting at the deadline.
    @exclusivity(unchecked) var timer: (any DispatchSourceTimer)?
    @exclusivity(unchecked) var outcome = Outcome.granted(nil)
}

/// The waiters in the order in which they came. Those that no longer wait are passed over when their turn comes.
struct WaitingLine {
    private var first: Waiter?
    private var last: Waiter?
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ waiter: Waiter) {
        if let last { last.next = waiter } else { first = waiter }
        last = waiter
        count += 1
    }

    /// Takes what the first who still waits wants to do.
    mutating func removeFirst() -> ((Waiter.Outcome) -> Void)? {
        while let waiter = first {
            first = waiter.next
            waiter.next = nil
            if first == nil { last = nil }
            if let resume = waiter.resume {
                waiter.resume = nil
                count -= 1
                return resume
            }
        }
        return nil
    }

    /// A waiter that waits no longer, if it still does.
    mutating func withdraw(_ waiter: Waiter) -> ((Waiter.Outcome) -> Void)? {
        guard let resume = waiter.resume else { return nil }
        waiter.resume = nil
        count -= 1
        return resume
    }
}
