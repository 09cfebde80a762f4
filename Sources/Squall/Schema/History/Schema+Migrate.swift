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
    func nextVersion(_ connection: Connection) throws -> Version? {
        try checkNumbers()
        if versions.isEmpty { return nil }
        let migration = Migration(
            schema: self, connection: connection, target: latestVersion, options: [], timeout: .zero,
            editor: { SchemaEditor(connection) }
        )
        return try migration.nextVersion()
    }
}

/// A single run of ``Schema/migrate(_:to:options:waiting:progress:)-(Connection,_,_,_,_)``.
struct Migration {
    let schema: Schema
    let connection: Connection
    let target: Int
    let options: MigrationOptions
    let timeout: Duration
    let editor: () -> SchemaEditor

    fileprivate enum Next {
        case nothing
        case reset
        case version(Version, startingOver: Bool)

        var needsForeignKeysOff: Bool {
            switch self {
            case .nothing: false
            case .reset: true
            case .version(let version, let startingOver): startingOver || version.needsForeignKeysOff
            }
        }
    }

    func run() throws -> Bool {
        var hasRun = false
        while true {
            let next = try waitingForLocks { try self.next(after: SchemaHistory(schema.name, on: connection)) }
            if case .nothing = next {
                if hasRun { optimize() }
                return hasRun
            }
            if try run(next) { hasRun = true }
        }
    }

    /// Updates the statistics as configured. SQLite's manual recommends it after a change of the schema, such as a new index.
    private func optimize() {
        guard connection.configuration.autoOptimize else { return }
        let limits = StatisticsUpdate.Limits(end: Deadline(after: StatisticsUpdate.Limits.patience))
        guard let update = connection.updateStatisticsWithoutWaiting(limits) else { return }
        connection.databaseEvents?.send(update)
    }

    /// - Returns: Whether this call ran the version; `false` if another process was faster.
    private func run(_ planned: Next) throws -> Bool {
        let start = ContinuousClock.now
        guard try commit(planned) else { return false }
        if case .version(let version, _) = planned {
            connection.databaseEvents?.send(
                .schemaVersionApplied(
                    schema: schema.name, version: version.number, duration: ContinuousClock.now - start))
        }
        return true
    }

    private func commit(_ planned: Next) throws -> Bool {
        let hadForeignKeys = try connection.hasForeignKeys
        return try connection.withoutForeignKeys(planned.needsForeignKeysOff) {
            try waitingForLocks {
                try connection.transaction(transactionType: .immediate) {
                    // Only now, inside the transaction, is the version certain.
                    let history = try SchemaHistory(schema.name, on: connection)
                    let next = try self.next(after: history)
                    guard next.isSame(as: planned) else { return false }
                    let areOff = hadForeignKeys && planned.needsForeignKeysOff
                    try perform(next, history, editor(), checkingForeignKeys: areOff)
                    return true
                }
            }
        }
    }

    func dryRun(_ editor: SchemaEditor) throws -> [SQL] {
        let hadForeignKeys = try connection.hasForeignKeys
        return try connection.withoutForeignKeys(mayDropTables) {
            try waitingForLocks {
                try connection.rolledBackTransaction {
                    while true {
                        let history = try SchemaHistory(schema.name, on: connection)
                        let next = try self.next(after: history)
                        if case .nothing = next { return editor.log }
                        let areOff = hadForeignKeys && next.needsForeignKeysOff
                        try perform(next, history, editor, checkingForeignKeys: areOff)
                    }
                }
            }
        }
    }

    private var mayDropTables: Bool {
        target == 0 || options.contains(.startOverFromOldVersions)
            || schema.versions.contains(where: \.needsForeignKeysOff)
    }

    func nextVersion() throws -> Version? {
        guard case .version(let version, _) = try next(after: SchemaHistory(schema.name, on: connection)) else {
            return nil
        }
        return version
    }

