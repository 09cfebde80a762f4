import Squall

extension SyncLog {
    /// The part that a database has in an exchange of changes.
    public enum Role: String, Hashable, Sendable {
        /// One of several equal replicas. The last writer of a row wins everywhere.
        case peer
        /// The replica whose order of changes counts for all.
        case hub
        /// A replica that sends its changes to a hub, and takes over those of the hub.
        case replica
    }

    /// The rule by which one of two changes of the same row wins.
    public enum Policy: Sendable {
        /// For peers: the row wins whose column has the greater value, in SQLite's order of values. The whole row wins.
        ///
        /// Of equal values, the row wins that was written later by a replica that knew the other one; of independent ones that with the
        /// greater origin. A row that is written over another one always wins over it, even with a smaller value in the column.
        ///
        /// A deletion has no value in the column. It wins over the row that it deletes, and over older ones. Without a clock, a change of
        /// the row that was made elsewhere at the same time therefore wins over the deletion, so that no new content is lost. With a
        /// clock the later of both wins: `.lastWriter(by: "updated_at", deletedAt: { Date() })`. The clock must return the form of values
        /// that the column has.
        case lastWriter(by: String, deletedAt: (@Sendable () -> any Bindable)? = nil)
        /// For a hub and its replicas: a change that conflicts with the hub is left out.
        case hubWins
        /// For a hub and its replicas: a change that conflicts with the hub is written over it.
        case replicaWins
        /// For a hub and its replicas: the closure returns which side wins.
        ///
        /// The hub calls it when it merges, and a replica for changes that it has not sent.
        case resolve(@Sendable (SyncConflict) throws -> SyncConflict.Winner)
    }
}

extension SyncLog.Policy {
    func fits(_ role: SyncLog.Role) -> Bool {
        switch self {
        case .lastWriter: role == .peer
        case .hubWins, .replicaWins, .resolve: role != .peer
        }
    }
}

/// A change of a replica that does not fit the rows of the hub.
public struct SyncConflict: Sendable, Hashable {
    /// The side whose row is kept.
    public enum Winner: UInt8, Hashable, Sendable {
        case hub = 0
        case replica = 1
    }

    /// The way in which the change does not fit.
    public let kind: Changeset.Conflict.Kind
    /// The change of the replica, with whole rows.
    public let change: SyncChange
    /// The row of the hub; `nil` if it has none.
    public let row: [BindingValue]?
    /// The side whose row is kept. In a closure of ``SyncLog/Policy/resolve(_:)`` it is the hub.
    public internal(set) var winner: Winner = .hub
    /// The reason why the change cannot be made: the message of SQLite, or that of the hub. `nil` where a rule has decided.
    public internal(set) var reason: String?
    /// The number of a conflict that a replica has stored.
    public internal(set) var number: Int64?
}

extension SyncConflict: CustomStringConvertible {
    /// The change and the side that wins.
    public var description: String { "\(change) (\(reason ?? "\(kind)")): the \(winner) wins" }
}
