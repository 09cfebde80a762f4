import SquallTestSupport
import Testing

@testable import Squall

/// The state machine of a pool, without threads.
struct PoolStateTests {
    final class Item: CustomStringConvertible, Sendable {
        let name: String
        init(_ name: String) { self.name = name }
        var description: String { name }
    }

    typealias State = PoolState<Item, String>

    // MARK: A table of transitions

    /// A step of a pool of at most two connections, "a" and "b", and what it returns.
    struct Step: Sendable {
        let call: String
        let result: String
        init(_ call: String, _ result: String) { (self.call, self.result) = (call, result) }
    }

    static let tables: [[Step]] = [
        // An idle connection is used again, the last one first.
        [
            Step("request", "search slots"), Step("request empty", "open"), Step("opened a", ""),
            Step("request empty", "open"), Step("opened b", ""),
            Step("release a", "keep"), Step("release b", "keep"), Step("request", "use b"), Step("request", "use a"),
        ],
        // Two are the maximum. Before a caller waits, the slots are closed.
        [
            Step("request empty", "open"), Step("opened a", ""), Step("request empty", "open"), Step("opened b", ""),
            Step("request", "search slots"), Step("request empty", "stop sharing"), Step("stop sharing", ""),
            Step("request", "wait"), Step("wait x", "0"), Step("request", "wait"), Step("wait y", "1"),
            Step("release b", "grant x"), Step("release a", "grant y"), Step("release b", "keep"),
            Step("can share", "true"), Step("resume sharing", ""), Step("can share", "false"),
        ],
        // A connection that was put into a slot just before they were closed is used, and nobody waits.
        [
            Step("request empty", "open"), Step("opened a", ""), Step("request empty", "open"), Step("opened b", ""),
            Step("request empty", "stop sharing"), Step("stop sharing a", ""), Step("request", "use a"),
        ],
        // A waiter that is withdrawn is passed over.
        [
            Step("request empty", "open"), Step("opened a", ""), Step("request empty", "open"), Step("opened b", ""),
            Step("stop sharing", ""), Step("wait x", "0"), Step("wait y", "1"), Step("withdraw 0", "x"),
            Step("withdraw 0", "nil"), Step("release a", "grant y"), Step("withdraw 1", "nil"),
        ],
        // A permit without a connection is granted, too: the waiter opens one.
        [
            Step("request empty", "open"), Step("request empty", "open"), Step("stop sharing", ""),
            Step("request", "wait"), Step("wait x", "0"), Step("release permit", "grant x"),
            Step("release permit", "keep"), Step("request", "open"),
        ],
        // A caller that cannot open a connection gets an idle one, or waits.
        [
            Step("can substitute", "false"), Step("request empty", "open"), Step("opened a", ""),
            Step("can substitute", "true"), Step("request empty", "open"), Step("stop sharing", ""),
            Step("opening failed", "wait"), Step("wait x", "0"), Step("release a", "grant x"),
            Step("release a", "keep"), Step("request", "use a"), Step("leases", "3"),
        ],
        [
            Step("request empty", "open"), Step("opened a", ""), Step("request empty", "open"),
            Step("release a", "keep"), Step("stop sharing", ""), Step("opening failed", "use a"),
        ],
        // Draining closes all connections except one, with permits, when none is in use.
        [
            Step("request empty", "open"), Step("opened a", ""), Step("drain", "[]"),
            Step("request empty", "open"), Step("opened b", ""), Step("drain", "nil"),
            Step("release a", "keep"), Step("drain", "nil"), Step("release b", "keep"), Step("drain", "[a]"),
            Step("request", "use b"), Step("request empty", "stop sharing"), Step("stop sharing", ""),
            Step("request", "wait"), Step("wait x", "0"), Step("release permit", "grant x"),
        ],
        // A stopped pool refuses its waiters; returned connections stay open until it is closed.
        [
            Step("request empty", "open"), Step("opened a", ""), Step("request empty", "open"), Step("opened b", ""),
            Step("stop sharing", ""), Step("wait x", "0"), Step("wait y", "1"), Step("stop", "[x, y]"),
            Step("can share", "false"), Step("release a", "keep"), Step("finished", "false"),
            Step("close", "[a]"), Step("finished", "false"), Step("release permit", "keep"),
            Step("finished", "false"), Step("release b", "close"), Step("finished", "false"),
            Step("release permit", "keep"), Step("finished", "true"), Step("close", "[]"), Step("finished", "true"),
        ],
        // Stopping a closed pool does not open it again.
        [
            Step("request empty", "open"), Step("opened a", ""), Step("stop", "[]"), Step("close", "[]"),
            Step("stop", "[]"), Step("release a", "close"),
        ],
        // While the pool is held, callers wait beside idle connections. It is quiet when the last one is returned. The
        // waiters then continue in their order: with connections, and with permits.
        [
            Step("request empty", "open"), Step("opened a", ""), Step("request empty", "open"), Step("opened b", ""),
            Step("release a", "keep"), Step("stop sharing", ""), Step("hold", ""), Step("quiet", "false"),
            Step("request", "wait"), Step("wait x", "0"), Step("request", "wait"), Step("wait y", "1"),
            Step("release b", "keep"), Step("quiet", "true"), Step("can share", "false"),
            Step("withdraw 0", "x"), Step("request", "wait"), Step("wait z", "2"),
            Step("end hold", "[y: b, z: a]"), Step("quiet", "false"), Step("release a", "keep"),
        ],
        [
            Step("request empty", "open"), Step("stop sharing", ""), Step("hold", ""), Step("wait x", "0"),
            Step("wait y", "1"), Step("wait z", "2"), Step("release permit", "keep"), Step("quiet", "true"),
            Step("end hold", "[x: open, y: open]"), Step("release permit", "grant z"),
        ],
        // A suspended pool refuses its waiters, and closes what is returned; after it, connections are opened.
        [
            Step("request empty", "open"), Step("opened a", ""), Step("request empty", "open"), Step("opened b", ""),
            Step("release a", "keep"), Step("suspend", "refused [], closing [a]"), Step("quiet", "false"),
            Step("release permit", "keep"), Step("release b", "close"), Step("quiet", "false"),
            Step("suspend", "refused [], closing []"), Step("release permit", "keep"), Step("quiet", "true"),
            Step("resume", "true"), Step("resume", "false"), Step("request empty", "open"),
        ],
        [
            Step("request empty", "open"), Step("opened a", ""), Step("request empty", "open"), Step("opened b", ""),
            Step("stop sharing", ""), Step("wait x", "0"), Step("suspend", "refused [x], closing []"),
            Step("resume", "true"), Step("release a", "keep"), Step("can share", "true"),
        ],
        // A suspended pool that keeps its connections; and one that is closed while it is suspended.
        [
            Step("request empty", "open"), Step("opened a", ""), Step("suspend keeping", "refused [], closing []"),
            Step("release a", "keep"), Step("quiet", "true"), Step("resume", "true"), Step("request", "use a"),
        ],
        [
            Step("request empty", "open"), Step("opened a", ""), Step("suspend", "refused [], closing []"),
            Step("stop", "[]"), Step("resume", "false"), Step("close", "[]"), Step("release a", "close"),
            Step("suspend", "refused [], closing []"), Step("release permit", "keep"), Step("finished", "true"),
        ],
        // A suspension that begins to close connections later, and the connection that is opened before it ends.
        [
            Step("request empty", "open"), Step("opened a", ""), Step("lease to reopen", "false"),
            Step("suspend keeping", "refused [], closing []"), Step("release a", "keep"),
            Step("lease to reopen", "false"),
            Step("suspend", "refused [], closing [a]"), Step("suspend keeping", "refused [], closing []"),
            Step("lease to reopen", "false"), Step("release permit", "keep"), Step("lease to reopen", "true"),
            Step("lease to reopen", "false"), Step("opened b", ""), Step("resume", "true"), Step("release b", "keep"),
            Step("request", "use b"),
        ],
        // All idle connections are leased at once, to be changed.
        [
            Step("request empty", "open"), Step("opened a", ""), Step("request empty", "open"), Step("opened b", ""),
            Step("release a", "keep"), Step("lease all", "[a]"), Step("lease all", "[]"),
            Step("leased or in slots", "[a, b]"),
            Step("release a", "keep"), Step("leased or in slots", "[b]"),
        ],
    ]

