#if os(Linux)
    import NIOPosix

    extension ClusterNode {
        /// Joins a cluster and takes a role in it. Does nothing if the node is a member with this role.
        ///
        /// - Parameters:
        ///   - addresses: The addresses of some nodes of the cluster.
        ///   - deadline: The time to wait for a leader.
        public nonisolated(nonsending) func join(
            _ addresses: [String], role: NodeRole = .voter, deadline: Duration = .seconds(30)
        ) async throws {
            let cluster = try ClusterAdministration(addresses: addresses, deadline: deadline)
            try await cluster.join(NodeInfo(id: id, address: address), role: role)
            logger.info("node joined", metadata: ["role": "\(role)"])
        }

        /// Takes another role in the cluster.
        public nonisolated(nonsending) func changeRole(to role: NodeRole) async throws {
            try await administration().assign(role, to: id)
            logger.info("role changed", metadata: ["role": "\(role)"])
        }

        /// Leaves the cluster. The node keeps running, alone and without data, until it is stopped.
        ///
        /// A node that has left must start in an empty directory before it joins again.
        public nonisolated(nonsending) func leave() async throws {
            try await handOver()
            try await administration().remove(id)
            logger.info("node left the cluster")
        }

        /// Gives the leadership to another voter, if the node has it. The connections of clients are ended before.
        ///
        /// - Returns: Whether the node led.
        @discardableResult
        public nonisolated(nonsending) func handOver() async throws -> Bool {
            let connection = try await NodeConnection.connect(to: address)
            guard try await connection.leader()?.id == id else {
                await connection.close()
                return false
            }
            let cluster = try await administration()
            let successor = try await cluster.otherVoter(than: id, of: try await connection.cluster())
            let kept = Set(connection.localPort.map { [$0] } ?? [])
            let refusal = try await NIOThreadPool.singleton.runIfActive { [handle] in
                handle.sockets?.shutOut(except: kept)
            }
            defer { refusal?.end() }
            do {
                try await connection.transferLeadership(to: successor.id, deadline: .seconds(5))
            } catch ClusterError.refused(let failure) where failure.kind == .notLeader {
                // An election came before.
                await connection.close()
                return false
            }
            await connection.close()
            logger.info("leadership handed over", metadata: ["to": "\(successor.id)"])
            return true
        }

        /// Reports the members of the cluster, as their leader sees them.
        public nonisolated(nonsending) func status() async throws -> ClusterStatus {
            try await administration().status()
        }

        /// The cluster that this node is a member of.
        private nonisolated(nonsending) func administration() async throws -> ClusterAdministration {
            let connection = try await NodeConnection.connect(to: address)
            let others = try await connection.cluster().map(\.address).filter { $0 != address }
            await connection.close()
            return try ClusterAdministration(addresses: [address] + others)
        }
    }
#endif