    private func next(after history: SchemaHistory) throws -> Next {
        let version = history.version
        if target == 0 {
            guard version > 0 else { return .nothing }
            let others = try history.others(on: connection)
            guard others.isEmpty else { throw SchemaError.sharedFile(with: others) }
            return .reset
        }
        guard schema.version(target) != nil else { throw SchemaError.unknownVersion(target) }
        guard version <= schema.latestVersion else {
            if options.contains(.acceptNewerFiles) { return .nothing }
            throw SchemaError.newerFile(version: version, latest: schema.latestVersion)
        }
        if version > 0, let first = schema.versions.first, version < first.number,
            options.contains(.startOverFromOldVersions)
        {
            let others = try history.others(on: connection)
            guard others.isEmpty else { throw SchemaError.sharedFile(with: others) }
            return .version(first, startingOver: true)
        }
        guard version == 0 || schema.version(version) != nil else { throw SchemaError.unknownVersion(version) }
        if !options.contains(.ignoreEdits) {
            let edited = history.records.filter { schema.isEdited($0.key, $0.value) }.keys.sorted()
            guard edited.isEmpty else { throw SchemaError.editedVersions(edited) }
        }
        guard version <= target else { throw SchemaError.unreachableVersion(target, from: version) }
        let skipped = history.skipped(of: schema.versions)
        if !options.contains(.runSkippedVersions), !skipped.isEmpty { throw SchemaError.skippedVersions(skipped) }
        if let number = skipped.first(where: { $0 <= target }), let next = schema.version(number) {
            return .version(next, startingOver: false)
        }
        guard version < target, let next = schema.versions.first(where: { $0.number > version }) else {
            return .nothing
        }
        return .version(next, startingOver: false)
    }

    private func perform(
        _ next: Next, _ history: SchemaHistory, _ editor: SchemaEditor, checkingForeignKeys: Bool
    ) throws {
        switch next {
        case .nothing: break
        case .reset:
            editor.step = "Reset"
            try editor.report()
            try editor.reset()
            try editor.run("PRAGMA main.user_version = 0")
        case .version(let version, let startingOver):
            editor.begin(version.number)
            if startingOver {
                try editor.reset()
                try editor.run("PRAGMA main.user_version = 0")
            }
            let needsFaults = version.needsForeignKeysOff
            let faults = needsFaults ? try editor.faults(withForeignKeys: checkingForeignKeys) : SchemaFaults()
            for action in version.actions {
                editor.step = action.title
                try editor.report()
                try naming("version \(version.number), \(action.title)", isFile: action.isScript) {
                    try editor.perform(action)
                }
            }
            if needsFaults {
                try naming("version \(version.number)") {
                    try editor.check(against: faults, withForeignKeys: checkingForeignKeys)
                }
            }
            let history = startingOver ? try SchemaHistory(schema.name, on: connection) : history
            try history.record(version, checksum: schema.checksums[version.number] ?? version.checksum, with: editor)
        }
    }

    /// Adds the place to the message of an error: `no such table: nowhere (version 2, Execute)`. The place in a file
    /// includes the line and the column.
    private func naming(_ place: String, isFile: Bool = false, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as SQLiteError {
            let location = isFile ? error.location.map { ":\($0.line):\($0.column)" } : nil
            throw error.changed {
                $0.message += " (\(place)\(location ?? ""))"
                guard !connection.isInTransaction else { return }
                $0.hint =
                    "the statement itself rolled the version back: ON CONFLICT ROLLBACK, or RAISE(ROLLBACK) in a trigger"
            }
        } catch let error as SchemaError {
            throw error.at(place)
        }
    }

    /// Retries while another connection has the file locked. That connection may be migrating, which takes long.
    private func waitingForLocks<Result>(_ body: () throws -> Result) throws -> Result {
        let end = Deadline(after: timeout)
        while true {
            do {
                return try body()
            } catch let error as SQLiteError where error.resultCode == .busy && !connection.isInTransaction {
                // A write in progress on this connection does not end while the thread waits.
                if connection.hasWriteInProgress { throw error }
                guard !end.hasPassed else { throw SchemaError.stillLocked(after: timeout) }
                if let reason = connection.interruption.reasonNotToBegin { throw SQLiteError.interrupted(reason) }
                sleepThread(.milliseconds(10))
            }
        }
    }
}

extension Migration.Next {
    fileprivate func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.nothing, .nothing), (.reset, .reset): true
        case (.version(let left, let one), .version(let right, let two)): left.number == right.number && one == two
        default: false
        }
    }
}
