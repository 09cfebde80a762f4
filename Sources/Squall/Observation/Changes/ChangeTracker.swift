import SquallSQLite

/// Follows the changes that a connection makes, and publishes them after each commit.
///
/// Used by the thread that uses the connection.
final class ChangeTracker: ConnectionFollower {
    private let center: ObservationCenter
    private let usesPreUpdateHook: Bool
    let events: FollowedEvents
    private var updateObserver: ObserverToken?

    private var pending = PendingChanges()
    private var fileBefore = FileState.unused
    /// The interest of the observers when the transaction made its first change, and its version; `nil` before.
    private var interest: (interest: Interest, version: Int)?
    // `@exclusivity(unchecked)`: the checks would be half of what a row costs (callgrind, 2026-11-22), and nothing that uses these
    // properties calls back into the tracker.
    /// The table of the last change, whose changes are not in `pending` yet.
    @exclusivity(unchecked) private var current: CurrentTable?
    @exclusivity(unchecked) private var tableName = CachedName()
    @exclusivity(unchecked) private var databaseName = CachedName()

    /// Whether a statement that changes the schema was prepared since the last change of the schema.
    private var mayChangeSchema = false
    private var schemaVersions: [Int?] = []
    /// The rows that the update hook has reported, and SQLite's count of changes. Used if SQLite lacks the pre-update hook.
    private var reportedRows: Int32 = 0
    private var totalChanges: Int32 = 0

    /// The main file when a commit begins.
    private enum FileState {
        /// The transaction does not write it.
        case unused
        /// The transaction writes no other file. The pages that the connection has written.
        case pages(Int32)
        /// The number in its header.
        case header(UInt32?)
    }

    private struct CurrentTable {
        let name: TableName
        let interest: Interest.Table?
        let needsRowIDs: Bool
        var change = RowChanges()

        init(name: TableName, interest: Interest.Table?) {
            self.name = name
            self.interest = interest
            needsRowIDs = interest?.needsRowIDs ?? false
        }

        /// Whether further rows add nothing.
        var isComplete: Bool { change.changesRows && (!needsRowIDs || change.rowIDs == nil) }
    }

    init(_ center: ObservationCenter, usesPreUpdateHook: Bool) {
        self.center = center
        self.usesPreUpdateHook = usesPreUpdateHook
        events = usesPreUpdateHook ? [.transactions, .rows, .actions] : [.transactions, .actions]
    }

    /// Begins to follow a connection.
    func start(on connection: Connection) {
        connection.follow(self)
        if !usesPreUpdateHook {
            updateObserver = connection.addUpdateObserver { [unowned self] _, database, table, _ in
                didChangeRow(database: database ?? "main", table: table ?? "")
            }
        }
        schemaVersions = connection.handle.map { Self.schemaVersions(of: connection, on: $0) } ?? []
        totalChanges = connection.handle.map { sqlite3_total_changes($0) } ?? 0
        if connection.isInTransaction { pending.insertEverything() }
        center.didStartTracking()
    }

    /// Stops following the connection.
    func stop(on connection: Connection) {
        connection.unfollow(self)
        updateObserver?.cancel()
        updateObserver = nil
        center.didEndCommit()
    }
}

// MARK: - Rows

extension ChangeTracker {
    func willChange(_ row: RowChange, on connection: Connection) {
        select(row.database, row.table)
        // Most rows end here: nothing is copied before.
        guard current?.isComplete == false else { return }
        guard let interest = current?.interest else {
            current?.change = .unknown
            return
        }
        let blobColumn = row.type == SQLITE_DELETE ? squall_preupdate_blobwrite(row.handle) : -1
        if !interest.needsRowIDs { current?.change.rowIDs = nil }
        if blobColumn >= 0 || row.type == SQLITE_UPDATE && (row.oldRowID == row.newRowID || !interest.region.hasRowIDs)
        {
            let changed =
                blobColumn >= 0
                ? ColumnMask(column: Int(blobColumn)) : changedColumns(of: interest.region, on: row.handle)
            // Columns that are not compared count as changed: an observer of them may just begin.
            current?.change.columns.formUnion(ColumnMask.all.subtracting(interest.region.columns))
            guard changed.intersects(interest.region.columns) else { return }
            current?.change.columns.formUnion(changed)
        } else {
            current?.change.changesRows = true
        }
        current?.change.insert(rowID: row.oldRowID)
        if row.newRowID != row.oldRowID { current?.change.insert(rowID: row.newRowID) }
    }

