import Squall

extension SyncLog {
    /// Takes the log of a database over a migration that has renamed, added, dropped or filled columns of one of its tables, or has renamed
    /// the table.
    ///
    ///     Version(2) {
    ///         AlterTable("notes") {
    ///             RenameColumn("text", to: "body")
    ///             AddColumn("size", Int.self, fillingWith: "length(text)")
    ///         }
    ///         Execute { connection in
    ///             let columns: [String: SQL] = ["body": "text", "size": "length(text)"]
    ///             try SyncLog.migrate("notes", to: 2, columns: columns, on: connection)
    ///         }
    ///     }
    ///
    /// Call it in the transaction of the migration, in each database that has the log, and with the same arguments. It rewrites the entries
    /// of the log, also those that were not sent yet; positions stay valid. Afterwards the log is opened with the same version, and merges
    /// only batches of this version: those that were made before are made again.
    ///
    /// A column that `columns` does not name has the values of the old column of its name, with its new affinity, or else its default. Where
    /// the rows of the table differ from that, because rows were deleted, inserted or filled otherwise, the difference is a change of
    /// this database, which it sends to the others; a replica leaves that to its hub.
    ///
    /// Nothing is done if the database has no log yet, and for a table that was migrated to the version before, or that the log does not
    /// have. It is one transaction, or a savepoint inside a transaction.
    ///
    /// - Parameters:
    ///   - table: The table, as it is named now.
    ///   - version: The version of the values from now on: ``version``.
    ///   - oldName: The name that the table had; `nil` if it has kept it.
    ///   - columns: An expression over the old row for each column that was renamed, or whose values were computed.
    ///   - lastWriter: The column of the last writer, if it is another one than before and was not only renamed.
    ///   - connection: A connection that can write.
    /// - Throws: `SQLiteError`: with a ``SyncProblem`` for a new column that is NOT NULL, without a constant
    ///   default and not in `columns`, and for a column that the table does not have; with a
    ///   ``RecordingProblem`` for a table whose changes cannot be recorded any more; the error of an expression, which
    ///   is computed over old rows too.
    public static func migrate(
        _ table: String, to version: Int, from oldName: String? = nil, columns: [String: SQL] = [:],
        lastWriter: String? = nil, on connection: Connection
    ) throws {
        try changing(on: connection) { open in
            try storeState("version", max(open.log.version, version), on: connection)
            guard let old = open.tables[Identifier(oldName ?? table)],
                try storedState(versionName(old.name), on: connection) ?? 0 < version
            else { return }
            if oldName != nil, Identifier(table) != Identifier(old.name), open.tables[Identifier(table)] != nil {
                throw SQLiteError(SyncProblem.tableInLog, of: .table(table))
            }
            try connection.startRecording(in: [table]).stop()
            let stamp = try old.stampColumn.map { column in
                try newStampColumn(lastWriter, old.columns[column], columns, table, connection)
            }
            let new = try SyncTable(table, policy: stamp.map { .lastWriter(by: $0) } ?? old.policy, in: connection)
            try LogMigration(open, from: old, to: new, columns).run()
            try forget(old.name, on: connection)
            try storeColumns(of: new, from: 0, on: connection)
            try storeStamp(stamp, of: Identifier(table), on: connection)
            try storeVersion(version, of: table, on: connection)
        }
    }

    /// Takes a table out of the log of a database, for instance because a migration has dropped it. Changes of it that were not sent yet
    /// are lost; the rows of the table stay.
    ///
    /// Call it in each database that has the log. It is one transaction, or a savepoint inside a transaction. Nothing is done if the
    /// database has no log yet, or the log not this table.
    ///
    /// - Parameters:
    ///   - table: The table, as it was named when the log was made.
    ///   - connection: A connection that can write.
    /// - Throws: `SQLiteError`.
    public static func remove(_ table: String, on connection: Connection) throws {
        try changing(on: connection) { open in
            guard let old = open.tables[Identifier(table)] else { return }
            try open.removeChanges(of: old)
            try forget(table, on: connection)
        }
    }

    /// Calls a closure with the log of a database, as it was before the migration.
    private static func changing(on connection: Connection, _ body: (OpenLog) throws -> Void) throws {
        if connection.syncActivity.phase != .none { throw SQLiteError(SyncProblem.nested) }
        try connection.inTransaction {
            if let open = try OpenLog(storedIn: connection) { try body(open) }
        }
    }

    /// The column that has the name still, or that was only renamed.
    private static func newStampColumn(
        _ given: String?, _ old: String, _ columns: [String: SQL], _ table: String, _ connection: Connection
    ) throws -> String {
        if let given { return given }
        let known = try connection.catalog().columns(ofTable: table)
        if known.contains(where: { Identifier($0.name) == Identifier(old) }) { return old }
        let renamed = columns.filter { $0.value.soleName == Identifier(old) }
        guard renamed.count == 1, let name = renamed.first?.key else {
            throw SQLiteError(SyncProblem.stampColumn(column: old), of: .table(table))
        }
        return name
    }

    // MARK: - The stored log

    private static func versionName(_ table: String) -> String { "version of \(Identifier(table).spelling)" }

    /// Stores the version that a table was migrated to, or with which it was added to the log; `nil` for none.
    static func storeVersion(_ version: Int?, of table: String, on connection: Connection) throws {
        try storeState(versionName(table), version, on: connection)
    }

    private static func forget(_ table: String, on connection: Connection) throws {
        try connection.run("DELETE FROM main.squall_sync_columns WHERE tbl = \(table)")
        try storeVersion(nil, of: table, on: connection)
        try storeStamp(nil, of: Identifier(table), on: connection)
    }
}

extension OpenLog {
    /// The log that a database has, with the columns that its tables had when it was opened last; `nil` without a log.
    fileprivate init?(storedIn connection: Connection) throws {
        guard let log = try SyncLog(storedIn: connection) else { return nil }
        var tables: [Identifier: SyncTable] = [:]
        for (name, columns) in try Self.storedColumns(connection) {
            tables[Identifier(name)] = SyncTable(
                name, columns: columns.map(\.name), isKey: columns.map(\.isKey),
                policy: log.policies[Identifier(name)] ?? .hubWins)
        }
        try self.init(log, connection, tables: tables)
    }

    fileprivate func removeChanges(of table: SyncTable) throws {
        if log.role == .peer {
            try connection.run("DELETE FROM main.squall_sync_rows WHERE tbl = \(table.name)")
            return
        }
        let name = Identifier(table.name)
        for entry in try entries(after: 0) {
            // The entry stays: positions are counted.
            try replace(
                entry.sequence, by: changes(of: entry).filter { Identifier($0.table) != name },
                conflicts(of: entry).filter { Identifier($0.change.table) != name })
        }
    }
}
