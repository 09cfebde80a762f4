import NIOCore
import Squall
import Testing

@testable import SquallCluster

/// Connections to a node that misbehaves.
@Suite struct ConnectionTests {
    static let rows = ByteBuffer.rows(["a"], [[.integer(1)]], .more)

    @Test func aMalformedReplyClosesTheConnection() async throws {
        let node = try await ScriptedNode([.send(.message(.node) { $0.writeWord(1) })])
        let connection = try await node.connect()
        await #expect(throws: ClusterError.malformed(.missingTerminator(offset: 8))) {
            try await connection.leader()
        }
        await #expect(throws: ClusterError.closed) { try await connection.leader() }
    }

    @Test func aReplyOfAnotherTypeClosesTheConnection() async throws {
        let node = try await ScriptedNode([.send(.message(.empty) { $0.writeWord(0) })])
        let connection = try await node.connect()
        await #expect(throws: ClusterError.malformed(.unexpectedReply(expected: 1, found: 8))) {
            try await connection.leader()
        }
        #expect(!connection.isOpen)
    }

    @Test func aLargeReplyIsRefusedByItsHeader() async throws {
        let node = try await ScriptedNode([.send(ByteBuffer(hex: "ffffff7f01000000"))])
        let connection = try await node.connect()
        let size = 0x7fff_ffff * 8
        await #expect(throws: ClusterError.malformed(.messageTooLarge(size: size, limit: 64 << 20))) {
            try await connection.leader()
        }
    }

    @Test func aLostConnectionLeavesASentStatementUnknown() async throws {
        let node = try await ScriptedNode([.close])
        let connection = try await node.connect()
        await #expect(throws: ClusterError.connectionLost(reason: "the node closed it", mayHaveRun: true)) {
            try await connection.executeScript("INSERT INTO t VALUES(1)")
        }
    }

    @Test func aNodeThatDoesNotAnswerIsLate() async throws {
        let node = try await ScriptedNode([.ignore])
        let connection = try await node.connect()
        await #expect(throws: ClusterError.deadlineExceeded(mayHaveRun: true)) {
            try await connection.leader(deadline: .milliseconds(20))
        }
        #expect(!connection.isOpen)
        let silent = try await ScriptedNode([], greeting: .ignore)
        await #expect(throws: ClusterError.self) {
            _ = try await silent.connect { $0.connectDeadline = .milliseconds(20) }
        }
    }

    @Test func anotherVersionOfTheProtocolIsAnErrorOfTheAddress() async throws {
        // A node of another version ends the connection, or does not understand the first request.
        let failure = ByteBuffer.message(.failure) { body in
            body.writeWord(1_001)
            body.writeWireText("unrecognized schema version")
        }
        for greeting in [ScriptedNode.Step.close, .send(failure), .send(ByteBuffer(hex: "0100000000000000ff"))] {
            let node = try await ScriptedNode([], greeting: greeting)
            await #expect {
                _ = try await node.connect { $0.connectDeadline = .milliseconds(200) }
            } throws: { error in
                if case ClusterError.cannotConnect(node.address, _) = error { true } else { false }
            }
        }
    }

    @Test func aCancelledRequestClosesTheConnection() async throws {
        let node = try await ScriptedNode([.ignore])
        let connection = try await node.connect()
        let task = Task { try await connection.leader() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func aCancelledReaderOfRowsClosesTheConnection() async throws {
        let node = try await ScriptedNode([.send(Self.rows), .ignore])
        let connection = try await node.connect()
        let task = Task { try await connection.queryOnce("SELECT 1").all() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func aFailureEndsTheRows() async throws {
        var bytes = Self.rows
        var failure = ByteBuffer.message(.failure) { body in
            body.writeWord(11)
            body.writeWireText("database disk image is malformed")
        }
        bytes.writeBuffer(&failure)
        let node = try await ScriptedNode([.send(bytes), .send(.message(.empty) { $0.writeWord(0) })])
        let connection = try await node.connect()
        let rows = try await connection.queryOnce("SELECT 1")
        #expect(try await rows.next() == [.integer(1)])
        await #expect(throws: ClusterError.self) { try await rows.next() }
        #expect(try await rows.next() == nil)
        try await connection.remove(1)
    }

    @Test func partsWithOtherColumnsCloseTheConnection() async throws {
        var bytes = Self.rows
        var other = ByteBuffer.rows(["b"], [[.integer(2)]])
        bytes.writeBuffer(&other)
        let node = try await ScriptedNode([.send(bytes)])
        let connection = try await node.connect()
        await #expect(throws: ClusterError.malformed(.columnsChanged)) {
            try await connection.queryOnce("SELECT 1").all()
        }
    }

    @Test func rowsAreReceivedAsTheyAreRead() async throws {
        let text = String(repeating: "a", count: 30_000)
        var bytes = ByteBuffer()
        for number in 0..<1_500 {
            var part = ByteBuffer.rows(["a"], [[.text(text)]], number < 1_499 ? .more : .done)
            bytes.writeBuffer(&part)
        }
        let node = try await ScriptedNode([.send(bytes)])
        let connection = try await node.connect()
        let rows = try await connection.queryOnce("SELECT 1")
        for _ in 0..<100 { _ = try await rows.next() }
        // More than the sockets can hold.
        #expect(!node.hasWritten.withLockedValue { $0 })
        #expect(try await rows.all().count == 1_400)
        while !node.hasWritten.withLockedValue({ $0 }) { await Task.yield() }
    }

    @Test func aConnectionCanUseTLS() async throws {
        let leader = ByteBuffer.message(.node) { body in
            body.writeWord(1)
            body.writeWireText("a:1")
        }
        let node = try await ScriptedNode([.send(leader)], tls: try Certificate.server())
        var settings = ConnectionSettings()
        settings.tls = try Certificate.client()
        let connection = try await NodeConnection.connect(to: "localhost:\(node.port)", settings: settings)
        #expect(try await connection.leader()?.address == "a:1")
        settings.tls = .makeClientConfiguration()
        await #expect(throws: ClusterError.self) {
            _ = try await NodeConnection.connect(to: "localhost:\(node.port)", settings: settings)
        }
    }

    @Test func anAddressWithoutANodeIsAnError() async throws {
        await #expect(throws: ClusterError.invalidAddress("nowhere")) {
            _ = try await NodeConnection.connect(to: "nowhere")
        }
        await #expect {
            _ = try await NodeConnection.connect(to: "127.0.0.1:1")
        } throws: { error in
            if case ClusterError.cannotConnect(address: "127.0.0.1:1", _) = error { true } else { false }
        }
    }
}
