import Squall

/// Merges the changes of a replica into the hub, which gives them their place in the order of all.
struct HubMerge {
    private let open: OpenLog
    private let batch: SyncBatch

    init(_ open: OpenLog, _ batch: SyncBatch) {
        self.open = open
        self.batch = batch
    }

    func run(
        refusing refusal: RowRefusal? = nil, showsRow: (SyncConflict) throws -> Bool = { _ in true }
    ) throws -> SyncReport {
        let known = try open.cursor(of: batch.sender)
        if let known, known.log != batch.cursor.log {
            throw SQLiteError(SyncProblem.otherLogOfOrigin(batch.sender))
        }
        var last = known?.sequence ?? 0
        if batch.start.sequence > last {
            throw SQLiteError(SyncProblem.missingEntries(after: last, first: batch.start.sequence))
        }
        var mark = try open.state(OpenLog.mark(of: batch.sender))
        if let repeated = batch.entries.first(where: { $0.sequence == last }), mark != 0, repeated.number != mark {
            throw SQLiteError(SyncProblem.reusedNumbers(batch.sender))
        }
        var report = SyncReport(cursor: batch.cursor)
        try open.connection.withConstraints(triggers: open.log.runsTriggers, foreignKeys: true) {
            for entry in batch.entries where entry.sequence > last {
                // The numbers of a replica have no gaps.
                guard entry.origin == batch.sender else { throw SyncReader.damagedError }
                if entry.sequence > last + 1 {
                    throw SQLiteError(SyncProblem.missingEntries(after: last, first: entry.sequence - 1))
                }
                let made = try open.make(open.changes(of: entry, in: batch), refusing: refusal)
                // An entry without changes tells the replica that its changes have arrived.
                try open.addEntry(
                    made.changes, of: entry, from: batch.sender,
                    conflicts: made.conflicts.map { try showsRow($0) ? $0 : $0.withoutRow })
                report.applied += made.changes
                report.conflicts += made.conflicts
                (last, mark) = (entry.sequence, entry.number)
            }
        }
        try open.setState(OpenLog.confirmed(by: batch.sender), batch.start.sequence)
        try open.setState(OpenLog.mark(of: batch.sender), mark)
        report.cursor = SyncCursor(log: batch.cursor.log, sequence: last)
        try open.setCursor(of: batch.sender, report.cursor)
        return report
    }
}
