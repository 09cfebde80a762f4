/// The calls that throw where nothing else happens, by ground. All others return there.
///
/// A number is that of the call among those of its name, in the order of the list.
enum ExpectedErrors {
    /// Returns whether a call must throw on a ground.
    static func fails(_ call: String, on ground: Ground) -> Bool {
        if everywhere.contains(call) { return true }
        return switch ground {
        case .own: inFiles.contains(call)
        case .memory, .outside: false
        case .writer: inFiles.contains(call) || inClosures.contains(call) || besideHistories.contains(call)
        case .group: inClosures.contains(call) || inTransactions.contains(call)
        case .reader:
            inFiles.contains(call) || inClosures.contains(call) || besideHistories.contains(call)
                || writesOfConnections.contains(call) || writesOfDatabases.contains(call)
        case .snapshot: inSnapshots.contains(call)
        case .queue: inClosures.contains(call)
        case .pool: inClosures.contains(call) || writesOfDatabases.contains(call)
        }
    }

    /// There is no such library, and a statement cannot be used in the closure of its own query.
    private static let everywhere: Set<String> = [
        "Connection.loadExtension(_:entryPoint:)", "Statement.bind(_:) (4)", "Statement.forEach(_:) (4)",
        "Statement.query() (3)", "Statement.reset() (4)", "Statement.run() (4)", "Statement.step() (4)",
    ]

    /// A file cannot be replaced by bytes.
    private static let inFiles: Set<String> = ["Connection.deserialize(_:)"]

    /// They wait for the closures of the database, also for the one that calls them.
    private static let inClosures: Set<String> = [
        "Database.Blocking.close()", "Database.Blocking.suspend(interruptingAfter:deadline:)",
        "UndoHistory.init(_:tables:limit:) (1)",
    ]

    /// Undoing and redoing wait as well. The history was made while the closure was running, and records nothing of it.
    private static let besideHistories: Set<String> = [
        "UndoHistory.Blocking.undo() (2)", "UndoHistory.Blocking.redo() (2)",
        "UndoHistory.Blocking.write(_:deadline:_:) (2)",
    ]

    private static let inSnapshots: Set<String> = [
        "Database.Blocking.close()", "Database.Blocking.suspend(interruptingAfter:deadline:)",
        "ReadSnapshot.close() (2)",
    ]

    /// They begin a transaction, or must not be in one.
    private static let inTransactions: Set<String> = [
        "Connection.run(_:_:) (4)", "Connection.transaction(transactionType:closure:)",
        "Connection.sync(_:preserve:)", "Connection.vacuum(databaseNamed:)",
        "Connection.vacuum(databaseNamed:into:)", "Connection.serialize(databaseNamed:)",
        "Connection.checkpoint(attachedDatabaseName:mode:)",
        "Database.Blocking.checkpoint(_:holdingReaders:deadline:)", "Database.Blocking.vacuum(deadline:)",
        "Database.Blocking.vacuum(into:deadline:)", "ConnectionQueue.executeInTransaction(transactionType:closure:)",
        "SchemaPlan.apply(allowing:)", "SchemaPlan.dryRun(allowing:)",
        "Schema.migrate(_:to:options:waiting:progress:) (1)", "Schema.migrate(_:to:options:waiting:progress:) (2)",
        "Database.Blocking.migrate(_:to:options:waiting:progress:)", "Schema.dryRun(_:to:options:waiting:)",
        "Migrator.runMigrationsIfNecessary(migrateDatabaseToSchemaVersion:willMigrateToSchemaVersion:didMigrateToSchemaVersion:)",
        "Migrator.runMigrationsIfNecessary(migrationSQLForSchemaVersion:willMigrateToSchemaVersion:didMigrateToSchemaVersion:)",
    ]

