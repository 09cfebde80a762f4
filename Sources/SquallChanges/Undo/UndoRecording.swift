import Squall

/// Records the changes of the tables of an undo history on a connection.
///
/// Used by the thread that uses the connection.
final class UndoRecording {
    /// The meaning of the next commit.
    enum Action {
        /// It is a new step.
        case record(name: String?)
        /// It undoes or redoes the step with this number.
        case move(Int, UndoDirection)
    }

    let steps: UndoSteps
    private let tables: [String]
    private var recorder: ChangeRecorder?
    /// Whether the schema may have changed since the tables were checked.
    private var mayHaveNewSchema = true
    /// Whether recording could not begin for the moment, for lack of memory or because the file could not be read. It is tried again.
    private var mustTryAgain = false
    var action = Action.record(name: nil)
    private var mergedRows: [Identifier: Set<RowKey>] = [:]

    init(_ steps: UndoSteps, tables: [String]) {
        self.steps = steps
        self.tables = tables
    }

    /// Whether no row was changed since recording has begun.
    var isEmpty: Bool { recorder?.isEmpty ?? true }

    /// Whether changes are left out for the moment.
    var isPaused: Bool {
        get { recorder?.isPaused ?? true }
        set { recorder?.isPaused = newValue }
    }

    /// Leaves out of the step the rows that a merge has changed after this transaction may have: their rows are now those of others.
    func leaveOut(_ changes: [SyncChange]) {
        if isEmpty { return }
        for change in changes { mergedRows[Identifier(change.table), default: []].insert(change.key) }
    }

    /// Begins to record, or begins again.
    func start(on connection: Connection) {
        // The old recorder ends after the new one has begun: SQLite keeps its pre-update hook, and no statement is prepared again.
        let old = recorder
        defer { old?.stop() }
        do {
            if mayHaveNewSchema { try connection.checkRecordable(tables) }
            mayHaveNewSchema = false
            recorder = try connection.startRecording(checked: tables)
            mustTryAgain = false
            steps.didStartRecording()
        } catch {
            recorder = nil
            mustTryAgain = (error as? SQLiteError)?.isAboutTables != true
            steps.didFail(error)
        }
    }

    /// Begins to record if it could not begin before.
    func startIfNeeded(on connection: Connection) {
        if mustTryAgain { start(on: connection) }
    }

    /// Begins again with tables that a migration has changed, or fails if they cannot be recorded any more.
    func schemaDidChange(on connection: Connection) {
        mayHaveNewSchema = true
        start(on: connection)
    }

    func stop() {
        mustTryAgain = false
        recorder?.stop()
        recorder = nil
    }

    /// Ends the transaction with a commit.
    ///
    /// - Parameters:
    ///   - columnNames: Returns the names of the columns of all tables.
    ///   - takeChanges: Returns the changes of a recorder.
    func didCommit(
        on connection: Connection, columnNames: () throws -> [Identifier: [String]],
        takeChanges: (ChangeRecorder) throws -> Changeset
    ) {
        switch action {
        case .move(let number, let direction): steps.move(number, direction)
        case .record(let name):
            if mustTryAgain { steps.recordUnknown() }
            guard let recorder, !recorder.isEmpty else { break }
            do {
                var changes = try takeChanges(recorder)
                if !mergedRows.isEmpty {
                    changes = try changes.without(mergedRows, connection.recordedTablesByName(in: "main"))
                }
                if changes.isEmpty { break }
                steps.record(changes, name: name, columnNames: try columnNames())
            } catch {
                // The table was altered in the transaction, or memory is short.
                steps.recordUnknown()
            }
        }
        didEnd(on: connection)
    }

    /// Ends the transaction without a commit, or after it.
    func didEnd(on connection: Connection) {
        action = .record(name: nil)
        mergedRows = [:]
        if mustTryAgain || !isEmpty { start(on: connection) }
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

extension SQLiteError {
    /// Whether a table cannot be recorded as it is.
    fileprivate var isAboutTables: Bool { problem(RecordingProblem.self) != nil }
}
