import SquallSQLite

extension Connection {
    /// A row that is about to be inserted, updated or deleted.
    ///
    /// The values are reported as SQLite stores them: a whole number in a REAL column is an integer when its row is inserted. Generated
    /// columns that are not stored have no values; the values of later columns move up, with NULLs at the end. In a table WITHOUT ROWID that
    /// has such columns, SQLite reports the old values and the new ones by different positions. A row that is older than an added column has
    /// its default. A write to a part of a value, in ``Connection/withBlob(in:column:row:database:mode:_:)``, is reported as a delete that no
    /// insert follows.
    public struct PreUpdate: Hashable, Sendable {
        /// The kind of the change.
        public let type: UpdateHookType
        /// The database that the table is in: `main`, `temp`, or the name of an attached one.
        public let databaseName: String
        /// The table.
        public let tableName: String
        /// The rowid before the change; for an insert, the rowid after it. Meaningless for `WITHOUT ROWID` tables.
        public let oldRowID: Int64
        /// The rowid after the change; for a delete, the rowid before it. Meaningless for `WITHOUT ROWID` tables.
        public let newRowID: Int64
        /// The depth of triggers: 0 for a change by the statement itself, 1 for a change by its trigger, 2 for a change
        /// by a trigger of that trigger.
        public let depth: Int
        /// The values before the change, in the order of the table's columns; empty for an insert.
        public let oldValues: [BindingValue]
        /// The values after the change, in the order of the table's columns; empty for a delete.
        public let newValues: [BindingValue]
    }

    /// Adds an observer of rows that are about to change, beside others.
    ///
    /// It is called for every change of a row, including changes in `WITHOUT ROWID` tables and changes by `REPLACE`,
    /// foreign keys and triggers. Statements prepared earlier, including yours, call it from their next run on.
    ///
    /// An observer cannot use the connection: every call throws. The connection retains its observers: capture the
    /// connection `weak` or `unowned` in them. On a closed connection, it is never called. For a database, see
    /// ``Database/addPreUpdateObserver(_:)``.
    ///
    /// - Throws: ``SQLiteError``; `SQLITE_ERROR` (1) if SQLite was built without the pre-update hook.
    @discardableResult
    public func addPreUpdateObserver(_ observer: @escaping (PreUpdate) -> Void) throws -> ObserverToken {
        try Self.checkPreUpdate()
        return slot(PreUpdateSlot.self).add(observer)
    }

    /// Whether SQLite was built with sessions.
    package static var hasSessions: Bool { PreUpdateSlot.sessionHook != nil }

    /// Makes or deletes a session of SQLite; see `PreUpdateSlot`.
    ///
    /// - Returns: `nil` if SQLite was built without sessions.
    package func changeSessions<Result>(
        on handle: OpaquePointer, _ change: (squall_row_hook, inout UnsafeMutableRawPointer?) -> Result
    ) -> Result? {
        slot(PreUpdateSlot.self).changeSessions(on: handle, change)
    }

    /// Throws if SQLite was built without the pre-update hook.
    static func checkPreUpdate() throws {
        guard squall_has_preupdate() == 0 else { return }
        throw SQLiteError.libraryLacks(.preUpdateHook)
    }
}

/// The only owner of SQLite's pre-update hook, shared by all its users: other code must not call
/// `sqlite3_preupdate_hook`. Sessions are among its users: SQLite makes them the owners of the hook, and the slot takes it back.
final class PreUpdateSlot: HookSlot<(Connection.PreUpdate) -> Void> {
    override class var event: FollowedEvents { .rows }

    private enum Presence {
        case absent
        /// SQLite has a hook that does nothing, which the update hook needs.
        case silent
        case reporting
        /// SQLite calls its sessions directly.
        case recording
    }

    @exclusivity(unchecked) private var databaseName = CachedName()
    @exclusivity(unchecked) private var tableName = CachedName()

    private var isNeededByUpdateHook = false
    private var presence = Presence.absent
    /// SQLite's list of the sessions of the connection; `nil` without a session.
    @exclusivity(unchecked) private var sessions: UnsafeMutableRawPointer?

    /// The function with which sessions receive changes; `nil` if SQLite was built without sessions.
    fileprivate static let sessionHook = squall_find_session_hook()

    /// Makes or deletes a session, while SQLite has the hook of its sessions.
    func changeSessions<Result>(
        on handle: OpaquePointer, _ change: (squall_row_hook, inout UnsafeMutableRawPointer?) -> Result
    ) -> Result? {
        guard let hook = Self.sessionHook else { return nil }
        let result = change(hook, &sessions)
        install(on: handle)
        return result
    }

    /// Keeps a pre-update hook installed, even without a hook to call.
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
                    guard let handle, let type = Connection.UpdateHookType(code: code) else { return }
                    PreUpdateSlot.with(context) {
                        if let sessions = $0.sessions {
                            PreUpdateSlot.sessionHook?(sessions, handle, code, database, table, oldRowID, newRowID)
                        }
                        if let database, let table {
                            let change = RowChange(
                                type: code, database: database, table: table, oldRowID: oldRowID, newRowID: newRowID,
                                handle: handle)
                            $0.callFollowers { $0.willChange(change, on: $1) }
                        }
                        if !$0.hooks.isEmpty { $0.changing(type, database, table, oldRowID, newRowID, on: handle) }
                    }
                },
                pointer
            )
        } else if let sessions {
            presence = .recording
            squall_preupdate_hook(handle, Self.sessionHook, sessions)
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

    /// `presence` stays: installing the hook again need not expire statements, since no row changes in between but those of ANALYZE.
    override func stopReceivingRows(on handle: OpaquePointer) {
        if presence != .absent { squall_preupdate_hook(handle, nil, nil) }
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
            oldValues: type == .insert ? [] : oldValues(of: table, in: database, on: handle),
            newValues: type == .delete ? [] : values(squall_preupdate_new, on: handle)
        )
        call("pre-update hook") {
            for hook in hooks { hook(change) }
        }
    }

    private func oldValues(
        of table: UnsafePointer<CChar>?, in database: UnsafePointer<CChar>?, on handle: OpaquePointer
    ) -> [BindingValue] {
        let reported = values(squall_preupdate_old, on: handle)
        guard let count = AddedColumns.countBefore(on: handle), let connection, let table = tableName.string(table),
            let database = databaseName.string(database)
        else { return reported }
        let defaults = connection._withUnsafeGuaranteedRef {
            try? AddedColumns.defaults(of: table, in: database, after: count, on: $0, handle)
        }
        return defaults.map { reported.prefix(count) + $0 } ?? reported
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
