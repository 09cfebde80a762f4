import Squall

/// Takes over the changes of the hub: the rows become those of the hub, and then the changes that the hub does not have yet are made
/// again. Without such changes, a replica is therefore equal to the hub.
struct ReplicaMerge {
    private let open: OpenLog
    private let batch: SyncBatch
    private var connection: Connection { open.connection }

    init(_ open: OpenLog, _ batch: SyncBatch) {
        self.open = open
        self.batch = batch
    }

    func run() throws -> SyncReport {
        let known = try position()
        let entries = batch.entries.filter { $0.sequence > known?.sequence ?? 0 }
        let end = known.flatMap { $0.sequence > batch.cursor.sequence ? $0 : nil } ?? batch.cursor
        return try merge(entries.map { (batch, $0) }, upTo: end)
    }

    /// Begins with the rows of the hub, and its changes since before they were read: together they are its rows at the end of the changes.
    func begin(with pages: [SyncBatch], _ batches: [SyncBatch]) throws -> SyncReport {
        let all = pages + batches
        let isOfOneHub = all.allSatisfy { $0.sender == batch.sender && $0.cursor.isOfLog(of: batch.cursor) }
        let isWithoutGap = zip(batches, batches.dropFirst()).allSatisfy { $0.cursor == $1.start }
        guard isOfOneHub, isWithoutGap, let end = batches.last?.cursor else { throw SyncReader.damagedError }
        try connection.run("DELETE FROM main.squall_sync_cursors")
        return try merge(
            all.flatMap { batch in batch.entries.map { (batch, $0) } }, upTo: end, replacesAll: true)
    }

    private func merge(
        _ entries: [(SyncBatch, SyncBatch.Entry)], upTo end: SyncCursor, replacesAll: Bool = false
    ) throws -> SyncReport {
        let known = try open.state("confirmed")
        let last = max(known, try open.lastSequence())
        if entries.contains(where: { $0.1.origin == open.origin && $0.1.number > last }) {
            throw SQLiteError(SyncProblem.reusedNumbers(open.origin))
        }
        let own = entries.map(\.1).filter { $0.origin == open.origin && $0.number > known }
        let confirmed = max(known, own.map(\.number).max() ?? 0)
        var report = SyncReport(cursor: end)
        for entry in own { report.conflicts += try open.conflicts(of: entry) }
        if !entries.isEmpty || replacesAll {
            let local = try open.entries(after: known)
            report.applied = try takeOver(entries, undoing: local, replacesAll: replacesAll)
            try open.removeEntries(confirmedThrough: confirmed)
            try open.setState("confirmed", confirmed)
            report.conflicts += try makeAgain(local.filter { $0.sequence > confirmed })
        }
        report.conflicts = try open.store(report.conflicts)
        try open.setCursor(of: batch.sender, end)
        return report
    }

    /// Returns the position in the log of the hub up to which its changes are known.
    private func position() throws -> SyncCursor? {
        let hub: String? = try connection.query("SELECT origin FROM main.squall_sync_cursors")
        let known = try open.cursor(of: batch.sender)
        if let hub, hub != batch.sender { throw SQLiteError(SyncProblem.otherLogOfOrigin(hub)) }
        if let known, !known.isOfLog(of: batch.start) {
            throw SQLiteError(SyncProblem.otherLogOfOrigin(batch.sender))
        }
        let position = known?.sequence ?? 0
        if batch.start.sequence > position {
            throw SQLiteError(SyncProblem.missingEntries(after: position, first: batch.start.sequence))
        }
        if let known, known.sequence == batch.start.sequence, known.log != batch.start.log {
            throw SQLiteError(SyncProblem.otherLogOfOrigin(batch.sender))
        }
        return known
    }

    /// A row as the hub has it.
    private struct Target {
        let table: SyncTable
        let key: RowKey
        let row: [BindingValue]?
        /// Whether the hub has changed the row, and not only this replica.
        let isOfHub: Bool
    }

    /// Writes the rows of the hub. The changes of this replica are undone in the same step: of each row only the last state counts.
    ///
    /// Without foreign keys, whose actions are among the changes of the hub.
    ///
    /// - Parameter replacesAll: Whether rows that are not among them are deleted.
    private func takeOver(
        _ entries: [(SyncBatch, SyncBatch.Entry)], undoing local: [SyncBatch.Entry], replacesAll: Bool
    ) throws -> [SyncChange] {
        var targets: [Target] = []
        var positions: [Identifier: [RowKey: Int]] = [:]
        func add(_ change: SyncChange, _ row: [BindingValue]?, isOfHub: Bool) throws {
            guard let table = open.tables[Identifier(change.table)] else { throw SyncReader.damagedError }
            let (name, key) = (Identifier(change.table), change.key)
            guard let position = positions[name]?[key] else {
                positions[name, default: [:]][key] = targets.count
                return targets.append(Target(table: table, key: key, row: row, isOfHub: isOfHub))
            }
            // The columns that the hub does not have are as before the changes of this replica, which are made again.
            let whole = try row.map { try table.padded($0, over: targets[position].row) }
            targets[position] = Target(table: table, key: key, row: whole, isOfHub: isOfHub)
        }
        for entry in local.reversed() {
            for change in try open.changes(of: entry).reversed() { try add(change, change.old, isOfHub: false) }
        }
        if replacesAll {
            for table in open.tables.values {
                try table.forEachRow(in: connection) { row in
                    let change = SyncChange(table, old: row, new: row)
                    if positions[Identifier(table.name)]?[change.key] == nil, !change.key.hasNull {
                        try add(change, row, isOfHub: false)
                    }
                }
            }
        }
        for (batch, entry) in entries {
            for change in try open.changes(of: entry, in: batch) { try add(change, change.new, isOfHub: true) }
        }
        if replacesAll {
            targets = targets.map { $0.isOfHub ? $0 : Target(table: $0.table, key: $0.key, row: nil, isOfHub: true) }
        }
        return try connection.withConstraints(triggers: open.log.runsTriggers, foreignKeys: false) {
            try write(targets)
        }
    }

    private func write(_ targets: [Target]) throws -> [SyncChange] {
        var applied: [SyncChange] = []
        let writes = targets.enumerated().map { index, target in
            RowWrite(
                table: target.table, key: target.key, index: index, isDeletion: target.row == nil,
                mayDiffer: open.log.runsTriggers,
                target: { current in .some(try target.row.map { try target.table.padded($0, over: current) }) },
                completed: { before, after in
                    guard target.isOfHub, before != after else { return }
                    applied.append(SyncChange(target.table, origin: batch.sender, old: before, new: after))
                })
        }
        if let (write, reason) = try connection.write(writes, isStrict: false).first {
            throw SQLiteError(SyncProblem.unstorable(reason: reason.error.message), of: .table(write.table.name))
        }
        return applied
    }

    /// Makes the changes of this replica over those of the hub, and keeps them as they are now.
    private func makeAgain(_ local: [SyncBatch.Entry]) throws -> [SyncConflict] {
        try connection.withConstraints(triggers: open.log.runsTriggers, foreignKeys: true) {
            try local.flatMap { entry in
                let made = try open.make(open.changes(of: entry))
                try open.replace(entry.sequence, by: made.changes, [])
                return made.conflicts
            }
        }
    }
}
