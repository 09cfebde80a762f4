import Foundation

/// A gate that is opened once, for closures of a database, which wait for it, and for tasks.
///
/// Sendable, because the Boolean is used only under the lock of the condition.
final class Gate: @unchecked Sendable {
    private let condition = NSCondition()
    private var isOpen = false

    func open() {
        condition.withLock {
            isOpen = true
            condition.broadcast()
        }
    }

    /// Blocks the thread until the gate is open.
    func wait() {
        condition.withLock { while !isOpen { condition.wait() } }
    }

    /// Suspends the task until the gate is open.
    func opened() async {
        while !condition.withLock({ isOpen }) { await Task.yield() }
    }
}
