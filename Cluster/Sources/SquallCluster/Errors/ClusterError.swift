/// An error of a cluster, or of a connection to one of its nodes.
public indirect enum ClusterError: Error, Hashable, Sendable {
    /// The place of a text in a request.
    public enum TextPlace: Hashable, Sendable {
        case sql, name, address
        /// The value of a parameter, counted from 0.
        case value(index: Int)
    }

    /// A statement that a node would misread.
    public enum StatementProblem: Hashable, Sendable {
        /// The SQL has no statement.
        case empty
        /// The SQL has more than one statement, and a node would run only the first.
        case multipleStatements
        /// The statement is an EXPLAIN of one that writes. A node would leave it running, and no COMMIT would succeed.
        case explainsWrite
        /// The statement writes, and was to return rows. A node would run it without replicating it.
        case writesRows
        /// The statement returns rows, and was to be executed. A node would run it up to its first row.
        case returnsRows
        /// The statement was to return rows, and has no columns, like a PRAGMA that SQLite does not know.
        case noColumns
        /// The names of the columns fill a message of the node, which would send such messages for ever and never a row.
        case columnNames
        /// The statement has a RETURNING clause, which a node refuses after it did part of the work.
        case returning
        /// The PRAGMA changes files that a node keeps in memory, at which it crashes.
        case unsafePragma
        /// ATTACH and DETACH change one connection to one node.
        case attach
        /// A temporary table, view or trigger exists for one connection to one node.
        case temporary
        /// The PRAGMA changes the state of one connection to one node.
        case changingPragma
        /// VACUUM INTO writes a file on one node.
        case vacuumInto
        /// BEGIN, COMMIT and ROLLBACK would end the transaction of the closure. Savepoints can be used.
        case transaction
        /// The statement writes, in a closure that reads.
        case writesInRead
    }

    /// The node refused the request.
    case refused(NodeFailure)
    /// The node sent a reply that does not follow the protocol. The connection was closed.
    case malformed(WireError)
    /// The text is not an address of the form `host:port`.
    case invalidAddress(String)
    /// The node could not be reached.
    case cannotConnect(address: String, reason: String)
    /// The connection ended during the request. Whether the node ran it is unknown if `mayHaveRun`.
    case connectionLost(reason: String, mayHaveRun: Bool)
    /// The connection was closed before the request.
    case closed
    /// The deadline of the request passed. The connection was closed if the request had been sent.
    case deadlineExceeded(mayHaveRun: Bool)
    /// The rows of an earlier query have not been read to their end, or closed.
    case rowsAreOpen
    /// The statement has another number of parameters than values were given.
    case parameterCount(expected: Int, given: Int)
    /// The node cannot take so many parameters.
    case tooManyParameters(given: Int, limit: Int)
    /// A text has a zero byte, at which a node would end it.
    case zeroByte(in: TextPlace)
    /// The request is larger than the limit of the connection.
    case requestTooLarge(size: Int, limit: Int)
    /// A node would misread the statement, or the statement changes one node only.
    case unsupportedStatement(StatementProblem, sql: String)
    /// No node named the leader before the deadline.
    case noLeader([NodeProblem])
    /// The cluster was closed by this client.
    case clusterClosed
    /// A transaction, or its rows, were used after the end of its closure.
    case transactionEnded
    /// The write may or may not have been committed, because of the error of its COMMIT.
    ///
    /// A write with an idempotency key can be called again with the same key: it is then done once.
    case commitOutcomeUnknown(cause: ClusterError)
}

extension ClusterError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .refused(let failure): "\(failure)"
        case .malformed(let error): "the node sent a malformed reply: \(error)"
        case .invalidAddress(let text): "\"\(text)\" is not an address of the form host:port"
        case .cannotConnect(let address, let reason): "cannot connect to \(address): \(reason)"
        case .connectionLost(let reason, let mayHaveRun):
            "the connection was lost: \(reason)" + Self.suffix(mayHaveRun)
        case .closed: "the connection is closed"
        case .deadlineExceeded(let mayHaveRun): "the deadline passed" + Self.suffix(mayHaveRun)
        case .rowsAreOpen: "the rows of an earlier query are still open"
        case .parameterCount(let expected, let given):
            "the statement has \(expected) parameters, but \(given) values were given"
        case .tooManyParameters(let given, let limit): "\(given) parameters exceed the node's limit of \(limit)"
        case .zeroByte(let place): "\(place) has a zero byte"
        case .requestTooLarge(let size, let limit): "a request of \(size) bytes exceeds the limit of \(limit)"
        case .unsupportedStatement(let problem, let sql): "\(problem) in: \(sql)"
        case .noLeader(let problems):
            "no node named the leader: " + (problems.map(\.description).joined(separator: "; "))
        case .clusterClosed: "the cluster is closed"
        case .transactionEnded: "the transaction was used after the end of its closure"
        case .commitOutcomeUnknown(let cause): "the write may or may not have been committed: \(cause)"
        }
    }

    private static func suffix(_ mayHaveRun: Bool) -> String {
        mayHaveRun ? "; the node may have run the request" : ""
    }
}

extension ClusterError.TextPlace: CustomStringConvertible {
    public var description: String {
        switch self {
        case .sql: "the SQL"
        case .name: "the name of the database"
        case .address: "the address"
        case .value(let index): "the value of parameter \(index + 1)"
        }
    }
}

extension ClusterError.StatementProblem: CustomStringConvertible {
    public var description: String {
        switch self {
        case .empty: "there is no statement"
        case .multipleStatements: "a node runs only the first of several statements; run them as a script"
        case .writesRows: "a statement that writes cannot return rows from a node; execute it"
        case .returnsRows: "a node cannot execute a statement that returns rows; query them"
        case .noColumns: "the statement returns no columns, like a PRAGMA that SQLite does not know"
        case .columnNames: "the names of so many columns leave no room for a row in a message of a node; shorten them"
        case .explainsWrite: "a node cannot explain a statement that writes"
        case .returning: "a node cannot run a RETURNING clause"
        case .unsafePragma: "a node crashes at this PRAGMA"
        case .attach: "ATTACH and DETACH change one node only"
        case .temporary: "temporary tables, views and triggers exist on one node only"
        case .changingPragma: "this PRAGMA changes one connection to one node only"
        case .vacuumInto: "VACUUM INTO writes a file on one node only"
        case .transaction: "the closure runs in a transaction, which this statement would end; use savepoints"
        case .writesInRead: "a closure that reads cannot write"
        }
    }
}
