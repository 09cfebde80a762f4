extension SyncLog {
    /// Takes the log of a database over a migration that has changed one of its tables: columns that were renamed, added, dropped or
    /// changed, or the name of the table.
    ///
    ///     Version(2) {
    ///         AlterTable("notes") {
    ///             RenameColumn("text", to: "body")
    ///             AddColumn("size", Int.self, fillingWith: "length(text)")
    ///         }
    ///         Execute { connection in
    ///             try SyncLog.migrate("notes", columns: ["body": "text", "size": "length(text)"], on: connection)
    ///         }
    ///     }
    ///
    /// Call it in the transaction of the migration, in each database that has the log, and with the same arguments. It changes the entries of
    /// the log, also those that were not sent yet; positions stay valid. Batches that were made before are refused afterwards: make
    /// them again. Nothing is done if the database has no log yet, or the log not this table.
    ///
    /// A column that `columns` does not name has the values of the old column of its name, with its new affinity, or else its default. The
    /// newest row of each key is that of the table. Where that differs from the entries, for instance because of a filling with random
    /// values, it is sent to the others: to the other peers, or by the hub.
    ///
    /// It is one transaction, or a savepoint inside a transaction.
    ///
    /// - Parameters:
    ///   - table: The table, as it is named now.
    ///   - oldName: The name that it had; `nil` if it has kept it.
    ///   - columns: An expression over the old row for each column that was renamed, or whose values were computed.
    ///   - connection: A connection that can write.
    /// - Throws: ``SQLiteError``: of the kind ``SQLiteError/Kind/sync(_:)`` for a new column that is NOT NULL, without a default
    ///   and not in `columns`, and for a column that the table does not have; of the kind ``SQLiteError/Kind/recording(table:_:)`` for a
    ///   table whose changes cannot be recorded any more; the error of an expression.
    public static func migrate(
        _ table: String, from oldName: String? = nil, columns: [String: SQL] = [:], on connection: Connection
    ) throws {
        try changingTable(oldName ?? table, on: connection) { open, old in
            try connection.startRecording(in: [table]).stop()
            let name = Identifier(oldName ?? table)
            let stamp = old.stampColumn.map { old.columns[$0] }
            let newStamp = stamp.map { stamp in
                columns.first { [stamp, ("\(name: stamp)" as SQL).text].contains($0.value.text) }?.key ?? stamp
            }
            let new = try SyncTable(table, policy: newStamp.map { .lastWriter(by: $0) } ?? old.policy, in: connection)
            let migration = try LogMigration(open, from: old, to: new, columns)
            try migration.run()
            try open.log.forget(name, on: connection)
            for (position, column) in new.columns.enumerated() {
                try storeColumn(column, isKey: new.isKey[position], at: position, of: table, on: connection)
            }
            try storeStamp(newStamp, of: Identifier(table), on: connection)
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
    /// - Throws: ``SQLiteError``.
    public static func remove(_ table: String, on connection: Connection) throws {
        try changingTable(table, on: connection) { open, old in
            try open.removeChanges(of: old)
            try open.log.forget(Identifier(table), on: connection)
        }
    }

    /// Calls a closure with the log of a database, as it was before the migration.
    private static func changingTable(
        _ table: String, on connection: Connection, _ body: (OpenLog, SyncTable) throws -> Void
    ) throws {
        if connection.syncActivity.phase != .none { throw SQLiteError(.sync(.nested), code: .misuse) }
        try connection.inTransaction {
            if let open = try OpenLog(storedIn: connection), let old = open.tables[Identifier(table)] {
                try body(open, old)
            }
        }
    }

    private func forget(_ table: Identifier, on connection: Connection) throws {
        try connection.run("DELETE FROM main.squall_sync_columns WHERE tbl = \(table.spelling)")
        try Self.storeStamp(nil, of: table, on: connection)
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
        for entry in try entries(after: 0, limit: -1) {
            // The entry stays: positions are counted.
            try replace(
                entry.sequence, by: changes(of: entry).filter { Identifier($0.table) != name },
                conflicts(of: entry).filter { Identifier($0.change.table) != name })
        }
    }
}
