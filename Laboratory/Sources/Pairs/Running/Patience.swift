import Foundation

/// The time for which the lane waits for an observer, which is shorter once one has not been told in time: a failure is repeated many
/// times to find its steps.
///
/// Sendable, because a lock protects its state.
final class Patience: @unchecked Sendable {
    static let shared = Patience()

    private let lock = NSLock()
    private var hasEnded = false

    /// The end of a wait that begins now.
    var end: Date { Date(timeIntervalSinceNow: lock.withLock { hasEnded } ? 2 : 10) }

    /// Waits for a change until a time.
    func wait(_ condition: NSCondition, until end: Date) -> Bool {
        if condition.wait(until: end) { return true }
        lock.withLock { hasEnded = true }
        return false
    }
}
