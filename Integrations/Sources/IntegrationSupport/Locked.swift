import Foundation

/// A value with a lock. Not a `Mutex`, for which the thread sanitizer reports false races.
///
/// Sendable, because the value is used only under the lock.
package final class Locked<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: Value) {
        self.value = value
    }

    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try lock.withLock { try body(&value) }
    }
}
