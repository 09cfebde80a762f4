#if os(Linux)
    import NIOConcurrencyHelpers
    import SquallCluster

    /// Tasks that write numbers, each over another connection to the leader.
    final class Load: Sendable {
        private struct State {
            var next: Int64 = 0
            var acknowledged: Set<Int64> = []
            var failed = 0
            var atLastSecond = 0
            var leader: UInt64?
            var killed: ContinuousClock.Instant?
            var failover: Duration?
        }

        private let cluster: ClusterAdministration
        private let state = NIOLockedValueBox(State())

        init(_ cluster: ClusterAdministration) {
            self.cluster = cluster
        }

        var acknowledged: Set<Int64> { state.withLockedValue(\.acknowledged) }

        var leader: UInt64? { state.withLockedValue(\.leader) }

        /// The time from the kill to the next acknowledged write that began after it.
        var failover: Duration? { state.withLockedValue(\.failover) }

        /// Returns the writes of the last second and of all.
        func takeCounts() -> (second: Int, acknowledged: Int, failed: Int) {
            state.withLockedValue { state in
                defer { state.atLastSecond = state.acknowledged.count }
                let count = state.acknowledged.count
                return (count - state.atLastSecond, count, state.failed)
            }
        }

        func noteKill() {
            state.withLockedValue { state in
                state.killed = .now
                state.leader = nil
            }
        }

        /// Waits until all nodes vote, and makes the table.
        func prepare(voters: Int) async throws {
            let end = ContinuousClock.now + .seconds(20)
            while try await cluster.status().members.filter({ $0.member.role == .voter }).count < voters {
                guard ContinuousClock.now < end else { throw CancellationError() }
                try await Task.sleep(for: .milliseconds(20))
            }
            let connection = try await connect()
            try await connection.execute("CREATE TABLE numbers(n INTEGER PRIMARY KEY)")
            await connection.close()
        }

        /// Writes until the task is cancelled.
        func run(tasks: Int) async {
            await withTaskGroup { group in
                for _ in 0..<tasks { group.addTask { await self.write() } }
            }
        }

        /// Returns the numbers that the cluster has.
        func found() async throws -> Set<Int64> {
            let connection = try await connect()
            let rows = try await connection.query("SELECT n FROM numbers").all()
            await connection.close()
            return Set(rows.compactMap { row in if case .integer(let number) = row[0] { number } else { nil } })
        }

        private func write() async {
            var connection: NodeConnection?
            while !Task.isCancelled {
                let number = state.withLockedValue { state in
                    state.next += 1
                    return state.next
                }
                let start = ContinuousClock.now
                do {
                    let current = if let connection { connection } else { try await connect() }
                    connection = current
                    try await current.execute(
                        "INSERT INTO numbers VALUES(?)", [.integer(number)], deadline: .seconds(1))
                    note(number, start)
                } catch {
                    await connection?.close()
                    connection = nil
                    if isBusy(error) { continue }
                    state.withLockedValue { $0.failed += 1 }
                }
            }
            await connection?.close()
        }

        private func note(_ number: Int64, _ start: ContinuousClock.Instant) {
            state.withLockedValue { state in
                state.acknowledged.insert(number)
                guard state.failover == nil, let killed = state.killed, start > killed else { return }
                state.failover = .now - killed
            }
        }

        /// Whether another task was writing.
        private func isBusy(_ error: any Error) -> Bool {
            if case ClusterError.refused(let failure) = error { failure.kind == .busy } else { false }
        }

        private func connect() async throws -> NodeConnection {
            let connection = try await cluster.connectToLeader()
            try await connection.open("demo")
            let leader = try await connection.leader()
            state.withLockedValue { $0.leader = leader?.id }
            return connection
        }
    }
#endif
