import Foundation

/// A finite model of readers that keep their transactions beside SQLite's write-ahead log, as walformat.html and `wal.c`
/// describe it. Each access to shared memory and each lock is a step, and any process can take the next step. Some follow at
/// once: where a lock excludes the others, where SQLite loads the header again afterwards, and where a delay would only make
/// a read less strict.
///
/// Each commit writes one frame, with a page of its own. A version is a number of commits. The header's counter of commits
/// and its checksums are left out, because a recovery sets the counter to 0: the frames and the salt must do.
struct HeldReadsModel {
    /// A word of the index that a reader compares.
    enum Word { case frames, salt, secondFrames, secondSalt, copiedFrames }

    /// The compared words, in the order in which they are loaded; none for readers that keep no transaction.
    var words: [Word] = [.frames, .salt, .secondFrames, .secondSalt, .copiedFrames]
    /// Whether a read compares before it continues.
    var renews = true
    /// Whether the index is copied before the transaction begins, and not after the read.
    var copiesBeforeRead = true
    /// The number of frames in the log up to which a transaction is kept.
    var bound: UInt8 = 1
    /// Whether a read can end a kept transaction because of its age.
    var limitsAge = false
    /// Whether a kept transaction ends when no read uses it.
    var hasIdleReaders = true
    /// Whether checkpoints with `RESTART` and `TRUNCATE` can begin.
    var hasRestartCheckpoints = false
    /// Whether commit, passive checkpoint, and a read of each reader take turns. No read is then between a checkpoint and
    /// the next commit, which is the worst case for the length of the log.
    var takesTurns = false
    /// Whether a checkpoint can load `nBackfill` later than the header, as in SQLite before 3.51.3.
    var hasResetRace = false

    // The limits of the search.
    var capacity: UInt8 = 2
    var lastVersion: UInt8 = 2
    var lastSalt: UInt8 = 1
    var kills: UInt8 = 0
}

// MARK: - State

extension HeldReadsModel {
    struct Header: Equatable {
        var frames: UInt8 = 0
        /// A restart of the log never uses a salt again.
        var salt: UInt8 = 0
        /// The version that the header describes, which is not in the index.
        var version: UInt8 = 0

        func version(ofFrame frame: UInt8) -> UInt8 { version + frame - frames }
    }

    enum WriterStep: UInt8 {
        /// The write lock is free, or a checkpoint has it.
        case none, checkpoint
        case append, appended, secondWritten
        case emptySecond, saltSecond, emptyFirst, saltFirst, resetCopied, resetMarks
        case recoverSecond, recoverFirst, recoverCopied, recoverMarks

        /// Whether marks 1 and 2 are locked.
        var locksMarks: Bool { rawValue >= Self.emptySecond.rawValue && rawValue <= Self.resetMarks.rawValue }
        var isRecovering: Bool { rawValue >= Self.recoverSecond.rawValue }
        var following: Self { Self(rawValue: rawValue + 1) ?? .none }
    }

    struct Checkpoint {
        enum Step: UInt8 {
            case none, compare, firstMark, lockFirstMark, secondMark, lockSecondMark, lock, copying, copied, wait,
                truncate
        }
        enum Mode: UInt8 { case passive, restart, truncate }
        var step = Step.none
        var mode = Mode.passive
        var header = Header()
        var safeFrame: UInt8 = 0
        /// The value of the mark to lock.
        var mark: UInt8 = 0
    }

    /// The words that a reader has copied.
    struct Copy {
        static let none: UInt8 = 255
        var frames = none, salt = none, copiedFrames = none
        /// Whether both copies of the header were the same.
        var isUsable = true

        subscript(word: Word) -> UInt8 {
            get {
                switch word {
                case .frames, .secondFrames: frames
                case .salt, .secondSalt: salt
                case .copiedFrames: copiedFrames
                }
            }
            set {
                switch word {
                case .frames, .secondFrames: frames = newValue
                case .salt, .secondSalt: salt = newValue
                case .copiedFrames: copiedFrames = newValue
                }
            }
        }
    }

