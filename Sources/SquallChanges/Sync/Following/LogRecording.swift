import Squall
import SquallSQLite

/// Records the entries of a followed log on a connection.
///
/// A transaction writes its entry before its commit. A statement that commits by itself cannot: its changes wait for the next transaction.
final class LogRecording: TransactionRecording {
    let log: SyncLog
    private let state: FollowedState
    /// The entry that the open transaction has written, whose commit may have failed.
    private var written: Int64?
    private var isWritten = false
    /// The tables, until the schema changes.
    private var known: [Identifier: SyncTable]?

    init(_ log: SyncLog, _ state: FollowedState) {
        self.log = log
        self.state = state
        super.init(tables: log.policies.keys.sorted().map(\.spelling))
    }

    /// Whether the transactions of the connection are recorded.
    var isRecording: Bool { recorder != nil && state.hasBegun.withLock { $0 } }

    override func didStart() { state.failure.withLock { $0 = nil } }

    override func didFail(_ error: any Error) { state.failure.withLock { $0 = error } }

    override func schemaDidChange(on connection: Connection) {
        known = nil
        super.schemaDidChange(on: connection)
    }

    // MARK: - Entries

    private func open(_ connection: Connection) throws -> OpenLog {
        if let known { return try OpenLog(log, connection, tables: known) }
        let open = try OpenLog(log, connection)
        known = open.tables
        return open
    }

    override func willCommit(on connection: Connection) throws {
        let waiting = state.waiting.withLock { $0 }
        guard isRecording, let recorder, !recorder.isEmpty || !waiting.isEmpty else { return }
        let rowID = connection.lastInsertRowID
        defer { if let handle = connection.handle { sqlite3_set_last_insert_rowid(handle, rowID) } }
        try connection.internally(isHidden: true) {
            let open = try open(connection)
            try open.storeNewColumns()
            if !isWritten { for changes in waiting { try open.add(changes) } }
            isWritten = true
            try write(open.changes(recorder.changesetWithoutNames()), open)
        }
    }

    /// Writes the entry of the open transaction, or writes it again.
    private func write(_ changes: [SyncChange], _ open: OpenLog) throws {
        if let written, try open.replace(written, by: changes, []) { return }
        try open.add(changes)
        written = changes.isEmpty || log.role == .peer ? nil : open.connection.lastInsertRowID
    }

    override func willMerge(on connection: Connection) throws {
        try willCommit(on: connection)
        // Later changes are another entry, after those of the merge.
        written = nil
        if !isEmpty { start(on: connection) }
    }

    override func didCommit(
        on connection: Connection, columnNames: () throws -> [Identifier: [String]],
        takeChanges: (ChangeRecorder) throws -> Changeset
    ) {
        if isWritten { return state.waiting.withLock { $0 = [] } }
        guard isRecording, let recorder, !recorder.isEmpty else { return }
        do {
            let changes = try connection.internally(isHidden: true) {
                try open(connection).changes(takeChanges(recorder))
            }
            if !changes.isEmpty { state.waiting.withLock { $0.append(changes) } }
        } catch {
            state.failure.withLock { $0 = error }
        }
    }

    override func didEnd(on connection: Connection) {
        (isWritten, written) = (false, nil)
        super.didEnd(on: connection)
    }
}

/// The state that the recordings of a followed log share: a database opens its writer again after some errors.
final class FollowedState: Sendable {
    /// Whether the log exists, so that transactions are recorded.
    let hasBegun = Locked(false)
    /// The changes of commits that have no entry yet.
    let waiting = Locked<[[SyncChange]]>([])
    /// The error that has prevented recording.
    let failure = Locked<(any Error)?>(nil)
}

extension TransactionFollower {
    /// Whether a log is followed, so that each transaction of the connection is recorded.
    func records(_ log: SyncLog) -> Bool {
        recordings.contains { ($0 as? LogRecording).map { $0.isRecording && $0.log.origin == log.origin } ?? false }
    }
}
