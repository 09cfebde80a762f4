/// Finds the leader of a cluster, changes its members, and reports their states.
///
///     let cluster = try ClusterAdministration(addresses: ["10.0.0.1:9001", "10.0.0.2:9001"])
///     try await cluster.join(NodeInfo(id: 3, address: "10.0.0.3:9001"), role: .voter)
///     for node in try await cluster.status().members { print(node) }
///
/// Each call finds the leader again, and repeats what a change of the leader interrupts until the deadline.
public struct ClusterAdministration: Sendable {
    /// The addresses of some nodes. The others are found through them.
    public let addresses: [String]
    public let settings: ConnectionSettings
    /// The duration after which a call fails.
    public let deadline: Duration

    public init(
        addresses: [String], settings: ConnectionSettings = ConnectionSettings(), deadline: Duration = .seconds(10)
    ) throws {
        if addresses.isEmpty { throw ClusterAdministrationError.noAddress }
        for address in addresses where NodeAddress(address) == nil { throw ClusterError.invalidAddress(address) }
        self.addresses = addresses
        self.settings = settings
        self.deadline = deadline
    }

    /// The time after which a node is treated as unreachable: one that hangs must not take the time of the others.
    private static let patience = Duration.seconds(1)

    /// The pause before an attempt is repeated.
    private static let pause = Duration.milliseconds(10)

    /// Connects to the leader. Waits for an election until the deadline.
    public nonisolated(nonsending) func connectToLeader() async throws -> NodeConnection {
        try await leader(until: .now + deadline)
    }

    /// Runs a closure with a connection to the leader. It runs again after an error that another attempt may avoid.
    nonisolated(nonsending) func withLeader<Value>(
        _ body: nonisolated(nonsending) (NodeConnection) async throws -> Value
    ) async throws -> Value {
        let end = ContinuousClock.now + deadline
        while true {
            let connection = try await leader(until: end)
            do {
                let value = try await body(connection)
                await connection.close()
                return value
            } catch {
                await connection.close()
                guard Self.mayPass(error), ContinuousClock.now < end else { throw error }
                try await Task.sleep(for: Self.pause)
            }
        }
    }

    private nonisolated(nonsending) func leader(until end: ContinuousClock.Instant) async throws -> NodeConnection {
        let search = LeaderSearch(addresses: addresses, connection: settings)
        var reasons: [String: String] = [:]
        repeat {
            let found = await search.run { reasons[$0.address] = $0.reason }
            if let found, let connection = try? await connect(to: found.address) { return connection }
            try await Task.sleep(for: Self.pause)
        } while ContinuousClock.now < end
        throw ClusterAdministrationError.noLeader(reasons: reasons)
    }

    /// Connects to a node that should reply at once.
    nonisolated(nonsending) func connect(to address: String) async throws -> NodeConnection {
        var settings = settings
        settings.connectDeadline = min(settings.connectDeadline, Self.patience)
        return try await NodeConnection.connect(to: address, settings: settings)
    }

    /// Returns the members that the cluster has, as its leader or else some node knows them.
    nonisolated(nonsending) func members() async throws -> (leader: NodeInfo?, members: [ClusterMember]) {
        do {
            return try await withLeader { (try await $0.leader(), try await $0.cluster()) }
        } catch ClusterAdministrationError.noLeader(let reasons) {
            for address in addresses {
                guard let connection = try? await connect(to: address) else { continue }
                let members = try? await connection.cluster(deadline: Self.patience)
                await connection.close()
                if let members, !members.isEmpty { return (nil, members) }
            }
            throw ClusterAdministrationError.noLeader(reasons: reasons)
        }
    }

    /// Whether another attempt may avoid an error.
    private static func mayPass(_ error: any Error) -> Bool {
        switch error {
        case ClusterError.refused(let failure):
            [.notLeader, .leadershipLost, .databaseClosed, .busy].contains(failure.kind)
        case ClusterError.connectionLost, ClusterError.cannotConnect, ClusterError.closed: true
        default: false
        }
    }
}
