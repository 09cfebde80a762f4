import Foundation

/// Runs a task to its end. The thread waits for it.
func inTask<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let isDone = DispatchSemaphore(value: 0)
    let outcome = Outcome<Value>()
    Task.detached {
        do { outcome.result = .success(try await body()) } catch { outcome.result = .failure(error) }
        isDone.signal()
    }
    isDone.wait()
    return try outcome.result.get()
}

private final class Outcome<Value: Sendable>: @unchecked Sendable {
    // Written before the semaphore is signalled, read after it.
    var result: Result<Value, any Error> = .failure(Failure("the task has no result"))
}

/// The numbers that an observer receives, and the times at which it did.
final class ReceivedNumbers: @unchecked Sendable {
    // Everything under the lock.
    private let lock = NSLock()
    private let hasReceived = DispatchSemaphore(value: 0)
    private var last = (number: 0, time: UInt64(0))

    func receive(_ number: Int) {
        let time = Clock.wall.now
        lock.withLock { last = (number, time) }
        hasReceived.signal()
    }

    /// Waits until a number is received, and returns the time in nanoseconds at which it was.
    func wait(for number: Int) throws -> UInt64 {
        while hasReceived.wait(timeout: .now() + 5) == .success {
            let last = lock.withLock { self.last }
            if last.number == number { return last.time }
        }
        throw Failure("an observer has not received \(number) within 5 s")
    }
}
