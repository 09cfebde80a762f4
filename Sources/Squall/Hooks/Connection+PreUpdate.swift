import SquallSQLite

extension Connection {
    /// A row that is about to be inserted, updated or deleted.
    ///
    /// The values are SQLite's own: generated columns that are not stored have none, and the values of the columns after them
    /// move up, with NULLs at the end; and a row that is older than a column that was added is shown with NULL in it.
    public struct PreUpdate: Hashable, Sendable {
        /// What is about to happen to it.
        public let type: UpdateHookType
        /// The database that the table is in: `main`, `temp`, or the name of an attached one.
        public let databaseName: String
        /// The table.
        public let tableName: String
        /// The rowid that the row has; for an insert, the one that it gets. Of no meaning `WITHOUT ROWID`.
        public let oldRowID: Int64
        /// The rowid that the row gets; for a delete, the one that it has. Of no meaning `WITHOUT ROWID`.
        public let newRowID: Int64
        /// 0 for a change by the statement itself, 1 for one by a trigger of it, 2 for one by a trigger of that, and so on.
        public let depth: Int
        /// The values that the row has, in the order of the table's columns; empty for an insert.
        public let oldValues: [BindingValue]
        /// The values that the row gets, in the order of the table's columns; empty for a delete.
        public let newValues: [BindingValue]
    }

    /// Is called before each row that is inserted, updated or deleted.
    public typealias PreUpdateHook = (PreUpdate) -> Void

    /// Sets the pre-update hook, or removes it with `nil`. Observers stay beside it.
    ///
    /// It sees every change of a row, also in tables `WITHOUT ROWID`, and those of `REPLACE`, foreign keys and triggers.
    /// Statements that were prepared before, also by you, call it from their next run on. It cannot use the connection: what it
    /// tries throws. The connection keeps its hooks: capture the connection `weak` or `unowned` in them.
    ///
    /// - Throws: ``SQLiteError``, `SQLITE_ERROR` (1), where SQLite was built without the pre-update hook.
    public func preUpdateHook(_ hook: PreUpdateHook?) throws {
        try Self.checkPreUpdate()
        slot(PreUpdateSlot.self).set(hook)
    }

    /// Adds an observer beside the pre-update hook and other observers.
    ///
    /// - Throws: ``SQLiteError``, `SQLITE_ERROR` (1), where SQLite was built without the pre-update hook.
    @discardableResult
    public func addPreUpdateObserver(_ observer: @escaping PreUpdateHook) throws -> ObserverToken {
        try Self.checkPreUpdate()
        return slot(PreUpdateSlot.self).add(observer)
    }

    /// Throws where SQLite was built without the pre-update hook.
    static func checkPreUpdate() throws {
        guard squall_has_preupdate() == 0 else { return }
        throw SQLiteError(code: SQLITE_ERROR, message: "this SQLite was built without the pre-update hook")
    }
}

/// The one owner of SQLite's place for a pre-update hook, for all who need it there: nothing else may call
/// `sqlite3_preupdate_hook`.
final class PreUpdateSlot: HookSlot<Connection.PreUpdateHook> {
    private enum Presence {
        case absent
        /// SQLite has a hook that does nothing, for the sake of the update hook.
        case silent
        case reporting
    }

    @exclusivity(unchecked) private var databaseName = CachedName()
    @exclusivity(unchecked) private var tableName = CachedName()

    private var isNeededByUpdateHook = false
    private var presence = Presence.absent

    /// Keeps a pre-update hook in place, also without anybody who is to be called.
    func setIsNeededByUpdateHook(_ isNeeded: Bool, on handle: OpaquePointer) {
        isNeededByUpdateHook = isNeeded
        install(on: handle)
    }

    override func install(_ isOn: Bool, on handle: OpaquePointer) {
        guard squall_has_preupdate() != 0 else { return }
        let wasAbsent = presence == .absent
        if isOn {
            presence = .reporting
            squall_preupdate_hook(
                handle,
                { context, handle, code, database, table, oldRowID, newRowID in
                    guard let context, let handle, let type = Connection.UpdateHookType(code: code) else { return }
                    Unmanaged<PreUpdateSlot>.fromOpaque(context)._withUnsafeGuaranteedRef {
                        $0.changing(type, database, table, oldRowID, newRowID, on: handle)
                    }
                },
                Unmanaged.passUnretained(self).toOpaque()
            )
        } else if isNeededByUpdateHook {
            presence = .silent
            squall_preupdate_hook(handle, { _, _, _, _, _, _, _ in }, nil)
        } else {
            presence = .absent
            squall_preupdate_hook(handle, nil, nil)
        }
        // A statement that was prepared without a pre-update hook deletes all rows of a table without a call.
        guard wasAbsent, presence != .absent else { return }
        connection?._withUnsafeGuaranteedRef { $0.expireStatements(on: handle) }
    }

    private func changing(
        _ type: Connection.UpdateHookType, _ database: UnsafePointer<CChar>?, _ table: UnsafePointer<CChar>?,
        _ oldRowID: Int64, _ newRowID: Int64, on handle: OpaquePointer
    ) {
        let change = Connection.PreUpdate(
            type: type,
            databaseName: databaseName.string(database) ?? "",
            tableName: tableName.string(table) ?? "",
            oldRowID: oldRowID,
            newRowID: newRowID,
            depth: Int(squall_preupdate_depth(handle)),
            oldValues: type == .insert ? [] : values(squall_preupdate_old, on: handle),
            newValues: type == .delete ? [] : values(squall_preupdate_new, on: handle)
        )
        call("pre-update hook") {
            for hook in hooks { hook(change) }
        }
    }

    private func values(
        _ read: (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Int32, on handle: OpaquePointer
    ) -> [BindingValue] {
        (0..<squall_preupdate_count(handle)).map { index in
            var value: OpaquePointer?
            guard read(handle, index, &value) == SQLITE_OK, let value else { return .null }
            return SQLiteValue(value).bindingValue
        }
    }
}
