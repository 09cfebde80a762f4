import Logging

/// The settings of a ``Cluster``.
public struct ClusterSettings: Sendable {
    /// The settings of each connection.
    public var connection = ConnectionSettings()
    /// The largest number of connections to the leader that are in use or idle.
    public var maximumConnections = 8
    /// The duration after which a new ``Cluster`` fails if it finds no leader.
    public var connectDeadline: Duration = .seconds(10)
    /// The duration after which a call without a deadline of its own fails, with all its attempts.
    public var deadline: Duration = .seconds(30)
    /// The duration after which a migration fails.
    public var migrationDeadline: Duration = .seconds(600)
    /// The attempts of a call.
    public var retry = RetryPolicy()
    /// The duration for which the key of a write is kept. A later write with that key is run again.
    public var keyLifetime: Duration = .seconds(7 * 24 * 3_600)
    public var logger = Logger(label: "squall.cluster")
    /// The mean number of writes with a key between two deletions of old keys.
    var writesBetweenDeletions = 64
    /// The time after which a call that uses a connection asks other nodes whether its leader still leads.
    var watchInterval: Duration = .seconds(1)

    public init() {}
}
