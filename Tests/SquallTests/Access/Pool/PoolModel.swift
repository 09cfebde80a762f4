@testable import Squall

/// A finite model of the threads that use a ``PoolCore``: its ``PoolState``, which is the real one, with the slots of
/// `IdleSlots`, and the order in which `PoolCore` takes its lock, the slots and the connections. Each critical section is a
/// step, and any thread can take the next one. A slot has a lock of its own, so that a thread can use its slot while another
/// has the lock of the core: each visit of a slot is a step too.
///
/// Each thread has a slot for itself, which is the case in which most connections are where others do not look for them.
struct PoolModel {
    /// The kind of the pool.
    enum Pool {
        /// Connections are opened as they are needed: the readers of a database.
        case opening(maximum: Int)
        /// The one connection that was given to the core: the writer of a database.
        case only
    }

    /// A mistake in the core, which the search must find.
    enum Mistake {
        /// A caller waits without closing the slots.
        case waitsBesideOpenSlots
        /// A connection is put into a closed slot.
        case usesClosedSlots
        /// A connection is put into a slot, and returned to the state as well.
        case returnsTwice
        /// The permit of a connection is returned before the connection is closed.
        case returnsPermitEarly
        /// The waiters of a pool that is stopped are not refused.
        case forgetsRefused
        /// What waits for the quiet pool is not called.
        case forgetsCallbacks
        /// The last waiter gets the connection.
        case servesLast
        /// The pool is held without closing the slots.
        case holdsBesideOpenSlots
        /// The connections of a suspended pool stay open, although their permits are returned.
        case keepsOpenInSuspension
        /// A hold does not end.
        case forgetsEndOfHold
        /// A caller opens a connection instead of waiting.
        case opensBeyondMaximum
        /// The call that closes the pool does not wait for the last connection.
        case endsBeforeClosed
    }

    var pool = Pool.opening(maximum: 1)
    var clients = 2
    /// The number of requests of each client.
    var requests = 1
    /// Whether opening a connection can fail.
    var openingFails = false
    /// Whether a waiter can be withdrawn, as at its deadline.
    var withdraws = false
    /// Whether a closure can close its connection.
    var discards = false
    /// Whether a checkpoint holds the pool once, and whether its wait can time out.
    var holds = false, holdTimesOut = false
    /// Whether the pool is suspended once, and resumed.
    var suspends = false
    /// Whether the pool is drained once.
    var drains = false
    /// Whether the pool is closed.
    var closes = false
    var mistake: Mistake?

    var maximum: Int {
        switch pool {
        case .opening(let maximum): maximum
        case .only: 1
        }
    }
}

// MARK: - State

extension PoolModel {
    final class Item: Sendable {
        let number: UInt8
        init(_ number: UInt8) { self.number = number }
    }

    /// What a thread does after it has closed the slots.
    enum AfterSlots {
        case request, openingFailed, hold, suspend, stop, drain
    }

    /// The place of a thread in its call. Those with a `*` have the lock of the core.
    enum Place {
        /// A client that has nothing, or another thread that has not begun.
        case idle
        /// * Looks for a connection in the slots.
        case searching(slot: Int)
        /// * Closes the slots, and takes the connections out of them; a drain only takes them.
        case closingSlots(slot: Int, taken: [Item], AfterSlots)
        /// * Opens the slots.
        case openingSlots(slot: Int)
        case waiting(number: Int)
        case opening
        case leased(Item, returnsToSlot: Bool)
        /// Returns a connection that its slot did not take.
        case releasing(Item)
        case closing([Item])
        /// Has closed a connection, and will return its permit.
        case returningPermit(others: [Item])
        // The thread of a checkpoint.
        case held, waitingForQuiet, running, endingHold
        // The thread that suspends.
        case suspended, reopening, reopened(Item)
        // The thread that closes.
        case stopped, waitingForClose
        case done
    }

    enum Role: UInt8 {
        case client, checkpoint, suspension, drain, close
    }

    struct ModelThread {
        let role: Role
        var place = Place.idle
        /// The number of requests that a client has left.
        var requests = 0
    }

    struct World {
        var state: PoolState<Item, Int>
        var threads: [ModelThread]
        var slots: [Item?]
        var isSlotOpen: [Bool]
        /// The thread that has the lock of the core.
        var lockOwner: Int?
        /// The clients in the line, in the order of their calls.
        var line: [Int] = []
        /// The connections that a mistake has left open.
        var forgotten: [Item] = []
        /// Whether a callback for the quiet and for the closed pool is in the list of the core.
        var awaitsQuiet = false, awaitsClose = false
        /// The rule that the last step has broken.
        var broken: Rule?
    }

    enum Rule: String {
        case connectionHasTwoUsers, permits, tooManyConnections, waiterBesideFreeConnection, order, exclusive
        case openDuringSuspension, notClosed, lostWaiter, neverEnds
    }

