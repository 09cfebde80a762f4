/// The reason why a database, a pool or a snapshot refuses a call.
public enum DatabaseProblem: SQLiteProblem {
    /// Thrown when a database or a snapshot is closed inside one of its closures.
    case closedInsideClosure(SQLiteError.Closable)
    /// Thrown when a database is used between `suspend()` and `resume()`. The code is `SQLITE_BUSY` (5).
    case suspended
    /// Thrown when a database is suspended inside one of its closures.
    case suspendedInsideClosure
    /// Thrown when a read, or another process, blocked a checkpoint of a database for longer than it may wait. The code
    /// is `SQLITE_BUSY` (5).
    case checkpointBlocked
    /// Thrown when the closure of a write returns with an open transaction, which was rolled back.
    case transactionLeftOpen
    /// Thrown when a snapshot of a database in memory or in a temporary file is made inside a read or a transaction.
    case snapshotInsideTransaction
    /// Thrown when the preparation of a connection closes it.
    case preparationClosedConnection
    /// Thrown when the preparation of a connection returns with an open transaction, which was rolled back.
    case preparationLeftTransactionOpen
    /// Thrown when the preparation of a connection uses the database or the pool that opens the connection.
    case usedInPreparation
}

extension DatabaseProblem {
    public var code: ResultCode {
        switch self {
        case .suspended, .checkpointBlocked: .busy
        default: .misuse
        }
    }

    public var message: String {
        switch self {
        case .closedInsideClosure(let subject): "a \(subject.noun) cannot be closed inside one of its closures"
        case .suspended: "the database is suspended"
        case .suspendedInsideClosure: "a database cannot be suspended inside one of its closures"
        case .checkpointBlocked: "a read blocked the checkpoint for too long"
        case .transactionLeftOpen: "the closure has left a transaction open; it was rolled back"
        case .snapshotInsideTransaction:
            "a snapshot of a database in memory, which copies it, cannot be made inside a read or a transaction"
        case .preparationClosedConnection: "the preparation has closed the connection"
        case .preparationLeftTransactionOpen: "the preparation has left a transaction open; it was rolled back"
        case .usedInPreparation: "the preparation of a connection cannot use its own database or pool"
        }
    }
}
