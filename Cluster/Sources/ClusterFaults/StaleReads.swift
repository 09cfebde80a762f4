#if os(Linux)
    import Glibc
    import NIOConcurrencyHelpers
    import Squall
    import SquallCluster

    /// A measurement of how long an old leader answers reads without the writes of its successor.
    ///
    /// A connection reads from the leader, as `read(.leader)` does. A client of the other nodes writes as soon as one of
    /// them leads. A read is old if it began after that write was acknowledged and does not have it.
    struct StaleReads {
        enum Fault: String, CaseIterable {
            /// The leader is cut off from the other nodes, and the client still reaches it.
            case cutOff = "a leader cut off from the nodes"
            /// The leader is paused until its successor has acknowledged the write.
            case paused = "a leader paused and resumed"
        }

        struct Result {
            /// The number of old reads.
            var old = 0
            /// The time from the write to the end of the last old read.
            var age = Duration.zero
            /// The time from the beginning of the fault to the acknowledgement of the write.
            var succession = Duration.zero
            /// The time from the beginning of the fault, or its end for a pause, to the last answer.
            var lastAnswer = Duration.zero
        }

        private struct Read {
            let call: ContinuousClock.Instant
            let end: ContinuousClock.Instant
            let value: Int
        }

        let nodes: FaultNodes

        func measure(_ fault: Fault) async throws -> Result {
            guard let leader = try await nodes.leader() else { throw LaneError("there is no leader") }
            let connection = try await NodeConnection.connect(to: nodes.addresses[leader])
            try await connection.open("app")
            _ = try await value(on: connection)
            let others = try await Cluster(
                nodes: nodes.addresses.enumerated().filter { $0.offset != leader }.map(\.element), database: "app")
            let new = Int.random(in: 1_000_000..<(.max))
            let result =
                switch fault {
                case .cutOff: try await cutOff(leader, connection, others, new)
                case .paused: try await pause(leader, connection, others, new)
                }
            await connection.close()
            await others.close()
            try await nodes.waitForAll()
            return result
        }

        private func cutOff(
            _ leader: Int, _ connection: NodeConnection, _ others: Cluster, _ new: Int
        ) async throws -> Result {
            try await nodes.network.cut(leader, off: .nodes)
            let start = ContinuousClock.now
            async let reads = reads(on: connection, until: new)
            let written = try await write(new, on: others)
            let result = Self.result(await reads, new, from: start, start: start, written: written)
            try await nodes.network.heal(leader, .nodes)
            return result
        }

        private func pause(
            _ leader: Int, _ connection: NodeConnection, _ others: Cluster, _ new: Int
        ) async throws -> Result {
            nodes.send(SIGSTOP, to: leader)
            let start = ContinuousClock.now
            let written = try await write(new, on: others)
            async let reads = reads(on: connection, until: new)
            // The first read is in the socket of the leader before it goes on.
            try await Task.sleep(for: .milliseconds(50))
            nodes.send(SIGCONT, to: leader)
            let resumed = ContinuousClock.now
            return Self.result(await reads, new, from: resumed, start: start, written: written)
        }

        private static func result(
            _ reads: [Read], _ new: Int, from: ContinuousClock.Instant, start: ContinuousClock.Instant,
            written: ContinuousClock.Instant
        ) -> Result {
            let old = reads.filter { $0.call > written && $0.value != new }
            return Result(
                old: old.count, age: old.last.map { $0.end - written } ?? .zero, succession: written - start,
                lastAnswer: reads.last.map { $0.end - from } ?? .zero)
        }

        /// Writes on a node that leads after the fault.
        private func write(_ value: Int, on others: Cluster) async throws -> ContinuousClock.Instant {
            while true {
                do {
                    // A leader that was found before the fault would take the call to the end of its deadline.
                    try await others.write(idempotencyKey: "stale \(value)", deadline: .seconds(10)) { session in
                        try await session.run("UPDATE register SET value = \(value)").changes
                    }
                    return .now
                } catch ClusterError.commitOutcomeUnknown {
                    continue
                }
            }
        }

        /// Reads until the leader refuses, or has the value.
        private func reads(on connection: NodeConnection, until new: Int) async -> [Read] {
            var reads: [Read] = []
            while true {
                let call = ContinuousClock.now
                guard let value = try? await value(on: connection) else { return reads }
                reads.append(Read(call: call, end: .now, value: value))
                if value == new { return reads }
            }
        }

        private func value(on connection: NodeConnection) async throws -> Int? {
            let rows = try await connection.query("SELECT value FROM register", deadline: .seconds(10)).all()
            guard case .integer(let value)? = rows.first?.first else { return nil }
            return Int(value)
        }
    }
#endif
