#if os(Linux)
    import Logging
    import NIOPosix

    extension ClusterNode {
        /// Makes a stopped node a cluster of the given members, when the majority of its cluster is lost for ever.
        ///
        /// A cluster that lost its majority cannot elect a leader. To go on with what is left:
        ///
        /// 1. Stop all nodes. A node of the old cluster that runs, or comes back later, would form a second cluster. Empty
        ///    its directory before it starts again.
        /// 2. Choose the node with the newest log: of the directories, the one whose `open-` and numbered files reach the
        ///    highest entry.
        /// 3. Recover it, as the only member unless other directories are replaced with a copy of this one.
        /// 4. Start it and let new nodes join.
        ///
        /// Writes that were acknowledged by the lost majority, but had not reached this node, are lost. Writes that had
        /// reached this node, but were not acknowledged, may appear.
        ///
        /// - Parameter others: Members besides this node, whose directories are replaced with a copy of this one.
        public static func recover(
            id: UInt64, address: String, directory: String, others: [ClusterMember] = [],
            logger: Logger = Logger(label: "squall.node")
        ) async throws {
            try check(id, address)
            for other in others { try check(other.id, other.address) }
            let members = [ClusterMember(id: id, address: address, role: .voter)] + others
            try await NIOThreadPool.singleton.runIfActive {
                try NodeHandle(id: id, address: address, directory: directory).recover(members)
            }
            logger.warning("node recovered", metadata: ["id": "\(id)", "members": "\(members.map(\.id))"])
        }
    }
#endif
