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
    @available(*, noasync, message: "blocks a thread that tasks share: 'await database.migrate(schema)'")
    @discardableResult
    public func migrate(
        _ database: Database, to target: Int? = nil, options: MigrationOptions = [],
        waiting timeout: Duration = .seconds(60), progress: ((SchemaProgress) throws -> Void)? = nil
    ) throws -> Bool {
        try database.blocking.migrate(self, to: target, options: options, waiting: timeout, progress: progress)
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

/// Options of ``Schema/migrate(_:to:options:waiting:progress:)-(Connection,_,_,_,_)`` for special cases.
public struct MigrationOptions: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// A file whose version is before the schema's first one is emptied and starts again.
    public static let startOverFromOldVersions = Self(rawValue: 1)
    /// Versions that were edited after the file ran them are not reported as errors.
    public static let ignoreEdits = Self(rawValue: 2)
    /// Versions below the file's version that the file never ran are run, in ascending order. Otherwise they throw
    /// ``SchemaError/skippedVersions(_:)``. Such versions were merged into the program later than those above them.
    public static let runSkippedVersions = Self(rawValue: 4)
    /// A file with a later version than the schema is left unchanged, instead of throwing
    /// ``SchemaError/newerFile(version:latest:)``.
    public static let acceptNewerFiles = Self(rawValue: 8)
}

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

extension Database.Blocking {
    /// Migrates the file to a version of a schema as ``Database/migrate(_:to:options:waiting:progress:)`` does.
    ///
    /// - Parameters:
    ///   - schema: The schema.
    ///   - target: A version after that of the file; or 0, which drops all tables and views; `nil` for the latest version.
    ///   - options: Rules for files that would otherwise throw.
    ///   - timeout: How long to wait for another connection's lock, in addition to the busy timeout.
    ///   - progress: Called with the current step and the number of rows copied. An error that it throws rolls back the
    ///     current version and ends the migration.
    /// - Returns: Whether any version was run.
    /// - Throws: ``SchemaError``, ``SQLiteError``, and the error of a closure.
    @discardableResult
    public func migrate(
        _ schema: Schema, to target: Int? = nil, options: MigrationOptions = [],
        waiting timeout: Duration = .seconds(60), progress: ((SchemaProgress) throws -> Void)? = nil
    ) throws -> Bool {
        try writeWithoutTransaction {
            try schema.migrate($0, to: target, options: options, waiting: timeout, progress: progress)
        }
    }
}

/// The progress of a migration.
public struct SchemaProgress: Hashable, Sendable {
    /// The version that is being run; 0 for a plan or a reset.
    public let version: Int
    /// The current step: `AlterTable contacts`.
    public let step: String
    /// The number of rows copied so far in a rebuild; 0 if no table is being rebuilt.
    public let copiedRows: Int
    /// The number of rows to copy in a rebuild; 0 if no table is being rebuilt.
    public let allRows: Int
}
