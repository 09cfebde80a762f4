import NIOConcurrencyHelpers
import Testing

@testable import SquallCluster

@Suite struct LeaderDirectoryTests {
    private func directory(_ nodes: FakeNode...) -> LeaderDirectory {
        LeaderDirectory(seeds: nodes.map(\.address), settings: ClusterSettings())
    }

    private let deadline = CallDeadline(after: .seconds(10))

    @Test func anyNodeNamesTheLeader() async throws {
        let (spare, follower, leader) = (try await FakeNode(), try await FakeNode(), try await FakeNode())
        spare.names(nil)
        follower.names(leader)
        leader.names(leader, members: [leader, follower, spare])
        let directory = directory(spare, follower)
        #expect(try await directory.leader(until: deadline) == Leader(address: leader.address, number: 1))
        #expect(directory.members.map(\.address) == [leader.address, follower.address, spare.address])
    }

    @Test func allTasksShareOneSearch() async throws {
        let leader = try await FakeNode()
        leader.names(leader, members: [leader])
        let directory = directory(leader)
        try await withThrowingTaskGroup { group in
            for _ in 0..<100 { group.addTask { try await directory.leader(until: deadline).number } }
            for try await number in group { #expect(number == 1) }
        }
        // The node was asked as one that names a leader, and then as the leader.
        #expect(leader.count(.leader) == 2)
    }

    @Test func nodesThatWereLearnedAreAskedNext() async throws {
        let (first, second) = (try await FakeNode(), try await FakeNode())
        first.names(first, members: [first, second])
        let directory = directory(first)
        #expect(try await directory.leader(until: deadline).address == first.address)
        first.names(nil)
        second.names(second, members: [second])
        directory.lose(1)
        #expect(try await directory.leader(until: deadline) == Leader(address: second.address, number: 2))
    }

    @Test func aLeaderThatDoesNotAgreeIsNotOne() async throws {
        let (follower, old) = (try await FakeNode(), try await FakeNode())
        follower.names(old)
        old.names(nil)
        let directory = directory(follower)
        let problem = NodeProblem(
            address: follower.address, reason: "it names \(old.address), which does not lead")
        await #expect(throws: ClusterError.noLeader([problem])) {
            try await directory.leader(until: CallDeadline(after: .seconds(2)))
        }
        // The election ends.
        old.names(old, members: [old])
        #expect(try await directory.leader(until: deadline).address == old.address)
    }

    @Test func aNodeThatDoesNotAnswerDoesNotDelayTheOthers() async throws {
        let (silent, leader) = (try await FakeNode(), try await FakeNode())
        leader.names(leader, members: [leader, silent])
        // The best of some, because the machine may be busy. Waiting for the silent node would take a second each time.
        var best = Duration.seconds(60)
        for _ in 0..<5 {
            let directory = directory(silent, leader)
            let start = ContinuousClock.now
            #expect(try await directory.leader(until: deadline).address == leader.address)
            best = min(best, ContinuousClock.now - start)
        }
        #expect(best < .milliseconds(900))
    }

    @Test func aWaitingTaskCanBeCancelled() async throws {
        let silent = try await FakeNode()
        let directory = directory(silent)
        let task = Task { try await directory.leader(until: deadline) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func closingEndsTheWait() async throws {
        let silent = try await FakeNode()
        let directory = directory(silent)
        let task = Task { try await directory.leader(until: deadline) }
        while silent.requests.withLockedValue(\.isEmpty) { await Task.yield() }
        directory.close()
        await #expect(throws: ClusterError.clusterClosed) { try await task.value }
    }
}
