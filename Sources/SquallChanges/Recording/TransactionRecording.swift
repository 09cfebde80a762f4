import Squall

/// Records the changes of tables on a connection, one transaction after the other. Subclasses keep them.
///
/// Used by the thread that uses the connection.
class TransactionRecording {
    private let tables: [String]
    private(set) var recorder: ChangeRecorder?
    /// Whether the schema may have changed since the tables were checked.
    private var mayHaveNewSchema = true
    /// Whether recording could not begin for the moment, for lack of memory or because the file could not be read. It is tried again.
    private(set) var mustTryAgain = false

    init(tables: [String]) { self.tables = tables }

    // MARK: - For subclasses

    /// Recording has begun.
    func didStart() {}

    /// Recording could not begin.
    func didFail(_ error: any Error) {}

    /// A statement is about to run that ends the transaction with a commit. After an error, it does not.
    func willCommit(on connection: Connection) throws {}

    /// A transaction has ended with a commit. Until the return, SQLite reads its rows.
    ///
    /// - Parameters:
    ///   - columnNames: Returns the names of the columns of all tables.
    ///   - takeChanges: Returns the changes of a recorder.
    func didCommit(
        on connection: Connection, columnNames: () throws -> [Identifier: [String]],
        takeChanges: (ChangeRecorder) throws -> Changeset
    ) {}

    /// The commit has failed, or an inner savepoint was released: the transaction goes on.
    func didNotCommit(on connection: Connection) {}

    /// A backup has replaced the database.
    func didReplaceDatabase(on connection: Connection) { schemaDidChange(on: connection) }

    /// Recording ends.
    func willStop(on connection: Connection) {}

    /// A merge has changed rows.
    func didMerge(_ rows: [(table: String, key: RowKey)]) {}

    /// A transaction has ended, with a commit or without one.
    func didEnd(on connection: Connection) {
        if mustTryAgain || !isEmpty || hasFailed(on: connection) { start(on: connection) }
    }

    private func hasFailed(on connection: Connection) -> Bool {
        guard connection.transactionFollower.hasChangedRows, let recorder else { return false }
        return (try? recorder.changesetWithoutNames()) == nil
    }

    // MARK: - Recording

    /// Whether no row was changed since recording has begun.
    var isEmpty: Bool { recorder?.isEmpty ?? true }

    /// Whether changes are left out for the moment.
    var isPaused: Bool {
        get { recorder?.isPaused ?? true }
        set { recorder?.isPaused = newValue }
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
            didStart()
        } catch {
            recorder = nil
            mustTryAgain = (error as? SQLiteError)?.isAboutTables != true
            didFail(error)
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
}

extension SQLiteError {
    /// Whether a table cannot be recorded as it is.
    fileprivate var isAboutTables: Bool { problem(RecordingProblem.self) != nil }
}
