import Squall

/// Merges the versions of another peer: the greatest version of each row wins.
struct PeerMerge {
    private let open: OpenLog
    private let batch: SyncBatch
    private var connection: Connection { open.connection }

    /// A version that may be written.
    private struct Candidate {
        let version: RowVersion
        let table: SyncTable
        let key: RowKey
        let isPending: Bool
    }

    /// The rows as the merge has written them.
    private final class PeerOutcome {
        var report: SyncReport
        var written: [Identifier: [RowKey: [BindingValue]?]] = [:]

        init(_ cursor: SyncCursor) { report = SyncReport(cursor: cursor) }
    }

    init(_ open: OpenLog, _ batch: SyncBatch) {
        self.open = open
        self.batch = batch
    }

    func run() throws -> SyncReport {
        let candidates = try candidates()
        return try connection.withConstraints(triggers: open.log.runsTriggers, foreignKeys: true) {
            let recorder = try connection.startRecording(in: open.tableNames)
            defer { recorder.stop() }
            let outcome = try merge(candidates)
            let others = try open.changes(recorder.changesetWithoutNames()).filter { change in
                guard let row = outcome.written[Identifier(change.table)]?[change.key] else { return true }
                return row != change.new
            }
            outcome.report.recorded = try open.addVersions(others)
            outcome.report.pending = try open.pendingChanges()
            outcome.report.cursor = try advance()
            return outcome.report
        }
    }

    private func candidates() throws -> [Candidate] {
        let pending = try open.pendingVersions().map { ($0, true) }
        let received = try batch.entries.map { entry in
            (try RowVersion(entry, changes: open.changes(of: entry, in: batch)), false)
        }
        return try (pending + received).map { version, isPending in
            guard let table = open.tables[Identifier(version.change.table)] else { throw SyncReader.damagedError }
            return Candidate(version: version, table: table, key: version.change.key, isPending: isPending)
        }
    }

    /// Writes the versions. Deferred foreign keys are checked at the end, and row by row if that fails.
    private func merge(_ candidates: [Candidate]) throws -> PeerOutcome {
        var outcome = PeerOutcome(batch.cursor)
        let wasViolated = connection.hasViolatedForeignKeys
        let isDone = try connection.undoable {
            try write(candidates, outcome, isStrict: false)
            return wasViolated || !connection.hasViolatedForeignKeys
        }
        if !isDone {
            outcome = PeerOutcome(batch.cursor)
            try write(candidates, outcome, isStrict: true)
        }
        return outcome
    }

    private func write(_ candidates: [Candidate], _ outcome: PeerOutcome, isStrict: Bool) throws {
        var winners: [Candidate] = []
        for candidate in try newest(candidates, outcome) {
            let known = try open.version(of: candidate.key, in: candidate.table)
            if let known, candidate.version <= known {
                if candidate.isPending {
                    try open.removeVersion(of: candidate.key, in: candidate.table, isPending: true)
                }
                if candidate.version < known { outcome.report.superseded.append(candidate.version.change) }
            } else {
                winners.append(candidate)
            }
        }
        for (index, blocked) in try settle(winners, outcome, isStrict) {
            let candidate = winners[index]
            let reason = blocked.error.message
            if candidate.isPending {
                try open.setReason(reason, of: candidate.key, in: candidate.table)
            } else {
                try open.store(candidate.version, of: candidate.key, in: candidate.table, pending: reason)
            }
        }
    }

    /// Returns the newest version of each row, in the order of the versions.
    private func newest(_ candidates: [Candidate], _ outcome: PeerOutcome) throws -> [Candidate] {
        var newest: [Identifier: [RowKey: Int]] = [:]
        var isNewest = Array(repeating: true, count: candidates.count)
        for (index, candidate) in candidates.enumerated() {
            let table = Identifier(candidate.table.name)
            guard let other = newest[table]?[candidate.key] else {
                newest[table, default: [:]][candidate.key] = index
                continue
            }
            let isGreater = candidates[other].version < candidate.version
            let lost = isGreater ? other : index
            isNewest[lost] = false
            if isGreater { newest[table]?[candidate.key] = index }
            if candidates[lost].isPending {
                try open.removeVersion(of: candidate.key, in: candidate.table, isPending: true)
            }
            if candidates[other].version != candidate.version {
                outcome.report.superseded.append(candidates[lost].version.change)
            }
        }
        return zip(candidates, isNewest).filter(\.1).map(\.0)
    }

    private func settle(
        _ winners: [Candidate], _ outcome: PeerOutcome, _ isStrict: Bool
    ) throws -> [(Int, BlockedRow)] {
        let writes = try winners.enumerated().map { index, candidate in
            let (table, key, change) = (candidate.table, candidate.key, candidate.version.change)
            let row = try change.new.map { try table.padded($0) }
            return RowWrite(
                table: table, key: key, index: index, isDeletion: row == nil,
                mayDiffer: open.log.runsTriggers, target: { _ in .some(row) }
            ) { before, after in
                try open.store(candidate.version, of: key, in: table)
                try open.removeVersion(of: key, in: table, isPending: true)
                outcome.written[Identifier(table.name), default: [:]][key] = .some(after)
                if before != after {
                    outcome.report.applied.append(
                        SyncChange(table, origin: change.origin, old: before, new: after))
                }
            }
        }
        return try connection.write(writes, isStrict: isStrict).map { ($0.write.index, $0.reason) }
    }

    /// Stores the position of the sender, if the batch continues where the last one ended.
    private func advance() throws -> SyncCursor {
        let known = try open.cursor(of: batch.sender)
        let position = known?.log == batch.cursor.log ? known?.sequence ?? 0 : 0
        guard batch.start.sequence <= position else { return SyncCursor(log: batch.cursor.log, sequence: position) }
        let cursor = SyncCursor(log: batch.cursor.log, sequence: max(position, batch.cursor.sequence))
        try open.setCursor(of: batch.sender, cursor)
        return cursor
    }
}
