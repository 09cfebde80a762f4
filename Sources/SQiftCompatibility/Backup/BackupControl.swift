/// The progress of a backup on a queue, with which the backup can be paused, resumed and cancelled.
///
/// Units are pages.
final class BackupControl: Sendable {
    typealias WakeUp = @Sendable () -> Void

    private let state: Locked<BackupState<WakeUp>>
    private let observer = Locked<(@Sendable () -> Void)?>(nil)

    init(_ progress: BackupProgress) {
        state = Locked(BackupState(progress))
    }

    deinit {
        // Without a control, a paused backup could never be resumed.
        resume()
    }

    /// The number of pages to copy; 1 for an empty database.
    var totalUnitCount: Int64 { state.withLock { $0.total } }

    /// The number of pages that have been copied.
    var completedUnitCount: Int64 { state.withLock { $0.completed } }

    /// Whether the backup was cancelled or has failed.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Cancels the backup before its next step, even during a pause. The destination stays unchanged. Cancelling a backup that
    /// has copied all pages does nothing.
    func cancel() { state.withLock { $0.cancel() }?() }

    /// Pauses the backup before its next step. If the control is released during the pause, the backup continues.
    func pause() { state.withLock { $0.pause() } }

    /// Continues a paused backup.
    func resume() { state.withLock { $0.resume() }?() }

    /// Calls a closure whenever the counts have changed or the backup has failed, on the queue of the backup.
    func observe(_ observer: @escaping @Sendable () -> Void) { self.observer.withLock { $0 = observer } }

    /// Returns the order for the next step. For a pause, `wakeUp` is called when the pause ends.
    func beginStep(wakeUp: @escaping WakeUp) -> BackupState<WakeUp>.Order {
        state.withLock { $0.beginStep(wakeUp: wakeUp) }
    }

    func update(_ progress: BackupProgress) { report { $0.update(progress) } }

    func finish(_ progress: BackupProgress) { report { $0.finish(progress) } }

    func fail() { report { $0.fail() } }

    private func report(_ body: (inout BackupState<WakeUp>) -> Void) {
        state.withLock(body)
        observer.withLock { $0 }?()
    }
}
