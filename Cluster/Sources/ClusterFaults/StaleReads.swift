#if os(Linux)
    import Glibc
    import NIOConcurrencyHelpers
    import Squall
    import SquallCluster

    /// A measurement of how long an old leader answers reads without the writes of its successor.
    ///
    /// A connection reads from the leader, as `read(.leader)` does. Connections to the other nodes write as soon as one of
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
            let others = try await connectToOthers(than: leader)
            let new = Int.random(in: 1_000_000..<(.max))
            let result =
                switch fault {
                case .cutOff: try await cutOff(leader, connection, others, new)
                case .paused: try await pause(leader, connection, others, new)
                }
            for connection in others + [connection] { await connection.close() }
            try await nodes.waitForAll()
            return result
        }

        private func cutOff(
            _ leader: Int, _ connection: NodeConnection, _ others: [NodeConnection], _ new: Int
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
            _ leader: Int, _ connection: NodeConnection, _ others: [NodeConnection], _ new: Int
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

        private func connectToOthers(than leader: Int) async throws -> [NodeConnection] {
            var others: [NodeConnection] = []
            for (index, address) in nodes.addresses.enumerated() where index != leader {
                let connection = try await NodeConnection.connect(to: address)
                try await connection.open("app")
                others.append(connection)
            }
            return others
        }

        /// Writes on the first node that leads after the fault. A node that does not lead refuses at once.
        private func write(_ value: Int, on others: [NodeConnection]) async throws -> ContinuousClock.Instant {
            let end = ContinuousClock.now + .seconds(10)
            while ContinuousClock.now < end {
                for connection in others {
                    let sql = "UPDATE register SET value = ?"
                    let result = try? await connection.execute(sql, [.integer(Int64(value))], deadline: .seconds(5))
                    if result != nil { return .now }
                }
            }
            throw LaneError("no other node leads")
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
