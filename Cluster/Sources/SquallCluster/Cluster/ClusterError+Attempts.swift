extension ClusterError {
    /// Whether a call is attempted again after this error, which came before its COMMIT was sent.
    var isRetriable: Bool {
        switch self {
        case .refused(let failure):
            switch failure.kind {
            case .notLeader, .leadershipLost, .databaseClosed, .busy: true
            case .sqlite, .notUnderstood: false
            }
        case .connectionLost, .cannotConnect, .closed: true
        default: false
        }
    }

    /// Whether the leader must be looked for before the next attempt.
    var endsLeadership: Bool {
        switch self {
        case .refused(let failure):
            switch failure.kind {
            case .notLeader, .leadershipLost, .databaseClosed: true
            case .busy, .sqlite, .notUnderstood: false
            }
        case .connectionLost, .cannotConnect, .deadlineExceeded(mayHaveRun: true): true
        default: false
        }
    }

    /// Whether the connection was closed by this error.
    var endsConnection: Bool {
        switch self {
        case .malformed, .connectionLost, .closed, .deadlineExceeded(mayHaveRun: true): true
        case .unsupportedStatement(.columnNames, _): true
        default: false
        }
    }

    /// The error, where the request was in a transaction that was not committed.
    var withoutEffect: ClusterError {
        switch self {
        case .connectionLost(let reason, _): .connectionLost(reason: reason, mayHaveRun: false)
        case .deadlineExceeded: .deadlineExceeded(mayHaveRun: false)
        default: self
        }
    }

    /// Whether this error of a COMMIT shows that nothing was committed.
    ///
    /// Other errors of SQLite are among those by which dqlite reports that the replication failed.
    var excludesCommit: Bool {
        switch self {
        case .refused(let failure):
            switch failure.kind {
            case .notLeader, .databaseClosed, .busy: true
            case .sqlite(let code): code.primary == .error || code.primary == .constraint
            case .leadershipLost, .notUnderstood: false
            }
        case .connectionLost(_, let mayHaveRun), .deadlineExceeded(let mayHaveRun): !mayHaveRun
        case .closed: true
        default: false
        }
    }
}
