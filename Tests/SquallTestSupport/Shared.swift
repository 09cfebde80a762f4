import Foundation

/// A value that several threads change.
package final class Shared<Value>: @unchecked Sendable {
    // Everything under the lock.
    private let lock = NSLock()
    private var stored: Value

    package init(_ value: Value) {
        stored = value
    }

    package var value: Value { lock.withLock { stored } }

    @discardableResult
    package func update<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try lock.withLock { try body(&stored) }
    }
}

extension Shared<Int> {
    /// Adds one, and returns the sum.
    package func next() -> Int {
        update {
            $0 += 1
            return $0
        }
    }
}
