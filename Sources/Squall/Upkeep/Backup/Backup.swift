// # Upkeep
//
// The care of a database: backups, checkpoints, VACUUM, checks, statistics, limits and status.
//
//     let copy = try Connection("copy.db")
//     for try await progress in connection.backup(to: copy) {
//         print("\(progress.remaining) of \(progress.total) pages are left")
//     }
//     let problems = try copy.quickCheck()
//
// Most files are one verb, which runs a PRAGMA or calls one function of SQLite. A backup has more parts. `Backup` is
// its description, `BackupSource` is what it reads, and `BackupCopy` runs the steps.
//
// A backup runs so:
// 1. `Backup.begin` checks the arguments. For a file, `BackupSource` opens another handle that only reads.
// 2. `claimAsDestination()` takes the handle of the destination, whose verbs throw from then on.
// 3. Each `BackupCopy.step` copies pages, or returns `mustWait` for a lock. The caller then pauses.
// 4. After the last page, `finish()` releases the claim, and the followers learn that the database was replaced.
//
// Invariants: A backup that ends early leaves the destination unchanged. One thread at a time uses a copy. A source in
// memory is read by its own connection, or copied first for a backup on a queue. After three restarts by writers, the
// rest is copied in one step. A read of a pool runs no checkpoint. A checkpoint that the program requests calls
// `willCheckpoint` of the followers before, which ends kept snapshots. `vacuum(into:)` removes its partial file.

/// A backup of a database to another connection. It runs while its progress is iterated, or in one call of ``run(_:)``.
///
///     for try await progress in connection.backup(to: destination) {
///         print("\(progress.remaining) of \(progress.total) pages are left")
///     }
///
/// Nothing happens before the first step. From then on until the last page, every verb of the destination throws
/// `SQLITE_BUSY` (5), and its file is locked. A backup can end early: its task is cancelled, the loop is left, or a
/// step fails. The destination is then unchanged. A connection to the destination in another process sees the whole
/// backup or none of it.
///
/// A source in a file is read by a separate connection. The source can be read and written during the backup. Its open
/// transaction is not part of the copy. Each commit restarts the backup; after the third restart, the rest is copied in
/// one step.
///
/// A source in memory or in a temporary file is read by its own connection, between other work of the loop's actor. The
/// steps run where the loop runs.
///
/// If the destination has a shared cache, its other connections must not be used during the backup.
///
/// Each wait for another connection's lock ends with `SQLITE_BUSY` (5) or `SQLITE_LOCKED` (6) after the longer of the
/// two connections' busy timeouts.
public struct Backup: AsyncSequence {
    let source: Connection
    let sourceName: String
    let destination: Connection
    let destinationName: String
    let pagesPerStep: Int32

    public func makeAsyncIterator() -> Iterator {
        Iterator(state: .waiting(self))
    }

    /// Runs the whole backup before it returns.
    ///
    ///     try connection.backup(to: destination).run()
    ///
    /// - Parameter body: Called after each step. If it throws, the backup ends and the destination is unchanged, except
    ///   in the last call, when everything has already been copied.
    /// - Throws: ``SQLiteError``: `SQLITE_MISUSE` (21) when a source in memory or in a temporary file has a transaction open
    ///   that writes; `SQLITE_READONLY_DBMOVED` (``ResultCode/fileMoved``) when the file of the destination has been deleted
    ///   or replaced; `SQLITE_INTERRUPT` (9) between two steps, after the deadline or the cancellation of the closure for which
    ///   the source is used, and after a suspension; any error of `body`.
    public func run(_ body: (BackupProgress) throws -> Void = { _ in }) throws {
        let copy = try begin(.shared(sourceName, of: source))
        // `deinit` may run later than the handler of an error thrown here.
        defer { copy.finish() }
        while !copy.isFinished {
            if let reason = source.interruption.reasonNotToBegin { throw SQLiteError.interrupted(reason) }
            switch try copy.step(ownerCanAct: false) {
            case .copied(let progress): try body(progress)
            case .mustWait: sleepThread(BackupCopy.pause)
            }
        }
    }

    package func begin(_ source: @autoclosure () throws -> BackupSource) throws -> BackupCopy {
        guard self.source !== destination else {
            throw SQLiteError(BackupProblem.sameConnection)
        }
        for name in [sourceName, destinationName] where name.utf8.contains(0) {
            throw SQLiteError.misuse(.nulCharacter(in: .databaseName))
        }
        guard pagesPerStep != 0 else { throw SQLiteError(BackupProblem.noPages) }
        let patience = Swift.max(self.source.patience, destination.patience)
        if let file = self.source.fileIdentity(of: sourceName), file == destination.fileIdentity(of: destinationName) {
            throw SQLiteError(BackupProblem.sameFile)
        }
        let source = try source()
        let claim = try destination.claimAsDestination()
        return try BackupCopy(
            from: source, to: destination, claim, as: destinationName, pagesPerStep: pagesPerStep, patience: patience
        )
    }
}

extension Backup {
    @_documentation(visibility: internal)
    public struct Iterator: AsyncIteratorProtocol {
        enum State {
            case waiting(Backup)
            case copying(BackupCopy)
            case ended
        }

        var state: State

        /// Runs the next step, after yielding to other tasks.
        ///
        /// - Returns: The progress of the backup; `nil` after the step that copied the last page.
        /// - Throws: ``SQLiteError``, also `SQLITE_READONLY_DBMOVED` (``ResultCode/fileMoved``) when the file of the destination has
        ///   been deleted or replaced; `CancellationError` when the task was cancelled before the last page was copied.
        public nonisolated(nonsending) mutating func next() async throws -> BackupProgress? {
            if case .copying(let copy) = state, copy.isFinished { state = .ended }
            do {
                guard let progress = try await step() else { return nil }
                return progress
            } catch {
                if case .copying(let copy) = state { copy.finish() }
                state = .ended
                throw error
            }
        }

        // Without it, the standard library would call `next()` outside the actor, beside what uses the connection there.
        /// Runs the next step on the actor of a `for try await` loop, which calls it. See ``next()``.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> BackupProgress? {
            try await next()
        }

        private nonisolated(nonsending) mutating func step() async throws -> BackupProgress? {
            let copy: BackupCopy
            switch state {
            case .ended: return nil
            case .waiting(let backup):
                try Task.checkCancellation()
                copy = try backup.begin(.shared(backup.sourceName, of: backup.source))
                state = .copying(copy)
            case .copying(let running):
                await Task.yield()
                copy = running
            }
            while true {
                try Task.checkCancellation()
                if case .copied(let progress) = try copy.step() { return progress }
                try await Task.sleep(for: BackupCopy.pause)
            }
        }
    }
}

/// The progress of a backup.
public struct BackupProgress: Hashable, Sendable {
    /// The number of pages that remain to be copied. It increases when another connection has changed the source:
    /// SQLite then starts the backup again.
    public let remaining: Int

    /// The number of pages of the source.
    public let total: Int

    /// The number of copied pages.
    public var completed: Int { total - remaining }

    /// The copied fraction, from 0 to 1.
    public var fractionCompleted: Double { total == 0 ? 1 : Double(completed) / Double(total) }
}
