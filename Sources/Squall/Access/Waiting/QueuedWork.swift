import Dispatch

extension DispatchQueue {
    /// Runs a closure on this queue, and suspends the caller until it has returned. The closure is released before the
    /// caller continues.
    nonisolated(nonsending) func perform<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        let work = QueuedWork(body)
        // A checked continuation, and the result beside it: when the closure returns before its caller is suspended, the
        // thread sanitizer does not see the order that the runtime keeps, and reports false races.
        await withCheckedContinuation { continuation in
            async {
                work.run()
                continuation.resume()
            }
        }
        return try work.result()
    }
}

/// A closure that a queue runs for a task, and its result.
///
/// Sendable, because the properties are used only under the lock.
private final class QueuedWork<Result: Sendable>: @unchecked Sendable {
    private let lock = Lock()
    private var body: (@Sendable () throws -> Result)?
    private var outcome: Swift.Result<Result, any Error> = .failure(CancellationError())

    init(_ body: @escaping @Sendable () throws -> Result) {
        self.body = body
    }

    /// Runs the closure, and releases it. Called once.
    func run() {
        let body = lock.withLock {
            defer { self.body = nil }
            return self.body
        }
        guard let body else { return }
        let outcome = Swift.Result { try body() }
        lock.withLock { self.outcome = outcome }
    }

    func result() throws -> Result {
        try lock.withLock { outcome }.get()
    }
}
