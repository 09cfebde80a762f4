/// The calls that do not throw in a hook: SQLite forbids it to use its connection.
enum HookRules {
    /// Returns whether a call of a connection, or of what belongs to one, may return in a hook.
    ///
    /// - Parameter variant: The number of the call among those of its name, if there are several.
    static func worksInHooks(_ name: String, variant: Int?) -> Bool {
        members.contains(name) || types.contains { name.hasPrefix("\($0).") }
            || variant.map { variants.contains("\(name) (\($0))") } == true
    }

    /// A backup that has begun reads a file with a connection of its own.
    private static let variants = ["Backup.Iterator.next() (2)"]

    /// Objects with a state of their own, and rows, which SQLite lets a hook read.
    private static let types = ["InterruptHandle", "Limits", "ObserverToken", "Row"]

    private static let members: Set<String> = [
        // They return what is stored, or what SQLite lets a hook read.
        "Blob.count", "Blob.row", "ChangeRecorder.isEmpty", "ChangeRecorder.isIndirect", "ChangeRecorder.isPaused",
        "ChangeRecorder.memoryUsed", "Connection.changes", "Connection.configuration", "Connection.description",
        "Connection.fileName", "Connection.isClosed", "Connection.isInTransaction", "Connection.lastInsertRowID",
        "Connection.limits", "Connection.readOnly", "Connection.resetStatus()", "Connection.statementCache",
        "Connection.status", "Connection.table(_:)",
        "Connection.totalChanges",
        "Migrator.currentSchemaVersion", "Migrator.desiredSchemaVersion", "Migrator.migrationRequired",
        "PreparedInsert.sql", "PreparedRecordInsert.sql", "SchemaPlan.changes", "SchemaPlan.description",
        "SchemaPlan.isEmpty", "SchemaPlan.losses", "SchemaPlan.outcomes", "Statement.columnCount",
        "Statement.columnNames", "Statement.description", "Statement.expandedSQL", "Statement.isBusy",
        "Statement.isReadOnly", "Statement.parameterCount", "Statement.parameterNames", "Statement.resetStatus()",
        "Statement.row", "Statement.sql", "Statement.status", "SyncLog.origin", "SyncLog.role",
        "SyncLog.runsTriggers", "SyncLog.version",
        // They come into effect when the hook has returned, or when the statement ends.
        "ChangeRecorder.stop()", "Connection.close()", "Connection.interrupt()", "Connection.interruptHandle",
        // They change hooks: SQLite is told when the hook has returned.
        "Connection.addAuthorizer(_:)", "Connection.addCommitObserver(_:)", "Connection.addPreUpdateObserver(_:)",
        "Connection.addProfileObserver(_:)", "Connection.addRollbackObserver(_:)",
        "Connection.addSlowStatementObserver(from:includingValues:_:)",
        "Connection.addTraceObserver(mask:_:)", "Connection.addUpdateObserver(_:)", "Connection.addWALObserver(_:)",
        "Connection.busyHandler(_:)", "Connection.progressHandler(every:_:)",
        // It does nothing for a statement that is not at a row.
        "Statement.reset()",
        // They use no connection, or one of their own.
        "Backup.makeAsyncIterator()",
        "ChangesetStream.forEach(_:)", "ChangesetStream.init(_:)", "ChangesetStream.invert(to:)",
        "Connection.init(_:mode:configuration:)", "Connection.init(storageLocation:tableLockPolicy:flags:)",
        "Connection.init(storageLocation:tableLockPolicy:readOnly:multiThreaded:sharedCache:)",
        "Migrator.init(connection:desiredSchemaVersion:)",
    ]
}
