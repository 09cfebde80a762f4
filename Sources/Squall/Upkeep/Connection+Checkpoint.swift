import SquallSQLite

extension Connection {
    /// How much a checkpoint does, and for whom it waits.
    public enum CheckpointMode: Sendable, CaseIterable {
        /// Copies what can be copied without waiting for anybody.
        case passive
        /// Waits for writers and for readers of older states, then copies everything.
        case full
        /// Then waits for all readers too, so that the next write begins the log anew.
        case restart
        /// Then cuts the log down to nothing as well.
        case truncate

        fileprivate var rawValue: Int32 {
            switch self {
            case .passive: SQLITE_CHECKPOINT_PASSIVE
            case .full: SQLITE_CHECKPOINT_FULL
            case .restart: SQLITE_CHECKPOINT_RESTART
            case .truncate: SQLITE_CHECKPOINT_TRUNCATE
            }
        }
    }

    /// What a checkpoint has left. Both are -1 when the database is not in WAL mode, 0 after ``CheckpointMode/truncate``.
    public struct CheckpointResult: Hashable, Sendable {
        /// The frames in the log.
        public let logFrames: Int
        /// The frames of the log that are in the database file now.
        public let checkpointedFrames: Int
    }

    /// Copies the write-ahead log into the database file, by `sqlite3_wal_checkpoint_v2`.
    ///
    ///     let result = try connection.checkpoint(mode: .truncate)
    ///
    /// - Parameters:
    ///   - name: The database; `nil` for all that are attached, of which the numbers are then those of none in particular.
    ///   - mode: How much to do. All modes but `.passive` wait as long as the busy timeout says.
    /// - Throws: ``SQLiteError``: code 5 when somebody else is in the way, 6 inside a transaction that has written, 1 for an
    ///   unknown name, 21 inside a read of a pool or a database.
    public func checkpoint(
        attachedDatabaseName name: String? = "main", mode: CheckpointMode = .truncate
    ) throws -> CheckpointResult {
        guard let handle else { throw closedError() }
        if access.isRestricted { throw access.refusalError(of: "a checkpoint", sql: nil) }
        // To SQLite, an empty name is every database, and a NUL the end of the name.
        if let name, name.isEmpty || name.utf8.contains(0) {
            throw SQLiteError(code: SQLITE_ERROR, message: "unknown database: \(name.debugDescription)")
        }
        Self.clearInterrupt(of: handle)
        if let reason = interruption.reasonNotToBegin { throw SQLiteError.interrupted(reason) }
        var (logFrames, checkpointedFrames): (Int32, Int32) = (-1, -1)
        let code = sqlite3_wal_checkpoint_v2(handle, name, mode.rawValue, &logFrames, &checkpointedFrames)
        defer { if callbacks.pointee.isConnectionClosed { finishClosing() } }
        guard code == SQLITE_OK else { throw error(code, sql: nil) }
        return CheckpointResult(logFrames: Int(logFrames), checkpointedFrames: Int(checkpointedFrames))
    }
}