    struct Reader {
        enum Step: UInt8 {
            case idle, copying
            /// `BEGIN` and the first query: `walTryBeginRead`.
            case header, lockZero, mark, lockMark
            case reading, comparing, kept, checking
        }
        var step = Step.idle
        /// The index of the next word to copy or to compare.
        var word: UInt8 = 0
        var copy = Copy()
        var header = Header()
        /// The read mark, and its value while it is chosen.
        var mark: UInt8 = 0, markValue: UInt8 = 0
        var isLocked = false, hasTransaction = false
        /// The first frame that is read from the log, and not from the file.
        var firstFrame: UInt8 = 0
        /// The number of commits that were acknowledged when the read began.
        var needed: UInt8 = 0
        var hasReadInTurn = false
    }

    enum Turn: UInt8 { case any, writer, checkpoint, readers }

    struct State: Hashable {
        /// A byte for each frame: its salt, and its version, which is 0 before the commit.
        var log: UInt64 = 0
        var first = Header(), second = Header()
        /// SQLite's `nBackfill`.
        var copiedFrames: UInt8 = 0
        var firstMark: UInt8 = 0, secondMark = Copy.none
        /// The version that the file has all pages of, and the newest one that it has a page of.
        var fileVersion: UInt8 = 0, newestPage: UInt8 = 0
        var acknowledged: UInt8 = 0
        var kills: UInt8 = 0
        var turn = Turn.any
        var writer = WriterStep.none
        var checkpoint = Checkpoint()
        var reader = Reader(), other = Reader()

        func frame(_ number: UInt8) -> UInt8 { UInt8(truncatingIfNeeded: log >> (UInt64(number) * 8)) }

        mutating func setFrame(_ number: UInt8, salt: UInt8, version: UInt8) {
            let shift = UInt64(number) * 8
            log = log & ~(255 << shift) | UInt64(salt << 4 | version) << shift
        }

        func mark(_ number: UInt8) -> UInt8 { number == 1 ? firstMark : secondMark }

        mutating func setMark(_ number: UInt8, _ frames: UInt8) {
            if number == 1 { firstMark = frames } else { secondMark = frames }
        }

        /// Whether a reader has locked a read mark.
        func isShared(_ mark: UInt8) -> Bool {
            reader.isLocked && reader.mark == mark || other.isLocked && other.mark == mark
        }

        subscript(word: Word) -> UInt8 {
            switch word {
            case .frames: first.frames
            case .salt: first.salt
            case .secondFrames: second.frames
            case .secondSalt: second.salt
            case .copiedFrames: copiedFrames
            }
        }

        func with(_ change: (inout Self) -> Void) -> Self {
            var state = self
            change(&state)
            return state
        }

        // All fields are bytes, without gaps. The synthesized functions took most of the time in a debug build.
        static func == (lhs: State, rhs: State) -> Bool {
            withUnsafePointer(to: lhs) { left in
                withUnsafePointer(to: rhs) { memcmp(left, $0, MemoryLayout<State>.size) == 0 }
            }
        }

        func hash(into hasher: inout Hasher) { withUnsafeBytes(of: self) { hasher.combine(bytes: $0) } }
    }
}

// MARK: - Search

extension HeldReadsModel {
    enum Defect { case staleRead, overwrittenPage }

    struct Result {
        var states = 0
        var defect: Defect?
        /// The steps that lead to the defect.
        var path: [String] = []
        var longestLog: UInt8 = 0
        var restarts: UInt8 = 0
        /// The number of states in which a checkpoint waits for readers, and of those from which it cannot finish.
        var waiting = 0, stuck = 0
        /// The number of those in which a reader began beside a lock of the checkpoint.
        var stuckBesideLock = 0
    }

