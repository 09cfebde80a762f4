#if os(Linux)
    import Foundation
    import Glibc
    import NodeProcesses

    /// The network of the nodes: a namespace for each, joined by a bridge; or loopback, where namespaces are not permitted.
    final class Network: Sendable {
        /// The processes that a node is cut off from.
        enum Cut: Hashable, Sendable {
            /// The other nodes. Clients still reach it.
            case nodes
            case nodesAndClients
        }

        let addresses: [String]
        let hasNamespaces: Bool
        private let directory: URL
        /// A prefix of the names of interfaces, which are at most 15 bytes long.
        private let name = "sq\(getpid())"
        private let subnet = "10.\(Int.random(in: 128..<250)).\(Int.random(in: 1..<250))"

        /// Makes the network of a number of nodes.
        static func make(_ count: Int, in directory: URL) async -> Network {
            let network = Network(count, hasNamespaces: true, in: directory)
            do {
                try await network.setUp(count)
                return network
            } catch {
                await network.remove()
                say("no namespaces, so that nodes are paused and not cut off: \(error)")
                return Network(count, hasNamespaces: false, in: directory)
            }
        }

        private init(_ count: Int, hasNamespaces: Bool, in directory: URL) {
            self.directory = directory
            self.hasNamespaces = hasNamespaces
            // A port that the system does not give to outgoing connections.
            let port = Int.random(in: 10_000..<30_000)
            addresses = (0..<count).map { [subnet] index in
                hasNamespaces ? "\(subnet).\(index + 1):9001" : "127.0.0.1:\(port + index)"
            }
        }

        /// The words before a command that is to run in the namespace of a node.
        func prefix(_ index: Int) -> [String] {
            hasNamespaces ? ["ip", "netns", "exec", namespace(index)] : []
        }

        func cut(_ index: Int, off cut: Cut) async throws { try await change(index, cut, "add", "down") }

        func heal(_ index: Int, _ cut: Cut) async throws { try await change(index, cut, "del", "up") }

        func remove() async {
            guard hasNamespaces else { return }
            for index in addresses.indices { try? await ip("netns", "del", namespace(index)) }
            try? await ip("link", "del", name)
        }

        private func change(_ index: Int, _ cut: Cut, _ verb: String, _ state: String) async throws {
            guard cut == .nodes else { return try await ip("link", "set", port(index), state) }
            for other in addresses.indices where other != index {
                for (here, there) in [(index, other), (other, index)] {
                    try await ip("-n", namespace(here), "route", verb, "blackhole", "\(subnet).\(there + 1)/32")
                }
            }
        }

        private func setUp(_ count: Int) async throws {
            try await ip("link", "add", name, "type", "bridge")
            try await ip("addr", "add", "\(subnet).254/24", "dev", name)
            try await ip("link", "set", name, "up")
            for index in 0..<count {
                let namespace = namespace(index)
                try await ip("netns", "add", namespace)
                try await ip(
                    "link", "add", port(index), "type", "veth", "peer", "name", "eth0", "netns", namespace)
                try await ip("link", "set", port(index), "master", name, "up")
                try await ip("-n", namespace, "addr", "add", "\(subnet).\(index + 1)/24", "dev", "eth0")
                try await ip("-n", namespace, "link", "set", "eth0", "up")
                // A node reaches its own address by it.
                try await ip("-n", namespace, "link", "set", "lo", "up")
            }
        }

        private func namespace(_ index: Int) -> String { "\(name)-\(index + 1)" }

        private func port(_ index: Int) -> String { "\(name)v\(index + 1)" }

        private func ip(_ arguments: String...) async throws {
            try await ChildProcess.run(["ip"] + arguments, in: directory)
        }
    }
#endif
