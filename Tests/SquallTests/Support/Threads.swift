import Foundation

/// A value that several threads change.
final class Shared<Value>: @unchecked Sendable {
    // Everything under the lock.
    private let lock = NSLock()
    private var stored: Value

    init(_ value: Value) {
        stored = value
    }

    var value: Value { lock.withLock { stored } }

    @discardableResult
    func update<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try lock.withLock { try body(&stored) }
    }
}

extension Shared<Int> {
    func next() -> Int {
        update {
            $0 += 1
            return $0
        }
    }
}

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
