import Foundation

/// A thread and what it returns.
final class ThreadResult<Value: Sendable>: @unchecked Sendable {
    // The semaphore orders the one write before the one read.
    private var result: Result<Value, any Error>?
    private let isDone = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () throws -> Value) {
        Thread.detachNewThread {
            self.result = Result { try body() }
            self.isDone.signal()
        }
    }

    /// Waits for it. Called once.
    func get() throws -> Value {
        isDone.wait()
        guard let result else { throw CocoaError(.featureUnsupported) }
        return try result.get()
    }
}
