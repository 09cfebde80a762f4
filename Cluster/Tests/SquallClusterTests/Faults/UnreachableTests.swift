import Glibc
import Squall
import Testing

@testable import SquallCluster

/// Wrong addresses, and clusters that are gone or silent.
@Suite(.serialized) struct UnreachableTests {
    @Test func anAddressWithoutAPortIsRefused() async {
        for address in ["nowhere", "10.0.0.1", "10.0.0.1:", "10.0.0.1:70000", ":9001", ""] {
            await #expect(throws: ClusterError.invalidAddress(address)) {
                _ = try await Cluster(nodes: [address], database: "app")
            }
        }
    }

    @Test func theErrorNamesEachAddressAndItsReason() async throws {
        let silent = try await FakeNode()
        let other = try await ScriptedNode([], greeting: .send(.init(string: "HTTP/1.1 400 Bad Request\r\n\r\n")))
        let addresses = ["no-such-host.invalid:9001", "127.0.0.1:1", silent.address, other.address]
        var settings = ClusterSettings()
        settings.connectDeadline = .seconds(3)
        let start = ContinuousClock.now
        let error = await #expect(throws: ClusterError.self) {
            _ = try await Cluster(nodes: addresses, database: "app", settings: settings)
        }
        #expect(ContinuousClock.now - start < .seconds(6))
        guard case .noLeader(let problems)? = error else { throw TestFailure("\(error as Any)") }
        #expect(problems.map(\.address) == addresses)
        #expect(problems[1].reason.contains("refused"), "\(problems[1])")
        #expect(problems[2].reason.contains("deadline"), "\(problems[2])")
        #expect(problems[3].reason.contains("malformed"), "\(problems[3])")
    }

    /// A list with wrong addresses is enough, if one is right.
    @Test func oneRightAddressIsEnough() async throws {
        try await TestNodes.with { nodes in
            let list = ["no-such-host.invalid:9001", "127.0.0.1:1"] + nodes.addresses
            let cluster = try await Cluster(nodes: list, database: "app")
            #expect(try await cluster.leader() == nodes.addresses[0])
            await cluster.close()
        }
    }

    @Test(arguments: [SIGKILL, SIGSTOP])
    func aClusterThatIsAllGoneIsAnErrorBeforeTheDeadline(signal: Int32) async throws {
        try await TestNodes.with(3) { nodes in
            let cluster = try await nodes.client()
            try await cluster.write { _ = try await $0.run("CREATE TABLE t(a)") }
            for index in 0..<3 {
                if signal == SIGKILL { try await nodes.kill(index) } else { try await nodes.pause(index) }
            }
            let deadline = Duration.seconds(2)
            try await Self.fails(before: deadline) {
                try await cluster.read(deadline: deadline) { try await $0.query("SELECT a FROM t") as [Int] }
            }
            try await Self.fails(before: deadline) {
                try await cluster.write(deadline: deadline) { _ = try await $0.run("INSERT INTO t VALUES(1)") }
            }
            try await Self.fails(before: deadline) {
                try await cluster.write(idempotencyKey: "k", deadline: deadline) {
                    try await $0.run("INSERT INTO t VALUES(1)").changes
                }
            }
            await cluster.close()
        }
    }

    /// Checks that a call fails in time, and that its error says that nothing was done.
    private static func fails<Value>(before deadline: Duration, _ body: () async throws -> Value) async throws {
        let start = ContinuousClock.now
        let error = await #expect(throws: ClusterError.self) { _ = try await body() }
        #expect(ContinuousClock.now - start < deadline + .seconds(2))
        switch error {
        case .noLeader(let problems): #expect(problems.count == 3 && problems.allSatisfy { !$0.reason.isEmpty })
        case .deadlineExceeded(mayHaveRun: false): break
        case .cannotConnect(_, let reason): #expect(!reason.contains("may have run"), "\(reason)")
        default: throw TestFailure("\(error as Any)")
        }
    }
}
