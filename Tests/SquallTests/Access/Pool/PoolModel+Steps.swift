@testable import Squall

// The steps of the threads. The comments name the code that takes them.

extension PoolModel {
    struct Step {
        var world: World
        /// Whether it need not come: a deadline.
        var isOptional = false
    }

    /// All steps that a thread can take next.
    func steps(from world: World) -> [Step] {
        var steps: [Step] = []
        for thread in world.threads.indices {
            let isFree = world.lockOwner == nil
            if world.lockOwner == thread {
                steps.append(step(world) { continueWithLock(&$0, thread) })
                continue
            }
            switch world.threads[thread].role {
            case .client: appendClient(world, thread, isFree, &steps)
            case .checkpoint: appendCheckpoint(world, thread, isFree, &steps)
            case .suspension, .drain, .close: appendOther(world, thread, isFree, &steps)
            }
        }
        return steps
    }

    private func step(_ world: World, isOptional: Bool = false, _ change: (inout World) -> Void) -> Step {
        var world = world
        change(&world)
        return Step(world: world, isOptional: isOptional)
    }

    // MARK: Clients

    private func appendClient(_ world: World, _ thread: Int, _ isFree: Bool, _ steps: inout [Step]) {
        switch world.threads[thread].place {
        case .idle: appendRequest(world, thread, isFree, &steps)
        case .waiting(let number) where withdraws && isFree:
            // PoolCore.withdraw
            steps.append(
                step(world, isOptional: true) { world in
                    if world.state.withdraw(number) != thread { world.broken = .lostWaiter }
                    world.line.removeAll { $0 == thread }
                    endRequest(&world, thread)
                })
        case .opening where isFree: appendOpening(world, thread, &steps)
        case .leased(let item, let returnsToSlot):
            steps.append(step(world) { release(&$0, thread, item, returnsToSlot) })
            if discards, isFree {
                // PoolCore.discard
                steps.append(
                    step(world) { world in
                        world.state.remove(item)
                        world.threads[thread].place = .closing([item])
                    })
            }
        case .releasing(let item) where isFree: steps.append(step(world) { releaseSlowly(&$0, thread, item) })
        default: appendClosing(world, thread, isFree, &steps)
        }
    }

    private func appendRequest(_ world: World, _ thread: Int, _ isFree: Bool, _ steps: inout [Step]) {
        guard world.threads[thread].requests > 0 else { return }
        if let item = world.slots[thread] {
            // PoolCore.acquire: IdleSlots.take, without the lock of the core.
            steps.append(
                step(world) { world in
                    world.slots[thread] = nil
                    world.threads[thread].place = .leased(item, returnsToSlot: true)
                })
        } else if isFree {
            // PoolCore.acquireSlowly
            steps.append(
                step(world) { world in
                    if world.state.phase == .running {
                        answer(&world, thread, world.state.request())
                    } else {
                        refuse(&world, thread)
                    }
                })
        }
    }

    /// PoolCore.openConnection
    private func appendOpening(_ world: World, _ thread: Int, _ steps: inout [Step]) {
        steps.append(
            step(world) { world in
                let item = freeItem(world)
                world.state.opened(item)
                world.threads[thread].place = .leased(item, returnsToSlot: true)
            })
        guard openingFails else { return }
        steps.append(
            step(world) { world in
                if world.state.canSubstitute {
                    closeSlots(&world, thread, then: .openingFailed)
                } else {
                    world.state.openingAborted()
                    world.threads[thread].place = .returningPermit(others: [])
                }
            })
    }

    func freeItem(_ world: World) -> Item {
        let used = world.users.map(\.number)
        var number: UInt8 = 0
        while used.contains(number) { number += 1 }
        return Item(number)
    }

    /// PoolCore.request
    private func answer(_ world: inout World, _ thread: Int, _ answer: PoolState<Item, Int>.Answer) {
        world.lockOwner = nil
        switch answer {
        case .turn(.use(let item)): world.threads[thread].place = .leased(item, returnsToSlot: true)
        case .turn(.open): world.threads[thread].place = .opening
        case .turn(.wait):
            if mistake == .opensBeyondMaximum { world.threads[thread].place = .opening } else { wait(&world, thread) }
        case .searchSlots:
            world.lockOwner = thread
            world.threads[thread].place = .searching(slot: 0)
        case .stopSharing:
            if mistake == .waitsBesideOpenSlots {
                wait(&world, thread)
            } else {
                closeSlots(&world, thread, then: .request)
            }
        }
    }

