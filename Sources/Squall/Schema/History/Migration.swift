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
        // The numbers are the steps of a rebuild: see `SchemaEditor.rebuild(_:)`.
        // 1 and 12. Foreign keys are off if a step of the version may drop or rebuild a table.
        return try connection.withoutForeignKeys(planned.needsForeignKeysOff) {
            try waitingForLocks {
                // 2 and 11. One transaction, IMMEDIATE because another process may migrate the file too.
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
            for case .annex(let step) in schema.versions.flatMap(\.actions) { step.prepare(connection) }
            if startingOver {
                try editor.reset()
                try editor.run("PRAGMA main.user_version = 0")
            }
            let run = try VersionRun(version, with: editor) { try editor.foreignKeys(checkingForeignKeys) }
            // 3 to 8. In the steps that need a rebuild.
            for action in version.actions {
                editor.step = action.title
                try editor.report()
                do { try editor.perform(action) } catch { throw explained(run.error(error, in: action)) }
            }
            // 9 and 10. Once for all steps.
            try run.check(with: editor) { try editor.foreignKeys(checkingForeignKeys) }
            let history = startingOver ? try SchemaHistory(schema.name, on: connection) : history
            try history.record(version, of: schema, with: editor)
        }
    }

    /// Returns the error of a step, with the reason if the step has rolled the version back.
    private func explained(_ error: any Error) -> any Error {
        guard !connection.isInTransaction, let error = error as? SQLiteError else { return error }
        return error.changed {
            $0.hint =
                "the statement itself rolled the version back: ON CONFLICT ROLLBACK, or RAISE(ROLLBACK) in a trigger"
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
