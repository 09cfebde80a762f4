import Squall

/// The reason why a replica may not change a row of a table, or make it.
typealias RowRefusal = (_ table: String, _ row: [BindingValue]) throws -> String?

extension OpenLog {
    /// Makes changes of a replica over those of the hub, by the policies of the tables.
    ///
    /// - Returns: The changes that were made, with the actions of foreign keys, and the conflicts.
    func make(
        _ changes: [SyncChange], refusing refusal: RowRefusal? = nil
    ) throws -> (changes: [SyncChange], conflicts: [SyncConflict]) {
        let recorder = try connection.startRecording(in: tableNames)
        defer { recorder.stop() }
        var conflicts: [SyncConflict] = []
        let wasViolated = connection.hasViolatedForeignKeys
        let isDone = try connection.undoable {
            conflicts = try resolve(changes, refusal, isStrict: false)
            return wasViolated || !connection.hasViolatedForeignKeys
        }
        if !isDone { conflicts = try resolve(changes, refusal, isStrict: true) }
        return (try self.changes(recorder.changesetWithoutNames()), conflicts)
    }

    private func resolve(
        _ changes: [SyncChange], _ refusal: RowRefusal?, isStrict: Bool
    ) throws -> [SyncConflict] {
        var found: [Int: SyncConflict] = [:]
        let writes = try changes.enumerated().map { index, change in
            guard let table = tables[Identifier(change.table)] else { throw SyncReader.damagedError }
            // Until the change is made, an action of a foreign key can have changed the row for another change.
            let before = try table.row(change.key, in: connection)
            let mayNotChange = try before.flatMap { try refusal?(table.name, $0) }
            func allowed(_ target: [BindingValue]??) throws -> [BindingValue]?? {
                if let row = target ?? nil, let reason = try refusal?(table.name, row) {
                    throw BlockedRow(refused: reason)
                }
                return target
            }
            return RowWrite(
                table: table, key: change.key, index: index, isDeletion: change.new == nil,
                mayDiffer: log.runsTriggers,
                target: { current in
                    if let mayNotChange { throw BlockedRow(refused: mayNotChange) }
                    // An action of a foreign key has made the row.
                    if before == nil, let current { _ = try allowed(current) }
                    switch change.decision(current, before: before ?? current) {
                    case .write(let row): return try allowed(pad(row, current, table))
                    case .leave: return nil
                    case .conflict(let kind, let forced):
                        // A row is tried several times, and decided once.
                        if found[index] == nil {
                            var conflict = SyncConflict(kind: kind, change: change, row: current)
                            conflict.winner = try table.policy.winner(of: conflict)
                            found[index] = conflict
                        }
                        return found[index]?.winner == .replica ? try allowed(pad(forced, current, table)) : nil
                    }
                }, completed: { _, _ in })
        }
        for (write, reason) in try connection.write(writes, isStrict: isStrict) {
            found[write.index] = SyncConflict(
                kind: reason.kind, change: changes[write.index], row: try write.table.row(write.key, in: connection),
                reason: reason.error.message)
        }
        return found.sorted { $0.key < $1.key }.map(\.value)
    }

    private func pad(
        _ row: [BindingValue]?, _ current: [BindingValue]?, _ table: SyncTable
    ) throws -> [BindingValue]?? {
        .some(try row.map { try table.padded($0, over: current) })
    }
}

extension SyncChange {
    /// How a change is made over the present row.
    fileprivate enum Decision {
        case write([BindingValue]?)
        case leave
        /// The row that is written if the replica wins.
        case conflict(Changeset.Conflict.Kind, forced: [BindingValue]?)
    }

    /// Decides how the change is made.
    ///
    /// - Parameter before: The row before all changes of the entry, with which the old values are compared.
    fileprivate func decision(_ current: [BindingValue]?, before: [BindingValue]?) -> Decision {
        let shown = current.map { Array($0.prefix(columnNames.count)) }
        let before = before.map { Array($0.prefix(columnNames.count)) }
        if shown == new { return .leave }
        switch (old, new, shown) {
        case (nil, let row?, nil): return .write(row)
        case (nil, let row?, _?): return .conflict(.conflict, forced: row)
        case (let old?, nil, _?): return before == old ? .write(nil) : .conflict(.data, forced: nil)
        case (_?, let row?, nil): return .conflict(.notFound, forced: row)
        case (let old?, let row?, let current?): return update(old, row, current, before: before ?? current)
        case (_, nil, nil), (nil, nil, _): return .leave
        }
    }

    /// Only the columns that the replica has changed are written.
    private func update(
        _ old: [BindingValue], _ new: [BindingValue], _ current: [BindingValue], before: [BindingValue]
    ) -> Decision {
        let changed = old.indices.filter { old[$0] != new[$0] }
        let merged = current.indices.map { changed.contains($0) ? new[$0] : current[$0] }
        if merged == current { return .leave }
        return changed.allSatisfy { before[$0] == old[$0] } ? .write(merged) : .conflict(.data, forced: merged)
    }
}
