import Foundation

extension Connection {
    /// Starts a backup on a queue. Returns a `Progress`, like SQift, which counts pages and can be the child of
    /// another.
    ///
    /// - Throws: ``SQLiteError`` under the same conditions as Squall's `Connection.backup(to:…)`.
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
/// The methods are overridden because the handlers of `Progress` are for the user. Sendable, because the control is,
/// and `Progress` is declared to be.
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
