import Foundation
import NIOCore
import NIOPosix
import Squall
import Testing

@testable import SquallCluster

/// Nodes in this process on loopback, for one test.
struct TestCluster {
    let nodes: [ClusterNode]
    let directory: URL

    /// Runs a closure with a cluster of voters.
    static func with(
        _ count: Int = 1, relay: CommitRelay? = nil, _ body: (TestCluster) async throws -> Void
    ) async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("cluster-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        var nodes: [ClusterNode] = []
        for id in 1...count { nodes.append(try await node(UInt64(id), in: directory, relay: relay)) }
        let cluster = TestCluster(nodes: nodes, directory: directory)
        let result: Result<Void, any Error>
        do {
            try await cluster.join()
            result = .success(try await body(cluster))
        } catch {
            result = .failure(error)
        }
        for node in nodes { try await node.stop() }
        try result.get()
    }

    /// Starts a node on a free port.
    ///
    /// - Parameter relay: A relay in front of the node, at its address.
    static func node(_ id: UInt64, in directory: URL, relay: CommitRelay? = nil) async throws -> ClusterNode {
        let path = directory.appendingPathComponent("\(id)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        var settings = NodeSettings()
        settings.networkLatency = 5
        while true {
            var address = "127.0.0.1:\(try await freePort())"
            if let relay {
                settings.bindAddress = address
                relay.node.withLockedValue { [address] in $0 = address }
                address = relay.address
            }
            do {
                return try await ClusterNode(id: id, address: address, directory: path, settings: settings)
            } catch let error as ClusterNodeError where error.operation == .bind {
                // Another test has taken the port.
                continue
            }
        }
    }

    private static func freePort() async throws -> Int {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(server.localAddress?.port)
        try await server.close().get()
        return port
    }

    private func join() async throws {
        let leader = try await NodeConnection.connect(to: nodes[0].address)
        while try await leader.leader() == nil { await Task.yield() }
        for node in nodes.dropFirst() {
            try await leader.add(NodeInfo(id: node.id, address: node.address))
            try await leader.assign(.voter, to: node.id)
        }
        await leader.close()
    }

    /// Connects to the leader by the addresses of all nodes.
    func client(_ change: (inout ClusterSettings) -> Void = { _ in }) async throws -> Cluster {
        var settings = ClusterSettings()
        change(&settings)
        return try await Cluster(nodes: nodes.map(\.address), database: "app", settings: settings)
    }

    /// Connects to the first node, which is the leader of a new cluster.
    func connect(_ change: (inout ConnectionSettings) -> Void = { _ in }) async throws -> NodeConnection {
        var settings = ConnectionSettings()
        change(&settings)
        let connection = try await NodeConnection.connect(to: nodes[0].address, settings: settings)
        try await connection.open("app")
        return connection
    }
}
