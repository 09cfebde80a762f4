extension ClusterAdministration {
    /// Adds a running node and gives it a role. A member keeps its place and gets the role.
    ///
    /// A new voter or standby first receives all data.
    public nonisolated(nonsending) func join(_ node: NodeInfo, role: NodeRole = .voter) async throws {
        guard NodeAddress(node.address) != nil else { throw ClusterError.invalidAddress(node.address) }
        try await withLeader { leader in
            let members = try await leader.cluster()
            if let member = members.first(where: { $0.id == node.id }) {
                guard member.address == node.address else {
                    throw ClusterAdministrationError.identifierTaken(id: node.id, address: member.address)
                }
                if member.role == role { return }
            } else {
                if let member = members.first(where: { $0.address == node.address }) {
                    throw ClusterAdministrationError.addressTaken(address: node.address, id: member.id)
                }
                try await leader.add(node)
                if role == .spare { return }
            }
            try await leader.assign(role, to: node.id)
        }
    }

    /// Gives a member a role. A leader that stops being a voter first gives the leadership away.
    public nonisolated(nonsending) func assign(_ role: NodeRole, to id: UInt64) async throws {
        try await change(id) { leader, member in
            if member.role == role { return }
            try await leader.assign(role, to: id)
        } isLeaderKept: {
            role == .voter
        }
    }

    /// Removes a member. A leader first gives the leadership away.
    public nonisolated(nonsending) func remove(_ id: UInt64) async throws {
        try await change(id) { leader, _ in
            try await leader.remove(id)
        } isLeaderKept: {
            false
        }
    }

    /// Makes a voter the leader.
    ///
    /// - Parameter id: The identifier of the voter; `nil` for any that can be reached.
    public nonisolated(nonsending) func transferLeadership(to id: UInt64? = nil) async throws {
        try await withLeader { leader in
            let current = try await leader.leader()
            let members = try await leader.cluster()
            if let id, !members.contains(where: { $0.id == id }) {
                throw ClusterAdministrationError.unknownNode(id: id)
            }
            if let id, current?.id == id { return }
            let target = if let id { id } else { try await otherVoter(than: current?.id ?? 0, of: members).id }
            try await leader.transferLeadership(to: target)
        }
    }

    /// Reports the members. Each is asked at the same time.
    public nonisolated(nonsending) func status() async throws -> ClusterStatus {
        let (leader, members) = try await members()
        let states = await withTaskGroup(of: (UInt64, NodeMetadata?).self) { group in
            for member in members {
                group.addTask { (member.id, await metadata(of: member)) }
            }
            return await group.reduce(into: [UInt64: NodeMetadata]()) { states, state in states[state.0] = state.1 }
        }
        let reported = members.sorted { $0.id < $1.id }.map { member in
            ClusterStatus.Member(
                member: member, isReachable: states[member.id] != nil, isLeader: member.id == leader?.id,
                metadata: states[member.id])
        }
        return ClusterStatus(leader: leader, members: reported)
    }

    private nonisolated(nonsending) func change(
        _ id: UInt64,
        _ body: nonisolated(nonsending) (NodeConnection, ClusterMember) async throws -> Void,
        isLeaderKept: () -> Bool
    ) async throws {
        try await withLeader { leader in
            let members = try await leader.cluster()
            guard let member = members.first(where: { $0.id == id }) else {
                throw ClusterAdministrationError.unknownNode(id: id)
            }
            if try await leader.leader()?.id == id, !isLeaderKept() {
                try await leader.transferLeadership(to: try await otherVoter(than: id, of: members).id)
                // The new leader is asked next.
                throw ClusterError.closed
            }
            try await body(leader, member)
        }
    }

    /// Returns a voter that replies.
    nonisolated(nonsending) func otherVoter(
        than id: UInt64, of members: [ClusterMember]
    ) async throws -> ClusterMember {
        for member in members where member.id != id && member.role == .voter {
            if await metadata(of: member) != nil { return member }
        }
        throw ClusterAdministrationError.noOtherVoter(id: id)
    }

    /// Returns the metadata of a node; `nil` if it does not reply.
    private nonisolated(nonsending) func metadata(of member: ClusterMember) async -> NodeMetadata? {
        guard let connection = try? await connect(to: member.address) else { return nil }
        let metadata = try? await connection.describe(deadline: .seconds(1))
        await connection.close()
        return metadata
    }
}
