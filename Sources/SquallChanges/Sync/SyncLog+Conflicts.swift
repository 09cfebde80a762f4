#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Squall

// The changes of a replica that its hub did not keep, until the program has decided about them.

extension SyncLog {
    /// Returns the conflicts of a replica in which the row of the hub was kept, and which have not been resolved. A merge stores them in its
    /// transaction.
    ///
    /// - Parameter connection: A connection of the database, which may be a reader.
    /// - Throws: `SQLiteError`, with a ``SyncProblem`` for a log that is not that of a replica.
    public func conflicts(on connection: Connection) throws -> [SyncConflict] {
        try requireReplica()
        return try OpenLog(self, connection).storedConflicts()
    }

    /// Ends a conflict of a replica: with the row of the hub, or with a new change that makes the row of the replica, which is sent as others are.
    ///
    ///     for conflict in try log.conflicts(on: connection) {
    ///         try log.resolve(conflict, keeping: .replica, on: connection)
    ///     }
    ///
    /// A program that makes a third row out of both writes it, and then keeps that of the hub. The columns of the replica that the conflict does
    /// not have stay as they are. Triggers and the actions of foreign keys run.
    ///
    /// - Parameters:
    ///   - conflict: One of ``conflicts(on:)``, or of ``SyncReport/conflicts`` of a merge. One that was resolved before is left alone.
    ///   - winner: The side whose row is kept.
    ///   - connection: A connection that can write.
    /// - Throws: `SQLiteError`, with a ``SyncProblem`` for a log that is not that of a replica; that of the constraint which forbids the row. The
    ///   conflict stays then.
    public func resolve(
        _ conflict: SyncConflict, keeping winner: SyncConflict.Winner, on connection: Connection
    ) throws {
        try requireReplica()
        guard let number = conflict.number else { return }
        try record(on: connection) { connection in
            try connection.run("DELETE FROM main.squall_sync_conflicts WHERE number = \(number)")
            guard winner == .replica, connection.changes > 0 else { return }
            let open = try OpenLog(self, connection)
            guard let table = open.tables[Identifier(conflict.change.table)] else {
                throw SQLiteError(SyncProblem.unknownTable, of: .table(conflict.change.table))
            }
            let key = conflict.change.key
            let present = try table.row(key, in: connection)
            switch (try conflict.change.new.map { try table.padded($0, over: present) }, present) {
            case (nil, nil): break
            case (nil, _?): try table.delete(key, in: connection)
            case (let row?, nil): try table.insert(row, in: connection)
            case (let row?, _?): try table.update(key, to: row, in: connection)
            }
        }
    }

    func requireReplica() throws {
        if role != .replica { throw SQLiteError(SyncProblem.wrongRole(role.rawValue)) }
    }
}

extension OpenLog {
    func storedConflicts() throws -> [SyncConflict] {
        var conflicts: [SyncConflict] = []
        try connection.forEach("SELECT number, conflict FROM main.squall_sync_conflicts ORDER BY number") { row in
            let number: Int64 = try row.get(0)
            for var conflict in try [SyncConflict](try row.get(1), origin: origin, tables: tables) {
                conflict.number = number
                conflicts.append(conflict)
            }
        }
        return conflicts
    }

    /// Stores conflicts in which the row of the hub was kept, and gives them their numbers.
    func store(_ conflicts: [SyncConflict]) throws -> [SyncConflict] {
        try conflicts.map { conflict in
            guard conflict.winner == .hub else { return conflict }
            var conflict = conflict
            conflict.number = try connection.query(
                "INSERT INTO main.squall_sync_conflicts(conflict) VALUES(\([conflict].data)) RETURNING number")
            return conflict
        }
    }

    /// Replaces the stored conflicts after a migration.
    func replaceStored(_ conflicts: [SyncConflict]) throws {
        try connection.run("DELETE FROM main.squall_sync_conflicts")
        for conflict in conflicts {
            try connection.run(
                "INSERT INTO main.squall_sync_conflicts VALUES(\(conflict.number), \([conflict].data))")
        }
    }
}
