#if os(Linux)
    import Foundation
    import Glibc
    import NIOConcurrencyHelpers
    import NodeProcesses
    import SquallCluster

    /// Three processes of `squall-node serve` on loopback.
    final class BenchmarkNodes: Sendable {
        let addresses: [String]
        private let directory: URL
        private let processes = NIOLockedValueBox<[ChildProcess?]>([nil, nil, nil])

        private init() {
            let port = Int.random(in: 10_000..<30_000)
            addresses = (0..<3).map { "127.0.0.1:\(port + $0)" }
            directory = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString)")
        }

        static func with(_ body: @Sendable (BenchmarkNodes) async throws -> Void) async throws {
            let nodes = BenchmarkNodes()
            defer { try? FileManager.default.removeItem(at: nodes.directory) }
            for index in 0..<3 { try await nodes.start(index) }
            try await nodes.waitForAll()
            try await body(nodes)
            for index in 0..<3 { try await nodes.kill(index) }
        }

        func start(_ index: Int) async throws {
            let path = directory.appendingPathComponent("\(index + 1)")
            try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
            let tool = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
                .appendingPathComponent("squall-node").path
            let process = try await ChildProcess(
                [tool, "serve", "--id", "\(index + 1)", "--address", addresses[index], "--directory", path.path]
                    + ["--latency", "5"] + (index == 0 ? [] : ["--join", addresses[0]]),
                in: directory)
            processes.withLockedValue { $0[index] = process }
        }

        func kill(_ index: Int) async throws {
            guard let process = processes.withLockedValue({ $0[index] }) else { return }
            process.send(SIGKILL)
            _ = try await process.wait()
        }

        func index(of address: String) -> Int { addresses.firstIndex(of: address) ?? 0 }

        /// Waits until all nodes vote and answer.
        func waitForAll() async throws {
            let administration = try ClusterAdministration(addresses: addresses, deadline: .seconds(30))
            while true {
                let status = try await administration.status()
                let ready = status.members.filter { $0.member.role == .voter && $0.isReachable }
                if ready.count == 3, status.leader != nil { return }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }
#endif