    /// They write, which the closure of a read must not.
    private static let writesOfConnections: Set<String> = [
        "Connection.setUserVersion(_:)", "Connection.execute(_:)", "Connection.run(_:_:) (1)",
        "Connection.run(_:_:) (3)", "Connection.run(_:_:) (4)", "Connection.prepare(_:_:)",
        "Connection.transaction(transactionType:closure:)", "Connection.savepoint(named:transactionType:closure:)",
        "Connection.attachDatabase(from:withName:)", "Connection.attachDatabase(from:withName:encryption:)",
        "Connection.insert(into:_:or:)", "Connection.update(_:set:)",
        "Connection.update(_:set:where:) (1)", "Connection.update(_:rowIDs:set:)",
        "Connection.upsert(into:_:onConflict:)", "Connection.delete(from:)", "Connection.delete(from:where:)",
        "Connection.delete(from:rowIDs:)", "Connection.insert(_:)", "Connection.TableAccess.insert(_:)",
        "Connection.TableAccess.insert(_:orIgnore:)", "Connection.insert(_:orIgnore:)",
        "Connection.insert(contentsOf:)",
        "Connection.TableAccess.insert(contentsOf:)", "Connection.insert(contentsOf:into:)",
        "Connection.insertReturning(_:)", "Connection.TableAccess.insertReturning(_:)",
        "Connection.insert(into:from:) (1)",
        "Connection.insert(into:from:) (2)", "Connection.insert(into:from:onConflict:_:doNothing:)",
        "Connection.insert(into:from:onConflict:_:set:where:)", "Connection.prepareInsert(_:)",
        "Connection.prepareInsert(into:)", "Connection.TableAccess.prepareInsert()", "Connection.replace(_:)",
        "Connection.TableAccess.replace(_:)", "Connection.replace(contentsOf:)",
        "Connection.TableAccess.replace(contentsOf:)",
        "Connection.update(_:_:)", "Connection.update(_:changedFrom:)", "Connection.TableAccess.update(_:_:)",
        "Connection.TableAccess.update(_:changedFrom:)", "Connection.update(_:set:where:) (2)",
        "Connection.TableAccess.update(set:where:)", "Connection.update(_:from:set:where:)",
        "Connection.TableAccess.update(from:set:where:)", "Connection.updateReturning(_:set:where:)",
        "Connection.TableAccess.updateReturning(set:where:)", "Connection.delete(_:)",
        "Connection.TableAccess.delete(_:)",
        "Connection.delete(_:where:)", "Connection.TableAccess.delete(where:)", "Connection.deleteReturning(_:where:)",
        "Connection.TableAccess.deleteReturning(where:)",
        "Connection.upsert(_:onConflict:onExpression:trailing:indexWhere:)",
        "Connection.TableAccess.upsert(_:onConflict:onExpression:trailing:indexWhere:)",
        "Connection.upsert(_:onConflict:onExpression:trailing:indexWhere:set:where:)",
        "Connection.TableAccess.upsert(_:onConflict:onExpression:trailing:indexWhere:set:where:)",
        "Connection.upsert(_:onConflict:onExpression:trailing:indexWhere:set:where:returning:)",
        "Connection.TableAccess.upsert(_:onConflict:onExpression:trailing:indexWhere:set:where:returning:)",
        "Connection.insert(contentsOf:onConflict:_:doNothing:)",
        "Connection.TableAccess.insert(contentsOf:onConflict:_:doNothing:)",
        "Connection.insert(contentsOf:onConflict:_:set:where:)",
        "Connection.TableAccess.insert(contentsOf:onConflict:_:set:where:)",
        "Connection.insert(contentsOf:onConflict:_:set:where:returning:)",
        "Connection.TableAccess.insert(contentsOf:onConflict:_:set:where:returning:)",
        "Connection.create(_:ifNotExists:) (1)", "Connection.create(_:ifNotExists:) (2)",
        "Connection.create(_:ifNotExists:) (3)", "Connection.createTable(_:_:ifNotExists:strict:withoutRowID:)",
        "Connection.createIndex(_:on:_:unique:where:ifNotExists:)",
        "Connection.createTriggers(for:following:key:bounds:)", "Connection.dropTable(_:ifExists:)",
        "Connection.dropIndex(_:ifExists:)", "Connection.renameTable(_:to:)", "Connection.addColumn(_:to:)",
        "Connection.sync(_:preserve:)", "Connection.vacuum(databaseNamed:)",
        "Connection.vacuum(databaseNamed:into:)", "Connection.serialize(databaseNamed:)",
        "Connection.checkpoint(attachedDatabaseName:mode:)", "Connection.drop(_:)", "Connection.rebuild(_:)",
        "Connection.optimize(databaseNamed:)", "Connection.optimize(_:)", "Connection.integrityCheck(_:)",
        "Connection.insert(_:id:into:auxiliary:or:)",
        "Connection.update(_:id:in:)", "Connection.withBlob(in:column:row:database:mode:_:) (2)",
        "Connection.recordChanges(in:database:memoryLimit:_:)",
        "Connection.recordPatchset(in:database:memoryLimit:_:)",
        "Connection.startRecording(in:database:memoryLimit:)",
        "Connection.startRecording(database:memoryLimit:where:)", "Connection.apply(_:options:_:) (1)",
        "Connection.apply(_:options:_:) (2)", "Connection.apply(_:to:options:_:) (1)",
        "Connection.apply(_:to:options:_:) (2)", "Statement.run() (1)", "Statement.step() (1)",
        "PreparedInsert.run(_:)", "PreparedRecordInsert.run(_:)",
        "SyncLog.init(_:origin:role:tables:version:runsTriggers:)",
        "SchemaPlan.apply(allowing:)", "SchemaPlan.dryRun(allowing:)",
        "Schema.migrate(_:to:options:waiting:progress:) (1)", "Schema.dryRun(_:to:options:waiting:)",
        "Migrator.runMigrationsIfNecessary(migrateDatabaseToSchemaVersion:willMigrateToSchemaVersion:didMigrateToSchemaVersion:)",
        "Migrator.runMigrationsIfNecessary(migrationSQLForSchemaVersion:willMigrateToSchemaVersion:didMigrateToSchemaVersion:)",
    ]

    /// They write, and so must not begin in the closure of a read of the same thread.
    private static let writesOfDatabases: Set<String> = [
        "Database.Blocking.writeWithoutTransaction(deadline:_:)",
        "Database.Blocking.write(deadline:isolated:_:)",
        "Database.Blocking.checkpoint(_:holdingReaders:deadline:)", "Database.Blocking.vacuum(deadline:)",
        "Database.Blocking.vacuum(into:deadline:)", "Database.Blocking.optimize(deadline:)",
        "Database.Blocking.migrate(_:to:options:waiting:progress:)",
        "Schema.migrate(_:to:options:waiting:progress:) (2)",
    ]
}
