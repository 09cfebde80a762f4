import NIOCore

/// The rows of a query that was sent.
struct OpenRows<Waiter: Equatable & Sendable> {
    /// Who waits for the next parts; `nil` while the reader uses those that it has.
    var waiter: Waiter?
    var deadline: NIODeadline
    /// The parts that were received since the last time that the reader got some.
    var parts: [Message] = []
    /// Whether the last part was received.
    var hasEnded = false
    /// Whether the reader got its first parts.
    var isOpen = false
    /// The SQL in the cache of statements, if the statement is one of those.
    let sql: String?

    init(_ job: Job<Waiter>) {
        waiter = job.waiter
        deadline = job.deadline
        if case .statement(let sql, _, _) = job.work { self.sql = sql } else { sql = nil }
    }
}

/// The rest of rows that nobody reads. It ends with the reply to an interrupt request.
struct Draining {
    let deadline: NIODeadline
    let sql: String?
    var bytes = 0
    /// Whether the node sent the rows to their end instead of interrupting them.
    var sawEnd = false
}
