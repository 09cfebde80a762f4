import SquallSQLite

extension Database {
    /// Copies the write-ahead log into the database file, while new reads wait for a moment: see
    /// ``Connection/checkpoint(attachedDatabaseName:mode:)``.
    ///
    ///     try await database.checkpoint(.truncate)
    ///
    /// SQLite cannot restart or truncate a log that is being read. Under reads that overlap all the time, a checkpoint of
    /// the connection may wait for long. This one first copies all pages that can be copied beside reads. For `.restart`
    /// and `.truncate`, it then holds new reads back, waits until the running ones have ended, and copies the rest. The
    /// reads that wait continue in the order of their calls. Their tasks can be cancelled, and their deadlines hold.
    ///
    /// A read that runs longer than `limit`, an open ``ReadSnapshot``, and a read of another process block the checkpoint. A
    /// snapshot that was made when the whole log was already in the database file blocks it only after the next commit. A
    /// blocked checkpoint throws, and the log keeps its size. `.full` holds no reads back, and waits for the busy timeout.
    ///
    /// Cancelling and the deadline end the waits, as in ``read(deadline:_:)``. Cancelling also ends the copying of pages;
    /// the deadline does not.
    ///
    /// - Parameters:
    ///   - mode: How much to do.
    ///   - limit: The longest time for which new reads wait, in the modes `.restart` and `.truncate`.
    ///   - deadline: The duration after which the call does not wait any longer; `nil` for no limit. Copying pages that has
    ///     begun is finished.
    /// - Returns: The state of the log; both counts are -1 when the database is not in WAL mode.
    /// - Throws: ``SQLiteError``: `SQLITE_BUSY` (5), with the problem ``DatabaseProblem/checkpointBlocked``, when a read
    ///   blocks the checkpoint for longer than `limit`; `SQLITE_MISUSE` (21), of the kind `.insideRead(.write)`, inside a
    ///   read; `SQLITE_BUSY` (5) when `.full` has waited for the busy timeout; `SQLITE_LOCKED` (6) inside a transaction that
    ///   has read or written, and inside every `IMMEDIATE` one, such as that of ``write(deadline:isolated:_:)``;
    ///   `SQLITE_READONLY` (8) in a database that was opened read-only; `CancellationError`; and as
    ///   ``writeWithoutTransaction(deadline:_:)``.
    @discardableResult
    public nonisolated(nonsending) func checkpoint(
        _ mode: Connection.CheckpointMode = .truncate, holdingReaders limit: Duration = .seconds(1),
        deadline: Duration? = nil
    ) async throws -> Connection.CheckpointResult {
        try await writeWithoutTransaction(as: .checkpoint, deadline) {
            try checkpoint(mode, holdingReaders: limit, on: $0)
        }
    }

    fileprivate func checkpoint(
        _ mode: Connection.CheckpointMode, holdingReaders limit: Duration, on connection: Connection
    ) throws -> Connection.CheckpointResult {
        // SQLite tries to write, and reports an I/O error.
        if connection.readOnly { throw SQLiteError(code: SQLITE_READONLY, message: "\(ResultCode.readOnly)") }
        guard readers !== writer, !connection.isInTransaction else { return try connection.checkpoint(mode: mode) }
        return try readers.checkpoint(mode, on: connection, holding: limit)
    }
}

extension Database.Blocking {
    /// Copies the write-ahead log into the database file as ``Database/checkpoint(_:holdingReaders:deadline:)`` does.
    ///
    /// - Parameters:
    ///   - mode: How much to do.
    ///   - limit: The longest time for which new reads wait, in the modes `.restart` and `.truncate`.
    ///   - deadline: The duration after which the call does not wait any longer; `nil` for no limit.
    /// - Returns: The state of the log; both counts are -1 when the database is not in WAL mode.
    /// - Throws: ``SQLiteError`` as ``Database/checkpoint(_:holdingReaders:deadline:)``.
    @discardableResult
    public func checkpoint(
        _ mode: Connection.CheckpointMode = .truncate, holdingReaders limit: Duration = .seconds(1),
        deadline: Duration? = nil
    ) throws -> Connection.CheckpointResult {
        try writeWithoutTransaction(deadline: deadline) {
            try database.checkpoint(mode, holdingReaders: limit, on: $0)
        }
    }
}

extension PoolCore {
    /// Runs a checkpoint on the connection that writes. If it must wait for the readers of this pool, new ones are held
    /// back for at most `limit`. It then makes at least one attempt, even without time to wait.
    func checkpoint(
        _ mode: Connection.CheckpointMode, on connection: Connection, holding limit: Duration
    ) throws -> Connection.CheckpointResult {
        guard mode == .restart || mode == .truncate else { return try connection.checkpoint(mode: mode) }
        return try connection.reportingCheckpoint(mode) {
            try checkpointAfterReads(mode, on: connection, holding: limit)
        }
    }

    private func checkpointAfterReads(
        _ mode: Connection.CheckpointMode, on connection: Connection, holding limit: Duration
    ) throws -> Connection.CheckpointResult {
        // The thread would wait for itself.
        guard PooledConnection.innermost(of: self) == nil else {
            throw SQLiteError.misuse(.insideRead(.checkpoint), hint: "run the checkpoint after the read")
        }
        do {
            let result = try connection.checkpoint(mode: .passive, beginsAtDeadline: false)
            // Outside WAL mode, there is nothing to wait for.
            if result.logFrames < 0 { return result }
        } catch let error as SQLiteError where error.resultCode == .busy {
            // Another process runs a checkpoint.
        }
        try connection.checkMayBegin()
        let ownEnd = Deadline(after: limit)
        let end = min(ownEnd, connection.interruption.deadline ?? ownEnd)
        let result = try holding(until: end, connection.interruption.cancellation) {
            try connection.withDeadline(at: end) { () throws -> Connection.CheckpointResult? in
                do {
                    return try connection.checkpoint(mode: mode, beginsAtDeadline: true)
                } catch let error as SQLiteError
                    where error.resultCode == .busy || error.kind == .interrupted(.deadline)
                {
                    return nil
                }
            }
        }
        if let result = result ?? nil { return result }
        try connection.checkMayBegin()
        throw SQLiteError(
            DatabaseProblem.checkpointBlocked, hint: "keep reads short, and close snapshots that are not needed")
    }
}
