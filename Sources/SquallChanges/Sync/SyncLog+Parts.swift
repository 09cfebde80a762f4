#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Squall

// A hub whose replicas receive parts of its rows.

extension SyncLog {
    /// Returns the changes of a hub between two positions, one for each row: the row before the first of its changes, and that after the last.
    ///
    /// - Parameters:
    ///   - start: The position before the changes.
    ///   - end: The position after them.
    ///   - connection: A connection of the database, which may be a reader.
    /// - Throws: As ``changes(since:limit:on:)``.
    public func netChanges(
        after start: SyncCursor, upTo end: SyncCursor, on connection: Connection
    ) throws -> [SyncChange] {
        if role != .hub { throw SQLiteError(SyncProblem.wrongRole(role.rawValue)) }
        let open = try OpenLog(self, connection)
        return try open.netChanges(of: open.entries(after: open.position(of: start), upTo: end.sequence))
    }

    /// Returns a batch for one replica, with changes that the hub has chosen for it in place of those of its log. The batch also tells the
    /// replica which changes the hub has merged of those that it has sent, and their conflicts.
    ///
    ///     let chosen = try log.netChanges(after: start, upTo: end, on: connection).filter {
    ///         $0["owner"] == .text(user)
    ///     }
    ///     let batch = try log.batch(
    ///         of: chosen, after: start, upTo: end, for: device, on: connection)
    ///
    /// A row that the replica shall not have any more is a deletion, and one that it shall have from now on an insertion.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - start: The position of the replica, which the batch has as its ``SyncBatch/start``.
    ///   - end: The position after the changes, which the batch has as its ``SyncBatch/cursor``.
    ///   - replica: The origin of the replica.
    ///   - connection: A connection of the database, which may be a reader.
    /// - Throws: `SQLiteError`, with a ``SyncProblem``.
    public func batch(
        of changes: [SyncChange], after start: SyncCursor, upTo end: SyncCursor, for replica: String,
        on connection: Connection
    ) throws -> SyncBatch {
        if role != .hub { throw SQLiteError(SyncProblem.wrongRole(role.rawValue)) }
        let open = try OpenLog(self, connection)
        var entries = try open.answers(to: replica, after: start.sequence, upTo: end.sequence)
        if !changes.isEmpty {
            entries.append(
                SyncBatch.Entry(
                    sequence: end.sequence, origin: origin, number: 0, stamp: .null, changes: changes.changesetData,
                    conflicts: Data()))
        }
        let names = Set(changes.map { Identifier($0.table) })
        return SyncBatch(
            role: role, version: version, sender: origin, start: start, cursor: end,
            layouts: open.layouts.filter { names.contains(Identifier($0.name)) }, entries: entries)
    }

    /// Merges changes of a replica into a hub, but for those that a closure refuses: they are conflicts, with its reason.
    ///
    /// - Parameters:
    ///   - batch: The changes.
    ///   - connection: A connection that can write.
    ///   - refusal: Returns the reason why the replica may not change a row, or make it; `nil` if it may. It is called with the row of the
    ///     table before the changes of one transaction, and with the row that a change makes, before it is in the table. A change that is
    ///     refused is tried again after the others of its transaction.
    ///   - showsRow: Whether the replica is shown the row of the hub in a conflict.
    /// - Returns: The changes of the tables, and the conflicts.
    /// - Throws: As ``merge(_:on:)``, and the error of the closure.
    public func merge(
        _ batch: SyncBatch, on connection: Connection,
        refusing refusal: (_ table: String, _ row: [BindingValue]) throws -> String?,
        showsRow: (SyncConflict) throws -> Bool = { _ in true }
    ) throws -> SyncReport {
        if role != .hub { throw SQLiteError(SyncProblem.wrongRole(role.rawValue)) }
        return try withoutActuallyEscaping(refusal) { refusal in
            try merging([batch], on: connection) { open in
                try HubMerge(open, batch).run(refusing: refusal, showsRow: showsRow)
            }
        }
    }
}

extension OpenLog {
    /// Returns the entries of a replica that it waits for, without their changes: those with conflicts, and the last one.
    func answers(to replica: String, after start: Int64, upTo end: Int64) throws -> [SyncBatch.Entry] {
        var entries: [SyncBatch.Entry] = []
        func add(_ sequence: Int64, _ number: Int64, _ conflicts: Data) {
            entries.append(
                SyncBatch.Entry(
                    sequence: sequence, origin: replica, number: number, stamp: .null, changes: Data(),
                    conflicts: conflicts))
        }
        try connection.forEach(
            """
            SELECT sequence, number, conflicts FROM main.squall_sync_log
            WHERE sequence > \(start) AND sequence <= \(end) AND origin = \(replica) AND length(conflicts) > 0
            ORDER BY sequence
            """
        ) { row in
            add(try row.get(0), try row.get(1), try row.get(2))
        }
        let last: Int64? = try connection.query(
            """
            SELECT max(number) FROM main.squall_sync_log
            WHERE sequence > \(start) AND sequence <= \(end) AND origin = \(replica)
            """)
        if let last { add(end, last, Data()) }
        return entries
    }
}

extension SyncConflict {
    var withoutRow: SyncConflict {
        SyncConflict(kind: kind, change: change, row: nil, winner: winner, reason: reason)
    }
}
