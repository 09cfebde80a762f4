extension Database {
    /// Migrates the file to a version of a schema on the writer, without blocking the thread.
    /// See ``Schema/migrate(_:to:options:waiting:progress:)-(Connection,_,_,_,_)`` for details.
    ///
    ///     try await database.migrate(schema)
    ///
    /// Cancelling the task rolls the running version back; earlier ones are kept.
    ///
    /// - Parameters:
    ///   - schema: The schema.
    ///   - target: A version after that of the file; or 0, which drops all tables and views; `nil` for the latest version.
    ///   - options: Rules for files that would otherwise throw.
    ///   - timeout: How long to wait for another connection's lock, in addition to the busy timeout.
    ///   - progress: Called with the current step and the number of rows copied. An error that it throws rolls back the
    ///     current version and ends the migration.
    /// - Returns: Whether any version was run.
    /// - Throws: ``SchemaError``, ``SQLiteError``, `CancellationError`, and the error of a closure.
    @discardableResult
    public nonisolated(nonsending) func migrate(
        _ schema: Schema, to target: Int? = nil, options: MigrationOptions = [],
        waiting timeout: Duration = .seconds(60), progress: (@Sendable (SchemaProgress) throws -> Void)? = nil
    ) async throws -> Bool {
        try await writeWithoutTransaction(as: .migrate, nil) { connection in
            try schema.migrate(connection, to: target, options: options, waiting: timeout, progress: progress)
        }
    }
}
