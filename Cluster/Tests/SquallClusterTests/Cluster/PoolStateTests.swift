import Testing

@testable import SquallCluster

@Suite struct PoolStateTests {
    final class Waiter {}
    typealias State = PoolState<String, Waiter>

    @Test func connectionsAreOpenedUpToTheMaximum() {
        var state = State(maximum: 2)
        #expect(state.turn(.reading) == "open")
        #expect(state.turn(.reading) == "open")
        #expect(state.turn(.reading) == "wait")
        #expect(state.permits == 2)
    }

    @Test func theConnectionThatWasReturnedLastIsUsedFirst() {
        var state = State(maximum: 3)
        for _ in 0..<2 { _ = state.request(.reading) }
        _ = state.release(.reading, .init(connection: "a", leader: 1))
        _ = state.release(.reading, .init(connection: "b", leader: 1))
        #expect(state.turn(.reading) == "use b")
        #expect(state.turn(.reading) == "use a")
        #expect(state.turn(.reading) == "open")
    }

    @Test func waitersGetTheirTurnInTheOrderOfTheirCalls() {
        var state = State(maximum: 1)
        _ = state.request(.reading)
        let waiters = [Waiter(), Waiter(), Waiter()]
        for waiter in waiters { state.enter(.reading, waiter) }
        #expect(state.withdraw(waiters[1]) == true)
        #expect(state.withdraw(waiters[1]) == false)
        let first = state.release(.reading, .init(connection: "a", leader: 1))
        #expect(first.waiter === waiters[0] && first.granted?.connection == "a")
        // The connection was lost, so the next waiter opens one.
        let second = state.release(.reading, nil)
        #expect(second.waiter === waiters[2] && second.granted == nil)
        #expect(state.permits == 1 && state.waiting == 0)
    }

    @Test func oneCallerWritesAtATimeAndReadersOvertake() {
        var state = State(maximum: 3)
        #expect(state.turn(.writing) == "open")
        #expect(state.turn(.writing) == "wait")
        let writer = Waiter()
        state.enter(.writing, writer)
        #expect(state.turn(.reading) == "open")
        #expect(state.release(.reading, .init(connection: "r", leader: 1)).waiter == nil)
        let result = state.release(.writing, .init(connection: "w", leader: 1))
        #expect(result.waiter === writer && result.granted?.connection == "w")
        #expect(state.hasWriter)
    }

    @Test func aWriterIsNotOvertakenForEver() {
        var state = State(maximum: 1)
        _ = state.request(.writing)
        let (writer, reader) = (Waiter(), Waiter())
        state.enter(.writing, writer)
        state.enter(.reading, reader)
        #expect(state.release(.writing, nil).waiter === writer)
        #expect(state.release(.writing, nil).waiter === reader)
    }

    @Test func connectionsOfAnOldLeaderAreClosed() {
        var state = State(maximum: 3)
        for _ in 0..<3 { _ = state.request(.reading) }
        _ = state.release(.reading, .init(connection: "idle", leader: 1))
        #expect(state.evict(leader: 1) == ["idle"])
        #expect(state.release(.reading, .init(connection: "lent", leader: 1)).closing == "lent")
        #expect(state.release(.reading, .init(connection: "new", leader: 2)).closing == nil)
        #expect(state.turn(.reading) == "use new")
        // The news about a leader before comes late.
        #expect(state.evict(leader: 1) == [])
    }

    @Test func aClosedPoolRefusesCallers() {
        var state = State(maximum: 2)
        for _ in 0..<2 { _ = state.request(.reading) }
        _ = state.release(.reading, .init(connection: "idle", leader: 1))
        let waiter = Waiter()
        state.enter(.writing, waiter)
        let (refused, closing) = state.close()
        #expect(refused.count == 1 && refused[0] === waiter && closing == ["idle"])
        #expect(state.turn(.reading) == "refuse")
        #expect(state.release(.reading, .init(connection: "lent", leader: 1)).closing == "lent")
    }
}

extension PoolState<String, PoolStateTests.Waiter> {
    fileprivate mutating func turn(_ use: Use) -> String {
        switch request(use) {
        case .use(let pooled): "use \(pooled.connection)"
        case .open: "open"
        case .wait: "wait"
        case .refuse: "refuse"
        }
    }
}
