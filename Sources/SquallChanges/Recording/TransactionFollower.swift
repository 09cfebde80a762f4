import Squall
import SquallSQLite

/// Takes the changes of each transaction of a connection, for the undo histories and the followed log of its database.
///
/// A session finds changes when it is asked for them: it compares the old rows, which it has kept, with the present ones. After a
/// commit, another connection may already have changed them again. Therefore a statement of the follower is reading while SQLite
/// commits. SQLite then continues to read the snapshot of the commit, until the statement is reset.
///
/// Used by the thread that uses the connection.
final class TransactionFollower: CallbackContext, ConnectionFollower {
    let events: FollowedEvents = [.ends, .transactions, .rows, .log]
    var connection: Unmanaged<Connection>?
    private(set) var recordings: [TransactionRecording] = []
    private var ending = Ending.none
    /// The statement that reads while SQLite commits.
    private var reader: OpaquePointer?
    private var isReading: Bool { sqlite3_stmt_busy(reader) != 0 }
    /// The pages in the log after the last commit.
    private var logPageCount = 0
    /// Whether the open transaction has changed rows. If a recorder is empty then, its session may have failed, and records nothing more: an
    /// interrupt came while it read the columns of a table.
    private(set) var hasChangedRows = false
    private var columnNames: [Identifier: [String]]?
    private var schemaVersion: Int?

    /// How the transaction has ended.
    private enum Ending {
        case none, committed, rolledBack
    }

    // MARK: - Recordings

    func add(_ recording: TransactionRecording, on connection: Connection) {
        if recordings.isEmpty { start(on: connection) }
        recordings.append(recording)
        recording.start(on: connection)
    }

    func remove(_ recording: TransactionRecording, on connection: Connection) {
        recording.willStop(on: connection)
        recording.stop()
        recordings.removeAll { $0 === recording }
        if recordings.isEmpty { stop(on: connection) }
    }

    /// Calls a closure that merges changes, which are not recorded.
    ///
    /// - Parameter rows: Returns the rows that the merge has changed.
    func merging<Result>(
        on connection: Connection, _ merge: () throws -> Result, rows: (Result) -> [(table: String, key: RowKey)]
    ) throws -> Result {
        for recording in recordings { recording.isPaused = true }
        defer { for recording in recordings { recording.isPaused = false } }
        let result = try merge()
        for recording in recordings { recording.didMerge(rows(result)) }
        return result
    }

    private func start(on connection: Connection) {
        schemaVersion = connection.handle.flatMap { connection.pragmaValue("main.schema_version", on: $0) }
        connection.follow(self)
    }

    private func stop(on connection: Connection) {
        connection.unfollow(self)
        finalizeReader()
    }

    func install(on handle: OpaquePointer) {}

    func connectionWillClose() {
        for recording in recordings { recording.stop() }
        finalizeReader()
    }

    func connectionDidClose() { recordings = [] }

    // MARK: - Reading while SQLite commits

    private func read(on connection: Connection, _ handle: OpaquePointer) {
        connection.internally(isHidden: true) {
            if reader == nil {
                // It has a row: the recorded tables are in it.
                let sql = SchemaCatalog.firstRow.text
                sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &reader, nil)
            }
            if sqlite3_step(reader) != SQLITE_ROW { sqlite3_reset(reader) }
        }
        connection.awaitEndOfStatement()
    }

    private func endReading() {
        if isReading { sqlite3_reset(reader) }
    }

    private func finalizeReader() {
        sqlite3_finalize(reader)
        reader = nil
    }

    /// Begins to read where the statement commits at its end. SQLite's sessions read in their pre-update hook too.
    func willChange(_ row: RowChange, on connection: Connection) {
        hasChangedRows = true
        guard !isReading, let handle = connection.handle, sqlite3_get_autocommit(handle) != 0,
            recordings.contains(where: { !$0.isEmpty }), !Self.isDropping(on: handle)
        else { return }
        read(on: connection, handle)
    }

    /// Whether the running statement drops something, which SQLite refuses while another one is reading.
    private static func isDropping(on handle: OpaquePointer) -> Bool {
        var next = sqlite3_next_stmt(handle, nil)
        while let statement = next {
            if sqlite3_stmt_busy(statement) != 0, StatementVerb(beginning: sqlite3_sql(statement)) == .drop {
                return true
            }
            next = sqlite3_next_stmt(handle, statement)
        }
        return false
    }
}

