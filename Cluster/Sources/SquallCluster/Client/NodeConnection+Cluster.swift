extension NodeConnection {
    /// Returns the leader of the cluster as this node sees it; `nil` if it knows none, as nodes without a vote never do.
    public nonisolated(nonsending) func leader(deadline: Duration? = nil) async throws -> NodeInfo? {
        try await send(.leader, deadline: deadline) { try $0.leader() }
    }

    /// Returns the members of the cluster as this node knows them.
    public nonisolated(nonsending) func cluster(deadline: Duration? = nil) async throws -> [ClusterMember] {
        try await send(.cluster, deadline: deadline) { try $0.nodes() }
    }

    /// Adds a running node as a spare. The leader does it; see ``assign(_:to:deadline:)``.
    public nonisolated(nonsending) func add(_ node: NodeInfo, deadline: Duration? = nil) async throws {
        try await send(.add(id: node.id, address: node.address), deadline: deadline) { try $0.empty() }
    }

    /// Gives a node a role. The leader does it. A new voter first gets all data, which may take long.
    public nonisolated(nonsending) func assign(_ role: NodeRole, to id: UInt64, deadline: Duration? = nil) async throws
    {
        try await send(.assign(id: id, role: role), deadline: deadline) { try $0.empty() }
    }

    /// Removes a node from the cluster. The leader does it.
    public nonisolated(nonsending) func remove(_ id: UInt64, deadline: Duration? = nil) async throws {
        try await send(.remove(id: id), deadline: deadline) { try $0.empty() }
    }

    /// Makes another voter the leader. The leader does it.
    public nonisolated(nonsending) func transferLeadership(to id: UInt64, deadline: Duration? = nil) async throws {
        try await send(.transfer(id: id), deadline: deadline) { try $0.empty() }
    }

    /// Returns the failure domain and the weight of this node.
    public nonisolated(nonsending) func describe(deadline: Duration? = nil) async throws -> NodeMetadata {
        try await send(.describe, deadline: deadline) { try $0.metadata() }
    }

    /// Sets the weight of this node. It is kept until the node stops.
    public nonisolated(nonsending) func setWeight(_ weight: UInt64, deadline: Duration? = nil) async throws {
        try await send(.weight(weight), deadline: deadline) { try $0.empty() }
    }

    /// Returns the files of a database as this node has them: the database and its write-ahead log.
    ///
    /// They are empty if there is no such database. They come in one message, whose size the settings limit.
    public nonisolated(nonsending) func dump(_ database: String, deadline: Duration? = nil) async throws -> [DumpedFile]
    {
        try await send(.dump(name: database), deadline: deadline) { try $0.files() }
    }
}