    /// Returns the observed columns whose values differ before and after the update.
    private func changedColumns(of table: TableRegion, on handle: OpaquePointer) -> ColumnMask {
        var changed = ColumnMask.none
        if table.columns.isEmpty { return changed }
        if !table.isComparable { return table.columns }
        for column in 0..<squall_preupdate_count(handle) where table.columns.contains(Int(column)) {
            var (old, new): (OpaquePointer?, OpaquePointer?)
            guard squall_preupdate_old(handle, column, &old) == SQLITE_OK,
                squall_preupdate_new(handle, column, &new) == SQLITE_OK, let old, let new,
                SQLiteValue(old).isIdentical(to: SQLiteValue(new)),
                // SQLite reports NULL for the default of a column that was added after the row.
                sqlite3_value_type(old) != SQLITE_NULL || !table.columnsWithDefault.contains(Int(column))
            else {
                changed.formUnion(ColumnMask(column: Int(column)))
                continue
            }
        }
        return changed
    }

    /// Makes a table the current one.
    private func select(_ database: UnsafePointer<CChar>, _ table: UnsafePointer<CChar>) {
        if current != nil, databaseName.equals(database), tableName.equals(table) { return }
        putBack()
        let name = TableName(
            Identifier(databaseName.string(database) ?? ""), Identifier(tableName.string(table) ?? ""))
        let interest = (self.interest ?? beginTransaction()).interest
        if let virtual = interest.virtualTable(storing: name) { pending.insert(virtual, .unknown) }
        current = CurrentTable(name: name, interest: interest.tables[name])
    }

    private func beginTransaction() -> (interest: Interest, version: Int) {
        let found = center.interest
        interest = found
        return found
    }

    /// Moves the changes of the current table to those of the transaction.
    private func putBack() {
        guard let known = current else { return }
        if known.change != RowChanges() { pending.insert(known.name, known.change) }
        current = nil
    }

    /// Called by the update hook, where SQLite has no pre-update hook.
    private func didChangeRow(database: String, table: String) {
        reportedRows &+= 1
        didChange(table, of: database)
    }

    private func didChange(_ table: String, of database: String) {
        database.withCString { database in table.withCString { select(database, $0) } }
        current?.change = .unknown
    }
}

// MARK: - Transactions

extension ChangeTracker {
    func didRun(_ action: SavepointAction) {
        putBack()
        pending.apply(action)
    }

    func didWriteValue(in table: String, of database: String) {
        // The pre-update hook has reported it, with the column.
        if !usesPreUpdateHook { didChange(table, of: database) }
    }

    func willCommit(on connection: Connection) {
        connection.callbacks.pointee.isCommitting = true
        // Where a hook runs, the connection has no handle.
        if let handle = connection.state.handleInHooks {
            putBack()
            if sqlite3_txn_state(handle, "main") != SQLITE_TXN_WRITE {
                fileBefore = .unused
            } else if pending.isOfMainAlone {
                fileBefore = .pages(Self.writtenPages(of: handle))
            } else {
                fileBefore = .header(connection.header(on: handle)?.changeNumber)
            }
        }
        center.willCommit()
    }

    /// Whether the commit has written to the main file. One that leaves all pages as they were has not: `UPDATE cars SET price = price`.
    private func hasWrittenFile(_ connection: Connection, _ handle: OpaquePointer) -> Bool {
        // SQLite counts the pages of all databases. With several, the header tells.
        switch fileBefore {
        case .unused: false
        case .pages(let count): Self.writtenPages(of: handle) != count
        case .header(nil): true
        case .header(let number): connection.header?.changeNumber != number
        }
    }

