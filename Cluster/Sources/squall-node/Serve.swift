#if os(Linux)
    import ArgumentParser
    import Logging
    import ServiceLifecycle
    import SquallCluster

    struct Serve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Runs a node until SIGTERM or SIGINT.",
            discussion: """
                The node with the identifier 1 is a cluster of its own when its directory is empty. Others join a cluster \
                with --join; a node that is a member already does not join again. At SIGTERM and SIGINT a leader hands the \
                leadership over first. Run the node under a supervisor that starts it again when it ends, such as systemd \
                with Restart=always: libdqlite ends the process when one of its assertions fails. With \
                SWIFT_BACKTRACE=enable=no in its environment the process then ends at once, and not some seconds later.
                """)

        @OptionGroup var node: NodeOptions

        @Option(help: "The directory of the node's files. It is created if only the last part of the path is missing.")
        var directory: String

        @Option(name: .customLong("join"), parsing: .upToNextOption, help: "The addresses of nodes to join.")
        var addresses: [String] = []

        @Flag(exclusivity: .exclusive, help: "The role that the node takes when it joins.")
        var role = RoleFlag.voter

        @Option(help: "A number shared by the nodes that fail together, for instance those of one rack.")
        var failureDomain: UInt64?

        @Option(help: "The address, host:port, to listen on, if it is not the address of the node.")
        var bind: String?

        @Option(help: "The milliseconds that a message takes one way; elections wait for a multiple of it.")
        var latency: UInt32?

        @Option(help: "The least level of messages on standard error: trace, debug, info, notice, warning, error.")
        var logLevel = Logger.Level.info

        func validate() throws {
            for address in addresses { try Addresses.check(address) }
            if let bind { try Addresses.check(bind) }
            if node.id == 1, !addresses.isEmpty {
                throw ValidationError("Node 1 is the first of its cluster and does not join another.")
            }
            if let latency, !(1...3_600_000 ~= latency) {
                throw ValidationError("The latency is not from 1 to 3600000.")
            }
        }

        func run() async throws {
            LoggingSystem.bootstrap(StreamLogHandler.standardError(label:))
            var logger = Logger(label: "squall.node")
            logger.logLevel = logLevel
            var settings = NodeSettings()
            settings.bindAddress = bind
            settings.networkLatency = latency
            settings.failureDomain = failureDomain
            let service = NodeService(
                id: node.id, address: node.address, directory: directory, joining: addresses, role: role.role,
                settings: settings, logger: logger)
            try await Failure.report { try NodeDirectory.create(directory) }
            let group = ServiceGroup(
                configuration: .init(
                    services: [.init(service: service, successTerminationBehavior: .gracefullyShutdownGroup)],
                    gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
            try await Failure.report { try await group.run() }
        }
    }

    struct Recover: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a stopped node a new cluster, when the majority of its cluster is lost for ever.",
            discussion: """
                Writes that the lost nodes had acknowledged, but this node had not received, are lost. No other node of the \
                old cluster may run then or later; empty their directories and let them join.
                """)

        @OptionGroup var node: NodeOptions

        @Option(help: "The directory of the node's files.")
        var directory: String

        func run() async throws {
            LoggingSystem.bootstrap(StreamLogHandler.standardError(label:))
            try await Failure.report {
                try await ClusterNode.recover(id: node.id, address: node.address, directory: directory)
            }
        }
    }
#endif
