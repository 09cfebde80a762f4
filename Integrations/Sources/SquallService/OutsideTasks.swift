import Dispatch
import IntegrationSupport

/// Runs a closure that blocks on a thread that tasks do not share.
func runOutsideTasks<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    // A continuation without a value, and the result beside it: when the closure returns before its caller is suspended,
    // the thread sanitizer does not see the order that the runtime keeps, and reports false races.
    let result = Locked<Result<Value, any Error>>(.failure(CancellationError()))
    await withCheckedContinuation { continuation in
        DispatchQueue(label: "squall.service").async {
            let value = Result { try body() }
            result.withLock { $0 = value }
            continuation.resume()
        }
    }
    return try result.withLock { $0 }.get()
}
