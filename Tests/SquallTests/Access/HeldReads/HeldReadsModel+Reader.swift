/// The steps of a reader.
extension HeldReadsModel {
    /// Takes a step of the first reader.
    func read(_ state: State, _ all: inout [State]) {
        var next = state
        let reader = state.reader
        switch reader.step {
        case .idle, .kept: return beginRead(state, &all)
        case .checking, .comparing: compare(&next)
        case .copying: copy(&next)
        case .header:
            guard state.first == state.second else { return }
            next.reader.header = state.first
            next.reader.step = state.copiedFrames == state.first.frames ? .lockZero : .mark
        case .lockZero:
            let isBusy = state.checkpoint.step == .copying || state.checkpoint.step == .copied
            if isBusy { next.reader.step = .mark } else { beginTransaction(&next) }
        case .mark: chooseMark(&next)
        case .lockMark:
            next.reader.firstFrame = state.copiedFrames + 1
            let isFree = !state.writer.locksMarks && state.mark(reader.mark) == reader.markValue
            if isFree { beginTransaction(&next) } else { retry(&next) }
        case .reading: endQuery(&next)
        }
        all.append(next)
    }

    /// Takes the steps to begin or to end a transaction of the other reader at once. With two readers that take each step
    /// apart, there were 50 million states, and no defect either (2026-11-23).
    func readOther(_ state: State, _ all: inout [State]) {
        var open: [State] = [], next: [State] = []
        read(state.swapped, &open)
        // A call with more steps spins at a lock.
        for _ in 0..<20 where !open.isEmpty {
            for state in open {
                if state.reader.stops { all.append(state.swapped) } else { read(state, &next) }
            }
            open = next
            next.removeAll()
        }
    }

    private func beginRead(_ state: State, _ all: inout [State]) {
        let reader = state.reader
        if reader.step == .kept, hasIdleReaders { all.append(state.with { $0.reader = Reader() }) }
        guard !reader.hasReadInTurn else { return }
        var next = state
        next.reader.needed = state.acknowledged
        if reader.step == .idle || limitsAge {
            all.append(
                next.with {
                    beginNew(&$0)
                    if reader.step == .idle, $0.reader.step == .copying { copy(&$0) }
                })
        }
        guard reader.step == .kept else { return }
        next.reader.step = renews ? .checking : .reading
        if renews { compare(&next) }
        all.append(next)
    }

    /// Ends the transaction, if there is one, to begin another one.
    private func beginNew(_ state: inout State) {
        let step: Reader.Step = copiesBeforeRead && !words.isEmpty ? .copying : .header
        state.reader = Reader(step: step, needed: state.reader.needed)
    }

    private func retry(_ state: inout State) {
        state.reader = Reader(step: .header, copy: state.reader.copy, needed: state.reader.needed)
    }

    private func chooseMark(_ state: inout State) {
        let frames = state.reader.header.frames
        var mark: UInt8 = state.firstMark <= frames ? 1 : 0
        if state.secondMark <= frames, mark == 0 || state.secondMark >= state.firstMark { mark = 2 }
        if mark == 0 || state.mark(mark) < frames, !state.writer.locksMarks,
            let free = [UInt8(1), 2].first(where: { !state.isShared($0) })
        {
            state.setMark(free, frames)
            mark = free
        }
        guard mark > 0 else { return retry(&state) }
        (state.reader.mark, state.reader.markValue, state.reader.step) = (mark, state.mark(mark), .lockMark)
    }

    private func beginTransaction(_ state: inout State) {
        guard state.first == state.reader.header else { return retry(&state) }
        (state.reader.step, state.reader.isLocked, state.reader.hasTransaction) = (.reading, true, true)
        state.reader.markValue = 0
    }

    private func endQuery(_ state: inout State) {
        state.reader.needed = 0
        let hasCopy = state.reader.copy.frames != Copy.none
        if words.isEmpty || !state.reader.copy.isUsable {
            endRead(&state, keeps: false)
        } else if !renews, hasCopy {
            endRead(&state, keeps: true)
        } else if !hasCopy {
            copy(&state)
        } else {
            state.reader.step = .comparing
            compare(&state)
        }
    }

    /// Copies the next word.
    private func copy(_ state: inout State) {
        let word = words[Int(state.reader.word)]
        let copied = state.reader.copy[word], isSame = copied == Copy.none || copied == state[word]
        state.reader.copy[word] = state[word]
        state.reader.step = .copying
        state.reader.word += 1
        // The other words of a copy that cannot be used are of no interest.
        if !isSame { state.reader.copy = Copy(frames: 0, isUsable: false) }
        guard state.reader.word == words.count || !isSame else { return }
        state.reader.word = 0
        if copiesBeforeRead { state.reader.step = .header } else { endRead(&state, keeps: canKeep(state.reader.copy)) }
    }

    private func canKeep(_ copy: Copy) -> Bool {
        copy.isUsable && !(copy.frames > bound && copy.copiedFrames != copy.frames)
    }

    /// Compares the next word with its copy.
    private func compare(_ state: inout State) {
        let word = words[Int(state.reader.word)], isChecking = state.reader.step == .checking
        guard state[word] == state.reader.copy[word] else {
            if isChecking { beginNew(&state) } else { endRead(&state, keeps: false) }
            return
        }
        state.reader.word += 1
        guard state.reader.word == words.count else { return }
        state.reader.word = 0
        if isChecking { state.reader.step = .reading } else { endRead(&state, keeps: canKeep(state.reader.copy)) }
    }

    private func endRead(_ state: inout State, keeps: Bool) {
        if keeps { (state.reader.step, state.reader.word) = (.kept, 0) } else { state.reader = Reader() }
        guard takesTurns else { return }
        state.reader.hasReadInTurn = true
        guard state.other.hasReadInTurn else { return }
        (state.reader.hasReadInTurn, state.other.hasReadInTurn, state.turn) = (false, false, .writer)
    }
}

extension HeldReadsModel.State {
    fileprivate var swapped: Self { with { ($0.reader, $0.other) = (other, reader) } }
}

extension HeldReadsModel.Reader {
    /// Whether the other reader stops here: where a call begins or ends, and where it has no transaction.
    fileprivate var stops: Bool {
        step == .idle || step == .kept || step == .reading || step == .copying && word == 0
    }
}
