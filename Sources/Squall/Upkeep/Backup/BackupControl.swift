/// The progress of a backup on a queue, with which the backup can be paused, resumed and cancelled.
///
/// Units are pages. Sendable, because a lock guards all mutable state.
public final class BackupControl: @unchecked Sendable {
    typealias WakeUp = @Sendable () -> Void

    private let lock = Lock()
    private var state: BackupState<WakeUp>
    private var observer: (@Sendable () -> Void)?

    init(_ progress: BackupProgress) {
        state = BackupState(progress)
    }

    deinit {
        // Without a control, a paused backup could never be resumed.
        resume()
    }

    /// The number of pages to copy; 1 for an empty database.
    public var totalUnitCount: Int64 { lock.withLock { state.total } }

    /// The number of pages that have been copied.
    public var completedUnitCount: Int64 { lock.withLock { state.completed } }

    /// The copied fraction, from 0 to 1.
    public var fractionCompleted: Double { lock.withLock { Double(state.completed) / Double(state.total) } }

    /// Whether all pages have been copied.
    public var isFinished: Bool { lock.withLock { state.isFinished } }

    /// Whether the backup was cancelled or has failed.
    public var isCancelled: Bool { lock.withLock { state.isCancelled } }

    /// Whether the backup is paused.
    public var isPaused: Bool { lock.withLock { state.isPaused } }

    /// Cancels the backup before its next step, even during a pause. The destination stays unchanged. Cancelling a backup that
    /// has copied all pages does nothing.
    public func cancel() { lock.withLock { state.cancel() }?() }

    /// Pauses the backup before its next step. If the control is released during the pause, the backup continues.
    public func pause() { lock.withLock { state.pause() } }

    /// Continues a paused backup.
    public func resume() { lock.withLock { state.resume() }?() }

    /// Calls a closure whenever the counts have changed or the backup has failed, on the queue of the backup.
    package func observe(_ observer: @escaping @Sendable () -> Void) { lock.withLock { self.observer = observer } }

    /// Returns the order for the next step. For a pause, `wakeUp` is called when the pause ends.
    func beginStep(wakeUp: @escaping WakeUp) -> BackupState<WakeUp>.Order {
        lock.withLock { state.beginStep(wakeUp: wakeUp) }
    }

    func update(_ progress: BackupProgress) { report { $0.update(progress) } }

    func finish(_ progress: BackupProgress) { report { $0.finish(progress) } }

    func fail() { report { $0.fail() } }

    private func report(_ body: (inout BackupState<WakeUp>) -> Void) {
        let observer = lock.withLock {
            body(&state)
            return self.observer
        }
        observer?()
    }
}
