import SquallSQLite

/// A running backup, whose steps are run by its caller.
///
/// Until it is finished, the destination cannot be used and has an exclusive lock on its file. If the backup ends
/// before its last page, the destination is unchanged.
package final class BackupCopy {
    package enum Outcome {
        case copied(BackupProgress)
        /// Another connection holds a lock. The step must be run again after a pause.
        case mustWait
    }

    /// The number of restarts, caused by other connections, after which the rest is copied in one step.
    private static let mostRestarts = 3
    /// The time to wait before a step is run again.
    package static let pause = Duration.milliseconds(10)

    private var source: BackupSource?
    /// May be released during the backup.
    private weak var destination: Connection?
    private let claim: ConnectionClaim
    private let name: String
    private var backup: OpaquePointer?
    private let pagesPerStep: Int32
    /// The time that consecutive steps may wait for locks in total.
    private let patience: Duration
    /// The time at which the first of consecutive waiting steps began.
    private var waitsSince: ContinuousClock.Instant?
    private var restarts = 0
    package private(set) var progress: BackupProgress

    init(
        from source: BackupSource, to destination: Connection, _ claim: ConnectionClaim, as name: String,
        pagesPerStep: Int32, patience: Duration
    ) throws {
        self.source = source
        self.destination = destination
        self.claim = claim
        self.name = name
        self.pagesPerStep = pagesPerStep
        self.patience = patience
        let pages = source.pageCount
        self.progress = BackupProgress(remaining: pages, total: pages)
        self.backup = sqlite3_backup_init(claim.handle, name, source.handle, source.name)
        guard backup != nil else {
            // SQLite sets the message on the destination.
            let error = SQLiteError(sqlite3_errcode(claim.handle), on: claim.handle)
            finish()
            throw error
        }
    }

    deinit {
        finish()
    }

    package var isFinished: Bool { backup == nil }

    /// Copies the next pages.
    ///
    /// - Parameter ownerCanAct: Whether the source's own transaction may end while the step waits.
    /// - Throws: ``SQLiteError``, after which the backup is finished.
    package func step(ownerCanAct: Bool = true) throws -> Outcome {
        guard let backup, let source else { return .copied(progress) }
        if let owner = source.owner, owner.handle == nil { throw failed(with: owner.closedError()) }
        let pages = restarts < Self.mostRestarts ? pagesPerStep : -1
        let start = ContinuousClock.now
        let code = sqlite3_backup_step(backup, pages)
        // The busy handler of the source may close it.
        source.owner?.finishPostponedWork()
        switch code & 0xff {
        case SQLITE_OK:
            waitsSince = nil
            note(backup, asked: Int(pages))
        case SQLITE_DONE:
            note(backup, asked: -1)
            let movedFileError = Connection.movedFileError(of: name, claim.handle)
            let code = finish()
            guard code == SQLITE_OK else { throw Self.stepError(code) }
            if let movedFileError { throw movedFileError }
            if let destination { destination.followers { $0.didReplaceDatabase(of: destination) } }
        case SQLITE_BUSY, SQLITE_LOCKED:
            let since = waitsSince ?? start
            waitsSince = since
            if !ownerCanAct, source.isWriting { throw failed(with: Self.sourceInTransactionError) }
            guard ContinuousClock.now - since < patience else {
                throw failed(with: Self.stepError(code, sourceIsWriting: source.isWriting))
            }
            return .mustWait
        default:
            throw failed(with: source.explained(Self.stepError(code)))
        }
        return .copied(progress)
    }

    /// Starts the patience with locks again, as after a pause.
    package func forgetWait() { waitsSince = nil }

    /// Updates the progress and counts restarts. When another connection has changed the source, SQLite has started
    /// again, and fewer pages are copied than expected.
    private func note(_ backup: OpaquePointer, asked pages: Int) {
        let total = Int(sqlite3_backup_pagecount(backup))
        let now = BackupProgress(remaining: Int(sqlite3_backup_remaining(backup)), total: total)
        if pages > 0, now.completed < progress.completed + pages { restarts += 1 }
        progress = now
    }

    private func failed(with error: SQLiteError) -> SQLiteError {
        finish()
        return error
    }

    /// Ends the backup, complete or not, and returns the destination.
    @discardableResult
    package func finish() -> Int32 {
        let code = backup.map { sqlite3_backup_finish($0) } ?? SQLITE_OK
        backup = nil
        source = nil
        claim.release()
        return code
    }

    static var sourceInTransactionError: SQLiteError {
        SQLiteError(
            BackupProblem.sourceInTransaction,
            hint: "a database in memory or in a temporary file is read by its own connection: end the transaction first"
        )
    }

    /// Returns the error of a step, for which SQLite sets no message.
    static func stepError(_ code: Int32, sourceIsWriting: Bool = false) -> SQLiteError {
        let hint: String? =
            switch code & 0xff {
            // Some versions of SQLite return one code, some the other.
            case SQLITE_BUSY where sourceIsWriting, SQLITE_LOCKED where sourceIsWriting:
                "the source has a transaction open: end it first"
            case SQLITE_READONLY:
                "the destination is read-only; or it is in WAL mode or in memory, and has pages of another size than the "
                    + "source"
            default: nil
            }
        return SQLiteError(code: code, message: ResultCode(rawValue: code).description, hint: hint)
    }
}