    @Test(arguments: tables) func everyStepReturnsWhatTheTableSays(_ steps: [Step]) throws {
        var state = State(maximum: 2)
        let items = ["a": Item("a"), "b": Item("b")]
        for (index, step) in steps.enumerated() {
            let result = try Self.perform(step.call, on: &state, items)
            #expect(result == step.result, "step \(index): \(step.call)")
        }
    }

    private static func perform(_ call: String, on state: inout State, _ items: [String: Item]) throws -> String {
        let item = call.split(separator: " ").last.flatMap { items[String($0)] }
        if let item {
            if call.hasPrefix("opened") { state.opened(item) }
            if call.hasPrefix("stop sharing") { state.stopSharing([item]) }
            return call.hasPrefix("release") ? name(state.release(item)) : ""
        }
        if call.hasPrefix("wait ") { return "\(state.wait(String(call.dropFirst(5))))" }
        if call.hasPrefix("withdraw ") { return state.withdraw(try #require(Int(call.dropFirst(9)))) ?? "nil" }
        switch call {
        case "request": return name(state.request())
        case "request empty": return name(state.request(slotsAreEmpty: true))
        case "release permit": return state.releasePermit().map { "grant \($0)" } ?? "keep"
        case "stop sharing": state.stopSharing([])
        case "resume sharing": state.resumeSharing()
        case "can share": return "\(state.canResumeSharing)"
        case "can substitute": return "\(state.canSubstitute)"
        case "opening failed":
            return state.openingFailed().map { "use \($0)" } ?? "wait"
        case "drain": return state.drain().map { "\($0)" } ?? "nil"
        case "stop": return "[\(state.stop().joined(separator: ", "))]"
        case "close": return "\(state.close())"
        case "finished": return "\(state.isFinished)"
        case "lease all": return "\(state.leaseAllIdle())"
        case "leased or in slots": return "\(state.leasedOrInSlots)"
        case "hold": state.hold()
        case "quiet": return "\(state.isQuiet)"
        case "end hold":
            let grants = state.endHold().map { "\($0.waiter): \($0.connection?.name ?? "open")" }
            return "[\(grants.joined(separator: ", "))]"
        case "suspend", "suspend keeping":
            let (refused, closing) = state.suspend(closesConnections: call == "suspend")
            return "refused [\(refused.joined(separator: ", "))], closing \(closing)"
        case "resume": return "\(state.resume())"
        case "lease to reopen": return "\(state.leaseToReopen())"
        case "leases": return "\(state.counts.leases)"
        default: Issue.record("unknown step: \(call)")
        }
        return ""
    }

    private static func name(_ answer: State.Answer) -> String {
        switch answer {
        case .turn(.use(let item)): "use \(item)"
        case .turn(.open): "open"
        case .turn(.wait): "wait"
        case .searchSlots: "search slots"
        case .stopSharing: "stop sharing"
        }
    }

    private static func name(_ action: State.Action) -> String {
        switch action {
        case .grant(let waiter): "grant \(waiter)"
        case .close: "close"
        case .keep: "keep"
        }
    }

    @Test func aConnectionIsHandedToTheFirstWaiterIfItMayHaveIt() {
        var state = State(only: Item("writer"))
        guard case .turn(.use) = state.request() else { return #expect(Bool(false)) }
        _ = state.wait("joins 1")
        _ = state.wait("alone")
        _ = state.wait("joins 2")
        func handOver() -> String? { state.handOver { $0.hasPrefix("joins") } }
        #expect(handOver() == "joins 1")
        // Nobody is passed over.
        #expect(handOver() == nil)
        #expect(state.withdraw(1) == "alone")
        state.hold()
        #expect(handOver() == nil)
        #expect(state.endHold().isEmpty)
        #expect(handOver() == "joins 2")
        #expect(handOver() == nil)
        _ = state.wait("joins 3")
        _ = state.stop()
        #expect(handOver() == nil)
        #expect(state.counts.leases == 3)
    }

    @Test func aPoolOfOneGivenConnectionOpensNoOther() {
        var state = State(only: Item("a"))
        #expect(Self.name(state.request()) == "use a")
        state.stopSharing([])
        #expect(Self.name(state.request()) == "wait")
    }

    // MARK: A random walk

    @Test func randomStepsKeepTheInvariants() {
        let seed = TestSeed.of()
        for round in 0..<200 {
            var walk = RandomWalk(random: seed.generator(round))
            for step in 0..<300 {
                walk.step()
                let failure = walk.brokenInvariant
                #expect(failure == nil, "seed \(seed), round \(round), step \(step)")
                if failure != nil { return }
            }
            walk.finish()
            #expect(walk.state.isFinished, "seed \(seed), round \(round)")
            #expect(walk.brokenInvariant == nil, "seed \(seed), round \(round)")
        }
    }
}

/// The core of a pool, as far as the state needs one: slots, callers and waiters, and random calls.
private struct RandomWalk {
    var random: SeededGenerator
    var state: PoolStateTests.State
    /// The connections in slots, with permits.
    var slots: [PoolStateTests.Item] = []
    var leased: [PoolStateTests.Item] = []
    /// The permits of callers that are opening or closing a connection.
    var opening = 0
    var closing = 0
    /// The waiters in the order in which they came, and their numbers.
    var waiting: [(name: String, number: Int)] = []
    var isOutOfOrder = false
    var names = 0

    init(random generator: SeededGenerator) {
        random = generator
        state = PoolState(maximum: Int.random(in: 1...4, using: &random))
    }

    /// The rule that does not hold, if there is one.
    var brokenInvariant: String? {
        if !(0...state.maximum).contains(state.permits) { return "\(state.permits) permits of \(state.maximum)" }
        if state.permits != slots.count + leased.count + opening + closing { return "a permit has no owner, or two" }
        if state.permits + state.idle.count > state.maximum { return "too many connections" }
        if state.connections.count != state.idle.count + slots.count + leased.count { return "a connection is lost" }
        if !waiting.isEmpty, !state.isHeld, !state.idle.isEmpty || !slots.isEmpty {
            return "a waiter beside a free connection"
        }
        if !waiting.isEmpty, !state.isHeld, leased.isEmpty, opening + closing == 0 {
            return "nobody will resume the waiters"
        }
        if state.line.count != waiting.count { return "the line has \(state.line.count) waiters" }
        return isOutOfOrder ? "a waiter was resumed before an earlier one" : nil
    }

    mutating func step() {
        switch Int.random(in: 0..<100, using: &random) {
        case ..<40: request()
        case ..<70: release()
        case ..<80: finishOpening()
        case ..<85: finishClosing()
        case ..<90: withdraw()
        case ..<93: discard()
        case ..<96: drain()
        case ..<97: leased += emptyingSlots { $0.leaseAllIdle() }
        case ..<98: toggleHold()
        case ..<99: toggleSuspension()
        case ..<100 where names > 200: stop()
        default: break
        }
    }

    /// Returns everything, as callers do in the end.
    mutating func finish() {
        if state.isHeld { toggleHold() }
        stop()
        closing += state.close().count
        while !leased.isEmpty { release() }
        while opening > 0 {
            opening -= 1
            releasePermit()
        }
        while closing > 0 { finishClosing() }
    }

    private mutating func request() {
        guard state.phase == .running else { return }
        var answer = state.request()
        while true {
            switch answer {
            case .turn(.use(let item)): return leased.append(item)
            case .turn(.open): return opening += 1
            case .turn(.wait): return wait()
            case .searchSlots:
                if !slots.isEmpty {
                    state.leasedFromSlot()
                    return leased.append(slots.removeFirst())
                }
                answer = state.request(slotsAreEmpty: true)
            case .stopSharing:
                stopSharing()
                answer = state.request()
            }
        }
    }

    private mutating func wait() {
        names += 1
        waiting.append(("w\(names)", state.wait("w\(names)")))
    }

    private mutating func stopSharing() {
        state.stopSharing(slots)
        slots = []
    }

    private mutating func emptyingSlots(
        _ body: (inout PoolStateTests.State) -> [PoolStateTests.Item]
    ) -> [PoolStateTests.Item] {
        stopSharing()
        return body(&state)
    }

    private mutating func grant(_ waiter: String) {
        if waiting.first?.name != waiter { isOutOfOrder = true }
        waiting.removeAll { $0.name == waiter }
    }

    private mutating func release() {
        guard let index = leased.indices.randomElement(using: &random) else { return }
        let item = leased.remove(at: index)
        if state.isSharing, slots.count < 2, Bool.random(using: &random) { return slots.append(item) }
        switch state.release(item) {
        case .grant(let waiter):
            grant(waiter)
            leased.append(item)
        case .close: closing += 1
        case .keep:
            if state.canResumeSharing { state.resumeSharing() }
        }
    }

    private mutating func releasePermit() {
        guard let waiter = state.releasePermit() else { return }
        grant(waiter)
        opening += 1
    }

    private mutating func finishOpening() {
        guard opening > 0 else { return }
        opening -= 1
        guard Bool.random(using: &random) else { return failOpening() }
        names += 1
        let item = PoolStateTests.Item("c\(names)")
        state.opened(item)
        leased.append(item)
    }

    private mutating func failOpening() {
        guard state.canSubstitute, Bool.random(using: &random) else { return releasePermit() }
        stopSharing()
        if let item = state.openingFailed() { leased.append(item) } else { wait() }
    }

    private mutating func finishClosing() {
        guard closing > 0 else { return }
        closing -= 1
        releasePermit()
    }

    private mutating func withdraw() {
        guard let index = waiting.indices.randomElement(using: &random) else { return }
        let waiter = waiting.remove(at: index)
        if state.withdraw(waiter.number) != waiter.name { isOutOfOrder = true }
    }

    private mutating func discard() {
        guard let item = leased.popLast() else { return }
        state.remove(item)
        closing += 1
    }

    private mutating func drain() {
        state.collect(slots)
        slots = []
        closing += state.drain()?.count ?? 0
    }

    private mutating func toggleHold() {
        guard state.isHeld else {
            stopSharing()
            return state.hold()
        }
        for held in state.endHold() {
            grant(held.waiter)
            if let item = held.connection { leased.append(item) } else { opening += 1 }
        }
    }

    private mutating func toggleSuspension() {
        if state.resume() { return }
        stopSharing()
        let (refused, items) = state.suspend(closesConnections: Bool.random(using: &random))
        if refused != waiting.map(\.name) { isOutOfOrder = true }
        waiting = []
        closing += items.count
    }

    private mutating func stop() {
        stopSharing()
        if state.stop() != waiting.map(\.name) { isOutOfOrder = true }
        waiting = []
    }
}
