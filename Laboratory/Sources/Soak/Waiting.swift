import Foundation

/// Waits for a task in code that is not asynchronous.
///
/// - Returns: `nil` if the task has not ended in time.
func waitForTask<Result: Sendable>(
    atMost seconds: Int, _ body: @escaping @Sendable () async throws -> Result
) throws -> Result? {
    let outcome = Locked<Swift.Result<Result, any Error>?>(nil)
    let ended = DispatchSemaphore(value: 0)
    let task = Task.detached {
        do {
            let result = try await body()
            outcome.withLock { $0 = .success(result) }
        } catch {
            outcome.withLock { $0 = .failure(error) }
        }
        ended.signal()
    }
    if ended.wait(timeout: .now() + .seconds(seconds)) == .timedOut {
        task.cancel()
        return nil
    }
    return try outcome.withLock { $0 }?.get()
}

/// A value that is used under a lock. The thread sanitizer does not see the lock of a `Mutex`, and reports races of its value.
///
/// Sendable, because the value is used under the lock only.
final class Locked<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) {
        self.value = value
    }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

/// Sentences that several threads add to.
final class Violations: Sendable {
    private let found = Locked<[String]>([])

    var all: [String] { found.withLock { $0 } }

    func add(_ text: String) { found.withLock { $0.append(text) } }

    /// Adds a sentence unless a condition holds.
    func expect(_ condition: Bool, _ text: @autoclosure () -> String) {
        if !condition { add(text()) }
    }
}
