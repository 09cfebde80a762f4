/// The steps of a writer and of a checkpoint.
extension HeldReadsModel {
    /// Appends the states that can be next.
    func appendFollowing(_ state: State, _ all: inout [State]) {
        if state.turn == .any || state.turn == .writer { write(state, &all) }
        if state.turn == .any || state.turn == .checkpoint { checkpoint(state, &all) }
        guard state.turn == .any || state.turn == .readers else { return }
        read(state, &all)
        readOther(state, &all)
    }

    private func write(_ state: State, _ all: inout [State]) {
        var next = state
        next.writer = state.writer.following
        switch state.writer {
        case .none: return beginWrite(state, &all)
        case .checkpoint: return
        case .append: next.setFrame(state.first.frames + 1, salt: state.first.salt, version: 0)
        case .appended:
            next.setFrame(state.first.frames + 1, salt: state.first.salt, version: state.first.version + 1)
            next.second.frames += 1
            next.second.version += 1
            // It can also roll back.
            if !takesTurns { all.append(state.with { $0.writer = .none }) }
        case .secondWritten:
            (next.first, next.acknowledged, next.writer) = (state.second, state.second.version, .none)
            if takesTurns { next.turn = .checkpoint }
            // It can also be killed.
            if state.kills < kills { all.append(state.with { ($0.writer, $0.kills) = (.none, state.kills + 1) }) }
        // `walRestartHdr`.
        case .emptySecond: next.second.frames = 0
        case .saltSecond: next.second.salt += 1
        case .emptyFirst: next.first.frames = 0
        case .saltFirst: next.first.salt += 1
        case .resetCopied: next.copiedFrames = 0
        case .resetMarks:
            (next.firstMark, next.secondMark, next.writer) = (0, Copy.none, .append)
            if state.checkpoint.step == .truncate {
                (next.log, next.writer, next.checkpoint) = (0, .none, Checkpoint())
            }
        // `walIndexRecover`, which does not wait for readers, although walformat.html says so.
        case .recoverSecond: next.second = headerOfLog(state)
        case .recoverFirst: next.first = state.second
        case .recoverCopied: next.copiedFrames = 0
        case .recoverMarks:
            if !state.isShared(1) { next.firstMark = state.first.frames }
            if !state.isShared(2) { next.secondMark = Copy.none }
            next.writer = .none
        }
        all.append(next)
    }

    /// Takes the write lock. Recovers the index if the copies of its header differ, begins the log again if possible, and
    /// appends otherwise.
    private func beginWrite(_ state: State, _ all: inout [State]) {
        guard state.first == state.second else {
            if state.checkpoint.step == .none { all.append(state.with { $0.writer = .recoverSecond }) }
            return
        }
        guard state.first.version < lastVersion else { return }
        if state.copiedFrames == state.first.frames, state.first.frames > 0, !state.isShared(1), !state.isShared(2) {
            if state.first.salt < lastSalt { all.append(state.with { $0.writer = .emptySecond }) }
        } else if state.first.frames < capacity {
            write(state.with { $0.writer = .append }, &all)
        }
    }

    private func headerOfLog(_ state: State) -> Header {
        var header = state.second
        (header.salt, header.frames) = (state.frame(1) >> 4, 0)
        while case let frame = state.frame(header.frames + 1), frame >> 4 == header.salt, frame & 15 > 0 {
            header.frames += 1
            header.version = frame & 15
        }
        return header
    }

    private func checkpoint(_ state: State, _ all: inout [State]) {
        var next = state
        let (header, safe) = (state.checkpoint.header, state.checkpoint.safeFrame)
        let isPassive = state.checkpoint.mode == .passive
        switch state.checkpoint.step {
        case .none: return beginCheckpoint(state, &all)
        case .compare:
            next.checkpoint.step = state.copiedFrames < header.frames ? .firstMark : .wait
        case .firstMark, .secondMark:
            let isFirst = state.checkpoint.step == .firstMark
            next.checkpoint.mark = isFirst ? state.firstMark : state.secondMark
            next.checkpoint.step = isFirst ? .lockFirstMark : .lockSecondMark
            if safe <= next.checkpoint.mark { next.checkpoint.endMark() }
        case .lockFirstMark, .lockSecondMark:
            let mark: UInt8 = state.checkpoint.step == .lockFirstMark ? 1 : 2
            if !state.isShared(mark), !state.writer.locksMarks {
                next.setMark(mark, mark == 1 ? safe : Copy.none)
            } else if isPassive {
                next.checkpoint.safeFrame = state.checkpoint.mark
            } else {
                return
            }
            next.checkpoint.endMark()
        case .lock:
            if state.copiedFrames >= safe {
                next.checkpoint.step = .wait
            } else if !state.isShared(0) {
                next.newestPage = max(state.newestPage, header.version(ofFrame: safe))
                next.checkpoint.step = .copying
            } else if isPassive {
                next.checkpoint.step = .wait
            } else {
                return
            }
        case .copying:
            next.fileVersion = max(state.fileVersion, header.version(ofFrame: safe))
            next.copiedFrames = safe
            next.checkpoint.step = .copied
        case .copied: next.checkpoint.step = .wait
        case .wait:
            if state.isShared(1) || state.isShared(2) { return }
            if state.checkpoint.mode == .truncate {
                (next.writer, next.checkpoint.step) = (.emptySecond, .truncate)
            } else {
                (next.writer, next.checkpoint) = (.none, Checkpoint())
            }
        case .truncate: return
        }
        if isPassive, next.checkpoint.step == .wait { end(&next) }
        all.append(next)
    }

    private func end(_ state: inout State) {
        state.checkpoint = Checkpoint()
        if takesTurns { state.turn = .readers }
    }

    private func beginCheckpoint(_ state: State, _ all: inout [State]) {
        guard state.first == state.second, !state.writer.isRecovering else { return }
        if state.copiedFrames < state.first.frames || hasResetRace {
            let step = hasResetRace ? Checkpoint.Step.compare : .firstMark
            all.append(
                state.with {
                    $0.checkpoint = Checkpoint(step: step, header: state.first, safeFrame: state.first.frames)
                })
        } else if takesTurns {
            all.append(state.with { end(&$0) })
        }
        guard hasRestartCheckpoints, state.writer == .none else { return }
        for mode in [Checkpoint.Mode.restart, .truncate] where mode == .restart || state.first.salt < lastSalt {
            all.append(
                state.with {
                    $0.writer = .checkpoint
                    $0.checkpoint = Checkpoint(
                        step: .compare, mode: mode, header: state.first, safeFrame: state.first.frames)
                })
        }
    }
}

extension HeldReadsModel.Checkpoint {
    fileprivate mutating func endMark() { (mark, step) = (0, step == .lockFirstMark ? .secondMark : .lock) }
}
