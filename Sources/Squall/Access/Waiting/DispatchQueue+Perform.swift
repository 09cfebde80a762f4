import Dispatch

extension DispatchQueue {
    /// Runs a closure on this queue, and suspends the caller until it has returned. The closure is released before the
    /// caller continues.
    nonisolated(nonsending) func perform<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        let work = Locked(Optional(body))
        let outcome = Locked(Swift.Result<Result, any Error>.failure(CancellationError()))
        // A checked continuation, and the result beside it: when the closure returns before its caller is suspended, the
        // thread sanitizer does not see the order that the runtime keeps, and reports false races.
        await withCheckedContinuation { continuation in
            async {
                Self.run(work, outcome)
                continuation.resume()
            }
        }
        return try outcome.withLock { $0 }.get()
    }

    /// Runs a closure and releases it.
    private static func run<Result>(
        _ work: Locked<(@Sendable () throws -> Result)?>, _ outcome: Locked<Swift.Result<Result, any Error>>
    ) {
        let body = work.withLock { work in
            defer { work = nil }
            return work
        }
        guard let body else { return }
        let result = Swift.Result { try body() }
        outcome.withLock { $0 = result }
    }
}
