import Foundation
import NIOConcurrencyHelpers
import NIOCore
import Squall
import Testing

@testable import SquallCluster

/// Clients of a node whose replies are changed, truncated, out of place, late or missing.
///
/// `make cluster-fuzz` runs it for two minutes.
@Suite struct ClusterFuzzTests {
    private static let deadline = Duration.milliseconds(200)
    private static var environment: [String: String] { ProcessInfo.processInfo.environment }

    @Test(.timeLimit(.minutes(10))) func everyCallEndsWithAValueOrATypedError() async throws {
        let seed = TestSeed.of()
        let seconds = Self.environment["SQUALL_FUZZ_SECONDS"].flatMap(Double.init)
        let end = seconds.map { ContinuousClock.now + .seconds($0) }
        let node = try await FakeNode()
        let random = NIOLockedValueBox(Seeded(seed: seed))
        var round = 0
        var values = 0
        while end.map({ ContinuousClock.now < $0 }) ?? (round < 150) {
            round += 1
            Self.script(node, random)
            let (start, call) = (ContinuousClock.now, random.withLockedValue { $0.number(0..<6) })
            do {
                try await Self.call(call, on: node)
                values += 1
            } catch {
                // A well-formed result with other columns than the query has is an error of the conversion.
                let isTyped =
                    error is ClusterError || error is SQLiteError || error is SchemaError || error is ConversionError
                #expect(isTyped, "seed \(seed), round \(round), call \(call): \(error)")
            }
            let time = ContinuousClock.now - start
            // Connecting and the call have a deadline each.
            #expect(time < Self.deadline * 2 + .seconds(5), "seed \(seed), round \(round), call \(call)")
        }
        print("fuzz of a cluster: seed \(seed), \(round) rounds, \(values) without an error")
    }

    private static func call(_ call: Int, on node: FakeNode) async throws {
        var settings = ClusterSettings()
        settings.connectDeadline = deadline
        settings.deadline = deadline
        settings.migrationDeadline = deadline
        settings.watchInterval = .milliseconds(20)
        let cluster = try await Cluster(nodes: [node.address], database: "app", settings: settings)
        let result: Result<Void, any Error>
        do {
            try await use(cluster, call)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await cluster.close()
        try result.get()
    }

    private static func use(_ cluster: Cluster, _ call: Int) async throws {
        switch call {
        case 0: _ = try await cluster.readTransaction { try await $0.rows(sql: "SELECT 1").all() }
        case 1: _ = try await cluster.readTransaction(.linearizable) { try await $0.rows(sql: "SELECT 1").all() }
        case 2: try await cluster.writeTransaction { try await $0.execute(sql: "INSERT INTO t VALUES(1)") }
        case 3:
            _ = try await cluster.write(idempotencyKey: "k") { try await $0.run("INSERT INTO t VALUES(1)").changes }
        case 4: try await cluster.migrate(Schema("s") { Version(1) { Execute("CREATE TABLE t(a)") } })
        default:
            try await cluster.writeTransaction { transaction in
                _ = try await transaction.rows(sql: "SELECT 1").all()
                try await transaction.executeScript("DELETE FROM t; DELETE FROM u")
            }
        }
    }

    /// Lets the node answer a random number of requests as it should, and then anything.
    private static func script(_ node: FakeNode, _ random: NIOLockedValueBox<Seeded>) {
        let address = node.address
        let right = NIOLockedValueBox(random.withLockedValue { $0.number(0..<20) })
        node.answer.withLockedValue {
            $0 = { message in
                let isRight = right.withLockedValue { right in
                    right -= 1
                    return right >= 0
                }
                let reply = reply(to: message.type, address: address)
                return isRight ? .send(reply) : random.withLockedValue { garbage(reply, &$0) }
            }
        }
    }

    private static func garbage(_ reply: ByteBuffer, _ random: inout Seeded) -> ScriptedNode.Step {
        switch random.number(0..<10) {
        case 0: return .close
        case 1: return .ignore
        case 2: return .send(FuzzTests.replies.randomElement(using: &random) ?? reply)
        case 3:
            // A header that announces more than the limit, or than what follows.
            var bytes = ByteBuffer()
            bytes.writeInteger(UInt32(truncatingIfNeeded: random.next()), endianness: .little)
            bytes.writeInteger(UInt32(truncatingIfNeeded: random.next()))
            return .send(bytes)
        case 4:
            let bytes = (0..<random.number(1..<200)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            return .send(ByteBuffer(bytes: bytes))
        case 5: return .send(ByteBuffer(bytes: reply.readableBytesView + reply.readableBytesView))
        case 6: return .send(reply)
        case 7: return .send(FuzzTests.changed(FuzzTests.replies.randomElement(using: &random) ?? reply, &random))
        default: return .send(FuzzTests.changed(reply, &random))
        }
    }

    /// Returns the reply of a node that leads, to a request of a type.
    private static func reply(to type: UInt8, address: String) -> ByteBuffer {
        switch type {
        case Request.leader.type:
            .message(.node) { body in
                body.writeWord(1)
                body.writeWireText(address)
            }
        case Request.cluster.type:
            .message(.nodes) { body in
                body.writeWord(1)
                body.writeWord(1)
                body.writeWireText(address)
                body.writeWord(0)
            }
        case Request.open(name: "").type: .message(.database) { $0.writeWord(0) }
        case Request.prepare(sql: "").type:
            .message(.statement, schema: 1) { body in
                for _ in 0..<3 { body.writeWord(0) }
            }
        case Request.query(statement: 0, values: []).type, Request.querySQL("", values: []).type:
            .rows(["a"], [[.integer(1)], [.text("a")]])
        case Request.execute(statement: 0, values: []).type, Request.executeSQL("", values: []).type:
            .message(.result) { body in
                body.writeWord(1)
                body.writeWord(1)
            }
        case Request.client(id: 0).type: ScriptedNode.welcome
        default: .message(.empty) { $0.writeWord(0) }
        }
    }
}
