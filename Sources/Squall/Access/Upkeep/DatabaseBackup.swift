/// A backup of a database to a file. It runs while its progress is iterated.
///
///     for try await progress in database.backup(to: "copy.db") {
///         print("\(progress.remaining) of \(progress.total) pages are left")
///     }
///
/// Nothing happens before the first step. The steps run outside the threads that tasks share. The database can be read and
/// written during the backup: see ``Backup``, whose rules for commits and locks hold here. A database in memory or in a
/// temporary file is copied in memory by the first step.
///
/// A backup can end early: its task is cancelled, the loop is left, a step fails, or the database is closed or suspended.
/// The destination is then unchanged, and a file that the backup has created is removed. A backup whose destination is
/// deleted or replaced while it runs throws.
///
/// Each iteration is a separate backup.
public struct DatabaseBackup: AsyncSequence, Sendable {
    let database: Database
    let path: String
    let pagesPerStep: Int32

    public func makeAsyncIterator() -> Iterator {
        Iterator(session: BackupSession(self))
    }

    @_documentation(visibility: internal)
    public struct Iterator: AsyncIteratorProtocol {
        let session: BackupSession

        /// Runs the next step.
        ///
        /// - Returns: The progress of the backup; `nil` after the step that copied the last page.
        /// - Throws: ``SQLiteError`` as ``Database/Blocking/backup(to:pagesPerStep:progress:)``; `CancellationError` when the task was
        ///   cancelled before the last page was copied.
        public nonisolated(nonsending) mutating func next() async throws -> BackupProgress? {
            try await session.next()
        }
    }
}

extension Database {
    /// Returns a backup to a file, to be run by iterating its progress.
    ///
    ///     for try await progress in database.backup(to: "copy.db") {
    ///         print(progress.fractionCompleted)
    ///     }
    ///
    /// - Parameters:
    ///   - path: The path of the destination. An existing database is overwritten. One in WAL mode must have the
    ///     page size of this database.
    ///   - pagesPerStep: The number of pages to copy at a time; -1 for all.
    public func backup(to path: String, pagesPerStep: Int32 = 100) -> DatabaseBackup {
        DatabaseBackup(database: self, path: path, pagesPerStep: pagesPerStep)
    }
}

extension Database.Blocking {
    /// Copies the database to a file. See ``DatabaseBackup`` for the rules.
    ///
    ///     try database.blocking.backup(to: "copy.db") { print($0.fractionCompleted) }
    ///
    /// - Parameters:
    ///   - path: The path of the destination. An existing database is overwritten. One in WAL mode must have the
    ///     page size of this database.
    ///   - pagesPerStep: The number of pages to copy at a time; -1 for all.
    ///   - progress: Called after each step. An error that it throws ends the backup, except in the last call, when
    ///     everything has been copied.
    /// - Throws: ``SQLiteError``: `SQLITE_MISUSE` (21) inside a transaction that writes to a database in memory or in a
    ///   temporary file; `SQLITE_READONLY_DBMOVED` (``ResultCode/fileMoved``) when the destination has been deleted or
    ///   replaced; `SQLITE_INTERRUPT` (9) between two steps, after the deadline or the cancellation of the closure inside which it
    ///   is called, and after a suspension; any error of `progress`.
    public func backup(
        to path: String, pagesPerStep: Int32 = 100, progress: (BackupProgress) throws -> Void = { _ in }
    ) throws {
        try database.writer.fork.check()
        let session = BackupSession(database.backup(to: path, pagesPerStep: pagesPerStep))
        do {
            try read { try session.begin(from: $0) }
            try session.run(progress)
        } catch {
            session.end(nil)
            session.reportEnd(error)
            throw error
        }
        session.end(nil)
        session.reportEnd(nil)
    }
}
