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

    @Test func theTimerOfACallDoesNotCloseTheConnectionOfTheNext() async throws {
        let node = try await FakeNode()
        node.names(node)
        let connection = try await NodeConnection.connect(to: node.address)
        let directory = LeaderDirectory(seeds: [node.address], settings: ClusterSettings())
        let watched = WatchedConnection(connection, directory, interval: .seconds(60))
        watched.begin(until: CallDeadline(after: .milliseconds(20)))
        watched.end()
        watched.begin(until: CallDeadline(after: .seconds(60)))
        // A timer of the same event loop that is due later runs later.
        try await connection.eventLoop.scheduleTask(in: .milliseconds(40)) {}.futureResult.get()
        #expect(connection.isOpen)
        // The deadline comes before the timer that was left.
        watched.end()
        watched.begin(until: CallDeadline(after: .milliseconds(20)))
        try await connection.eventLoop.scheduleTask(in: .milliseconds(40)) {}.futureResult.get()
        #expect(!connection.isOpen)
    }

    @Test func theTimerOfACallWatchesTheNext() async throws {
        let node = try await FakeNode()
        node.names(node)
        let connection = try await NodeConnection.connect(to: node.address)
        let directory = LeaderDirectory(seeds: [node.address], settings: ClusterSettings())
        let watched = WatchedConnection(connection, directory, interval: .seconds(60))
        watched.begin(until: CallDeadline(after: .milliseconds(20)))
        watched.end()
        watched.begin(until: CallDeadline(after: .milliseconds(60)))
        try await connection.eventLoop.scheduleTask(in: .milliseconds(120)) {}.futureResult.get()
        #expect(!connection.isOpen)
    }

    @Test func anAnswerAboutAnEndedCallDoesNotCloseTheConnectionOfTheNext() async throws {
        let (first, second) = (try await FakeNode(), try await FakeNode())
        first.names(first, members: [first, second])
        second.names(first)
        let directory = LeaderDirectory(seeds: [first.address], settings: ClusterSettings())
        let deadline = CallDeadline(after: .seconds(60))
        let leader = try await directory.leader(until: deadline)
        let connection = try await NodeConnection.connect(to: first.address)
        let watched = WatchedConnection(connection, directory, interval: .milliseconds(10))
        second.names(second, id: 2)
        let names = second.answer.withLockedValue { $0 }
        second.answer.withLockedValue {
            $0 = { message in
                if message.type == Request.leader.type {
                    watched.end()
                    watched.begin(until: deadline)
                }
                return names(message)
            }
        }
        watched.begin(until: deadline)
        // When the leader is lost, the answer was used.
        while try await directory.leader(until: deadline).number == leader.number { await Task.yield() }
        for _ in 0..<1_000 { await Task.yield() }
        try await connection.eventLoop.submit {}.get()
        #expect(connection.isOpen)
        watched.end()
    }
}
