import Squall

/// A task that iterates over observed values and keeps them.
struct Follower<Value: Sendable> {
    /// Is opened with the first value.
    let hasValue = Gate()
    private let task: Task<[Value], any Error>

    /// - Parameter isLast: Whether the iteration is left after a value.
    init(_ observed: ObservedValues<Value>, until isLast: @escaping @Sendable (Value) -> Bool = { _ in false }) {
        task = Task { [hasValue] in
            var values: [Value] = []
            for try await value in observed {
                values.append(value)
                hasValue.open()
                if isLast(value) { break }
            }
            return values
        }
    }

    /// Returns the values, once the iteration has ended.
    func values() async throws -> [Value] { try await task.value }

    func cancel() { task.cancel() }
}
