import Squall
import SquallSQLite

/// Records the entries of a followed log on a connection.
///
/// A transaction writes its entry before its commit. A statement that commits by itself cannot: its changes wait for the next transaction.
final class LogRecording: TransactionRecording {
    /// The savepoint of the entries that a transaction writes before its commit, and takes back if the commit fails.
    private static let savepoint = "squall_sync_entry"

    let log: SyncLog
    private let state: FollowedState
    /// Whether the open transaction has written its entries.
    private var isWritten = false
    /// The tables, and the version of the schema in which they were read.
    private var known: (tables: [Identifier: SyncTable], schema: Int?)?

    init(_ log: SyncLog, _ state: FollowedState) {
        self.log = log
        self.state = state
        super.init(tables: log.policies.keys.sorted().map(\.spelling))
    }

    /// Whether this recording writes the entries of the connection. Of several of one log, the first does.
    private func records(on connection: Connection) -> Bool {
        connection.transactionFollower.recording(of: log) === self
    }

    /// Whether the log exists.
    var hasBegun: Bool { state.hasBegun.withLock { $0 } }

    override func didStart() { state.failure.withLock { $0 = nil } }

    override func didFail(_ error: any Error) { state.failure.withLock { $0 = error } }

    // MARK: - Entries

    private func open(_ connection: Connection) throws -> OpenLog {
        let schema = connection.handle.flatMap { connection.pragmaValue("main.schema_version", on: $0) }
        if let known, known.schema == schema, try SyncLog.storedVersion(on: connection) == log.version {
            return try OpenLog(log, connection, tables: known.tables)
        }
        let open = try OpenLog(log, connection)
        try open.storeNewColumns()
        known = (open.tables, schema)
        return open
    }

    /// Whether changes have no entry yet, so that a merge would write over them.
    func hasUnrecordedChanges(on connection: Connection) -> Bool {
        records(on: connection) && (!isEmpty || !state.waiting.withLock(\.isEmpty))
    }

    override func willCommit(on connection: Connection) throws {
        guard records(on: connection), let recorder, let handle = connection.handle,
            sqlite3_txn_state(handle, "main") == SQLITE_TXN_WRITE
        else { return }
        let waiting = state.waiting.withLock { $0 }
        guard connection.transactionFollower.hasChangedRows || !recorder.isEmpty || !waiting.isEmpty else { return }
        let changes = try connection.internally(isHidden: true) { try recorder.changesetWithoutNames() }
        if changes.isEmpty, waiting.isEmpty { return }
        let rowID = connection.lastInsertRowID
        defer { sqlite3_set_last_insert_rowid(handle, rowID) }
        try connection.internally(isHidden: true) {
            try connection.run("SAVEPOINT \(raw: Self.savepoint)")
            isWritten = true
            do {
                let open = try open(connection)
                for changes in waiting { try open.add(changes) }
                try open.add(open.changes(changes))
            } catch {
                undo(on: connection)
                throw error
            }
        }
    }

    private func undo(on connection: Connection) {
        isWritten = false
        known = nil
        for sql in ["ROLLBACK TO \(Self.savepoint)", "RELEASE \(Self.savepoint)"] { connection.cleanUp(sql) }
    }

    override func didNotCommit(on connection: Connection) {
        if isWritten { undo(on: connection) }
    }

    override func didCommit(
        on connection: Connection, columnNames: () throws -> [Identifier: [String]],
        takeChanges: (ChangeRecorder) throws -> Changeset
    ) {
        if isWritten { return state.waiting.withLock { $0 = [] } }
        guard hasBegun, connection.transactionFollower.hasChangedRows else { return }
        guard let recorder else { return state.noteLoss() }
        guard records(on: connection) else { return }
        do {
            let recorded = try takeChanges(recorder)
            if recorded.isEmpty { return }
            let changes = try connection.internally(isHidden: true) { try open(connection).changes(recorded) }
            state.waiting.withLock { $0.append(changes) }
        } catch {
            state.loss.withLock { $0 = error }
        }
    }

    override func didReplaceDatabase(on connection: Connection) {
        state.waiting.withLock { $0 = [] }
        super.didReplaceDatabase(on: connection)
    }

    override func didEnd(on connection: Connection) {
        isWritten = false
        super.didEnd(on: connection)
    }

    override func willStop(on connection: Connection) {
        guard records(on: connection), !connection.isInTransaction, !state.waiting.withLock(\.isEmpty) else { return }
        // Its commit writes them.
        try? connection.internally(isHidden: true) { try connection.transaction(transactionType: .immediate) {} }
    }
}

/// The state that the recordings of a followed log share: a database opens its writer again after some errors.
final class FollowedState: Sendable {
    /// Whether the log exists, so that transactions are recorded.
    let hasBegun = Locked(false)
    /// The changes of commits that have no entry yet.
    let waiting = Locked<[[SyncChange]]>([])
    /// The error that prevents recording at present.
    let failure = Locked<(any Error)?>(nil)
    /// The error with which a commit was not recorded.
    let loss = Locked<(any Error)?>(nil)

    /// Notes that a commit may have changes that were not recorded.
    func noteLoss() {
        let error = failure.withLock { $0 }
        loss.withLock { $0 = $0 ?? error }
    }

    /// Gives the waiting changes their entries.
    func writeWaiting(_ log: SyncLog, on connection: Connection) throws {
        let changes = waiting.withLock { $0 }
        if changes.isEmpty { return }
        try connection.inTransaction {
            let open = try OpenLog(log, connection)
            try open.storeNewColumns()
            for changes in changes { try open.add(changes) }
        }
        waiting.withLock { $0.removeFirst(changes.count) }
    }
}

extension TransactionFollower {
    /// The recording that writes the entries of a followed log; `nil` if transactions are not recorded.
    func recording(of log: SyncLog) -> LogRecording? {
        // Of several, the first one with most tables: the database may have been followed again with more of them.
        recordings.compactMap { $0 as? LogRecording }
            .filter { recording in
                recording.log.origin == log.origin && recording.hasBegun && recording.recorder != nil
                    && log.policies.keys.allSatisfy { recording.log.policies[$0] != nil }
            }
            .max { $0.log.policies.count < $1.log.policies.count }
    }
}
