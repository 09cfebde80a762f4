import NIOConcurrencyHelpers
import Testing

@testable import SquallCluster

@Suite struct WatchedConnectionTests {
    @Test func aLeaderThatIsStoppedIsLeftForItsSuccessor() async throws {
        let (first, second) = (try await FakeNode(), try await FakeNode())
        first.names(first, members: [first, second])
        second.names(first)
        var settings = ClusterSettings()
        settings.watchInterval = .milliseconds(10)
        let cluster = try await Cluster(nodes: [first.address], database: "app", settings: settings)
        var connections: [String] = []
        try await cluster.readTransaction { transaction in
            connections.append("\(transaction.connection.address)")
            if connections.count > 1 { return }
            first.answer.withLockedValue { $0 = { _ in .ignore } }
            second.names(second, id: 2, members: [first, second])
            _ = try await transaction.rows(sql: "SELECT 1")
        }
        #expect(connections == [first.address, second.address])
        await cluster.close()
    }

    @Test func aSlowLeaderIsWaitedFor() async throws {
        let (leader, other) = (try await FakeNode(), try await FakeNode())
        leader.names(leader, members: [leader, other])
        other.names(leader)
        var settings = ClusterSettings()
        settings.watchInterval = .milliseconds(1)
        let cluster = try await Cluster(nodes: [leader.address], database: "app", settings: settings)
        let asked = other.count(.leader)
        var runs = 0
        try await cluster.readTransaction { transaction in
            runs += 1
            while other.count(.leader) < asked + 3 { await Task.yield() }
            #expect(transaction.connection.isOpen)
        }
        #expect(runs == 1)
        await cluster.close()
    }
}
