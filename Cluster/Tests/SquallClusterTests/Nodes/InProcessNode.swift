import Foundation

@testable import SquallCluster

/// Nodes in the process of the tests.
enum InProcessNode {
    /// Runs a closure with the directory of nodes, which is removed afterwards.
    static func withDirectory(_ body: (URL) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("node-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        try await body(directory)
    }

    /// Starts a node on a free port.
    static func start(_ id: UInt64 = 1, in directory: URL) async throws -> ClusterNode {
        let path = directory.appendingPathComponent("\(id)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        var settings = NodeSettings()
        // An election after 450 ms without a word of the leader, which is more than a busy machine is late.
        settings.networkLatency = 30
        while true {
            let address = "127.0.0.1:\(try await TestNodes.freePort())"
            do {
                return try await ClusterNode(id: id, address: address, directory: path, settings: settings)
            } catch let error as ClusterNodeError where error.operation == .bind {
                // Another test has taken the port.
                continue
            }
        }
    }
}
