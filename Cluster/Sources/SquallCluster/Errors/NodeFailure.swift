import Squall

/// A request that a node refused, with its code and message.
public struct NodeFailure: Error, Hashable, Sendable {
    /// The cause of a failure, as far as a client must tell it apart.
    public enum Kind: Hashable, Sendable {
        /// The node is not the leader. Nothing was done.
        case notLeader
        /// The node lost the leadership during the request, which may have been committed all the same.
        case leadershipLost
        /// The node has closed the database of the connection, as it does when it loses the leadership. Nothing was
        /// done.
        case databaseClosed
        /// The database is locked by another connection, a checkpoint or a change of the members.
        case busy
        /// An error of SQLite.
        case sqlite(ResultCode)
        /// The node did not understand the request.
        case notUnderstood
    }

    /// An extended result code of SQLite, or one of dqlite from 1,001 to 1,023.
    public let code: UInt64
    public let message: String
    /// The SQL of the request.
    public let sql: String?

    public init(code: UInt64, message: String, sql: String? = nil) {
        self.code = code
        self.message = message
        self.sql = sql
    }

    public var kind: Kind {
        switch code {
        case Self.notLeader, Self.oldNotLeader: .notLeader
        case Self.leadershipLost, Self.oldLeadershipLost: .leadershipLost
        case Self.raftErrors where Self.messagesOfSuccess.contains(message): .leadershipLost
        case 5: .busy
        case 12: .databaseClosed
        case Self.protocolErrors: .notUnderstood
        default: Int32(exactly: code).map { .sqlite(ResultCode(rawValue: $0)) } ?? .notUnderstood
        }
    }

    /// The failure as the error that a local database would have thrown; `nil` for a failure of the cluster.
    public var sqliteError: SQLiteError? {
        switch kind {
        case .sqlite(let code): SQLiteError(code: code.rawValue, message: message, sql: sql)
        case .busy: SQLiteError(code: ResultCode.busy.rawValue, message: message, sql: sql)
        case .notLeader, .leadershipLost, .databaseClosed, .notUnderstood: nil
        }
    }

    // SQLITE_IOERR (10) with 40 and 41 in the second byte; dqlite before 1.0 used 32 and 33.
    private static let notLeader: UInt64 = 10 | 40 << 8
    private static let leadershipLost: UInt64 = 10 | 41 << 8
    private static let oldNotLeader: UInt64 = 10 | 32 << 8
    private static let oldLeadershipLost: UInt64 = 10 | 33 << 8
    // dqlite 1.11 passes on some errors of Raft as if they were codes of SQLite: 7 for "not the leader", 8 for "leadership
    // lost" and 9 for a node that is being stopped. The message is then that of the last statement, which succeeded.
    private static let raftErrors: ClosedRange<UInt64> = 7...9
    static let messagesOfSuccess: Set = ["not an error", "another row available", "no more rows available"]
    // From 1,024 on, codes are extended ones of SQLite, such as 1,299 of a NULL that is not allowed.
    private static let protocolErrors: ClosedRange<UInt64> = 1_001...1_023
}

extension NodeFailure: CustomStringConvertible {
    public var description: String {
        // A failed replication has the message of the last statement, which succeeded.
        let text = Self.messagesOfSuccess.contains(message) ? "the node could not replicate the statement" : message
        return "\(text) (\(code))" + (sql.map { " in: \($0)" } ?? "")
    }
}
