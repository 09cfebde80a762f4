import SquallSQLite

extension Connection {
    /// How much a checkpoint does, and for which connections it waits.
    public enum CheckpointMode: Sendable, CaseIterable {
        /// Copies the pages that can be copied without waiting.
        case passive
        /// Waits for writers and for readers of older states, then copies all pages.
        case full
        /// Like ``full``, then waits for all readers, so that the next write begins at the start of the log.
        case restart
        /// Like ``restart``, then truncates the log to zero bytes.
        case truncate

        var rawValue: Int32 {
            switch self {
            case .passive: SQLITE_CHECKPOINT_PASSIVE
            case .full: SQLITE_CHECKPOINT_FULL
            case .restart: SQLITE_CHECKPOINT_RESTART
            case .truncate: SQLITE_CHECKPOINT_TRUNCATE
            }
        }
    }

    /// The state of the log after a checkpoint. Both counts are -1 when the database is not in WAL mode, and 0 after
    /// ``CheckpointMode/truncate``.
    public struct CheckpointResult: Hashable, Sendable {
        /// The number of frames in the log.
        public let logFrames: Int
        /// The number of frames of the log that have been copied into the database file.
        public let checkpointedFrames: Int
    }

    /// Copies the write-ahead log into the database file, by `sqlite3_wal_checkpoint_v2`.
    ///
    ///     let result = try connection.checkpoint(mode: .truncate)
    ///
    /// - Parameters:
    ///   - name: The database; `nil` for every attached database. The counts of the result are then unspecified.
    ///   - mode: How much to do. All modes except `.passive` wait for at most the busy timeout.
    /// - Throws: ``SQLiteError``: `SQLITE_BUSY` (5) when another connection blocks the checkpoint; `SQLITE_LOCKED` (6)
    ///   inside a transaction that has read or written, or began `IMMEDIATE`; `SQLITE_ERROR` (1) for an unknown name; `SQLITE_MISUSE` (21) inside a
    ///   read of a pool or a database.
    public func checkpoint(
        attachedDatabaseName name: String? = "main", mode: CheckpointMode = .truncate
    ) throws -> CheckpointResult {
        try reportingCheckpoint(mode) {
            try checkpoint(attachedDatabaseName: name, mode: mode, beginsAtDeadline: false)
        }
    }

    /// Runs a checkpoint, of one or several steps, and reports its end.
    func reportingCheckpoint(
        _ mode: CheckpointMode, _ body: () throws -> CheckpointResult
    ) throws -> CheckpointResult {
        let followers = followers[.checkpoints]
        guard !followers.isEmpty else { return try body() }
        let start = ContinuousClock.now
        let result = Result { try body() }
        let run = CheckpointRun(
            mode: mode.rawValue, isAutomatic: false,
            result: result.map { ($0.logFrames, $0.checkpointedFrames) }, duration: ContinuousClock.now - start)
        for follower in followers { follower.didCheckpoint(run) }
        return try result.get()
    }

    /// Runs a checkpoint.
    ///
    /// - Parameter beginsAtDeadline: Whether it may begin, without waiting for locks, when the deadline has passed.
    func checkpoint(
        attachedDatabaseName name: String? = "main", mode: CheckpointMode, beginsAtDeadline: Bool
    ) throws -> CheckpointResult {
        guard let handle else { throw closedError() }
        if access.isRestricted { throw access.refusalError(of: .checkpoint, sql: nil) }
        // SQLite treats an empty name as every database, and a NUL as the end of the name.
        if let name, name.isEmpty || name.utf8.contains(0) {
            throw SQLiteError.unknownDatabase(name)
        }
        followers { $0.willCheckpoint() }
        defer { followers { $0.didEndCheckpoint() } }
        Self.clearInterrupt(of: handle)
        if let reason = interruption.reasonNotToBegin, !(beginsAtDeadline && reason == .deadline) {
            throw SQLiteError.interrupted(reason)
        }
        var (logFrames, checkpointedFrames): (Int32, Int32) = (-1, -1)
        return try duringCall {
            let code = sqlite3_wal_checkpoint_v2(handle, name, mode.rawValue, &logFrames, &checkpointedFrames)
            guard code == SQLITE_OK else { throw error(code, sql: nil) }
            return CheckpointResult(logFrames: Int(logFrames), checkpointedFrames: Int(checkpointedFrames))
        }
    }
}