    /// Visits all states that can be reached, up to the first defect.
    func search() -> Result {
        var result = Result()
        var states = [State().with { if takesTurns { $0.turn = .readers } }]
        var numbers = [states[0]: 0]
        var origins = [0], edges: [(from: Int, to: Int)] = [], finished: [Int] = []
        var following: [State] = []
        var current = 0
        while current < states.count, result.defect == nil {
            let state = states[current]
            following.removeAll(keepingCapacity: true)
            appendFollowing(state, &following)
            for next in following {
                if state.checkpoint.mode != .passive, next.checkpoint.mode == .passive { finished.append(current) }
                let known = numbers[next]
                if hasRestartCheckpoints { edges.append((current, known ?? states.count)) }
                guard known == nil else { continue }
                numbers[next] = states.count
                states.append(next)
                origins.append(current)
                result.longestLog = max(result.longestLog, next.first.frames)
                result.restarts = max(result.restarts, next.first.salt)
                guard result.defect == nil, let defect = next.defect else { continue }
                result.defect = defect
                result.path = path(to: states.count - 1, states, origins)
            }
            current += 1
        }
        result.states = states.count
        findStuck(states, edges, finished, &result)
        return result
    }

    private func path(to last: Int, _ states: [State], _ origins: [Int]) -> [String] {
        var path: [String] = []
        var number = last
        while number > 0 {
            let state = states[number]
            path.append("\(state.writer), \(state.checkpoint.step), \(state.reader.step), \(state.other.step)")
            number = origins[number]
        }
        return path.reversed()
    }

    /// Counts the states with a checkpoint that waits, from which no path leads to its end.
    private func findStuck(
        _ states: [State], _ edges: [(from: Int, to: Int)], _ finished: [Int], _ result: inout Result
    ) {
        var origins = [[Int]](repeating: [], count: edges.isEmpty ? 0 : states.count)
        for edge in edges { origins[edge.to].append(edge.from) }
        var canFinish = [Bool](repeating: false, count: states.count)
        var open = finished
        while let number = open.popLast() {
            if canFinish[number] { continue }
            canFinish[number] = true
            open += origins[number]
        }
        for (state, canFinish) in zip(states, canFinish) where state.checkpoint.mode != .passive {
            result.waiting += 1
            guard !canFinish else { continue }
            result.stuck += 1
            if state.hasReaderBesideLock { result.stuckBesideLock += 1 }
        }
    }
}

extension HeldReadsModel.State {
    /// Whether a reader began while the checkpoint waited for its mark, or before the file was unlocked.
    fileprivate var hasReaderBesideLock: Bool {
        checkpoint.step == .lockFirstMark || checkpoint.step == .lockSecondMark
            || usesMarkOfCopiedLog(reader) || usesMarkOfCopiedLog(other)
    }

    private func usesMarkOfCopiedLog(_ reader: HeldReadsModel.Reader) -> Bool {
        reader.copy.copiedFrames == reader.copy.frames && (reader.step == .mark || reader.mark > 0)
    }

    fileprivate var defect: HeldReadsModel.Defect? { defect(of: reader) ?? defect(of: other) }

    private func defect(of reader: HeldReadsModel.Reader) -> HeldReadsModel.Defect? {
        guard reader.hasTransaction else { return nil }
        if reader.step == .reading, reader.header.version < reader.needed { return .staleRead }
        return isIntact(reader) ? nil : .overwrittenPage
    }

    /// Whether each page that the transaction could read now is that of its snapshot.
    private func isIntact(_ reader: HeldReadsModel.Reader) -> Bool {
        let header = reader.header
        guard newestPage <= header.version else { return false }
        if reader.mark == 0 { return fileVersion == header.version }
        guard fileVersion >= header.version(ofFrame: reader.firstFrame - 1) else { return false }
        var number = reader.firstFrame
        while number <= header.frames {
            guard frame(number) == header.salt << 4 | header.version(ofFrame: number) else { return false }
            number += 1
        }
        return true
    }
}
