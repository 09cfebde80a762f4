extension Schema {
    /// Migrates a file to the latest version, or to `target`. Each version is one transaction (`BEGIN IMMEDIATE
    /// TRANSACTION`). A version that fails is rolled back; the earlier ones are kept.
    ///
    ///     try schema.migrate(connection)             // true if anything ran
    ///     try schema.migrate(connection, to: 0)      // drops everything that is in the file
    ///
    /// Foreign keys are off while a version runs that rebuilds or drops a table; the previous setting is always restored. If
    /// foreign keys were on, the version throws for rows that newly refer to missing rows.
    ///
    /// If another process is migrating the same file, this waits for it and then finds nothing left to do.
    ///
    /// - Parameters:
    ///   - connection: The connection to the file. It must not be in a transaction.
    ///   - target: A version after that of the file; or 0, which drops all tables and views; `nil` for the latest version.
    ///   - options: Rules for files that would otherwise throw.
    ///   - timeout: How long to wait for another connection's lock, in addition to this connection's busy timeout.
    ///   - progress: Called with the current step and the number of rows copied. An error that it throws rolls back the
    ///     current version and ends the migration.
    /// - Returns: Whether any version was run.
    /// - Throws: ``SchemaError``, also if the file has a later version than the schema or has skipped one; ``SQLiteError``,
    ///   with version and step in the message; the error of a closure.
    @discardableResult
    public func migrate(
        _ connection: Connection, to target: Int? = nil, options: MigrationOptions = [],
        waiting timeout: Duration = .seconds(60), progress: ((SchemaProgress) throws -> Void)? = nil
    ) throws -> Bool {
        guard !connection.isInTransaction else { throw SchemaError.insideTransaction }
        // A caller who gives no target does not want the file emptied.
        guard target != nil || !versions.isEmpty else { return false }
        let migration = Migration(
            schema: self, connection: connection, target: target ?? latestVersion, options: options, timeout: timeout,
            editor: { SchemaEditor(connection, progress: progress) }
        )
        try checkNumbers()
        return try migration.run()
    }

    /// Migrates the file of a database on its writer connection.
    /// See ``migrate(_:to:options:waiting:progress:)-(Connection,_,_,_,_)`` for details.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - target: A version after that of the file; or 0, which drops all tables and views; `nil` for the latest version.
    ///   - options: Rules for files that would otherwise throw.
    ///   - timeout: How long to wait for another connection's lock, in addition to the busy timeout.
    ///   - progress: Called with the current step and the number of rows copied. An error that it throws rolls back the
    ///     current version and ends the migration.
    /// - Returns: Whether any version was run.
    /// - Throws: ``SchemaError``, ``SQLiteError``, and the error of a closure.
    @available(*, noasync, message: "blocks a thread that tasks share: use 'migrate' of the database")
    @discardableResult
    public func migrate(
        _ database: Database, to target: Int? = nil, options: MigrationOptions = [],
        waiting timeout: Duration = .seconds(60), progress: ((SchemaProgress) throws -> Void)? = nil
    ) throws -> Bool {
        try database.executeWrite {
            try migrate($0, to: target, options: options, waiting: timeout, progress: progress)
        }
    }

    /// Returns the SQL that `migrate` would run. All of it runs in one transaction that is rolled back, so the file stays
    /// unchanged and anything that would fail throws here. Closures run too, and appear as comments in the result.
    ///
    /// If a version rebuilds or drops a table, foreign keys are off in the whole transaction, so also for other versions: a
    /// deletion in them does not delete the rows that refer to the deleted ones.
    ///
    /// - Parameters:
    ///   - connection: The connection to the file. It must not be in a transaction.
    ///   - target: A version after that of the file; or 0, which drops all tables and views; `nil` for the latest version.
    ///   - options: Rules for files that would otherwise throw.
    ///   - timeout: How long to wait for another connection's lock, in addition to this connection's busy timeout.
    /// - Returns: The statements in the order in which they run; none if the file is up to date.
    /// - Throws: ``SchemaError``, ``SQLiteError``, and the error of a closure, as `migrate` would.
    public func dryRun(
        _ connection: Connection, to target: Int? = nil, options: MigrationOptions = [],
        waiting timeout: Duration = .seconds(60)
    ) throws -> [SQL] {
        guard !connection.isInTransaction else { throw SchemaError.insideTransaction }
        try checkNumbers()
        guard target != nil || !versions.isEmpty else { return [] }
        let editor = SchemaEditor(connection)
        let migration = Migration(
            schema: self, connection: connection, target: target ?? latestVersion, options: options, timeout: timeout,
            editor: { editor }
        )
        return try migration.dryRun(editor)
    }

    /// Returns the version that ``migrate(_:to:options:waiting:progress:)-(Connection,_,_,_,_)`` would run first; `nil` if the file is
    /// up to date.
    package func nextVersion(_ connection: Connection) throws -> Version? {
        try checkNumbers()
        if versions.isEmpty { return nil }
        let migration = Migration(
            schema: self, connection: connection, target: latestVersion, options: [], timeout: .zero,
            editor: { SchemaEditor(connection) }
        )
        return try migration.nextVersion()
    }
}
