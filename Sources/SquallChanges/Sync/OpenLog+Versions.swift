#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Squall

// The versions of rows that a peer knows.

extension OpenLog {
    /// Adds versions of this replica for rows that it has written.
    ///
    /// - Returns: The changes that were added: those of rows that differ from their newest version.
    func addVersions(_ changes: [SyncChange]) throws -> [SyncChange] {
        var added: [SyncChange] = []
        for change in changes {
            guard let table = tables[Identifier(change.table)] else { continue }
            let previous = try version(of: change.key, in: table)
            guard previous == nil || previous?.change.new != change.new else { continue }
            if previous == nil, change.new == nil, change.old == nil { continue }
            let old = change.new == nil ? SyncChange.tombstone(change.old ?? [], change.isKey) : nil
            let version = RowVersion(
                SyncChange(table, origin: origin, old: old, new: change.new), stamp: try stamp(change, table),
                over: previous)
            try store(version, of: change.key, in: table)
            added.append(change)
        }
        return added
    }

    /// Returns the value of the column of the last writer, or that of the clock for a deletion.
    private func stamp(_ change: SyncChange, _ table: SyncTable) throws -> BindingValue {
        if let row = change.new { return table.stampColumn.map { row[$0] } ?? .null }
        guard case .lastWriter(_, let clock?) = table.policy else { return .null }
        return try clock().checkedBindingValue()
    }

    func version(of key: RowKey, in table: SyncTable, isPending: Bool = false) throws -> RowVersion? {
        let row = try connection.query(
            """
            SELECT sequence, origin, revision, stamp, changes FROM main.squall_sync_rows
            WHERE tbl = \(table.name) AND key = \(key.data) AND is_pending = \(isPending)
            """)
        return try row.map { try version($0) }
    }

    private func version(_ row: Row) throws -> RowVersion {
        let entry = try Self.versionEntry(row)
        return try RowVersion(
            entry, changes: [SyncChange](changeset: entry.changes, origin: entry.origin, tables: tables))
    }

    static func versionEntry(_ row: Row) throws -> SyncBatch.Entry {
        SyncBatch.Entry(
            sequence: try row.get(0), origin: try row.get(1), number: try row.get(2),
            stamp: row.columns[3].bindingValue, changes: try row.get(4), conflicts: Data())
    }

    /// Stores the newest version of a row, under a new number, so that it is sent to others.
    ///
    /// - Parameter reason: The error for which the row is not in its table.
    func store(_ version: RowVersion, of key: RowKey, in table: SyncTable, pending reason: String? = nil) throws {
        let isPending = reason != nil
        try removeVersion(of: key, in: table, isPending: isPending)
        try connection.run(
            """
            INSERT INTO main.squall_sync_rows(
                tbl, key, is_pending, origin, stamp, revision, is_deleted, changes, reason)
            VALUES(\(table.name), \(key.data), \(isPending), \(version.change.origin), \(version.stamp),
                \(version.revision), \(version.change.new == nil), \(version.data), \(reason))
            """)
    }

    func removeVersion(of key: RowKey, in table: SyncTable, isPending: Bool) throws {
        try connection.run(
            """
            DELETE FROM main.squall_sync_rows
            WHERE tbl = \(table.name) AND key = \(key.data) AND is_pending = \(isPending)
            """)
    }

    func setReason(_ reason: String, of key: RowKey, in table: SyncTable) throws {
        try connection.run(
            """
            UPDATE main.squall_sync_rows SET reason = \(reason)
            WHERE tbl = \(table.name) AND key = \(key.data) AND is_pending = 1
            """)
    }

    func versions(after start: Int64, limit: Int64) throws -> [SyncBatch.Entry] {
        var entries: [SyncBatch.Entry] = []
        try connection.forEach(
            """
            SELECT sequence, origin, revision, stamp, changes FROM main.squall_sync_rows
            WHERE sequence > \(start) ORDER BY sequence LIMIT \(limit)
            """
        ) { entries.append(try Self.versionEntry($0)) }
        return entries
    }

    func pendingVersions() throws -> [RowVersion] {
        try pendingRows().map(\.version)
    }

    func pendingChanges() throws -> [SyncReport.PendingChange] {
        guard log.role == .peer else { return [] }
        return try pendingRows().map { version, reason in
            SyncReport.PendingChange(change: version.change, reason: reason)
        }
    }

    private func pendingRows() throws -> [(version: RowVersion, reason: String)] {
        var rows: [(version: RowVersion, reason: String)] = []
        try connection.forEach(
            """
            SELECT sequence, origin, revision, stamp, changes, reason FROM main.squall_sync_rows
            WHERE is_pending = 1 ORDER BY sequence
            """
        ) { rows.append((try version($0), try $0.get(5))) }
        return rows
    }

    func removeTombstones(through sequence: Int64) throws {
        let last: Int64 = try connection.query("SELECT ifnull(max(sequence), 0) FROM main.squall_sync_rows")
        let end = min(sequence, last)
        try connection.run(
            "DELETE FROM main.squall_sync_rows WHERE sequence <= \(end) AND is_deleted = 1 AND is_pending = 0")
        if end > (try state("floor")) { try setState("floor", end) }
    }
}
