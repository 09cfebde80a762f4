import NIOCore
import Squall

/// One use of a connection, and who waits for it.
struct Job<Waiter: Equatable & Sendable>: Sendable {
    enum Work: Sendable {
        /// A request with one reply.
        case request(Request)
        /// A request with rows.
        case rows(Request)
        /// A statement of the cache, which is prepared if it is not there.
        case statement(sql: String, values: [BindingValue], use: StatementUse)
    }

    let work: Work
    let waiter: Waiter
    let deadline: NIODeadline
}

/// The use of a prepared statement.
enum StatementUse: Sendable {
    /// Only prepares it.
    case prepare
    case execute
    case query
}

/// What a waiter gets.
enum Reply: Sendable {
    case message(Message)
    /// All parts of the rows that were received. The last message of a query may be a failure.
    case rows([Message], isLast: Bool)
    case prepared(PreparedStatement)
}
