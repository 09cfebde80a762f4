import NIOConcurrencyHelpers

/// The time in which a closure uses a connection.
///
/// Rows that outlive it must not touch the connection, which others use then.
final class ConnectionUse: Sendable {
    private struct State {
        var hasEnded = false
        /// Whether a query is under way, or its rows are open.
        var hasRows = false
    }

    private let state = NIOLockedValueBox(State())

    var hasEnded: Bool { state.withLockedValue(\.hasEnded) }

    /// Notes that a query is sent.
    func beginRows() {
        state.withLockedValue { $0.hasRows = true }
    }

    /// Notes that the last row was received.
    func endRows() {
        state.withLockedValue { $0.hasRows = false }
    }

    /// Ends the use.
    ///
    /// - Returns: Whether rows may be open.
    func end() -> Bool {
        state.withLockedValue { state in
            state.hasEnded = true
            return state.hasRows
        }
    }
}
