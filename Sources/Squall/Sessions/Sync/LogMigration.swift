#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Rewrites the entries of a log after a migration has changed one of its tables.
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

    private func migrateVersions() throws {
        let stored = try storedVersions()
        try connection.run("DELETE FROM main.squall_sync_rows WHERE tbl = \(old.name)")
        // Rows that differ from those of the table are sent again, after the others.
        var late: [(RowVersion, StoredVersion)] = []
        var greatest: [VersionKey: RowVersion] = [:]
        for stored in stored {
            let version = try RowVersion(stored.entry, changes: open.changes(of: stored.entry))
            guard let migrated = try migrate(version) else { continue }
            let present = stored.isPending ? nil : try new.row(migrated.change.key, in: connection)
            let key = VersionKey(key: migrated.change.key, isPending: stored.isPending)
            // Deleted rows may have one key now.
            if let other = greatest[key] {
                if migrated < other { continue }
                try open.removeVersion(of: key.key, in: new, isPending: key.isPending)
                late.removeAll { $0.0.change.key == key.key && $0.1.isPending == key.isPending }
            }
            greatest[key] = migrated
            if let present, let row = migrated.change.new, present != row {
                let change = SyncChange(new, origin: migrated.change.origin, old: nil, new: present)
                late.append((RowVersion(change, stamp: migrated.stamp, revision: migrated.revision), stored))
            } else {
                try store(migrated, stored, sequence: stored.entry.sequence)
            }
        }
        for (version, stored) in late { try store(version, stored, sequence: nil) }
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

    /// - Returns: `nil` for a deleted row whose key is not known any more.
    private func migrate(_ version: RowVersion) throws -> RowVersion? {
        let change = try migrate(version.change)
        if change.key.hasNull { return nil }
        var stamp = version.stamp
        if let oldColumn = old.stampColumn, let newColumn = new.stampColumn {
            // It may be greater than the value of the row.
            var row = version.change.new ?? version.change.old ?? []
            if oldColumn < row.count {
                row[oldColumn] = stamp
                stamp = try rows.migrate(row)[newColumn]
            }
        }
        return RowVersion(change, stamp: stamp, revision: version.revision)
    }

    private func store(_ version: RowVersion, _ stored: StoredVersion, sequence: Int64?) throws {
        try connection.run(
            """
            INSERT INTO main.squall_sync_rows(
                sequence, tbl, key, is_pending, origin, stamp, revision, is_deleted, changes, reason)
            VALUES(\(sequence), \(new.name), \(version.change.key.data), \(stored.isPending), \(version.change.origin),
                \(version.stamp), \(version.revision), \(version.change.new == nil), \(version.data), \(stored.reason))
            """)
    }

    // MARK: - A hub and its replicas

    private struct MigratedEntry {
        let sequence: Int64
        var changes: [SyncChange]
        let conflicts: [SyncConflict]
    }

    /// Replicas that have merged the entries get what differs from the rows of the table as one more entry.
    private func migrateHub() throws {
        let entries = try migratedEntries()
        var last: [RowKey: [BindingValue]?] = [:]
        for change in entries.flatMap(\.changes) where isOfTable(change) { last[change.key] = .some(change.new) }
        try write(entries)
        var differences: [SyncChange] = []
        for (key, row) in last.sorted(by: { $0.key.data.lexicographicallyPrecedes($1.key.data) }) {
            guard let row, let present = try new.row(key, in: connection), present != row else { continue }
            differences.append(SyncChange(new, origin: open.origin, old: row, new: present))
        }
        try open.addEntry(differences)
    }

    /// What the hub does not have yet is sent as the table has it: a column can be filled in a way that only the migration knew.
    private func migrateReplica() throws {
        var entries = try migratedEntries()
        var keys: Set<RowKey> = []
        for entry in entries.indices.reversed() {
            for index in entries[entry].changes.indices.reversed() {
                let change = entries[entry].changes[index]
                guard isOfTable(change), keys.insert(change.key).inserted, let row = change.new,
                    let present = try new.row(change.key, in: connection)
                else { continue }
                entries[entry].changes[index].new = row.indices.map { column in
                    let isChanged = change.old.map { $0[column] != row[column] } ?? true
                    return isChanged ? present[column] : row[column]
                }
            }
        }
        try write(entries)
    }

    private func isOfTable(_ change: SyncChange) -> Bool { Identifier(change.table) == Identifier(new.name) }

    private func migratedEntries() throws -> [MigratedEntry] {
        try open.entries(after: 0, limit: -1).map { entry in
            MigratedEntry(
                sequence: entry.sequence, changes: try open.changes(of: entry).map(migrate),
                conflicts: try open.conflicts(of: entry).map { conflict in
                    let row =
                        Identifier(conflict.change.table) == Identifier(old.name)
                        ? try conflict.row.map(rows.migrate) : conflict.row
                    return SyncConflict(
                        kind: conflict.kind, change: try migrate(conflict.change), row: row, winner: conflict.winner)
                })
        }
    }

    private func write(_ entries: [MigratedEntry]) throws {
        for entry in entries { try open.replace(entry.sequence, by: entry.changes, entry.conflicts) }
    }

    private func migrate(_ change: SyncChange) throws -> SyncChange {
        guard Identifier(change.table) == Identifier(old.name) else { return change }
        var (before, after) = (change.old, change.new)
        before = try before.map(rows.migrate)
        after = try after.map(rows.migrate)
        // Of a deleted row a peer knows only the key.
        if open.log.role == .peer { before = before.map { SyncChange.tombstone($0, new.isKey) } }
        return SyncChange(new, origin: change.origin, old: before, new: after)
    }
}
