import Foundation
import Glibc
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import NodeProcesses
import Squall
import Testing

@testable import SquallCluster

/// A cluster of processes of `squall-node serve` on loopback, for one test.
final class TestNodes: Sendable {
    struct Node: Sendable {
        let id: UInt64
        let address: String
        let directory: URL
        /// Options of `serve` besides those of every node.
        var options: [String]
    }

    /// The directory of the directories of the nodes.
    let directory: URL
    /// The `--latency` of the nodes.
    private let latency: Int
    private let state = NIOLockedValueBox<(nodes: [Node], processes: [ChildProcess?])>(([], []))

    private init(latency: Int) throws {
        self.latency = latency
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("nodes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    /// Runs a closure with a cluster of voters that has a leader.
    ///
    /// - Parameters:
    ///   - relay: A relay in front of the first node, at its address.
    ///   - latency: A fifteenth of the milliseconds without a word of the leader after which there is an election. By
    ///     default, they are more than a busy machine is late.
    static func with(
        _ count: Int = 1, relay: CommitRelay? = nil, latency: Int = 40, _ body: (TestNodes) async throws -> Void
    ) async throws {
        let cluster = try TestNodes(latency: latency)
        defer { try? FileManager.default.removeItem(at: cluster.directory) }
        let result: Result<Void, any Error>
        do {
            for index in 0..<count { try await cluster.add(relay: index == 0 ? relay : nil) }
            try await cluster.waitForVoters(count)
            result = .success(try await body(cluster))
        } catch {
            result = .failure(error)
        }
        await cluster.killAll()
        try result.get()
    }

    var nodes: [Node] { state.withLockedValue(\.nodes) }

    var addresses: [String] { nodes.map(\.address) }

    func process(_ index: Int) throws -> ChildProcess {
        try #require(state.withLockedValue { $0.processes[index] })
    }

    /// Starts a node, which joins the first unless it is the first. Returns its index.
    @discardableResult
    func add(_ options: [String] = [], relay: CommitRelay? = nil) async throws -> Int {
        let index = nodes.count
        let id = UInt64(index + 1)
        let path = directory.appendingPathComponent("\(id)")
        try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
        while true {
            let address = "127.0.0.1:\(try await Self.freePort())"
            relay?.node.withLockedValue { $0 = address }
            let binding = relay == nil ? [] : ["--bind", address]
            let joining = index == 0 ? [] : ["--join"] + addresses
            let node = Node(
                id: id, address: relay?.address ?? address, directory: path, options: binding + joining + options)
            let process = try await serve(node)
            if try await Self.isServing(node, process) {
                state.withLockedValue { state in
                    state.nodes.append(node)
                    state.processes.append(process)
                }
                return index
            }
            // Another test has taken the port.
        }
    }

    private func serve(_ node: Node) async throws -> ChildProcess {
        let fixed = ["--id", "\(node.id)", "--address", node.address, "--directory", node.directory.path]
        // With a limit for the size of files, a write then fails as on a full disk, and no signal ends the node.
        let ignoring = ["sh", "-c", #"trap '' XFSZ; exec "$0" "$@""#, Self.toolPath]
        return try await ChildProcess(
            ignoring + ["serve"] + fixed + ["--latency", "\(latency)"] + node.options, in: directory)
    }

    /// Waits until the node accepts connections; returns `false` if its port was taken.
    private static func isServing(_ node: Node, _ process: ChildProcess) async throws -> Bool {
        let limit = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < limit {
            let printed = try process.printedErrors()
            if printed.contains("error:") { return false }
            if printed.contains("node started"), let connection = try? await NodeConnection.connect(to: node.address) {
                await connection.close()
                return true
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw TestFailure("node \(node.id) does not start: \(try process.printedErrors())")
    }

    // Faults.

    /// Ends a node with SIGKILL.
    func kill(_ index: Int) async throws {
        let process = try process(index)
        process.send(SIGKILL)
        _ = try await process.wait()
    }

    /// Ends a node with SIGTERM.
    func terminate(_ index: Int) async throws -> ChildProcess.End {
        let process = try process(index)
        process.send(SIGTERM)
        return try await process.wait()
    }

    /// Starts a node that has ended.
    ///
    /// - Parameter other: The index of a node whose cluster it joins, if it is not a member.
    func restart(_ index: Int, joining other: Int? = nil) async throws {
        var node = nodes[index]
        if let other { node.options = ["--join", nodes[other].address] }
        let process = try await serve(node)
        state.withLockedValue { $0.processes[index] = process }
        guard try await Self.isServing(node, process) else {
            throw TestFailure("node \(node.id) does not start: \(try process.printedErrors())")
        }
    }

    /// Halts a node, and waits until it has stopped: on a busy machine, it makes some more writes before.
    func pause(_ index: Int) async throws {
        let process = try process(index)
        process.send(SIGSTOP)
        while try !String(contentsOfFile: "/proc/\(process.id)/stat", encoding: .utf8).contains(") T ") {
            try? await Task.sleep(for: .milliseconds(1))
        }
    }

    func resume(_ index: Int) throws { try process(index).send(SIGCONT) }

    private func killAll() async {
        for process in state.withLockedValue(\.processes) {
            process?.send(SIGKILL)
            _ = try? await process?.wait()
        }
    }

    // Clients.

    func administration(_ deadline: Duration = .seconds(20)) throws -> ClusterAdministration {
        try ClusterAdministration(addresses: addresses, deadline: deadline)
    }

    /// Makes a client of the database "app" by the addresses of all nodes.
    func client(_ change: (inout ClusterSettings) -> Void = { _ in }) async throws -> Cluster {
        var settings = ClusterSettings()
        change(&settings)
        return try await Cluster(nodes: addresses, database: "app", settings: settings)
    }

    /// Connects to the leader and opens the database "app".
    func connect(_ change: (inout ConnectionSettings) -> Void = { _ in }) async throws -> NodeConnection {
        var settings = ConnectionSettings()
        change(&settings)
        let cluster = try ClusterAdministration(addresses: addresses, settings: settings, deadline: .seconds(20))
        let connection = try await cluster.connectToLeader()
        try await connection.open("app")
        return connection
    }

    /// Returns the index of the leader.
    func leader() async throws -> Int {
        let connection = try await administration().connectToLeader()
        let leader = try await connection.leader()
        await connection.close()
        return try #require(nodes.firstIndex { $0.id == leader?.id })
    }

    func waitForVoters(_ count: Int) async throws {
        try await eventually { cluster in
            try await cluster.members().members.filter { $0.role == .voter }.count == count
        }
    }

    /// Waits until the cluster is in a state.
    func eventually(
        _ location: SourceLocation = #_sourceLocation, _ condition: (ClusterAdministration) async throws -> Bool
    ) async throws {
        let limit = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < limit {
            if try await condition(try administration()) { return }
            // Each look connects to all nodes, which have an election to hold.
            try await Task.sleep(for: .milliseconds(10))
        }
        let members = try? await administration().members()
        let printed = try state.withLockedValue(\.processes).map { try $0?.printedErrors() ?? "" }
        throw TestFailure(
            "\(location): the cluster does not reach the state; members: \(members as Any); nodes: \(printed)")
    }

    // The tool.

    /// Runs a command of the tool to its end.
    func tool(_ arguments: String...) async throws -> (end: ChildProcess.End, output: String, errors: String) {
        let process = try await start(arguments)
        let end = try await process.wait()
        return (end, try process.printed(), try process.printedErrors())
    }

    /// Starts a command of the tool.
    func start(_ arguments: [String]) async throws -> ChildProcess {
        try await ChildProcess([Self.toolPath] + arguments, in: directory)
    }

    /// Returns the path of a program that was built beside the tests.
    static func program(_ name: String) -> String {
        let tests = CommandLine.arguments.first { $0.hasSuffix(".xctest") || $0.contains(".xctest/") }
        let bundle = URL(filePath: tests ?? CommandLine.arguments[0])
        return bundle.deletingLastPathComponent().appendingPathComponent(name).path
    }

    private static let toolPath = program("squall-node")

    /// Returns a port that nothing uses. A port of the system's range for outgoing connections would be taken while its
    /// node is down: by a node that tries to connect to it and reaches itself.
    static func freePort() async throws -> Int {
        while true {
            let server = try? await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .bind(host: "127.0.0.1", port: .random(in: 10_000..<32_000)).get()
            guard let server, let port = server.localAddress?.port else { continue }
            try await server.close().get()
            return port
        }
    }
}

struct TestFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension NodeConnection {
    func rows(_ sql: String, _ values: [BindingValue] = []) async throws -> [[BindingValue]] {
        try await query(sql, values).all()
    }
}
