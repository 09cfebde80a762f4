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
        var search = LeaderSearch(addresses: addresses)
        repeat {
            while let address = search.next() {
                if let connection = try await leader(knownTo: address, &search) { return connection }
            }
            search.startAgain()
            try await Task.sleep(for: Self.pause)
        } while ContinuousClock.now < end
        throw ClusterAdministrationError.noLeader(reasons: search.reasons)
    }

    /// Asks a node for the leader and connects to it.
    private nonisolated(nonsending) func leader(
        knownTo address: String, _ search: inout LeaderSearch
    ) async throws -> NodeConnection? {
        do {
            let connection = try await connect(to: address)
            let leader = try await connection.leader(deadline: Self.patience)
            if leader?.address == address { return connection }
            search.add(try await connection.cluster(deadline: Self.patience).map(\.address))
            await connection.close()
            guard let leader else {
                search.reasons[address] = "it has no leader"
                return nil
            }
            let other = try await connect(to: leader.address)
            if try await other.leader(deadline: Self.patience)?.id == leader.id { return other }
            await other.close()
            search.reasons[address] = "its leader, \(leader.address), is not a leader"
        } catch let error as ClusterError {
            search.reasons[address] = "\(error)"
        }
        return nil
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

/// The nodes that are asked for the leader.
private struct LeaderSearch {
    private var addresses: [String]
    private var index = 0
    /// The last problem of each node.
    var reasons: [String: String] = [:]

    init(addresses: [String]) {
        self.addresses = addresses
    }

    mutating func next() -> String? {
        guard index < addresses.count else { return nil }
        defer { index += 1 }
        return addresses[index]
    }

    mutating func startAgain() {
        index = 0
    }

    mutating func add(_ others: [String]) {
        for address in others where !addresses.contains(address) { addresses.append(address) }
    }
}
