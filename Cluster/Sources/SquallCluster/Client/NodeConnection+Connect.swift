import NIOCore
import NIOPosix
import NIOSSL

extension NodeConnection {
    /// Connects to a node.
    ///
    /// - Parameter address: The host and port, as in `10.0.0.1:9001`.
    public nonisolated(nonsending) static func connect(
        to address: String, settings: ConnectionSettings = ConnectionSettings()
    ) async throws -> NodeConnection {
        guard let parsed = NodeAddress(address) else { throw ClusterError.invalidAddress(address) }
        let start = ContinuousClock.now
        let connection = try await open(parsed, settings: settings)
        do {
            try Task.checkCancellation()
            let rest = settings.connectDeadline - (ContinuousClock.now - start)
            // The node replies at once, even if it is not the leader.
            _ = try await connection.send(.client(id: 0), deadline: max(rest, .zero)) { try $0.welcome() }
            return connection
        } catch {
            await connection.close()
            guard let error = error as? ClusterError else { throw error }
            throw ClusterError.cannotConnect(address: address, reason: "\(error.withoutEffect)")
        }
    }

    private nonisolated(nonsending) static func open(
        _ address: NodeAddress, settings: ConnectionSettings
    ) async throws -> NodeConnection {
        do {
            let tls = try settings.tls.map { try NIOSSLContext(configuration: $0) }
            let machineSettings = RequestMachine<Waiter>.Settings(
                statementCapacity: settings.statementCacheCapacity, drainLimit: settings.drainLimit)
            let channel = try await ClientBootstrap(group: settings.eventLoopGroup)
                .connectTimeout(TimeAmount(settings.connectDeadline))
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        if let tls { try channel.pipeline.syncOperations.addHandler(address.tlsHandler(tls)) }
                        let handler = ConnectionHandler(
                            settings: machineSettings, messageLimit: settings.maximumMessageSize)
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                }
                .connect(host: address.host, port: address.port).get()
            let handler = try await channel.eventLoop.submit {
                NIOLoopBound(
                    try channel.pipeline.syncOperations.handler(type: ConnectionHandler.self),
                    eventLoop: channel.eventLoop)
            }.get()
            return NodeConnection(address: address, settings: settings, channel: channel, handler: handler)
        } catch {
            throw ClusterError.cannotConnect(address: "\(address)", reason: "\(error)")
        }
    }
}

extension NodeAddress {
    /// Makes the handler of TLS. The name of the host is verified, unless it is an IP address, which has none.
    fileprivate func tlsHandler(_ context: NIOSSLContext) throws -> NIOSSLClientHandler {
        let isIPAddress = (try? SocketAddress(ipAddress: host, port: port)) != nil
        return try NIOSSLClientHandler(context: context, serverHostname: isIPAddress ? nil : host)
    }
}
