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

    /// Runs a closure with the connection, under the limits of a call: a cancellation, which includes its deadline, or a deadline.
    @inlinable
    @inline(__always)
    func run<Result>(
        until deadline: Deadline?, _ cancellation: Cancellation? = nil, _ closure: (Connection) throws -> Result
    ) throws -> Result {
        if let cancellation {
            return try pooled.connection.withCancellation(cancellation) { try closure(pooled.connection) }
        }
        guard let deadline else { return try closure(pooled.connection) }
        return try pooled.connection.withDeadline(at: deadline) { try closure(pooled.connection) }
    }

    /// Runs a closure with a connection for reading, under the limits of a call, and then ends the read.
    ///
    /// All reads take this way: of a database, a pool and a snapshot, in a thread and in a task. They begin in their own ways.
    ///
    /// - Parameter end: Ends the transaction, cleans up and returns the connection.
    @inlinable
    @inline(__always)
    func performRead<Result>(
        until deadline: Deadline?, _ cancellation: Cancellation? = nil, endingBy end: (Lease) -> Void,
        _ closure: (Connection) throws -> Result
    ) throws -> Result {
        defer { end(self) }
        return try run(until: deadline, cancellation, closure)
    }
}

extension PoolCore {
    /// Leases a connection to this thread. Inside another closure of the thread, it is the connection of that closure.
    func lease(_ access: Connection.Access, until deadline: Deadline? = nil) throws -> Lease {
        if let pooled = try PooledConnection.nested(in: self) { return Lease(pooled: pooled, kind: .nested) }
        let pooled = try acquire(until: deadline)
        pooled.enter(access)
        return Lease(pooled: pooled, kind: .outermost)
    }

    /// Ends the use of a clean connection by this thread, and returns it.
    @inline(__always)
    func end(_ pooled: PooledConnection) {
        pooled.leave()
        release(pooled)
    }
}
