import Foundation

extension Connection {
    /// Makes a backup on a queue, with SQift's result: a `Progress`, which counts pages and can be the child of another.
    ///
    /// - Throws: ``SQLiteError`` as `Connection.backup(to:…)` of Squall does.
    @discardableResult
    public func backup(
        databaseNamed sourceName: String = "main",
        to destination: Connection,
        as destinationName: String = "main",
        pageSize: Int32 = 100,
        backupQueue: DispatchQueue = .global(qos: .default),
        completionQueue: DispatchQueue = .main,
        completion: @escaping @Sendable (BackupResult) -> Void
    ) throws -> Progress {
        let control: BackupControl = try backup(
            databaseNamed: sourceName, to: destination, as: destinationName, pageSize: pageSize,
            backupQueue: backupQueue, completionQueue: completionQueue, completion: completion
        )
        return ProgressOfBackup(control)
    }
}

/// A `Progress` over a ``BackupControl``.
///
/// The methods are overridden instead of using `Progress`'s handlers, because those are the user's. Sendable, because the
/// control is, and `Progress` itself is declared to be.
private final class ProgressOfBackup: Progress, @unchecked Sendable {
    private let control: BackupControl

    init(_ control: BackupControl) {
        self.control = control
        super.init(parent: nil, userInfo: nil)
        isCancellable = true
        isPausable = true
        update()
        control.observe { [weak self] in self?.update() }
    }

    override func cancel() {
        super.cancel()
        control.cancel()
    }

    override func pause() {
        super.pause()
        control.pause()
    }

    override func resume() {
        super.resume()
        control.resume()
    }

    private func update() {
        totalUnitCount = control.totalUnitCount
        completedUnitCount = control.completedUnitCount
        if control.isCancelled, !isCancelled { super.cancel() }
    }
}
