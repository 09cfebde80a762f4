import NIOConcurrencyHelpers

/// The time in which a closure uses a connection.
///
/// Rows that outlive it must not touch the connection, which others use then.
final class ConnectionUse: Sendable {
    private let state = NIOLockedValueBox(false)

    var hasEnded: Bool { state.withLockedValue { $0 } }

    func end() {
        state.withLockedValue { $0 = true }
    }
}
