import Dispatch

/// A backup on a queue: each step is a block of its own, so that a serial queue has room for other work in between.
///
/// Sendable, because the copy is made by the caller, who keeps nothing of it, and from `start` on used only by the block
/// that makes the next step. There is one such block at a time: each is put on the queue by the one before it, or by the
/// wake-up that the one before it has left behind the lock of the control, which also orders their memory. The copy's
/// source is a connection of its own, and its destination is claimed.
final class BackupOperation: @unchecked Sendable {
    private let copy: BackupCopy
    // Weak: the control has the wake-up of a paused operation, and ends the pause when nobody has the control any more.
    private weak var control: BackupControl?
    private let queue: DispatchQueue
    private let report: @Sendable (BackupResult) -> Void

    init(
        _ copy: BackupCopy, control: BackupControl, queue: DispatchQueue,
        report: @escaping @Sendable (BackupResult) -> Void
    ) {
        self.copy = copy
        self.control = control
        self.queue = queue
        self.report = report
    }

    func start() {
        queue.async { self.step() }
    }

    private func step() {
        switch control?.order(wakeUp: { self.start() }) ?? .goOn {
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
        switch try copy.step() {
        case .mustWait: queue.asyncAfter(deadline: .now() + BackupCopy.pause / .seconds(1)) { self.step() }
        case .copied(let progress):
            if copy.isFinished { return end(.success) }
            control?.update(progress)
            start()
        }
    }

    /// Reports, once the destination can be used again.
    private func end(_ result: BackupResult) {
        copy.finish()
        switch result {
        case .success:
            control?.update(copy.progress)
            control?.complete()
        case .failure: control?.cancel()
        case .cancelled: break
        }
        report(result)
    }
}
