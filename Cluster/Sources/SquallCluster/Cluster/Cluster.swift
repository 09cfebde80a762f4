import Logging

/// A database that is replicated over nodes.
///
///     let nodes = ["10.0.0.1:9001", "10.0.0.2:9001", "10.0.0.3:9001"]
///     let cluster = try await Cluster(nodes: nodes, database: "app")
///
/// All statements run on the leader, which is looked for again when it changes. One client has one write transaction
/// at a time, as SQLite has one writer; writes of many tasks get their turn in the order of their calls.
public final class Cluster: Sendable {
    /// The name of the database.
    public let database: String
    public let settings: ClusterSettings
    private let directory: LeaderDirectory
    let pool: LeaderPool
    let receivedRows = ReceivedRows()

    /// Finds the leader and connects to it. The database is created if the cluster has none with the name.
    ///
    /// - Parameter nodes: The addresses of some nodes. One that runs is enough: it names the others.
    /// - Throws: ``ClusterError/noLeader(_:)`` if there is no leader within the limit of the settings, with the reason
    ///   for each node. ``ClusterError/invalidAddress(_:)``.
    public nonisolated(nonsending) init(
        nodes: [String], database: String, settings: ClusterSettings = ClusterSettings()
    ) async throws {
        for node in nodes where NodeAddress(node) == nil { throw ClusterError.invalidAddress(node) }
        try Request.check(database, .name)
        self.database = database
        self.settings = settings
        directory = LeaderDirectory(seeds: nodes, settings: settings)
        pool = LeaderPool(directory: directory, database: database, settings: settings)
        do {
            try await connect(until: CallDeadline(after: settings.connectDeadline))
        } catch {
            await close()
            throw error
        }
    }

    deinit {
        directory.close()
    }

    /// Closes the connections. Calls that wait fail; a call that uses a connection goes on, and is not attempted again.
    public nonisolated(nonsending) func close() async {
        directory.close()
        await pool.close()
    }

    /// The members of the cluster, as the leader named them when it was found.
    public var members: [ClusterMember] { directory.members }

    /// Returns the address of the leader, which is looked for if it is not known.
    ///
    /// - Throws: ``ClusterError/noLeader(_:)`` if there is none before the deadline.
    public nonisolated(nonsending) func leader(deadline: Duration? = nil) async throws -> String {
        try await directory.leader(until: CallDeadline(after: deadline ?? settings.deadline)).address
    }

    private nonisolated(nonsending) func connect(until deadline: CallDeadline) async throws {
        var attempts = Attempts(settings: settings, deadline: deadline)
        while true {
            do {
                let lease = try await pool.lease(.reading, until: deadline)
                return pool.release(lease, .reading, isUsable: true)
            } catch {
                try await attempts.pause(after: error)
            }
        }
    }

    /// Forgets a leader after an error that shows its end.
    func note(_ error: any Error, of lease: LeaderPool.Lease) {
        guard let error = error as? ClusterError, error.endsLeadership else { return }
        settings.logger.debug("leader in doubt", metadata: ["error": "\(error)"])
        directory.lose(lease.leader)
        pool.evict(leader: lease.leader)
    }
}
