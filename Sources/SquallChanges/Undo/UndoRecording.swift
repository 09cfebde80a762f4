import Squall

/// Records the steps of an undo history on a connection.
final class UndoRecording: TransactionRecording {
    /// The meaning of the next commit.
    enum Action {
        /// It is a new step.
        case record(name: String?)
        /// It undoes or redoes the step with this number.
        case move(Int, UndoDirection)
    }

    let steps: UndoSteps
    var action = Action.record(name: nil)
    private var mergedRows: [Identifier: Set<RowKey>] = [:]

    init(_ steps: UndoSteps, tables: [String]) {
        self.steps = steps
        super.init(tables: tables)
    }

    override func didStart() { steps.didStartRecording() }

    override func didFail(_ error: any Error) { steps.didFail(error) }

    /// Leaves out of the step the rows that a merge has changed after this transaction may have: their rows are now those of others.
    override func didMerge(_ rows: [(table: String, key: RowKey)]) {
        if isEmpty { return }
        for row in rows { mergedRows[Identifier(row.table), default: []].insert(row.key) }
    }

    override func didCommit(
        on connection: Connection, columnNames: () throws -> [Identifier: [String]],
        takeChanges: (ChangeRecorder) throws -> Changeset
    ) {
        switch action {
        case .move(let number, let direction): steps.move(number, direction)
        case .record(let name):
            if mustTryAgain { steps.recordUnknown() }
            guard let recorder, !recorder.isEmpty else { return }
            do {
                var changes = try takeChanges(recorder)
                if !mergedRows.isEmpty {
                    changes = try changes.without(mergedRows, connection.recordedTablesByName(in: "main"))
                }
                if changes.isEmpty { return }
                steps.record(changes, name: name, columnNames: try columnNames())
            } catch {
                // The table was altered in the transaction, or memory is short.
                steps.recordUnknown()
            }
        }
    }

    override func didEnd(on connection: Connection) {
        action = .record(name: nil)
        mergedRows = [:]
        super.didEnd(on: connection)
    }
}

extension Changeset {
    /// Returns the changes of other rows.
    fileprivate func without(
        _ rows: [Identifier: Set<RowKey>], _ tables: [Identifier: RecordedTable]
    ) throws -> Changeset {
        var writer = ChangesetWriter(isPatchset: false)
        try forEach { change in
            let name = Identifier(change.table)
            guard let table = tables[name], rows[name]?.contains(change.rowKey) != true else { return }
            writer.write(
                change.operation, of: table, isIndirect: change.isIndirect, old: change.old.bindingValues,
                new: change.new.bindingValues)
        }
        return Changeset(trusted: writer.data)
    }
}
