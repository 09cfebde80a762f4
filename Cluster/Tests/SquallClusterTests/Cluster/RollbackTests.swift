import NIOConcurrencyHelpers
import NIOCore
import Testing

@testable import SquallCluster

/// A connection is used again after a write that failed, if no transaction is open on it.
@Suite struct RollbackTests {
    private struct Stopped: Error {}

    /// Makes a node that runs each statement, and answers ROLLBACK with an error.
    private func node(refusingRollbackWith code: UInt64, _ message: String) async throws -> FakeNode {
        let node = try await FakeNode()
        node.names(node)
        let names = node.answer.withLockedValue { $0 }
        let prepared = NIOLockedValueBox<[String]>([])
        node.answer.withLockedValue {
            $0 = { request in
                switch request.type {
                case Request.prepare(sql: "").type:
                    let sql = try? request.read { reader in
                        _ = try reader.word()
                        return try reader.text()
                    }
                    let id = prepared.withLockedValue { prepared in
                        prepared.append(sql ?? "")
                        return prepared.count - 1
                    }
                    return .send(
                        .message(.statement) { body in
                            body.writeHalfWord(0)
                            body.writeHalfWord(UInt32(id))
                            body.writeWord(0)
                        })
                case Request.execute(statement: 0, values: []).type:
                    let body = request.body
                    let id = body.getInteger(at: body.readerIndex + 4, endianness: .little, as: UInt32.self) ?? 0
                    if prepared.withLockedValue({ $0[Int(id)] }) == "ROLLBACK" {
                        return .send(
                            .message(.failure) { body in
                                body.writeWord(code)
                                body.writeWireText(message)
                            })
                    }
                    return .send(
                        .message(.result) { body in
                            body.writeWord(0)
                            body.writeWord(0)
                        })
                default: return names(request)
                }
            }
        }
        return node
    }

    @Test(
        arguments: [
            (1, "cannot rollback - no transaction is active", 1), (1, "disk I/O error", 2),
            (10, "cannot rollback - no transaction is active", 2),
        ] as [(UInt64, String, Int)])
    func aConnectionIsUsedAgainIfNoTransactionIsOpen(code: UInt64, message: String, connections: Int) async throws {
        let node = try await node(refusingRollbackWith: code, message)
        let cluster = try await Cluster(nodes: [node.address], database: "app")
        for _ in 0..<2 {
            await #expect(throws: Stopped.self) {
                try await cluster.writeTransaction { _ in throw Stopped() }
            }
        }
        #expect(node.count(.open(name: "app")) == connections)
        await cluster.close()
    }
}
