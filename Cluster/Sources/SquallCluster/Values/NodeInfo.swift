/// A node by its identifier and the address at which clients and other nodes reach it.
public struct NodeInfo: Hashable, Sendable {
    public let id: UInt64
    public let address: String

    public init(id: UInt64, address: String) {
        self.id = id
        self.address = address
    }
}

/// The part of a node in the replication.
public enum NodeRole: UInt64, Hashable, Sendable, CaseIterable {
    /// The node stores the data, votes for the leader and counts for the majority of a commit.
    case voter = 0
    /// The node stores the data, but does not vote.
    case standby = 1
    /// The node does not store the data.
    case spare = 2
}

/// A node of a cluster with its role.
public struct ClusterMember: Hashable, Sendable {
    public let id: UInt64
    public let address: String
    public let role: NodeRole

    public init(id: UInt64, address: String, role: NodeRole) {
        self.id = id
        self.address = address
        self.role = role
    }
}

/// Properties of a node that help to choose voters.
public struct NodeMetadata: Hashable, Sendable {
    /// A number shared by the nodes that fail together, for instance those of one rack.
    public let failureDomain: UInt64
    /// The preference of the node: of two candidates, the lighter one becomes a voter.
    public let weight: UInt64

    public init(failureDomain: UInt64, weight: UInt64) {
        self.failureDomain = failureDomain
        self.weight = weight
    }
}