    private func wait(_ world: inout World, _ thread: Int) {
        world.threads[thread].place = .waiting(number: world.state.wait(thread))
        world.line.append(thread)
    }

    private func endRequest(_ world: inout World, _ thread: Int) {
        if world.threads[thread].role == .client {
            world.threads[thread].requests -= 1
            world.threads[thread].place = .idle
        } else {
            world.threads[thread].place = .done
        }
    }

    private func refuse(_ world: inout World, _ thread: Int) {
        // The caller gets an error, and does not come again.
        world.threads[thread].requests = 0
        world.threads[thread].place = .idle
    }

    // MARK: Returning

    /// PoolCore.release: IdleSlots.put, without the lock of the core.
    private func release(_ world: inout World, _ thread: Int, _ item: Item, _ returnsToSlot: Bool) {
        let isOpen = world.isSlotOpen[thread] || mistake == .usesClosedSlots
        guard returnsToSlot, isOpen, world.slots[thread] == nil else {
            world.threads[thread].place = .releasing(item)
            return
        }
        world.slots[thread] = item
        if mistake == .returnsTwice {
            world.threads[thread].place = .releasing(item)
        } else {
            endRequest(&world, thread)
        }
    }

    /// PoolCore.releaseSlowly
    func releaseSlowly(_ world: inout World, _ thread: Int, _ item: Item) {
        switch world.state.release(item) {
        case .grant(let waiter):
            endRequest(&world, thread)
            grant(&world, waiter, item)
        case .close: world.threads[thread].place = .closing([item])
        case .keep:
            endRequest(&world, thread)
            resumeSharing(&world, thread)
            callDue(&world)
        }
    }

    private func resumeSharing(_ world: inout World, _ thread: Int) {
        guard world.state.canResumeSharing else { return }
        world.state.resumeSharing()
        world.lockOwner = thread
        world.threads[thread].place = .openingSlots(slot: 0)
    }

    private func grant(_ world: inout World, _ waiter: Int, _ item: Item?) {
        let waiter = mistake == .servesLast ? world.line.last ?? waiter : waiter
        guard world.line.first == waiter, case .waiting = world.threads[waiter].place else {
            world.broken = .order
            return
        }
        world.line.removeFirst()
        world.threads[waiter].place = item.map { .leased($0, returnsToSlot: false) } ?? .opening
    }

    /// PoolCore.takeDueCallbacks
    private func callDue(_ world: inout World) {
        if mistake == .forgetsCallbacks { return }
        guard world.state.isQuiet else { return }
        world.awaitsQuiet = false
        if world.state.isFinished { world.awaitsClose = false }
    }

    // MARK: Closing

    /// PoolCore.close(_:) and releasePermit
    func appendClosing(_ world: World, _ thread: Int, _ isFree: Bool, _ steps: inout [Step]) {
        switch world.threads[thread].place {
        case .closing(let items):
            guard mistake != .returnsPermitEarly || isFree else { return }
            steps.append(
                step(world) { world in
                    if mistake == .returnsPermitEarly { returnPermit(&world) }
                    if mistake == .keepsOpenInSuspension { world.forgotten += items.prefix(1) }
                    world.threads[thread].place = .returningPermit(others: Array(items.dropFirst()))
                    if mistake == .returnsPermitEarly { world.threads[thread].place = .closing(items) }
                })
        case .returningPermit(let others) where isFree:
            steps.append(
                step(world) { world in
                    returnPermit(&world)
                    if others.isEmpty {
                        endClosing(&world, thread)
                    } else {
                        world.threads[thread].place = .closing(others)
                    }
                })
        default: break
        }
    }

    private func returnPermit(_ world: inout World) {
        if let waiter = world.state.releasePermit() { grant(&world, waiter, nil) } else { callDue(&world) }
    }

    private func endClosing(_ world: inout World, _ thread: Int) {
        switch world.threads[thread].role {
        case .client: endRequest(&world, thread)
        case .suspension: world.threads[thread].place = .suspended
        case .close: world.threads[thread].place = .waitingForClose
        case .checkpoint, .drain: world.threads[thread].place = .done
        }
    }

    // MARK: With the lock