// MARK: - Transactions

extension TransactionFollower {
    func willEndTransaction(on connection: Connection, by verb: StatementVerb) throws {
        guard let handle = connection.handle, sqlite3_get_autocommit(handle) == 0 else { return }
        // A savepoint may be an inner one.
        if verb != .release { for recording in recordings { try recording.willCommit(on: connection) } }
        if !isReading, recordings.contains(where: { !$0.isEmpty }) { return read(on: connection, handle) }
        connection.awaitEndOfStatement()
    }

    func willCommit(on connection: Connection) { end(.committed, on: connection) }

    func didRollBack(on connection: Connection) { end(.rolledBack, on: connection) }

    func didWriteLog(of database: String, pageCount: Int) {
        if database == "main" { logPageCount = pageCount }
    }

    private func end(_ ending: Ending, on connection: Connection) {
        self.ending = ending
        connection.awaitEndOfStatement()
    }

    func didEndStatement(on connection: Connection) {
        guard let handle = connection.handle else { return }
        if sqlite3_get_autocommit(handle) == 0 {
            // An inner savepoint was released, or the commit has failed.
            ending = .none
            endReading()
            for recording in recordings { recording.didNotCommit(on: connection) }
            return
        }
        if sqlite3_txn_state(handle, nil) == SQLITE_TXN_WRITE {
            // The statement was run by a function of one that still writes, and commits at its end.
            connection.awaitEndOfStatement()
            return
        }
        let ending = ending
        self.ending = .none
        // An interrupt of the commit prevents reading it: the next commit does.
        let read = ending == .committed ? connection.pragmaValue("main.schema_version", on: handle) : nil
        let version = read ?? schemaVersion
        let hasNewSchema = version != schemaVersion
        if hasNewSchema {
            schemaVersion = version
            columnNames = nil
        }
        for recording in recordings {
            if ending == .committed {
                recording.didCommit(on: connection, columnNames: { try columnNames(on: connection) }) { recorder in
                    try changes(of: recorder)
                }
            }
            recording.didEnd(on: connection)
        }
        hasChangedRows = false
        if hasNewSchema { for recording in recordings { recording.schemaDidChange(on: connection) } }
        // SQLite cannot run its automatic checkpoint while a statement is reading.
        let hasMissedCheckpoint = isReading && ending == .committed
        endReading()
        if hasMissedCheckpoint { connection.runAutomaticCheckpoint(pageCount: logPageCount) }
    }

    func didReplaceDatabase(of connection: Connection) {
        for recording in recordings { recording.didReplaceDatabase(on: connection) }
    }

    private func changes(of recorder: ChangeRecorder) throws -> Changeset {
        do {
            return try recorder.changesetWithoutNames()
        } catch let error as SQLiteError where error.code == SQLITE_INTERRUPT {
            // An interrupt, which came too late for the commit, ends when no statement is active.
            endReading()
            return try recorder.changesetWithoutNames()
        }
    }

    private func columnNames(on connection: Connection) throws -> [Identifier: [String]] {
        if let columnNames { return columnNames }
        let names = try connection.columnNames(in: "main")
        columnNames = names
        return names
    }
}

extension Connection {
    var transactionFollower: TransactionFollower {
        companion {
            let follower = TransactionFollower()
            follower.connection = .passUnretained(self)
            return follower
        }
    }
}