    private static func writtenPages(of handle: OpaquePointer) -> Int32 {
        var (count, highest): (Int32, Int32) = (0, 0)
        sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &count, &highest, 0)
        return count
    }

    func didRollBack(on connection: Connection) {
        current = nil
        pending.removeAll()
        interest = nil
        center.didEndCommit()
    }

    func didEndCommit(on connection: Connection) {
        guard let handle = connection.handle, sqlite3_get_autocommit(handle) != 0,
            sqlite3_txn_state(handle, nil) != SQLITE_TXN_WRITE
        else { return center.didEndCommit() }
        putBack()
        noteUnreportedRows(on: handle)
        noteSchema(of: connection, on: handle)
        let writesFile = hasWrittenFile(connection, handle)
        var changes = pending.take()
        // SQLite commits the files one after the other. Another connection may have written the main file in between.
        if writesFile, changes.isOfAttachedFiles { changes.formUnion(.external) }
        let version = interest?.version ?? .max
        interest = nil
        center.publishCommit(changes, version: version, writesFile: writesFile)
    }

    /// The new database may have the version of the old schema. Another process finds the number in the header of the file.
    func didReplaceDatabase(of connection: Connection) {
        guard let handle = connection.handle else { return }
        schemaVersions = Self.schemaVersions(of: connection, on: handle)
        center.publish(.external)
    }

    /// Without the pre-update hook, some changes are only counted: those of `WITHOUT ROWID` tables, and a `DELETE` of all rows.
    private func noteUnreportedRows(on handle: OpaquePointer) {
        guard !usesPreUpdateHook else { return }
        let total = sqlite3_total_changes(handle)
        if total &- totalChanges != reportedRows { pending.insertEverything() }
        totalChanges = total
        reportedRows = 0
    }

    func willCompile(_ action: CompiledAction, on connection: Connection) {
        guard let action = Connection.AuthorizerAction(rawValue: action.code), action.changesSchema else { return }
        // Not the table of the statistics, which an internal ANALYZE creates.
        if !connection.callbacks.pointee.isInternal { mayChangeSchema = true }
    }

    private func noteSchema(of connection: Connection, on handle: OpaquePointer) {
        guard mayChangeSchema else { return }
        let versions = Self.schemaVersions(of: connection, on: handle)
        guard versions.contains(nil) || versions != schemaVersions else { return }
        schemaVersions = versions
        // A statement that was prepared in the meantime is prepared again: the schema has changed.
        mayChangeSchema = false
        pending.insertEverything()
    }
}

extension ChangeTracker {
    /// The versions of the schemas that observers use. A database in memory has one connection, and so they use its temporary tables.
    private static func schemaVersions(of connection: Connection, on handle: OpaquePointer) -> [Int?] {
        let isFile = sqlite3_db_filename(handle, "main").map { $0.pointee != 0 } ?? false
        return (isFile ? ["main"] : ["main", "temp"]).map { connection.pragmaValue("\($0).schema_version", on: handle) }
    }
}

extension Connection.AuthorizerAction {
    /// Whether a statement with the action changes a schema.
    fileprivate var changesSchema: Bool {
        switch self {
        case .createIndex, .createTable, .createTrigger, .createView, .createVTable, .dropIndex, .dropTable,
            .dropTrigger, .dropView, .dropVTable, .alterTable, .createTempTable, .createTempTrigger, .createTempView,
            .dropTempTable, .dropTempTrigger, .dropTempView:
            true
        default: false
        }
    }
}

extension SQLiteValue {
    /// Whether two values are stored in the same way.
    fileprivate func isIdentical(to other: SQLiteValue) -> Bool {
        let type = sqlite3_value_type(pointer)
        guard type == sqlite3_value_type(other.pointer) else { return false }
        switch type {
        case SQLITE_NULL: return true
        case SQLITE_INTEGER: return sqlite3_value_int64(pointer) == sqlite3_value_int64(other.pointer)
        case SQLITE_FLOAT:
            return sqlite3_value_double(pointer).bitPattern == sqlite3_value_double(other.pointer).bitPattern
        default:
            // Text keeps its encoding: `sqlite3_value_blob` converts nothing.
            let count = sqlite3_value_bytes(pointer)
            guard count == sqlite3_value_bytes(other.pointer) else { return false }
            guard let bytes = sqlite3_value_blob(pointer), let others = sqlite3_value_blob(other.pointer) else {
                return count == 0
            }
            return memcmp(bytes, others, Int(count)) == 0
        }
    }
}
