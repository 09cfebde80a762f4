import SquallSQLite

extension Connection {
    /// The kind of a change of a row.
    public enum UpdateHookType: Sendable {
        case insert, update, delete

        package init?(code: Int32) {
            switch code {
            case SQLITE_INSERT: self = .insert
            case SQLITE_UPDATE: self = .update
            case SQLITE_DELETE: self = .delete
            default: return nil
            }
        }
    }

    /// Called after each row that is inserted, updated or deleted. The call is inside the transaction, which may still
    /// be rolled back.
    public typealias UpdateHook = (
        _ type: UpdateHookType, _ databaseName: String?, _ tableName: String?, _ rowID: Int64
    ) -> Void

    /// Adds an observer of changed rows beside others.
    ///
    ///     let token = connection.addUpdateObserver { type, _, table, rowID in
    ///         print(type, table ?? "", rowID)
    ///     }
    ///     …
    ///     token.cancel()
    ///
    /// SQLite does not call the observer for `WITHOUT ROWID` tables or for rows that `REPLACE` deletes;
    /// ``addPreUpdateObserver(_:)`` reports all of them. If SQLite was built without the pre-update hook, a `DELETE`
    /// without `WHERE` does not call it either.
    ///
    /// Statements prepared earlier, including yours, call the observer from their next run on. It cannot use the
    /// connection: every call throws. The connection retains its observers: capture the connection `weak` or `unowned` in
    /// them. On a closed connection, it is never called, and adding it does not throw. For a database, see
    /// ``Database/addUpdateObserver(_:)``.
    @discardableResult
    public func addUpdateObserver(_ observer: @escaping UpdateHook) -> ObserverToken {
        slot(UpdateSlot.self).add(observer)
    }
}

private final class UpdateSlot: HookSlot<Connection.UpdateHook> {
    @exclusivity(unchecked) private var databaseName = CachedName()
    @exclusivity(unchecked) private var tableName = CachedName()

    override func install(_ isOn: Bool, on handle: OpaquePointer) {
        // With a pre-update hook installed, SQLite deletes the rows of a DELETE without WHERE one by one, and reports
        // them.
        connection?._withUnsafeGuaranteedRef { $0.slot(PreUpdateSlot.self).setIsNeededByUpdateHook(isOn, on: handle) }
        guard isOn else {
            sqlite3_update_hook(handle, nil, nil)
            return
        }
        sqlite3_update_hook(
            handle,
            { context, code, database, table, rowID in
                guard let type = Connection.UpdateHookType(code: code) else { return }
                UpdateSlot.with(context) { $0.changed(type, database, table, rowID) }
            },
            pointer
        )
    }

    private func changed(
        _ type: Connection.UpdateHookType, _ database: UnsafePointer<CChar>?, _ table: UnsafePointer<CChar>?,
        _ rowID: Int64
    ) {
        let (database, table) = (databaseName.string(database), tableName.string(table))
        call("update hook") {
            // A single hook is called without retaining the list: that atomic count would be a tenth of the call.
            if hooks.count == 1 { return hooks[0](type, database, table, rowID) }
            for hook in hooks { hook(type, database, table, rowID) }
        }
    }
}
