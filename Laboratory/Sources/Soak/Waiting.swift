import Foundation
import Synchronization

/// Waits for a task in code that is not asynchronous.
///
/// - Returns: `nil` if the task has not ended in time.
func waitForTask<Result: Sendable>(
    atMost seconds: Int, _ body: @escaping @Sendable () async throws -> Result
) throws -> Result? {
    let outcome = Mutex<Swift.Result<Result, any Error>?>(nil)
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

/// Sentences that several threads add to.
final class Violations: Sendable {
    private let found = Mutex<[String]>([])

    var all: [String] { found.withLock { $0 } }

    func add(_ text: String) { found.withLock { $0.append(text) } }

    /// Adds a sentence unless a condition holds.
    func expect(_ condition: Bool, _ text: @autoclosure () -> String) {
        if !condition { add(text()) }
    }
}
