import Foundation

/// The progress of a backup on a queue, by which it is paused and cancelled.
///
/// What was asked for is kept beside `Progress`'s own flags and behind a lock, because `Progress` has none on Linux; and
/// the methods are overridden instead of using `Progress`'s handlers, because those are the user's.
///
/// Sendable, because what is added here is behind the lock, and `Progress` itself is declared to be.
final class BackupControl: Progress, @unchecked Sendable {
    enum Order {
        case goOn, pause, cancel
    }

    private let lock = NSLock()
    private var isCancelWanted = false
    private var isPauseWanted = false
    /// Goes on with a backup that has seen that it is to pause.
    private var wakeUp: (@Sendable () -> Void)?

    deinit {
        // Nobody is left who could resume it.
        wakeUp?()
    }

    /// What the backup is to do next. If that is a pause, `wakeUp` is called when it ends.
    func order(wakeUp: @escaping @Sendable () -> Void) -> Order {
        lock.withLock {
            if isCancelWanted { return .cancel }
            if isPauseWanted { self.wakeUp = wakeUp }
            return isPauseWanted ? .pause : .goOn
        }
    }

    override func cancel() {
        let wakeUp = change { isCancelWanted = true }
        super.cancel()
        wakeUp?()
    }

    override func pause() {
        lock.withLock { isPauseWanted = true }
        super.pause()
    }

    override func resume() {
        let wakeUp = change { isPauseWanted = false }
        super.resume()
        wakeUp?()
    }

    private func change(_ body: () -> Void) -> (@Sendable () -> Void)? {
        lock.withLock {
            body()
            defer { wakeUp = nil }
            return wakeUp
        }
    }

    func update(_ progress: BackupProgress) {
        totalUnitCount = Int64(max(1, progress.total))
        completedUnitCount = Int64(progress.completed)
    }

    /// Also an empty database is one unit of work: `Progress` is never finished with none.
    func complete() {
        completedUnitCount = totalUnitCount
    }
}
