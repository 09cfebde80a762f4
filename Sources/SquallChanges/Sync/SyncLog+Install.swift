#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Squall

extension SyncLog {
    private static let commonTables: SQL = """
        CREATE TABLE IF NOT EXISTS main.squall_sync_state(name TEXT PRIMARY KEY, value) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS main.squall_sync_columns(
            tbl TEXT COLLATE NOCASE, position INTEGER, name TEXT NOT NULL, is_key INTEGER NOT NULL,
            PRIMARY KEY(tbl, position)) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS main.squall_sync_cursors(
            origin TEXT PRIMARY KEY, log TEXT NOT NULL, sequence INTEGER NOT NULL) WITHOUT ROWID;
        """

    /// One row for the newest version of each row; a second one for a newer version that cannot be stored.
    private static let tableOfPeer: SQL = """
        CREATE TABLE IF NOT EXISTS main.squall_sync_rows(
            sequence INTEGER PRIMARY KEY AUTOINCREMENT, tbl TEXT NOT NULL COLLATE NOCASE, key BLOB NOT NULL,
            is_pending INTEGER NOT NULL, origin TEXT NOT NULL, stamp, revision INTEGER NOT NULL,
            is_deleted INTEGER NOT NULL, changes BLOB NOT NULL, reason TEXT, UNIQUE(tbl, key, is_pending));
        """

    /// The changes in the order of the hub; in a replica its own, of which the hub has not confirmed the last ones. The mark tells an entry from another
    /// one with its number, which a file that was restored or copied makes.
    private static let tableOfHub: SQL = """
        CREATE TABLE IF NOT EXISTS main.squall_sync_log(
            sequence INTEGER PRIMARY KEY AUTOINCREMENT, origin TEXT NOT NULL, number INTEGER NOT NULL,
            changes BLOB NOT NULL, conflicts BLOB NOT NULL,
            mark INTEGER NOT NULL DEFAULT (random() & 0x7fffffffffffffff));
        """

    private static let conflictsOfReplica: SQL = """
        CREATE TABLE IF NOT EXISTS main.squall_sync_conflicts(
            number INTEGER PRIMARY KEY AUTOINCREMENT, conflict BLOB NOT NULL);
        """

    func install(on connection: Connection) throws {
        try connection.execute(Self.commonTables)
        try connection.execute(role == .peer ? Self.tableOfPeer : Self.tableOfHub)
        if role == .replica { try connection.execute(Self.conflictsOfReplica) }
        let stored = try OpenLog.identity(connection)
        if let storedRole = stored["role"], let storedOrigin = stored["origin"] {
            if storedRole != role.rawValue || storedOrigin != origin && role != .peer {
                throw SQLiteError(SyncProblem.otherLog(origin: storedOrigin, role: storedRole))
            }
        }
        if stored["origin"] != origin {
            for (name, value) in [("role", role.rawValue), ("origin", origin), ("log", UUID().uuidString)] {
                try connection.run("INSERT OR REPLACE INTO main.squall_sync_state VALUES(\(name), \(value))")
            }
        }
        if stored["role"] == nil {
            try Self.storeState("version", version, on: connection)
        }
        let added = try addColumns(on: connection)
        let open = try OpenLog(self, connection)
        let rows = try added.flatMap { name in try open.insertions(into: name) }
        try open.add(rows)
    }

    /// Stores the columns of tables, and of those that were added at their ends.
    ///
    /// - Returns: The tables that the log did not have.
    private func addColumns(on connection: Connection) throws -> [Identifier] {
        let stored = Dictionary(try OpenLog.storedColumns(connection).map { (Identifier($0), $1) }) { first, _ in first
        }
        var added: [Identifier] = []
        for (name, policy) in policies.sorted(by: { $0.key < $1.key }) {
            try connection.startRecording(in: [name.spelling]).stop()
            let table = try SyncTable(name.spelling, policy: policy, in: connection)
            if case .lastWriter(let column, _) = policy,
                table.stampColumn.map({ table.isKey[$0] }) ?? true
            {
                throw SQLiteError(SyncProblem.stampColumn(column: column), of: .table(table.name))
            }
            if case .lastWriter(let column, _) = policy { try Self.storeStamp(column, of: name, on: connection) }
            let known = stored[name]?.count ?? 0
            if known == 0 {
                added.append(name)
                try Self.storeVersion(version, of: name.spelling, on: connection)
            }
            try Self.storeColumns(of: table, from: known, on: connection)
        }
        return added
    }

    /// Stores the columns of a table that the log does not have.
    static func storeColumns(of table: SyncTable, from known: Int, on connection: Connection) throws {
        for (position, column) in table.columns.enumerated() where position >= known {
            try connection.run(
                """
                INSERT INTO main.squall_sync_columns
                VALUES(\(table.name), \(position), \(column), \(table.isKey[position]))
                """)
        }
    }
}

extension OpenLog {
    /// Returns the rows of a table as insertions.
    fileprivate func insertions(into name: Identifier) throws -> [SyncChange] {
        guard let table = tables[name] else { return [] }
        var changes: [SyncChange] = []
        try table.forEachRow(in: connection) { row in
            let change = SyncChange(table, origin: origin, old: nil, new: row)
            if !change.key.hasNull { changes.append(change) }
        }
        return changes
    }
}
