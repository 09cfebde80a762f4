import Foundation
import Squall
import Testing

@testable import SquallCluster

@Suite(.serialized) struct MembershipTests {
    @Test func nodesJoinAndChangeTheirRoleAndLeave() async throws {
        try await TestNodes.with(3) { cluster in
            let leader = try await cluster.connect()
            let members = cluster.nodes.map { ClusterMember(id: $0.id, address: $0.address, role: .voter) }
            #expect(try await leader.cluster() == members)
            #expect(try await leader.leader() == NodeInfo(id: 1, address: cluster.nodes[0].address))
            try await leader.execute("CREATE TABLE t(a)")
            try await leader.execute("INSERT INTO t VALUES('everywhere')")

            try await leader.assign(.standby, to: 3)
            #expect(try await leader.cluster().last?.role == .standby)
            try await leader.remove(3)
            #expect(try await leader.cluster().count == 2)
            await #expect(throws: ClusterError.self) { try await leader.remove(9) }
        }
    }

    @Test func leadershipIsTransferred() async throws {
        try await TestNodes.with(3) { cluster in
            let first = try await cluster.connect()
            try await first.execute("CREATE TABLE t(a)")
            try await first.transferLeadership(to: 2)
            let second = try await NodeConnection.connect(to: cluster.nodes[1].address)
            while try await second.leader()?.id != 2 { await Task.yield() }
            try await second.open("app")
            try await second.execute("INSERT INTO t VALUES(1)")
            #expect(try await second.rows("SELECT a FROM t") == [[.integer(1)]])
            // The old leader has closed the database of the connection, and opens it again as a follower.
            for kind in [NodeFailure.Kind.databaseClosed, .notLeader] {
                await #expect {
                    try await first.execute("INSERT INTO t VALUES(2)")
                } throws: { error in
                    if case ClusterError.refused(let failure) = error { failure.kind == kind } else { false }
                }
                if kind == .databaseClosed { try await first.open("app") }
            }
        }
    }

    @Test func aNodeIsDescribed() async throws {
        try await TestNodes.with { cluster in
            let connection = try await cluster.connect()
            #expect(try await connection.describe() == NodeMetadata(failureDomain: 0, weight: 0))
            try await connection.setWeight(7)
            #expect(try await connection.describe() == NodeMetadata(failureDomain: 0, weight: 7))
        }
    }

    @Test func aDatabaseIsDumped() async throws {
        try await TestNodes.with { cluster in
            let connection = try await cluster.connect()
            try await connection.execute("CREATE TABLE t(a)")
            try await connection.execute("INSERT INTO t VALUES('kept')")
            let files = try await connection.dump("app")
            #expect(files.map(\.name) == ["app", "app-wal"])
            let path = cluster.directory.appendingPathComponent("app").path
            for file in files {
                try file.content.write(to: cluster.directory.appendingPathComponent(file.name))
            }
            let copy = try Connection(path)
            #expect(try copy.query("SELECT a FROM t") == ["kept"])
            #expect(try await connection.dump("nothing").allSatisfy(\.content.isEmpty))
        }
    }

    @Test func anErrorOfANodeNamesTheOperation() async throws {
        await #expect {
            _ = try await ClusterNode(id: 1, address: "127.0.0.1:9", directory: "/nonexistent/node")
        } throws: { error in
            guard let error = error as? ClusterNodeError else { return false }
            return error.operation == .create && !error.message.isEmpty
        }
        await #expect(throws: ClusterError.invalidAddress("nowhere")) {
            _ = try await ClusterNode(id: 1, address: "nowhere", directory: "/tmp")
        }
    }
}
