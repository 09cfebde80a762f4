import Squall

/// Rewrites the entries of a log after a migration has changed one of its tables, and adds what the migration has done besides.
struct LogMigration {
    /// The log, with the tables as they were.
    private let open: OpenLog
    private let old: SyncTable
    private let new: SyncTable
    private let rows: RowMigration
    private var connection: Connection { open.connection }

    /// - Parameter columns: The expressions of the columns of the new table.
    init(_ open: OpenLog, from old: SyncTable, to new: SyncTable, _ columns: [String: SQL]) throws {
        self.open = open
        self.old = old
        self.new = new
        rows = try RowMigration(from: old, to: new, columns, on: open.connection)
    }

    func run() throws {
        switch open.log.role {
        case .peer: try migrateVersions()
        case .hub: try migrateHub()
        case .replica: try migrateReplica()
        }
    }

    // MARK: - Peers

    private struct StoredVersion {
        let entry: SyncBatch.Entry
        let isPending: Bool
        let reason: String?
    }

    private struct VersionKey: Hashable {
        let key: RowKey
        let isPending: Bool
    }

    /// Rows that differ from their versions get new ones, over the others.
    private func migrateVersions() throws {
        let stored = try storedVersions()
        try connection.run("DELETE FROM main.squall_sync_rows WHERE tbl = \(old.name)")
        var greatest: [VersionKey: RowVersion] = [:]
        for stored in stored {
            let version = try RowVersion(stored.entry, changes: open.changes(of: stored.entry))
            guard let migrated = try migrate(version) else { continue }
            let key = VersionKey(key: migrated.change.key, isPending: stored.isPending)
            // Rows with other keys may have one key now.
            if let other = greatest[key] {
                if migrated < other { continue }
                try open.removeVersion(of: key.key, in: new, isPending: key.isPending)
            }
            greatest[key] = migrated
            try store(migrated, stored)
        }
        var known: [RowKey: [BindingValue]?] = [:]
        for (key, version) in greatest where !key.isPending { known[key.key] = .some(version.change.new) }
        let migrated = try OpenLog(open.log, connection, tables: [Identifier(new.name): new])
        _ = try migrated.addVersions(differences(from: known))
    }

    /// Returns what the rows of the table differ in from those that the entries end with, of which `nil` are deleted.
    private func differences(from known: [RowKey: [BindingValue]?]) throws -> [SyncChange] {
        var differences: [SyncChange] = []
        var present: Set<RowKey> = []
        try new.forEachRow(in: connection) { row in
            let before = known[new.key(of: row)] ?? nil
            let change = SyncChange(new, origin: open.origin, old: before, new: row)
            if change.key.hasNull { return }
            present.insert(change.key)
            if before != row { differences.append(change) }
        }
        for (key, row) in known.sorted(by: { $0.key.data.lexicographicallyPrecedes($1.key.data) }) {
            guard let row, !present.contains(key) else { continue }
            differences.append(SyncChange(new, origin: open.origin, old: row, new: nil))
        }
        return differences
    }

    private func storedVersions() throws -> [StoredVersion] {
        var versions: [StoredVersion] = []
        try connection.forEach(
            """
            SELECT sequence, origin, revision, stamp, changes, is_pending, reason FROM main.squall_sync_rows
            WHERE tbl = \(old.name) ORDER BY sequence
            """
        ) { row in
            versions.append(
                StoredVersion(
                    entry: try OpenLog.versionEntry(row), isPending: try row.get(5), reason: try row.get(6)))
        }
        return versions
    }

    /// - Returns: `nil` for a row whose key is not known any more.
    private func migrate(_ version: RowVersion) throws -> RowVersion? {
        // Of a deleted row only the key is known.
        let needed = version.change.new == nil ? new.columns.indices.filter { new.isKey[$0] } : nil
        func image(_ row: [BindingValue]?) throws -> [BindingValue]? {
            try row.map { try rows.migrate($0, only: needed) }
        }
        let (before, after) = (try image(version.change.old), try image(version.change.new))
        let change = SyncChange(
            new, origin: version.change.origin, old: before.map { SyncChange.tombstone($0, new.isKey) }, new: after)
        if change.key.hasNull { return nil }
        var stamp = version.stamp
        if let oldColumn = old.stampColumn, let newColumn = new.stampColumn, stamp != .null {
            // It may be greater than the value of the row.
            var row = version.change.new ?? version.change.old ?? []
            row += Array(repeating: .null, count: max(0, oldColumn + 1 - row.count))
            row[oldColumn] = stamp
            stamp = try rows.migrate(row, only: [newColumn])[newColumn]
        }
        return RowVersion(change, stamp: stamp, revision: version.revision)
    }

