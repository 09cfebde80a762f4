#if os(Linux)
    import Logging
    import ServiceLifecycle

    /// A node as a service: it starts, joins its cluster, and at the graceful shutdown hands the leadership over and stops.
    ///
    ///     let node = NodeService(id: 2, address: "10.0.0.2:9001", directory: "/var/lib/app", joining: ["10.0.0.1:9001"])
    ///     let group = ServiceGroup(services: [node, server], gracefulShutdownSignals: [.sigterm], logger: logger)
    ///     try await group.run()
    ///
    /// It records gauges of swift-metrics with the dimension `node`, its identifier: `squall.node.replies` and
    /// `squall.node.leads`, which are 1 or 0, `squall.node.members`, and `squall.node.directory.bytes`.
    public struct NodeService: Service {
        public let id: UInt64
        public let address: String
        public let directory: String
        /// The addresses of nodes of the cluster to join; empty for the first node.
        public let addresses: [String]
        public let role: NodeRole
        public let settings: NodeSettings
        private let logger: Logger

        public init(
            id: UInt64, address: String, directory: String, joining addresses: [String] = [],
            role: NodeRole = .voter, settings: NodeSettings = NodeSettings(),
            logger: Logger = Logger(label: "squall.node")
        ) {
            self.id = id
            self.address = address
            self.directory = directory
            self.addresses = addresses
            self.role = role
            self.settings = settings
            self.logger = logger
        }

        public func run() async throws {
            let node = try await ClusterNode(
                id: id, address: address, directory: directory, settings: settings, logger: logger)
            do {
                try await cancelWhenGracefulShutdown {
                    if try await !isMember() { try await node.join(addresses, role: role) }
                    try await waitForShutdown()
                }
            } catch is CancellationError {
            } catch {
                try await node.stop()
                throw error
            }
            await handOver(node)
            try await node.stop()
        }

        private func waitForShutdown() async throws {
            guard let interval = settings.metricsInterval else { return try await gracefulShutdown() }
            let metrics = NodeMetrics(id: id, address: address, directory: directory)
            try await withThrowingTaskGroup { group in
                group.addTask { await metrics.record(every: interval) }
                defer { group.cancelAll() }
                try await gracefulShutdown()
            }
        }

        /// Whether the node was a member when it ran last, or has nothing to join.
        private func isMember() async throws -> Bool {
            if addresses.isEmpty { return true }
            return try await Self.members(knownTo: address).contains { $0.id == id }
        }

        /// Returns the members that the node knows.
        ///
        /// A node that starts on a busy machine may not answer for some seconds: it is asked again until the deadline.
        static func members(
            knownTo address: String, settings: ConnectionSettings = ConnectionSettings(),
            deadline: Duration = .seconds(30)
        ) async throws -> [ClusterMember] {
            let end = ContinuousClock.now + deadline
            while true {
                do {
                    let connection = try await NodeConnection.connect(to: address, settings: settings)
                    let members = try await connection.cluster()
                    await connection.close()
                    return members
                } catch let error as ClusterError {
                    guard ContinuousClock.now < end else { throw error }
                    try await Task.sleep(for: .milliseconds(50))
                }
            }
        }

        /// Hands the leadership over. A node that cannot, because it is alone, stops all the same.
        private func handOver(_ node: ClusterNode) async {
            do {
                // The task may have been cancelled, but requests must still be made.
                _ = try await Task { try await node.handOver() }.value
            } catch {
                logger.notice("the leadership was not handed over", metadata: ["reason": "\(error)"])
            }
        }
    }
#endif
