import Foundation
import Glibc
import Testing

@testable import SquallCluster

/// Nodes in the process of the tests.
@Suite(.serialized) struct InProcessTests {
    @Test func aStoppedNodeKeepsItsData() async throws {
        try await InProcessNode.withDirectory { directory in
            let node = try await InProcessNode.start(in: directory)
            let connection = try await Self.connect(to: node)
            try await connection.execute("CREATE TABLE t(a)")
            try await node.stop()
            try await node.stop()
            await #expect(throws: ClusterError.self) { try await connection.execute("INSERT INTO t VALUES(1)") }

            let again = try await ClusterNode(id: 1, address: node.address, directory: node.directory)
            let second = try await Self.connect(to: again)
            #expect(try await second.rows("SELECT count(*) FROM t") == [[.integer(0)]])
            try await again.stop()
        }
    }

    @Test func aProcessWithANodeIgnoresBrokenPipes() async throws {
        try await InProcessNode.withDirectory { directory in
            let node = try await InProcessNode.start(in: directory)
            // Would end the process.
            raise(SIGPIPE)
            try await node.stop()
        }
    }

    /// libdqlite would read freed memory: see ``NodeSockets``.
    @Test(arguments: [true, false])
    func aNodeStopsWhileItSendsRows(isPrepared: Bool) async throws {
        try await InProcessNode.withDirectory { directory in
            let node = try await InProcessNode.start(in: directory)
            try await withThrowingTaskGroup { group in
                let reading = Reading(count: 4)
                for _ in 0..<reading.count {
                    let connection = try await Self.connect(to: node)
                    group.addTask { await reading.read(connection, isPrepared: isPrepared) }
                }
                await reading.hasStarted()
                try await node.stop()
                try await group.waitForAll()
            }
        }
    }

    @Test func twoNodesCannotUseADirectory() async throws {
        try await InProcessNode.withDirectory { directory in
            let node = try await InProcessNode.start(in: directory)
            await #expect {
                _ = try await ClusterNode(id: 1, address: "127.0.0.1:1", directory: node.directory)
            } throws: { error in
                (error as? ClusterNodeError)?.message == "another node uses \(node.directory)"
            }
            try await node.stop()
        }
    }

    @Test func nodesJoinTakeRolesAndLeave() async throws {
        try await InProcessNode.withDirectory { directory in
            let first = try await InProcessNode.start(in: directory)
            let second = try await InProcessNode.start(2, in: directory)
            try await second.join([first.address], role: .standby)
            #expect(try await first.status().members.map(\.member.role) == [.voter, .standby])
            try await second.join([first.address])
            try await second.changeRole(to: .voter)
            #expect(try await first.handOver())
            let status = try await second.status()
            #expect(status.leader?.id == 2)
            #expect(status.members.map(\.isReachable) == [true, true])
            try await second.leave()
            #expect(try await first.status().members.map(\.member.id) == [1])
            try await second.stop()
            await #expect(throws: ClusterAdministrationError.noOtherVoter(id: 1)) { try await first.leave() }
            try await first.stop()
        }
    }

    private static func connect(to node: ClusterNode) async throws -> NodeConnection {
        let connection = try await NodeConnection.connect(to: node.address)
        while try await connection.leader() == nil { await Task.yield() }
        try await connection.open("app")
        return connection
    }
}