    private func store(_ version: RowVersion, _ stored: StoredVersion) throws {
        try connection.run(
            """
            INSERT INTO main.squall_sync_rows(
                sequence, tbl, key, is_pending, origin, stamp, revision, is_deleted, changes, reason)
            VALUES(\(stored.entry.sequence), \(new.name), \(version.change.key.data), \(stored.isPending),
                \(version.change.origin), \(version.stamp), \(version.revision), \(version.change.new == nil),
                \(version.data), \(stored.reason))
            """)
    }

    // MARK: - A hub and its replicas

    private struct MigratedEntry {
        let sequence: Int64
        var changes: [SyncChange]
        let conflicts: [SyncConflict]
    }

    /// The differences from the rows of the table are one more entry, which replicas get that have merged the others.
    private func migrateHub() throws {
        let entries = try migratedEntries()
        var last: [RowKey: [BindingValue]?] = [:]
        for change in entries.flatMap(\.changes) where isOfTable(change) { last[change.key] = .some(change.new) }
        try write(entries)
        try open.addEntry(differences(from: last))
    }

    /// Sends what the hub does not have yet as the table has it: a column can be filled in a way that only the migration knew. A value
    /// that the changes have not touched since is that of the table.
    private func migrateReplica() throws {
        var entries = try migratedEntries()
        var ends: [RowKey: (last: [BindingValue], present: [BindingValue])?] = [:]
        for entry in entries.indices.reversed() {
            for index in entries[entry].changes.indices.reversed() {
                var change = entries[entry].changes[index]
                guard isOfTable(change) else { continue }
                if ends[change.key] == nil {
                    let present = try new.row(change.key, in: connection)
                    let end = change.new.flatMap { last in present.map { (last, $0) } }
                    ends[change.key] = .some(end)
                }
                guard let end = ends[change.key] ?? nil else { continue }
                func image(_ row: [BindingValue]) -> [BindingValue] {
                    row.indices.map { row[$0] == end.last[$0] ? end.present[$0] : row[$0] }
                }
                change.old = change.old.map(image)
                change.new = change.new.map(image)
                entries[entry].changes[index] = change
            }
        }
        try write(entries)
        try open.replaceStored(open.storedConflicts().flatMap(migrate))
    }

    private func isOfTable(_ change: SyncChange) -> Bool { Identifier(change.table) == Identifier(new.name) }

    private func migratedEntries() throws -> [MigratedEntry] {
        try open.entries(after: 0).map { entry in
            MigratedEntry(
                sequence: entry.sequence, changes: try open.changes(of: entry).flatMap(migrate),
                conflicts: try open.conflicts(of: entry).flatMap(migrate))
        }
    }

    private func write(_ entries: [MigratedEntry]) throws {
        for entry in entries { try open.replace(entry.sequence, by: entry.changes, entry.conflicts) }
    }

    private func migrate(_ conflict: SyncConflict) throws -> [SyncConflict] {
        let row = try image(conflict.row, of: conflict.change.table)
        // A row whose key has changed is deleted and inserted.
        return try migrate(conflict.change).suffix(1).map { change in
            SyncConflict(
                kind: conflict.kind, change: change, row: row, winner: conflict.winner, reason: conflict.reason,
                number: conflict.number)
        }
    }

    /// - Returns: Two changes where the row has got another key, and none for a row without one.
    private func migrate(_ change: SyncChange) throws -> [SyncChange] {
        guard Identifier(change.table) == Identifier(old.name) else { return [change] }
        func known(_ row: [BindingValue]?) -> [BindingValue]? { row.flatMap { new.key(of: $0).hasNull ? nil : $0 } }
        let before = known(try image(change.old, of: change.table))
        let after = known(try image(change.new, of: change.table))
        func made(_ old: [BindingValue]?, _ row: [BindingValue]?) -> SyncChange {
            SyncChange(new, origin: change.origin, old: old, new: row)
        }
        guard let before, let after else {
            return before == nil && after == nil ? [] : [made(before, after)]
        }
        if new.key(of: before) == new.key(of: after) { return [made(before, after)] }
        return [made(before, nil), made(nil, after)]
    }

    private func image(_ row: [BindingValue]?, of table: String) throws -> [BindingValue]? {
        Identifier(table) == Identifier(old.name) ? try row.map { try rows.migrate($0) } : row
    }
}
