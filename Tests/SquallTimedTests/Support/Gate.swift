import Foundation
import SquallTestSupport

/// Is opened once, for all who wait.
final class Gate: Sendable {
    private let condition = NSCondition()
    private let isOpen = Shared(false)

    func open() {
        condition.withLock {
            isOpen.update { $0 = true }
            condition.broadcast()
        }
    }

    /// Blocks a thread, which must not be one of those that tasks share.
    func wait() {
        condition.withLock { while !isOpen.value { condition.wait() } }
    }

    func passed() async {
        await until { isOpen.value }
    }
}

/// Looks until something is so. (There is nothing that would tell.)
func until(_ condition: () throws -> Bool) rethrows {
    while try !condition() { Thread.sleep(forTimeInterval: 0.0005) }
}

/// The same in a task: other tasks run meanwhile.
func until(_ condition: () throws -> Bool) async rethrows {
    while try !condition() { await Task.yield() }
}
