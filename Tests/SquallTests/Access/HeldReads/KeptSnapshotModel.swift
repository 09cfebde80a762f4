/// A finite model of a snapshot that a connection keeps while it is in a slot: `IdleSlots.put`, `take`, `takeAny`,
/// `setSharing`, `setKeeping` and `endIdleSnapshot`, `PoolCore.watch` and `release`. Each call has the lock of the slot, and is
/// a step.
///
/// ``HeldReadsModel`` shows that a read which continues a snapshot is not stale. This model shows that the snapshots end: an
/// idle connection would otherwise keep checkpoints waiting, and the log growing.
struct KeptSnapshotModel {
    enum Mistake: CaseIterable {
        /// A connection with a snapshot is put into a slot without a timer.
        case putsWithoutTimer
        /// A connection keeps its snapshot in a slot while a checkpoint runs.
        case putsDuringCheckpoint
        /// A checkpoint does not end the snapshots of the connections that are in slots.
        case checkpointsBesideSnapshots
        /// A caller on another thread gets a connection with its snapshot.
        case takesWithSnapshot
        /// A connection that its slot refuses becomes idle with its snapshot.
        case releasesWithSnapshot
        /// The timer ends, and the slot is still marked as watched.
        case forgetsThatTimerEnded
        /// Each connection that is put into the slot gets a timer.
        case startsSecondTimer
    }

    var mistake: Mistake?
    /// The number of reads of the thread of the slot.
    var reads: UInt8 = 4
    var checkpoints: UInt8 = 2

    enum Place: UInt8 {
        /// A closure of the thread of the slot has the connection.
        case leased
        /// A closure of another thread has it.
        case leasedElsewhere
        case inSlot, idle
    }

    enum Checkpoint: UInt8 {
        case none, running
    }

    struct State: Hashable {
        var place = Place.idle
        /// Whether the connection keeps a snapshot from the last read.
        var isKept = false
        /// Whether the connection has been leased so long ago that the timer ends its snapshot.
        var isOld = false
        var isOpen = true, isKeeping = true, isWatched = false
        var timers: UInt8 = 0
        var checkpoint = Checkpoint.none
        var reads: UInt8
        var checkpoints: UInt8
    }

    enum Rule: Hashable {
        /// A snapshot outside a slot: the next user of the connection would read old rows.
        case keptOutsideSlot
        /// A snapshot in a slot during a checkpoint.
        case blocksCheckpoint
        /// A snapshot in a slot that no timer will end.
        case neverEnds
        /// Two timers for one slot.
        case timers
    }
}

// MARK: - Search

extension KeptSnapshotModel {
    /// Visits all states. Returns their number, and the first rule that is broken.
    func search() -> (states: Int, broken: Rule?) {
        var states = [State(reads: reads, checkpoints: checkpoints)]
        var known = Set(states)
        var current = 0
        while current < states.count {
            for next in steps(from: states[current]) where known.insert(next).inserted {
                if let broken = next.brokenRule { return (states.count, broken) }
                states.append(next)
            }
            current += 1
        }
        return (states.count, nil)
    }

    private func steps(from state: State) -> [State] {
        var steps: [State] = []
        func step(_ change: (inout State) -> Void) {
            var next = state
            change(&next)
            steps.append(next)
        }
        if state.timers > 0 { step { endIdleSnapshot(&$0) } }
        if state.place == .inSlot, !state.isOld { step { $0.isOld = true } }
        switch state.checkpoint {
        case .none where state.checkpoints > 0: step { setKeeping(&$0, false) }
        case .running: step { setKeeping(&$0, true) }
        case .none: break
        }
        step { setSharing(&$0, !state.isOpen) }
        if state.reads > 0 { appendReads(state, step) }
        return steps
    }

    private func appendReads(_ state: State, _ step: ((inout State) -> Void) -> Void) {
        switch state.place {
        case .inSlot:
            // IdleSlots.take: the thread of the slot continues the snapshot, or begins another one.
            step { state in (state.place, state.isKept, state.isOld) = (.leased, false, false) }
            // PoolCore.request, on another thread: IdleSlots.takeAny
            step { takeElsewhere(&$0) }
        case .idle: step { state in (state.place, state.isOld) = (.leased, false) }
        case .leased, .leasedElsewhere:
            // PooledConnection.keepSnapshot, or not: a long log, or another state of its index.
            for keeps in [true, false] { step { put(&$0, keeps) } }
        }
    }

    private func takeElsewhere(_ state: inout State) {
        state.place = .leasedElsewhere
        state.isOld = false
        if mistake != .takesWithSnapshot { state.isKept = false }
    }

    /// PoolCore.release and IdleSlots.put
    private func put(_ state: inout State, _ keeps: Bool) {
        state.reads -= 1
        state.isKept = keeps
        // The other thread has another slot, in which the connection is as in this one. Here, it becomes idle.
        guard state.place == .leased, state.isOpen else {
            state.place = .idle
            if mistake != .releasesWithSnapshot { state.isKept = false }
            return
        }
        state.place = .inSlot
        guard state.isKept else { return }
        guard state.isKeeping || mistake == .putsDuringCheckpoint else {
            state.isKept = false
            return
        }
        if state.isWatched, mistake != .startsSecondTimer { return }
        state.isWatched = true
        if mistake != .putsWithoutTimer { state.timers += 1 }
    }

    /// IdleSlots.endIdleSnapshot, and PoolCore.watch again
    private func endIdleSnapshot(_ state: inout State) {
        state.timers -= 1
        if mistake != .forgetsThatTimerEnded { state.isWatched = false }
        guard state.place == .inSlot, state.isKept else { return }
        guard !state.isOld else {
            state.isKept = false
            return
        }
        state.isWatched = true
        state.timers += 1
    }

    /// IdleSlots.setKeeping, at the beginning and at the end of a checkpoint
    private func setKeeping(_ state: inout State, _ isKeeping: Bool) {
        state.isKeeping = isKeeping
        state.checkpoint = isKeeping ? .none : .running
        guard !isKeeping else { return }
        state.checkpoints -= 1
        if mistake != .checkpointsBesideSnapshots, state.place == .inSlot { state.isKept = false }
    }

    /// IdleSlots.setSharing
    private func setSharing(_ state: inout State, _ isSharing: Bool) {
        state.isOpen = isSharing
        guard !isSharing, state.place == .inSlot else { return }
        (state.place, state.isKept) = (.idle, false)
    }
}

extension KeptSnapshotModel.State {
    fileprivate var brokenRule: KeptSnapshotModel.Rule? {
        if timers > 1 { return .timers }
        guard isKept else { return nil }
        if place != .inSlot { return .keptOutsideSlot }
        if checkpoint == .running { return .blocksCheckpoint }
        return timers == 0 ? .neverEnds : nil
    }
}