    var start: World {
        var threads = (0..<clients).map { _ in ModelThread(role: .client, requests: requests) }
        if holds { threads.append(ModelThread(role: .checkpoint)) }
        if suspends { threads.append(ModelThread(role: .suspension)) }
        if drains { threads.append(ModelThread(role: .drain)) }
        if closes { threads.append(ModelThread(role: .close)) }
        let state: PoolState<Item, Int> =
            switch pool {
            case .opening(let maximum): PoolState(maximum: maximum)
            case .only: PoolState(only: Item(0))
            }
        return World(
            state: state, threads: threads, slots: Array(repeating: nil, count: clients),
            isSlotOpen: Array(repeating: true, count: clients))
    }
}

// MARK: - Rules

extension PoolModel.World {
    /// The connections that are open, with their users: clients, slots, the list of idle ones, and threads that close them.
    var users: [PoolModel.Item] {
        var users = state.idle + slots.compactMap { $0 } + forgotten
        for thread in threads {
            switch thread.place {
            case .closingSlots(_, let taken, _): users += taken
            case .leased(let item, _), .releasing(let item), .reopened(let item): users.append(item)
            case .closing(let items): users += items
            case .returningPermit(let others): users += others
            default: break
            }
        }
        return users
    }

    /// The number of connections that belong to a client, or are on the way there.
    private var leases: Int {
        threads.count { thread in
            switch thread.place {
            case .leased, .releasing, .opening, .reopening, .reopened: true
            default: false
            }
        }
    }

    /// The rule that does not hold in this state.
    func brokenRule(_ model: PoolModel) -> PoolModel.Rule? {
        if let broken { return broken }
        let users = users
        if Set(users.map(\.number)).count < users.count { return .connectionHasTwoUsers }
        // A connection that is being opened may be open already.
        let opening = threads.count { if case .opening = $0.place { true } else { false } }
        if users.count + opening > model.maximum { return .tooManyConnections }
        let isRunning = threads.contains { if case .running = $0.place { true } else { false } }
        if isRunning, leases > 0 || slots.contains(where: { $0 != nil }) { return .exclusive }
        return lockOwner == nil ? brokenRuleWithoutLock(users.count) : nil
    }

    private func brokenRuleWithoutLock(_ users: Int) -> PoolModel.Rule? {
        var owned = slots.count { $0 != nil } + leases
        for thread in threads {
            switch thread.place {
            case .closing(let items): owned += items.count
            case .returningPermit(let others): owned += others.count + 1
            default: break
            }
        }
        if state.permits != owned { return .permits }
        if !line.isEmpty, state.phase == .running, !state.isHeld,
            !state.idle.isEmpty || slots.contains(where: { $0 != nil })
        {
            return .waiterBesideFreeConnection
        }
        if state.line.count != line.count { return .lostWaiter }
        if state.phase == .suspended(closesConnections: true), state.isQuiet, users > 0 { return .openDuringSuspension }
        let isClosed = threads.contains { $0.role == .close && $0.place.isDone }
        return isClosed && (!state.isFinished || users > 0) ? .notClosed : nil
    }

    /// The rule that a state breaks from which no step leads on.
    var brokenRuleAtEnd: PoolModel.Rule? {
        for thread in threads {
            if case .waiting = thread.place { return .lostWaiter }
        }
        return threads.allSatisfy { $0.role == .client || $0.place.isDone } ? nil : .neverEnds
    }
}

extension PoolModel.Place {
    var isDone: Bool { if case .done = self { true } else { false } }

    /// The place in a few bytes, for the comparison of states.
    func append(to key: inout [UInt8]) {
        func add(_ code: UInt8, _ items: [PoolModel.Item] = [], _ value: Int = 0) {
            key += [code, UInt8(truncatingIfNeeded: value), UInt8(items.count)] + items.map(\.number)
        }
        switch self {
        case .idle: add(0)
        case .searching(let slot): add(1, [], slot)
        case .closingSlots(let slot, let taken, let next): add(20 + next.code, taken, slot)
        case .openingSlots(let slot): add(3, [], slot)
        // The number is left out: the order of the waiters is a part of the state.
        case .waiting: add(4)
        case .opening: add(5)
        case .leased(let item, let returnsToSlot): add(6, [item], returnsToSlot ? 1 : 0)
        case .releasing(let item): add(7, [item])
        case .closing(let items): add(8, items)
        case .returningPermit(let others): add(9, others)
        case .held: add(10)
        case .waitingForQuiet: add(11)
        case .running: add(12)
        case .endingHold: add(13)
        case .suspended: add(14)
        case .reopening: add(15)
        case .reopened(let item): add(16, [item])
        case .stopped: add(17)
        case .waitingForClose: add(18)
        case .done: add(19)
        }
    }
}

extension PoolModel.AfterSlots {
    fileprivate var code: UInt8 {
        switch self {
        case .request: 0
        case .openingFailed: 1
        case .hold: 2
        case .suspend: 3
        case .stop: 4
        case .drain: 5
        }
    }
}
