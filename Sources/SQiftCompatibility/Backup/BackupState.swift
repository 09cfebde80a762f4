/// The state of a backup on a queue, and the counts of its pages.
///
/// A plain value without lock, closures or I/O. Its methods are the transitions. They return the wake-up that the
/// control calls after it has released its lock.
struct BackupState<WakeUp> {
    enum Phase {
        case running
        /// The next step will be held back.
        case pausing
        /// The next step is held back; the wake-up runs it.
        case paused(WakeUp)
        /// The backup was cancelled, or has failed.
        case cancelled
        case finished
    }

    /// The answer to an operation that is about to run a step.
    enum Order {
        case goOn, pause, cancel
    }

    private(set) var phase = Phase.running
    /// The number of pages to copy; 1 for an empty database, so that its backup ends at 1 instead of 0 / 0.
    private(set) var total: Int64
    private(set) var completed: Int64

    init(_ progress: BackupProgress) {
        total = Self.total(of: progress)
        completed = Int64(progress.completed)
    }

    private static func total(of progress: BackupProgress) -> Int64 { Int64(max(1, progress.total)) }

    var isFinished: Bool { if case .finished = phase { true } else { false } }

    var isCancelled: Bool { if case .cancelled = phase { true } else { false } }

    var isPaused: Bool {
        switch phase {
        case .pausing, .paused: true
        case .running, .cancelled, .finished: false
        }
    }
}

// MARK: - Requests

extension BackupState {
    mutating func pause() {
        if case .running = phase { phase = .pausing }
    }

    /// Ends a pause.
    ///
    /// - Returns: The wake-up of the step that was held back, if there is one.
    mutating func resume() -> WakeUp? {
        guard isPaused else { return nil }
        return leavePause(for: .running)
    }

    /// Cancels a backup that has not ended. A step that was held back then ends the backup.
    ///
    /// - Returns: The wake-up of the step that was held back, if there is one.
    mutating func cancel() -> WakeUp? {
        switch phase {
        case .running, .pausing, .paused: leavePause(for: .cancelled)
        case .cancelled, .finished: nil
        }
    }

    private mutating func leavePause(for next: Phase) -> WakeUp? {
        defer { phase = next }
        if case .paused(let wakeUp) = phase { return wakeUp }
        return nil
    }
}

// MARK: - Steps

extension BackupState {
    /// Returns the order for the next step. During a pause it is held back, and `wakeUp` is kept.
    mutating func beginStep(wakeUp: WakeUp) -> Order {
        switch phase {
        case .running, .finished: return .goOn
        case .cancelled: return .cancel
        case .pausing, .paused:
            phase = .paused(wakeUp)
            return .pause
        }
    }

    mutating func update(_ progress: BackupProgress) {
        total = Self.total(of: progress)
        completed = Int64(progress.completed)
    }

    /// Ends a backup whose last page has been copied, even if it was paused or cancelled during the last step.
    mutating func finish(_ progress: BackupProgress) {
        total = Self.total(of: progress)
        completed = total
        phase = .finished
    }

    mutating func fail() { phase = .cancelled }
}
