#if os(Linux)
    import Foundation
    import Glibc
    import NIOConcurrencyHelpers
    import NodeProcesses
    import SquallCluster

    /// Processes of `squall-node serve`, which can be killed, paused and cut off.
    final class FaultNodes: Sendable {
        let network: Network
        let directory: URL
        private let processes: NIOLockedValueBox<[ChildProcess?]>

        /// Runs a closure with a cluster of voters that has a leader.
        static func with<Value: Sendable>(
            _ count: Int, _ body: @Sendable (FaultNodes) async throws -> Value
        ) async throws -> Value {
            let directory = FileManager.default.temporaryDirectory.appendingPathComponent("faults-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: directory) }
            let nodes = FaultNodes(count, in: directory, await Network.make(count, in: directory))
            let result: Result<Value, any Error>
            do {
                for index in 0..<count { try await nodes.start(index) }
                try await nodes.waitForAll()
                result = .success(try await body(nodes))
            } catch {
                result = .failure(error)
            }
            for index in 0..<count { try? await nodes.kill(index) }
            await nodes.network.remove()
            return try result.get()
        }

        private init(_ count: Int, in directory: URL, _ network: Network) {
            self.directory = directory
            self.network = network
            processes = NIOLockedValueBox(Array(repeating: nil, count: count))
        }

        var addresses: [String] { network.addresses }

        /// Starts a node, again if it has ended.
        func start(_ index: Int) async throws {
            let path = directory.appendingPathComponent("\(index + 1)")
            try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
            let process = try await ChildProcess(
                network.prefix(index) + [Self.tool, "serve", "--id", "\(index + 1)", "--address", addresses[index]]
                    + ["--directory", path.path, "--latency", "5"] + (index == 0 ? [] : ["--join", addresses[0]]),
                in: directory)
            processes.withLockedValue { $0[index] = process }
        }

        /// Ends a node with SIGKILL.
        func kill(_ index: Int) async throws {
            guard let process = processes.withLockedValue({ $0[index] }) else { return }
            process.send(SIGKILL)
            _ = try await process.wait()
            processes.withLockedValue { $0[index] = nil }
        }

        /// Stops or continues a node, without its notice.
        func send(_ signal: Int32, to index: Int) {
            processes.withLockedValue { $0[index] }?.send(signal)
        }

        /// Returns the index of the leader.
        func leader() async throws -> Int? {
            let leader = try await administration().status().leader
            return addresses.firstIndex { $0 == leader?.address }
        }

        /// Waits until all nodes vote and reply.
        func waitForAll() async throws {
            let end = ContinuousClock.now + .seconds(30)
            while true {
                let members = try await administration().status().members
                if members.count(where: { $0.member.role == .voter && $0.isReachable }) == addresses.count { return }
                guard ContinuousClock.now < end else { throw LaneError("nodes are missing: \(printed)") }
                try await Task.sleep(for: .milliseconds(50))
            }
        }

        /// The last lines that each node has printed.
        private var printed: String {
            processes.withLockedValue(\.self).map { process in
                let lines = (try? process?.printedErrors())?.split(separator: "\n").suffix(10) ?? ["it does not run"]
                return "\n" + lines.joined(separator: "\n")
            }
            .joined(separator: "\n")
        }

        func administration() throws -> ClusterAdministration {
            try ClusterAdministration(addresses: addresses, deadline: .seconds(20))
        }

        func client(_ change: (inout ClusterSettings) -> Void = { _ in }) async throws -> Cluster {
            var settings = ClusterSettings()
            settings.deadline = .seconds(20)
            settings.logger.logLevel = .warning
            change(&settings)
            return try await Cluster(nodes: addresses, database: "app", settings: settings)
        }

        /// The path of `squall-node`, which was built beside this program.
        private static let tool: String = {
            let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
            return URL(filePath: path).deletingLastPathComponent().appendingPathComponent("squall-node").path
        }()
    }

    /// An error of the lane itself.
    struct LaneError: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) {
            self.description = description
        }
    }
#endif
