import NIOConcurrencyHelpers

/// Records the operations of several clients on a register.
final class RegisterHistory: Sendable {
    private let start = ContinuousClock.now
    private let recorded = NIOLockedValueBox<[RegisterOperation]>([])

    var operations: [RegisterOperation] { recorded.withLockedValue(\.self) }

    /// The time since the history began.
    var now: Duration { .now - start }

    /// Records an operation that returned.
    func returned(_ client: Int, _ action: RegisterOperation.Action, since call: Duration) {
        append(RegisterOperation(client: client, action: action, call: call, end: now))
    }

    /// Records an operation whose outcome is unknown.
    func lost(_ client: Int, _ action: RegisterOperation.Action, since call: Duration) {
        append(RegisterOperation(client: client, action: action, call: call, end: nil))
    }

    private func append(_ operation: RegisterOperation) {
        recorded.withLockedValue { $0.append(operation) }
    }
}
