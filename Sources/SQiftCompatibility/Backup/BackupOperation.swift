import Dispatch

/// A backup on a queue. Each step is a separate block, so that a serial queue can run other work between steps.
///
/// One thread at a time uses the copy. The caller makes the copy and keeps no reference to it. From
/// `start` on, only the block of the next step uses it. There is one such block at a time: the block before it enqueues
/// it, directly or through the wake-up that it leaves with the control. The control's lock then also orders their
/// memory. The source of the copy is a separate connection, and its destination is claimed.
final class BackupOperation: Sendable {
    private let copy: UncheckedSendable<BackupCopy>
    // The reference is weak because the control owns the wake-up of a paused operation. When the control is released,
    // the pause ends.
    private let control: WeakReference<BackupControl>
    private let queue: DispatchQueue
    private let report: @Sendable (Connection.BackupResult) -> Void

    init(
        _ copy: BackupCopy, control: BackupControl, queue: DispatchQueue,
        report: @escaping @Sendable (Connection.BackupResult) -> Void
    ) {
        self.copy = UncheckedSendable(copy)
        self.control = WeakReference(control)
        self.queue = queue
        self.report = report
    }

    func start() {
        queue.async { self.step() }
    }

    private func resume() {
        queue.async {
            self.copy.value.forgetWait()
            self.step()
        }
    }

    private func step() {
        switch control.object?.beginStep(wakeUp: { self.resume() }) ?? .goOn {
        case .pause: return
        case .cancel: end(.cancelled)
        case .goOn:
            do {
                try copyNext()
            } catch {
                end(.failure(error))
            }
        }
    }

    private func copyNext() throws {
        switch try copy.value.step() {
        case .mustWait: queue.asyncAfter(deadline: .now() + BackupCopy.pause / .seconds(1)) { self.step() }
        case .copied(let progress):
            if copy.value.isFinished { return end(.success) }
            control.object?.update(progress)
            start()
        }
    }

    /// Reports the result once the destination can be used again.
    private func end(_ result: Connection.BackupResult) {
        copy.value.finish()
        switch result {
        case .success: control.object?.finish(copy.value.progress)
        case .failure: control.object?.fail()
        case .cancelled: break
        }
        report(result)
    }
}
