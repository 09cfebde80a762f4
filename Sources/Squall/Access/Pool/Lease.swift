/// A pooled connection for the time of a closure.
@usableFromInline
struct Lease {
    enum Kind: Equatable {
        /// The connection comes from the pool, and is returned at the end.
        case outermost
        /// The thread had leased the connection already, for the same kind of access.
        case nested
        /// A read inside a write. It begins a transaction when the write has none.
        case insideWrite(beginsTransaction: Bool)
    }

    @usableFromInline let pooled: PooledConnection
    let kind: Kind

    /// Runs a closure with the connection, under a deadline if there is one.
    @inlinable
    @inline(__always)
    func run<Result>(
        until deadline: Deadline?, _ closure: (Connection) throws -> Result
    ) throws -> Result {
        guard let deadline else { return try closure(pooled.connection) }
        return try pooled.connection.withDeadline(at: deadline) { try closure(pooled.connection) }
    }
}
