/// The progress of a backup on a queue, with which the backup can be paused, resumed and cancelled.
///
/// Units are pages. Sendable, because a lock guards all mutable state.
public final class BackupControl: @unchecked Sendable {
    enum Order {
        case goOn, pause, cancel
    }

    private let lock = Lock()
    private var total: Int64
    private var completed: Int64 = 0
    private var isCancelWanted = false
    private var isPauseWanted = false
    /// Continues a paused backup.
    private var wakeUp: (@Sendable () -> Void)?
    private var observer: (@Sendable () -> Void)?

    init(_ progress: BackupProgress) {
        total = Self.units(of: progress)
        completed = Int64(progress.completed)
    }

    deinit {
        // Without a control, a paused backup could never be resumed.
        wakeUp?()
    }

    /// The number of pages to copy; 1 for an empty database.
    public var totalUnitCount: Int64 { lock.withLock { total } }

    /// The number of pages that have been copied.
    public var completedUnitCount: Int64 { lock.withLock { completed } }

    /// The copied fraction, from 0 to 1.
    public var fractionCompleted: Double { lock.withLock { Double(completed) / Double(total) } }

    /// Whether all pages have been copied.
    public var isFinished: Bool { lock.withLock { completed >= total } }

    /// Whether the backup was cancelled or has failed.
    public var isCancelled: Bool { lock.withLock { isCancelWanted } }

    /// Whether the backup is paused.
    public var isPaused: Bool { lock.withLock { isPauseWanted } }

    /// Cancels the backup before its next step, even during a pause. The destination stays unchanged. Cancelling a backup that
    /// has copied all pages does nothing.
    public func cancel() { change { isCancelWanted = isCancelWanted || completed < total } }

    /// Pauses the backup before its next step. If the control is released during the pause, the backup continues.
    public func pause() { lock.withLock { isPauseWanted = true } }

    /// Continues a paused backup.
    public func resume() { change { isPauseWanted = false } }

    /// Calls a closure whenever the counts have changed or the backup has failed, on the queue of the backup.
    package func observe(_ observer: @escaping @Sendable () -> Void) { lock.withLock { self.observer = observer } }

    /// Returns how the backup should continue. For a pause, `wakeUp` is called when the pause ends.
    func order(wakeUp: @escaping @Sendable () -> Void) -> Order {
        lock.withLock {
            if isCancelWanted { return .cancel }
            if isPauseWanted { self.wakeUp = wakeUp }
            return isPauseWanted ? .pause : .goOn
        }
    }

    func update(_ progress: BackupProgress) {
        report { (total, completed) = (Self.units(of: progress), Int64(progress.completed)) }
    }

    func complete() {
        report { completed = total }
    }

    func fail() {
        report { isCancelWanted = true }
    }

    /// An empty database counts as one unit, so that its backup ends at 1 instead of 0 / 0.
    private static func units(of progress: BackupProgress) -> Int64 { Int64(max(1, progress.total)) }

    private func change(_ body: () -> Void) {
        let wakeUp = lock.withLock {
            body()
            defer { self.wakeUp = nil }
            return self.wakeUp
        }
        wakeUp?()
    }

    private func report(_ body: () -> Void) {
        let observer = lock.withLock {
            body()
            return self.observer
        }
        observer?()
    }
}