    func closeSlots(_ world: inout World, _ thread: Int, then next: AfterSlots) {
        world.lockOwner = thread
        world.threads[thread].place = .closingSlots(slot: 0, taken: [], next)
    }

    private func continueWithLock(_ world: inout World, _ thread: Int) {
        switch world.threads[thread].place {
        case .searching(let slot):
            guard slot < world.slots.count else {
                return answer(&world, thread, world.state.request(slotsAreEmpty: true))
            }
            guard let item = world.slots[slot] else {
                world.threads[thread].place = .searching(slot: slot + 1)
                return
            }
            world.slots[slot] = nil
            world.state.leasedFromSlot()
            world.lockOwner = nil
            world.threads[thread].place = .leased(item, returnsToSlot: true)
        case .closingSlots(let slot, var taken, let next):
            guard slot < world.slots.count else { return afterSlots(&world, thread, taken, next) }
            if next != .drain { world.isSlotOpen[slot] = false }
            if let item = world.slots[slot] { taken.append(item) }
            world.slots[slot] = nil
            world.threads[thread].place = .closingSlots(slot: slot + 1, taken: taken, next)
        case .openingSlots(let slot):
            guard slot < world.slots.count else {
                world.lockOwner = nil
                // The client has ended its request already.
                world.threads[thread].place = world.threads[thread].role == .client ? .idle : .done
                return
            }
            world.isSlotOpen[slot] = true
            world.threads[thread].place = .openingSlots(slot: slot + 1)
        default: world.broken = .neverEnds
        }
    }

    private func afterSlots(_ world: inout World, _ thread: Int, _ taken: [Item], _ next: AfterSlots) {
        world.lockOwner = nil
        if next == .drain { world.state.collect(taken) } else { world.state.stopSharing(taken) }
        switch next {
        case .request: answer(&world, thread, world.state.request())
        case .openingFailed:
            if let item = world.state.openingFailed() {
                world.threads[thread].place = .leased(item, returnsToSlot: true)
            } else {
                wait(&world, thread)
            }
        case .hold:
            world.state.hold()
            world.threads[thread].place = .held
        case .suspend:
            let (refused, closing) = world.state.suspend(closesConnections: true)
            refuseAll(&world, refused)
            world.threads[thread].place = closing.isEmpty ? .suspended : .closing(closing)
        case .stop:
            refuseAll(&world, world.state.stop())
            world.threads[thread].place = .stopped
        case .drain:
            let closing = world.state.drain() ?? []
            world.threads[thread].place = closing.isEmpty ? .done : .closing(closing)
        }
    }

    private func refuseAll(_ world: inout World, _ waiters: [Int]) {
        if waiters != world.line { world.broken = .order }
        world.line = []
        if mistake == .forgetsRefused { return }
        for waiter in waiters { refuse(&world, waiter) }
    }

    // MARK: Holding

    /// PoolCore.holding and endHold
    private func appendCheckpoint(_ world: World, _ thread: Int, _ isFree: Bool, _ steps: inout [Step]) {
        func go(to place: Place) { steps.append(step(world) { $0.threads[thread].place = place }) }
        switch world.threads[thread].place {
        case .idle where isFree:
            steps.append(
                step(world) { world in
                    if mistake == .holdsBesideOpenSlots {
                        world.state.hold()
                        world.threads[thread].place = .held
                    } else {
                        closeSlots(&world, thread, then: .hold)
                    }
                })
        case .held where isFree:
            // `isQuiet`, and `whenQuiet` if it is not: one critical section decides.
            let isQuiet = world.state.isQuiet || mistake == .holdsBesideOpenSlots
            steps.append(
                step(world) { world in
                    world.awaitsQuiet = !isQuiet
                    world.threads[thread].place = isQuiet ? .running : .waitingForQuiet
                })
        case .waitingForQuiet:
            if !world.awaitsQuiet { go(to: .held) }
            if holdTimesOut { go(to: .endingHold) }
        case .running: go(to: .endingHold)
        case .endingHold where isFree:
            steps.append(
                step(world) { world in
                    world.awaitsQuiet = false
                    world.threads[thread].place = .done
                    if mistake == .forgetsEndOfHold { return }
                    for held in world.state.endHold() { grant(&world, held.waiter, held.connection) }
                    resumeSharing(&world, thread)
                })
        default: break
        }
    }
}
