import Squall
import SquallChanges

/// A version of a row of peers: the greatest wins.
struct PeerVersion: Comparable {
    let stamp: Int64
    /// The number of versions with this stamp that this one has replaced.
    let revision: Int
    let origin: String
    /// The values as its writer has them; `nil` if the row was deleted.
    let row: [String]?

    /// A version that a peer writes over another one.
    init(_ row: [String]?, over previous: PeerVersion?, by origin: String) {
        (self.row, self.origin) = (row, origin)
        let stamp = row.flatMap { Int64($0[3]) }
        if let previous, stamp.map({ $0 <= previous.stamp }) ?? true {
            (self.stamp, revision) = (previous.stamp, previous.revision + 1)
        } else {
            (self.stamp, revision) = (stamp ?? 0, 0)
        }
    }

    static func < (left: Self, right: Self) -> Bool {
        (left.stamp, left.revision, left.origin) < (right.stamp, right.revision, right.origin)
    }
}

/// A version that a peer has, with its number among those of the peer.
struct PeerEntry {
    let version: PeerVersion
    let number: Int
}

extension NetworkSide {
    private func entry(_ version: PeerVersion) -> PeerEntry {
        number += 1
        return PeerEntry(version: version, number: number)
    }

    /// Takes note of rows that the peer has written.
    func note(_ keys: Set<NetworkKey>) {
        for key in keys {
            stored[key] = entry(PeerVersion(rows[key], over: stored[key]?.version, by: origin))
        }
    }

    /// The greatest version of each row that the peer sends after a number.
    func versions(after number: Int) -> [NetworkKey: PeerVersion] {
        func new(_ entries: [NetworkKey: PeerEntry]) -> [NetworkKey: PeerVersion] {
            entries.filter { $0.value.number > number }.mapValues(\.version)
        }
        return new(stored).merging(new(pending)) { max($0, $1) }
    }

    /// Takes note of a merge of versions, and requires that the rows follow from them.
    func take(_ versions: [NetworkKey: PeerVersion], _ report: SyncReport, _ form: NetworkForm) throws {
        let waiting = Set(report.pending.map(\.change.networkKey))
        for (key, candidate) in pending.mapValues(\.version).merging(versions, uniquingKeysWith: { max($0, $1) }) {
            if let known = stored[key]?.version, candidate <= known {
                pending[key] = nil
            } else if !waiting.contains(key) {
                stored[key] = entry(candidate)
                pending[key] = nil
            } else if pending[key]?.version != candidate {
                pending[key] = entry(candidate)
            }
        }
        try require(
            Set(pending.keys) == waiting, "\(origin) has the pending rows \(waiting), not \(Array(pending.keys))")
        try require(report.conflicts.isEmpty, "a merge of peers has conflicts: \(report)")
        for change in report.recorded { try noteAction(change, form) }
        try requireRows(stored.compactMapValues { $0.version.row.map { form.padded($0, at: index) } })
        for (key, entry) in pending { try requireObstacle(key, entry.version, form) }
    }

    /// Takes note of what the action of a foreign key has done, which is a change of the peer that merges.
    private func noteAction(_ change: SyncChange, _ form: NetworkForm) throws {
        let key = change.networkKey
        let (before, after) = (stored[key]?.version.row, rows[key])
        let parent = before.map { NetworkKey(table: "owners", id: $0[1]) }
        let isWithoutParent = key.table == "cards" && parent.map { rows[$0] == nil } ?? false
        let isAction =
            switch form.action {
            case .cascade: after == nil
            case .setNull: after?[1] == "NULL"
            case .none, .restrict, .deferred: false
            }
        try require(isWithoutParent && isAction, "\(origin) has recorded in a merge: \(change), before \(before ?? [])")
        stored[key] = entry(PeerVersion(after, over: stored[key]?.version, by: origin))
    }

    func requireRows(_ expected: NetworkRows) throws {
        for key in Set(expected.keys).union(rows.keys) where rows[key] != expected[key] {
            throw Violation(
                description: "\(origin) has \(key) as \(rows[key] ?? ["-"]), not as \(expected[key] ?? ["-"])")
        }
    }

    /// Requires that a constraint forbids a version that waits.
    private func requireObstacle(_ key: NetworkKey, _ version: PeerVersion, _ form: NetworkForm) throws {
        let owners = rows.filter { $0.key.table == "owners" && $0.key != key }.values
        func isTaken(_ column: Int, _ row: [String]) -> Bool {
            row[column] != "NULL" && owners.contains { $0[column] == row[column] }
        }
        let isBlocked =
            if let row = version.row {
                key.table == "owners"
                    ? form.isUnique && isTaken(1, row) || form.sides[index].hasUniqueMarks && isTaken(2, row)
                    : row[1] != "NULL" && rows[NetworkKey(table: "owners", id: row[1])] == nil
            } else {
                key.table == "owners" && rows.contains { $0.key.table == "cards" && $0.value[1] == key.id }
            }
        try require(isBlocked, "\(key) waits in \(origin) without a reason: \(version.row ?? ["-"])")
    }
}
