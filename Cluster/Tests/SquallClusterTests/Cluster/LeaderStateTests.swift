import Testing

@testable import SquallCluster

@Suite struct LeaderStateTests {
    final class Waiter {}
    typealias State = LeaderState<Waiter>

    @Test func allWaitersShareOneSearch() {
        var state = State(seeds: ["a"])
        let waiters = [Waiter(), Waiter(), Waiter()]
        #expect(state.request(waiters[0]) == .search)
        #expect(state.request(waiters[1]) == .wait)
        #expect(state.request(waiters[2]) == .wait)
        #expect(state.withdraw(waiters[1]) == true)
        let found = state.found("b", members: [])
        #expect(found?.leader == Leader(address: "b", number: 1))
        #expect(found?.waiters.map(ObjectIdentifier.init) == [waiters[0], waiters[2]].map(ObjectIdentifier.init))
        #expect(state.withdraw(waiters[0]) == false)
        #expect(state.request(Waiter()) == .use(Leader(address: "b", number: 1)))
    }

    @Test func aLeaderIsLostOnce() {
        var state = State(seeds: ["a"])
        _ = state.request(Waiter())
        _ = state.found("a", members: [])
        #expect(state.lose(1) == true)
        #expect(state.lose(1) == false)
        #expect(state.request(Waiter()) == .search)
        #expect(state.found("a", members: [])?.leader.number == 2)
        // The news about the leader before comes late.
        #expect(state.lose(1) == false)
        #expect(state.leader?.number == 2)
    }

    @Test func aSearchGoesOnWhileTasksWait() {
        var state = State(seeds: ["a"])
        let (first, second) = (Waiter(), Waiter())
        _ = state.request(first)
        state.note(NodeProblem(address: "a", reason: "gone"))
        #expect(state.failed() == true)
        #expect(state.problems == [NodeProblem(address: "a", reason: "gone")])
        #expect(state.withdraw(first) == true)
        #expect(state.request(second) == .wait)
        #expect(state.failed() == true)
        #expect(state.withdraw(second) == true)
        #expect(state.failed() == false)
        #expect(state.request(first) == .search)
    }

    @Test func membersAreAskedBeforeSeeds() {
        var state = State(seeds: ["a", "b"])
        #expect(state.addresses == ["a", "b"])
        _ = state.request(Waiter())
        let members = ["c", "b"].map { ClusterMember(id: 1, address: $0, role: .voter) }
        _ = state.found("c", members: members)
        #expect(state.addresses == ["c", "b", "a"])
    }

    @Test func aClosedStateRefusesTasks() {
        var state = State(seeds: ["a"])
        _ = state.request(Waiter())
        #expect(state.close().count == 1)
        #expect(state.request(Waiter()) == .refuse)
        #expect(state.found("a", members: []) == nil)
        #expect(state.failed() == false)
    }
}
