#if os(Linux)
    import NIOConcurrencyHelpers
    import Squall
    import SquallCluster

    /// Clients that write and read one register, each over connections of its own.
    struct RegisterClients: Sendable {
        let nodes: FaultNodes
        let ledger: Ledger
        let history = RegisterHistory()
        private let next = NIOLockedValueBox(0)

        init(_ nodes: FaultNodes, _ ledger: Ledger) {
            self.nodes = nodes
            self.ledger = ledger
        }

        /// Runs clients until the task is cancelled.
        func run(_ count: Int) async throws {
            try await withThrowingTaskGroup { group in
                for client in 0..<count {
                    let cluster = try await nodes.client()
                    group.addTask {
                        await use(cluster, client)
                        await cluster.close()
                    }
                }
                try await group.waitForAll()
            }
        }

        private func use(_ cluster: Cluster, _ client: Int) async {
            var last = 0
            while !Task.isCancelled {
                switch Int.random(in: 0..<4) {
                case 0: await write(cluster, client)
                case 1: last = await exchange(cluster, client, expected: last) ?? last
                default: last = await read(cluster, client) ?? last
                }
            }
        }

        private func write(_ cluster: Cluster, _ client: Int) async {
            let (value, call) = (newValue(), history.now)
            do {
                try await cluster.write { _ = try await $0.run("UPDATE register SET value = \(value)") }
                history.returned(client, .write(value), since: call)
                ledger.note(nil)
            } catch {
                note(error, client, .write(value), call)
            }
        }

        private func exchange(_ cluster: Cluster, _ client: Int, expected: Int) async -> Int? {
            let (value, call) = (newValue(), history.now)
            do {
                let found = try await cluster.write { connection in
                    let found: Int = try await connection.query("SELECT value FROM register")
                    if found == expected { try await connection.run("UPDATE register SET value = \(value)") }
                    return found
                }
                history.returned(client, .exchange(expected: expected, new: value, found: found), since: call)
                ledger.note(nil)
                return found == expected ? value : found
            } catch {
                note(error, client, .exchange(expected: expected, new: value, found: nil), call)
                return nil
            }
        }

        private func read(_ cluster: Cluster, _ client: Int) async -> Int? {
            let call = history.now
            do {
                let value: Int = try await cluster.read(.linearizable) {
                    try await $0.query("SELECT value FROM register")
                }
                history.returned(client, .read(value), since: call)
                ledger.noteLinearizableRead()
                return value
            } catch {
                ledger.noteReadError(error)
                return nil
            }
        }

        /// Notes a write that was not acknowledged. Only one of unknown outcome may have taken effect.
        private func note(_ error: any Error, _ client: Int, _ action: RegisterOperation.Action, _ call: Duration) {
            ledger.note(error)
            if Ledger.outcome(error) == .unknown { history.lost(client, action, since: call) }
        }

        private func newValue() -> Int {
            next.withLockedValue { value in
                value += 1
                return value
            }
        }
    }
#endif
