/// A backup of a database to another connection, made while its progress is being read, or by ``run(_:)``.
///
///     for try await progress in connection.backup(to: destination) {
///         print("\(progress.remaining) of \(progress.total) pages are left")
///     }
///
/// Nothing happens before the first step. From then on and until the last page, every verb of the destination throws
/// `SQLITE_BUSY`, and its file is locked. A backup that ends early (its task is cancelled, the loop is left, a step fails)
/// leaves the destination as it was. A destination that lives on in another process sees all of it or nothing.
///
/// A source in a file is read by a connection of the backup's own: the source can be read and written meanwhile, its open
/// transaction is not part of the copy, and each commit makes the backup begin again; after the third time, the rest is
/// copied in one step. A source in memory or in a temporary file is read by its own connection, between the other things
/// that the loop's actor does with it. The steps run where the loop runs.
///
/// A destination with a shared cache must not be used by the other connections of that cache meanwhile.
///
/// Each wait for the locks of others ends with `SQLITE_BUSY` or `SQLITE_LOCKED` after the longer one of the two
/// connections' busy timeouts.
public struct Backup: AsyncSequence {
    let source: Connection
    let sourceName: String
    let destination: Connection
    let destinationName: String
    let pagesPerStep: Int32

    public func makeAsyncIterator() -> Iterator {
        Iterator(state: .waiting(self))
    }

    /// Makes the whole backup here and now.
    ///
    ///     try connection.backup(to: destination).run()
    ///
    /// - Parameter body: Is called after each step; what it throws ends the backup and leaves the destination as it was,
    ///   but for the last call, after which all has been copied.
    /// - Throws: ``SQLiteError``, and what `body` throws.
    public func run(_ body: (BackupProgress) throws -> Void = { _ in }) throws {
        let copy = try begin(.shared(sourceName, of: source))
        // Not left to deinitialisation: that may be later than the catch of an error here.
        defer { copy.finish() }
        while !copy.isFinished {
            switch try copy.step(ownerCanAct: false) {
            case .copied(let progress): try body(progress)
            case .mustWait: sleepThread(BackupCopy.pause)
            }
        }
    }

    func begin(_ source: @autoclosure () throws -> BackupSource) throws -> BackupCopy {
        guard self.source !== destination else {
            throw SQLiteError(code: ResultCode.error.rawValue, message: "source and destination must be distinct")
        }
        for name in [sourceName, destinationName] where name.utf8.contains(0) {
            throw SQLiteError.misuse(.nulCharacter(in: "the name of a database"))
        }
        guard pagesPerStep != 0 else { throw SQLiteError.misuse(.limit("a backup needs steps of at least one page")) }
        let patience = Swift.max(self.source.patience, destination.patience)
        if let file = self.source.fileIdentity(of: sourceName), file == destination.fileIdentity(of: destinationName) {
            throw SQLiteError(
                code: ResultCode.error.rawValue, message: "source and destination must be distinct: they are one file"
            )
        }
        let source = try source()
        let claim = try destination.claimAsDestination()
        return try BackupCopy(
            from: source, to: claim, as: destinationName, pagesPerStep: pagesPerStep, patience: patience
        )
    }
}

extension Backup {
    public struct Iterator: AsyncIteratorProtocol {
        enum State {
            case waiting(Backup)
            case copying(BackupCopy)
            case ended
        }

        var state: State

        /// Makes the next step, after others have had their turn.
        ///
        /// - Returns: How far the backup is; `nil` after the step that copied the last page.
        /// - Throws: ``SQLiteError``; `CancellationError` when the task was cancelled before the last page was copied.
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
