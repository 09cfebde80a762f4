#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Squall

// The log of a hub, and the changes that a replica has not got back from its hub.

extension OpenLog {
    /// Adds the changes of a recording of this database.
    func addEntry(_ changes: [SyncChange]) throws {
        if changes.isEmpty { return }
        try connection.run(
            """
            INSERT INTO main.squall_sync_log(origin, number, changes, conflicts)
            VALUES(\(origin), 0, \(changes.changesetData), x'')
            """)
    }

    /// Adds the changes that the hub has made for those of a replica.
    func addEntry(_ changes: [SyncChange], of entry: SyncBatch.Entry, from sender: String, conflicts: [SyncConflict])
        throws
    {
        try connection.run(
            """
            INSERT INTO main.squall_sync_log(origin, number, changes, conflicts)
            VALUES(\(sender), \(entry.sequence), \(changes.changesetData), \(conflicts.data))
            """)
    }

    func entries(after start: Int64, upTo end: Int64 = .max, limit: Int64 = -1) throws -> [SyncBatch.Entry] {
        var entries: [SyncBatch.Entry] = []
        // A replica gives its hub the mark of an entry.
        let number: SQL = log.role == .replica ? "mark" : "number"
        try connection.forEach(
            """
            SELECT sequence, origin, \(number), changes, conflicts FROM main.squall_sync_log
            WHERE sequence > \(start) AND sequence <= \(end) ORDER BY sequence LIMIT \(limit)
            """
        ) { row in
            entries.append(
                SyncBatch.Entry(
                    sequence: try row.get(0), origin: try row.get(1), number: try row.get(2), stamp: .null,
                    changes: try row.get(3), conflicts: try row.get(4)))
        }
        return entries
    }

    func changes(of entry: SyncBatch.Entry) throws -> [SyncChange] {
        try [SyncChange](changeset: entry.changes, origin: entry.origin, tables: tables)
    }

    func conflicts(of entry: SyncBatch.Entry) throws -> [SyncConflict] {
        try [SyncConflict](entry.conflicts, origin: entry.origin, tables: tables)
    }

    /// Replaces what an entry has: after a migration, and where a replica has made its changes after those of the hub.
    func replace(_ sequence: Int64, by changes: [SyncChange], _ conflicts: [SyncConflict]) throws {
        try connection.run(
            """
            UPDATE main.squall_sync_log SET changes = \(changes.changesetData), conflicts = \(conflicts.data)
            WHERE sequence = \(sequence)
            """)
    }

    /// Removes the entries of a replica that its hub has confirmed, but for the newest ones: a hub whose file was restored asks for them again.
    func removeEntries(confirmedThrough sequence: Int64) throws {
        try connection.run(
            """
            DELETE FROM main.squall_sync_log WHERE sequence < \(sequence) AND (sequence <= \(sequence - 1_000)
            OR sequence <= (SELECT max(sequence) FROM (
                SELECT sequence, sum(length(changes)) OVER (ORDER BY sequence DESC) AS bytes
                FROM main.squall_sync_log WHERE sequence <= \(sequence)) WHERE bytes > 4000000))
            """)
    }

    /// The number of the last entry of this log.
    func lastSequence() throws -> Int64 {
        try connection.query("SELECT max(sequence) FROM main.squall_sync_log") ?? 0
    }

    /// Combines the entries of a hub: of each row, the first state before and the last one after them.
    func combineEntries(through sequence: Int64) throws {
        let old = try entries(after: 0, upTo: sequence)
        // Conflicts stay until their replica has them.
        let waiting = try old.filter { try !$0.conflicts.isEmpty && $0.number > state(Self.confirmed(by: $0.origin)) }
        let kept = Set(waiting.map(\.sequence))
        guard old.count > kept.count + 1, let last = old.last,
            let place = old.last(where: { !kept.contains($0.sequence) })?.sequence
        else { return }
        let combined = try netChanges(of: old)
        for entry in old where entry.sequence != place {
            if kept.contains(entry.sequence) {
                try connection.run("UPDATE main.squall_sync_log SET changes = x'' WHERE sequence = \(entry.sequence)")
            } else {
                try connection.run("DELETE FROM main.squall_sync_log WHERE sequence = \(entry.sequence)")
            }
        }
        try connection.run(
            """
            UPDATE main.squall_sync_log
            SET origin = \(origin), number = 0, changes = \(combined.changesetData), conflicts = x''
            WHERE sequence = \(place)
            """)
        try setState("floor", last.sequence)
    }

    /// The state of a hub that has the number of the last entry which a replica has got back.
    static func confirmed(by replica: String) -> String { "confirmed by \(replica)" }

    /// The state of a hub that has the mark of the last entry of a replica.
    static func mark(of replica: String) -> String { "mark of \(replica)" }

    /// Returns the changes of entries, one for each row, with all columns that the tables have now.
    func netChanges(of entries: [SyncBatch.Entry]) throws -> [SyncChange] {
        var net: [SyncChange] = []
        var positions: [Identifier: [RowKey: Int]] = [:]
        for change in try entries.flatMap({ try changes(of: $0) }) {
            let name = Identifier(change.table)
            guard let table = tables[name] else { continue }
            let new = try change.new.map { try table.padded($0) }
            guard let position = positions[name]?[change.key] else {
                positions[name, default: [:]][change.key] = net.count
                net.append(
                    SyncChange(table, origin: origin, old: try change.old.map { try table.padded($0) }, new: new))
                continue
            }
            net[position] = SyncChange(table, origin: origin, old: net[position].old, new: new)
        }
        return net.filter { $0.old != $0.new }
    }
}

extension SyncLog.Policy {
    func winner(of conflict: SyncConflict) throws -> SyncConflict.Winner {
        switch self {
        case .hubWins, .lastWriter: .hub
        case .replicaWins: .replica
        case .resolve(let resolve): try resolve(conflict)
        }
    }
}

extension [SyncConflict] {
    /// The conflicts, as a hub sends them to the replica.
    var data: Data {
        var writer = ValueWriter()
        for conflict in self {
            writer.write(conflict.kind.number)
            writer.write(conflict.winner.rawValue)
            writer.write(conflict.reason ?? "")
            writer.write(block: [conflict.change].changesetData)
            writer.write(length: conflict.row?.count ?? 0)
            for value in conflict.row ?? [] { writer.write(value) }
        }
        return Data(writer.bytes)
    }

    init(_ data: Data, origin: String, tables: [Identifier: SyncTable]) throws {
        self = []
        var reader = SyncReader(data)
        while !reader.isAtEnd {
            guard let kind = Changeset.Conflict.Kind(number: try reader.byte()),
                let winner = SyncConflict.Winner(rawValue: try reader.byte())
            else { throw SyncReader.damagedError }
            let reason = try reader.text()
            let changes = try [SyncChange](changeset: reader.block(), origin: origin, tables: tables)
            let row = try (0..<reader.length()).map { _ in try reader.value() ?? .null }
            guard changes.count == 1 else { throw SyncReader.damagedError }
            append(
                SyncConflict(
                    kind: kind, change: changes[0], row: row.isEmpty ? nil : row, winner: winner,
                    reason: reason.isEmpty ? nil : reason))
        }
    }
}

extension Changeset.Conflict.Kind {
    private static let numbered: [Self] = [.data, .notFound, .conflict, .constraint, .foreignKey]

    fileprivate var number: UInt8 { UInt8(Self.numbered.firstIndex(of: self) ?? 0) }

    fileprivate init?(number: UInt8) {
        guard Self.numbered.indices.contains(Int(number)) else { return nil }
        self = Self.numbered[Int(number)]
    }
}
