/// The members of a cluster and their states.
public struct ClusterStatus: Hashable, Sendable {
    /// A member and its state.
    public struct Member: Hashable, Sendable {
        public let member: ClusterMember
        /// Whether the node replied.
        public let isReachable: Bool
        public let isLeader: Bool
        /// The properties of the node; `nil` if it did not reply.
        public let metadata: NodeMetadata?
    }

    /// The leader; `nil` if no node told of one.
    public let leader: NodeInfo?
    /// The members by their identifiers.
    public let members: [Member]
}
