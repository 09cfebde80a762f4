/// A queue for one connection. Any number of threads can use it, one at a time, in the order of their calls.
///
///     let queue = try ConnectionQueue(connection: Connection("app.db"))
///     let count: Int = try queue.execute { try $0.query("SELECT count(*) FROM cars") }
///
/// Closures run on the calling thread, which waits for its turn. The connection must not leave its closure.
///
/// A closure that uses its own queue gets the same connection at once, and does not wait for itself.
public final class ConnectionQueue: Sendable {
    let core: PoolCore
    /// Whether a transaction that a closure leaves open is rolled back.
    private let endsTransactions: Bool

    /// Makes a queue for a connection, which belongs to the queue from now on.
    public init(connection: sending Connection) {
        core = PoolCore(.connection, connection)
        endsTransactions = false
    }

    /// Makes the queue for the writer of a database.
    init(core: PoolCore) {
        self.core = core
        endsTransactions = true
    }

    /// Runs a closure with the connection.
    ///
    /// A transaction that the closure leaves open stays open, and the settings of the connection that it changes
    /// remain. In the queue of a ``Database``, the transaction is rolled back, the call throws, and the settings are
    /// restored. Statements that are left on a row are reset.
    ///
    /// - Returns: The result of the closure.
    /// - Throws: The closure's error; ``SQLiteError``: `SQLITE_MISUSE` (21) after the database of the queue was closed, in a child
    ///   process, and when the closure leaves a transaction of a database open; `SQLITE_READONLY_DBMOVED`
    ///   (``ResultCode/fileMoved``) when the file has been deleted or replaced, also during the closure.
    @inlinable
    @discardableResult
    public func execute<Result>(closure: (Connection) throws -> Result) throws -> Result {
        let lease = try begin()
        let result: Result
        do {
            result = try closure(lease.pooled.connection)
        } catch {
            end(lease, hasFailed: true)
            throw error
        }
        if let error = end(lease) { throw error }
        return result
    }

    /// Runs a closure with the connection in a transaction, as ``Connection/transaction(transactionType:closure:)``
    /// does.
    ///
    /// - Returns: The result of the closure.
    /// - Throws: The closure's error; ``SQLiteError`` as ``execute(closure:)``, and when the transaction cannot begin or
    ///   commit; `SQLITE_ERROR` (1) inside another transaction.
    @discardableResult
    public func executeInTransaction<Result>(
        transactionType: Connection.TransactionType? = nil, closure: (Connection) throws -> Result
    ) throws -> Result {
        try execute { connection in
            try connection.transaction(transactionType: transactionType) { try closure(connection) }
        }
    }

    /// Runs a closure with the connection in a savepoint, as ``Connection/savepoint(named:transactionType:closure:)`` does.
    ///
    /// - Returns: The result of the closure.
    /// - Throws: The closure's error; ``SQLiteError`` as ``execute(closure:)``, and when the savepoint cannot begin or be
    ///   released.
    @discardableResult
    public func executeInSavepoint<Result>(
        named name: String, closure: (Connection) throws -> Result
    ) throws -> Result {
        try execute { connection in
            try connection.savepoint(named: name) { try closure(connection) }
        }
    }

    /// The number of threads that wait for their turn.
    public var waiting: Int { core.statistics.waiting }

    @usableFromInline
    func begin() throws -> Lease { try core.lease(.writing) }

    /// Ends a lease.
    ///
    /// - Parameter hasFailed: Whether the closure has thrown. The log is then not truncated.
    /// - Returns: The error of a closure that has left a transaction of a database open, or has committed to a deleted or
    ///   replaced file.
    @usableFromInline
    @discardableResult
    func end(_ lease: Lease, hasFailed: Bool = false) -> (any Error)? {
        guard lease.kind == .outermost else { return nil }
        let leavesTransactionOpen = endsTransactions && lease.pooled.clean()
        if !endsTransactions {
            lease.pooled.endStatements()
            lease.pooled.connection.keepSettings()
        }
        let error = leavesTransactionOpen ? .transactionLeftOpen : core.errorAfterWrite(lease.pooled)
        if !hasFailed {
            core.keepStatistics(lease.pooled, until: nil)
            core.keepLogLimit(lease.pooled, until: nil)
        }
        core.end(lease.pooled)
        return error
    }
}

extension ConnectionQueue: Hashable {
    public static func == (lhs: ConnectionQueue, rhs: ConnectionQueue) -> Bool { lhs === rhs }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
