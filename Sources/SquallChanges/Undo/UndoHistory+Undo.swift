import Squall

extension UndoHistory {
    /// Undoes the last step, and waits until this is committed.
    ///
    ///     try await history.undo()
    ///
    /// SQL: `PRAGMA foreign_keys = OFF`, `BEGIN IMMEDIATE TRANSACTION`, the changes that take back those of the step,
    /// `COMMIT TRANSACTION`, `PRAGMA foreign_keys = ON`. Hooks and observers of the database are called as for any write. Triggers and
    /// the actions of foreign keys do not run. Foreign keys are checked for the rows that are changed.
    ///
    /// - Returns: Whether there was a step to undo.
    /// - Throws: ``UndoConflictError`` if others have changed the same rows; `CancellationError`; `SQLiteError`: with an
    ///   ``UndoProblem`` for a table that was altered since (`SQLITE_SCHEMA`, 17), and inside a closure of the database
    ///   (`SQLITE_MISUSE`, 21); as `Database.write(deadline:isolated:_:)`. After an error nothing is undone, and the
    ///   step is still the next one.
    @discardableResult
    public nonisolated(nonsending) func undo() async throws -> Bool {
        try await database.writeWithoutTransaction { try move(.undo, on: $0) }
    }

    /// Redoes the step that was undone last, and waits until this is committed.
    ///
    /// - Returns: Whether there was a step to redo.
    /// - Throws: As ``undo()``.
    @discardableResult
    public nonisolated(nonsending) func redo() async throws -> Bool {
        try await database.writeWithoutTransaction { try move(.redo, on: $0) }
    }

    fileprivate func moveAndBlock(_ direction: UndoDirection) throws -> Bool {
        try Self.checkIsOutsideClosures(of: database)
        return try database.blocking.writeWithoutTransaction { try move(direction, on: $0) }
    }

    private func move(_ direction: UndoDirection, on connection: Connection) throws -> Bool {
        let recording = try recording(on: connection)
        guard let step = steps.next(direction) else { return false }
        defer { recording.action = .record(name: nil) }
        try StepApplication.run(step, direction, on: connection) {
            recording.action = .move(step.number, direction)
        }
        return true
    }

    /// Returns the recording of the writer.
    ///
    /// A connection that was in use when the history was made has none until it is returned.
    func recording(on connection: Connection) throws -> UndoRecording {
        let recordings = connection.transactionFollower.recordings.lazy.compactMap { $0 as? UndoRecording }
        let recording = recordings.first { $0.steps === steps }
        recording?.startIfNeeded(on: connection)
        try steps.checkRecording()
        guard let recording else {
            throw SQLiteError(UndoProblem.insideEarlierWrite)
        }
        return recording
    }
}

extension UndoHistory.Blocking {
    /// Undoes the last step as ``UndoHistory/undo()`` does.
    ///
    /// - Returns: Whether there was a step to undo.
    /// - Throws: As ``UndoHistory/undo()``.
    @discardableResult
    public func undo() throws -> Bool { try history.moveAndBlock(.undo) }

    /// Redoes the step that was undone last as ``UndoHistory/redo()`` does.
    ///
    /// - Returns: Whether there was a step to redo.
    /// - Throws: As ``UndoHistory/undo()``.
    @discardableResult
    public func redo() throws -> Bool { try history.moveAndBlock(.redo) }
}
