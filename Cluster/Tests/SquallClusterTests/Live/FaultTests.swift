import Foundation
import Glibc
import NodeProcesses
import Squall
import Testing

@testable import SquallCluster

/// Nodes that are killed, halted, lost for ever, or whose disk is full.
@Suite(.serialized) struct FaultTests {
    @Test func nothingAcknowledgedIsLostWhenTheLeaderIsKilled() async throws {
        try await TestNodes.with(3) { cluster in
            let writer = Writer(cluster)
            try await writer.prepare()
            try await writer.write(100)
            let leader = try await cluster.leader()
            try await cluster.kill(leader)
            let killed = ContinuousClock.now
            try await writer.write(1)
            let time = ContinuousClock.now - killed
            print("fail-over to the first write: \(time)")
            #expect(time < .seconds(5))
            try await writer.write(100)
            try await cluster.restart(leader)
            try await cluster.eventually { try await $0.status().members.allSatisfy(\.isReachable) }
            try await writer.write(100)
            try await writer.verify()
        }
    }

    @Test func aHaltedLeaderIsReplacedAndFollowsAgain() async throws {
        try await TestNodes.with(3) { cluster in
            let writer = Writer(cluster)
            try await writer.prepare()
            let leader = try await cluster.leader()
            try await cluster.pause(leader)
            try await writer.write(20)
            #expect(try await cluster.leader() != leader)
            try cluster.resume(leader)
            try await writer.write(20)
            try await cluster.eventually { try await $0.status().members.allSatisfy(\.isReachable) }
            try await writer.verify()
        }
    }

    @Test func aLoneSurvivorIsRecovered() async throws {
        try await TestNodes.with(3) { cluster in
            let writer = Writer(cluster)
            try await writer.prepare()
            try await writer.write(20)
            // The last node has everything: it was asked to lead.
            try await cluster.administration().transferLeadership(to: 3)
            try await writer.write(20)
            for index in 0..<3 { try await cluster.kill(index) }
            let survivor = cluster.nodes[2]
            let recovered = try await cluster.tool(
                "recover", "--id", "3", "--address", survivor.address, "--directory", survivor.directory.path)
            #expect(recovered.end == .status(0))
            try await cluster.restart(2)
            let alone = try ClusterAdministration(addresses: [survivor.address], deadline: .seconds(20))
            #expect(try await alone.status().members.map(\.member.id) == [3])
            try await writer.write(20)
            try await writer.verify()
            // A lost node comes back with an empty directory and joins what is left.
            try FileManager.default.removeItem(at: cluster.nodes[1].directory)
            try FileManager.default.createDirectory(at: cluster.nodes[1].directory, withIntermediateDirectories: true)
            try await cluster.restart(1, joining: 2)
            try await cluster.eventually { try await $0.members().members.map(\.role) == [.voter, .voter] }
            try await writer.verify()
        }
    }

    @Test func aFullDiskIsAnErrorAndLosesNothing() async throws {
        try await TestNodes.with { cluster in
            let writer = Writer(cluster)
            try await writer.prepare()
            try await writer.write(20)
            // No byte can be written after the first page of a file, as on a full disk.
            let limit = try await ChildProcess(
                ["prlimit", "--pid", "\(try cluster.process(0).id)", "--fsize=4096"], in: cluster.directory)
            #expect(try await limit.wait() == .status(0))
            await #expect(throws: (any Error).self) {
                for _ in 0..<5 { try await writer.attempt(deadline: .seconds(2)) }
            }
            try await cluster.kill(0)
            try await cluster.restart(0)
            try await writer.write(20)
            try await writer.verify()
        }
    }

    @Test func aClientGoesOnWhenTheDiskOfTheLeaderWasFull() async throws {
        try await TestNodes.with(3) { nodes in
            let client = try await nodes.client()
            try await client.writeTransaction { try await $0.execute(sql: "CREATE TABLE t(a)") }
            let leader = try await nodes.leader()
            let limit = try await ChildProcess(
                ["prlimit", "--pid", "\(try nodes.process(leader).id)", "--fsize=4096"], in: nodes.directory)
            #expect(try await limit.wait() == .status(0))
            // The leader cannot write to its log, and gives up the leadership.
            for index in 0..<4 {
                while true {
                    do {
                        try await client.writeTransaction(idempotencyKey: "\(index)", deadline: .seconds(10)) { write in
                            for _ in 0..<100 { try await write.execute(sql: "INSERT INTO t VALUES(randomblob(100))") }
                        }
                        break
                    } catch ClusterError.commitOutcomeUnknown(let cause) {
                        // The caller calls again with the same key.
                        #expect(!"\(cause)".contains("no more rows"))
                    }
                }
            }
            #expect(try await client.count() == 400)
            #expect(try await nodes.leader() != leader)
            await client.close()
        }
    }

    @Test func aFullDiskOfTheLeaderDoesNotStopTheCluster() async throws {
        try await TestNodes.with(3) { cluster in
            let writer = Writer(cluster)
            try await writer.prepare()
            try await writer.write(20)
            let leader = try await cluster.leader()
            let limit = try await ChildProcess(
                ["prlimit", "--pid", "\(try cluster.process(leader).id)", "--fsize=4096"], in: cluster.directory)
            #expect(try await limit.wait() == .status(0))
            _ = try? await writer.attempt(deadline: .seconds(2))
            // A supervisor ends a node that is of no use. The others go on without it.
            try await cluster.kill(leader)
            try await writer.write(20)
            try await cluster.restart(leader)
            try await writer.verify()
        }
    }
}

/// Writes numbers and knows which were acknowledged.
final class Writer {
    private let cluster: TestNodes
    private var connection: NodeConnection?
    private var next: Int64 = 0
    private(set) var acknowledged: Set<Int64> = []

    init(_ cluster: TestNodes) {
        self.cluster = cluster
    }

    func prepare() async throws {
        try await cluster.connect().execute("CREATE TABLE numbers(n INTEGER PRIMARY KEY)")
    }

    /// Writes until as many numbers are acknowledged.
    func write(_ count: Int) async throws {
        let goal = acknowledged.count + count
        let limit = ContinuousClock.now + .seconds(30)
        while acknowledged.count < goal {
            do {
                try await attempt()
            } catch {
                guard ContinuousClock.now < limit else { throw error }
            }
        }
    }

    /// Writes a number once.
    func attempt(deadline: Duration = .seconds(1)) async throws {
        next += 1
        do {
            let connection = if let connection { connection } else { try await cluster.connect() }
            self.connection = connection
            try await connection.execute("INSERT INTO numbers VALUES(?)", [.integer(next)], deadline: deadline)
            acknowledged.insert(next)
        } catch {
            await connection?.close()
            connection = nil
            throw error
        }
    }

    /// Checks that the cluster has all numbers that were acknowledged, and none that was not written.
    func verify() async throws {
        let rows = try await cluster.connect().rows("SELECT n FROM numbers")
        let found = Set(rows.compactMap { row in if case .integer(let number) = row[0] { number } else { nil } })
        #expect(acknowledged.subtracting(found).isEmpty)
        #expect(found.allSatisfy { $0 <= next })
    }
}
