#if os(Linux)
    import Glibc
    import NIOConcurrencyHelpers
    import SquallCluster

    /// Kills a random node every five seconds, and pauses a node or cuts it off in between.
    struct FaultSchedule: Sendable {
        enum Fault: String, CaseIterable, Sendable {
            case killedLeader = "leader killed"
            case killedFollower = "follower killed"
            case pausedLeader = "leader paused"
            case pausedFollower = "follower paused"
            case cutFromNodes = "leader cut off from the nodes"
            case cutFromAll = "leader cut off from nodes and clients"
        }

        static let period = Duration.seconds(5)

        let nodes: FaultNodes
        let counts = NIOLockedValueBox<[Fault: Int]>([:])

        var total: Int { counts.withLockedValue { $0.values.reduce(0, +) } }

        /// Runs until a time. No node is down, paused or cut off afterwards.
        func run(until end: ContinuousClock.Instant) async throws {
            var start = ContinuousClock.now + .seconds(1)
            var round = 0
            while start + Self.period <= end {
                try await Task.sleep(until: start)
                try await kill()
                try await Task.sleep(until: start + .milliseconds(2_500))
                try await interrupt(round)
                round += 1
                start += Self.period
            }
        }

        private func kill() async throws {
            let leader = try await nodes.leader()
            let index = nodes.addresses.indices.randomElement() ?? 0
            note(index == leader ? .killedLeader : .killedFollower)
            try await nodes.kill(index)
            try await Task.sleep(for: .seconds(1))
            try await nodes.start(index)
        }

        /// Interrupts a node for up to 1.5 s, the leader in three rounds of four.
        private func interrupt(_ round: Int) async throws {
            guard let leader = try await nodes.leader() else { throw LaneError("there is no leader") }
            switch round % 4 {
            case 0: try await pause(leader, .pausedLeader, for: .milliseconds(1_500))
            case 1: try await cut(leader, off: .nodes, .cutFromNodes)
            case 2: try await pause((leader + 1) % nodes.addresses.count, .pausedFollower, for: .milliseconds(500))
            default: try await cut(leader, off: .nodesAndClients, .cutFromAll)
            }
        }

        private func pause(_ index: Int, _ fault: Fault, for duration: Duration) async throws {
            note(fault)
            nodes.send(SIGSTOP, to: index)
            try await Task.sleep(for: duration)
            nodes.send(SIGCONT, to: index)
        }

        private func cut(_ index: Int, off cut: Network.Cut, _ fault: Fault) async throws {
            guard nodes.network.hasNamespaces else {
                return try await pause(index, .pausedLeader, for: .milliseconds(700))
            }
            note(fault)
            try await nodes.network.cut(index, off: cut)
            try await Task.sleep(for: .milliseconds(1_500))
            try await nodes.network.heal(index, cut)
        }

        private func note(_ fault: Fault) {
            counts.withLockedValue { $0[fault, default: 0] += 1 }
        }
    }
#endif
