import Squall
import SquallSQLite

/// The sessions of a connection. SQLite requires that they are deleted before the connection is closed.
final class SessionList: CallbackContext, ConnectionFollower {
    let events: FollowedEvents = .rows
    private var isFollowing = false
    private struct Session {
        let pointer: OpaquePointer
        let database: String
        /// The tables that are recorded; `nil` if the filter chooses them.
        var tables: Set<Identifier>? = []
        var shortRows = ShortRows()
        /// The bytes of memory that it may use.
        let limit: Int?
        /// Decides whether a table is recorded. Kept until SQLite has deleted the session.
        var filter: SessionFilter?
        /// Whether it has used more memory, and records no more changes.
        var isFull = false
    }

    var connection: Unmanaged<Connection>?
    private var open: [OpaquePointer: Session] = [:]
    /// Sessions that are deleted when SQLite does not use them any more.
    private var ended: [Session] = []

    func contains(_ session: OpaquePointer) -> Bool { open[session] != nil }

    func isFull(_ session: OpaquePointer) -> Bool { open[session]?.isFull == true }

    func shortRows(of session: OpaquePointer) -> ShortRows { open[session]?.shortRows ?? ShortRows() }

    /// The bytes of memory that a session uses.
    func memoryUsed(by session: OpaquePointer) -> Int {
        Int(sqlite3session_memory_used(session)) + shortRows(of: session).size
    }

    func make(_ database: String, memoryLimit: Int?) throws -> OpaquePointer {
        try Changeset.checkSessions()
        guard let connection, let handle = connection._withUnsafeGuaranteedRef({ $0.handle }) else {
            throw connection?._withUnsafeGuaranteedRef { $0.closedError() } ?? SQLiteError.connectionIsClosed()
        }
        var session: OpaquePointer?
        let code = connection._withUnsafeGuaranteedRef {
            $0.changeSessions(on: handle) { hook, sessions in
                squall_session_create(handle, database, hook, &sessions, &session)
            }
        }
        guard code == SQLITE_OK, let session else { throw SQLiteError(code ?? SQLITE_ERROR, on: handle) }
        open[session] = Session(pointer: session, database: database, limit: memoryLimit)
        updateChecks()
        return session
    }

    /// Records a table.
    func attach(_ table: String, to session: OpaquePointer) throws {
        try Changeset.check(sqlite3session_attach(session, table))
        open[session]?.tables?.insert(Identifier(table))
    }

    /// Records the tables that a closure chooses.
    func attachTables(to session: OpaquePointer, where isRecorded: @escaping (String) -> Bool) throws {
        try Changeset.check(sqlite3session_attach(session, nil))
        let filter = SessionFilter(self, isRecorded)
        open[session]?.tables = nil
        open[session]?.filter = filter
        sqlite3session_table_filter(session, SessionFilter.function, Unmanaged.passUnretained(filter).toOpaque())
        updateChecks()
    }

    /// Calls the closure of a filter, inside SQLite's pre-update hook, where the connection must not be used.
    fileprivate func filter(_ body: () -> Bool) -> Bool { call("filter of recorded tables", body) }

    func end(_ session: OpaquePointer) {
        guard let session = open.removeValue(forKey: session) else { return }
        ended.append(session)
        // During a claim, they are deleted at its end.
        connection?._withUnsafeGuaranteedRef { connection in
            sqlite3session_enable(session.pointer, 0)
            // SQLite may be walking through the sessions.
            connection.deleteAfterCalls { [weak self, unowned connection] in
                if let handle = connection.handle { self?.install(on: handle) }
            }
        }
    }

    /// Deletes the sessions that have ended.
    func install(on handle: OpaquePointer) {
        guard let connection else { return }
        while let session = ended.popLast() {
            _ = connection._withUnsafeGuaranteedRef {
                $0.changeSessions(on: handle) { hook, sessions in
                    squall_session_delete(handle, session.pointer, hook, &sessions)
                }
            }
        }
        updateChecks()
    }

    func connectionWillClose() {
        for session in open.keys { end(session) }
        guard let handle = connection?._withUnsafeGuaranteedRef({ $0.handle }) else { return }
        install(on: handle)
    }

    func connectionDidClose() {}
}

// MARK: - Checks after each change

extension SessionList {
    /// Whether something must be done after a change: SQLite then calls the sessions through the slot.
    private var needsChecks: Bool {
        !open.isEmpty && AddedColumns.areUnreported || open.values.contains { $0.limit != nil || $0.filter != nil }
    }

    private func updateChecks() {
        guard let connection, needsChecks != isFollowing else { return }
        isFollowing = needsChecks
        connection._withUnsafeGuaranteedRef { isFollowing ? $0.follow(self) : $0.unfollow(self) }
    }
}

extension SessionList {
    func willChange(_ change: RowChange, on connection: Connection) {
        if change.type != SQLITE_INSERT, let count = AddedColumns.countBefore(on: change.handle) {
            noteShortRow(change, count)
        }
        for (pointer, session) in open {
            guard let limit = session.limit, !session.isFull, memoryUsed(by: pointer) > limit else { continue }
            open[pointer]?.isFull = true
            sqlite3session_enable(pointer, 0)
        }
    }

    private func noteShortRow(_ change: RowChange, _ count: Int) {
        let table = String(cString: change.table)
        for (pointer, session) in open {
            guard sqlite3session_enable(pointer, -1) != 0, strcasecmp(session.database, change.database) == 0,
                session.tables?.contains(Identifier(table)) ?? session.filter?.includes(table) ?? true
            else { continue }
            open[pointer]?.shortRows.note(
                table, count, isIndirect: sqlite3session_indirect(pointer, -1) != 0, on: change.handle)
        }
    }
}

/// Decides whether a table is recorded, when its first row is changed.
private final class SessionFilter {
    // The list keeps the filter.
    private unowned let sessions: SessionList
    private let isRecorded: (String) -> Bool

    init(_ sessions: SessionList, _ isRecorded: @escaping (String) -> Bool) {
        self.sessions = sessions
        self.isRecorded = isRecorded
    }

    func includes(_ table: String) -> Bool { sessions.filter { isRecorded(table) } }

    static let function: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> Int32 = { context, table in
        guard let context, let table else { return 0 }
        let filter = Unmanaged<SessionFilter>.fromOpaque(context).takeUnretainedValue()
        return filter.includes(String(cString: table)) ? 1 : 0
    }
}

extension Connection {
    var sessions: SessionList {
        companion {
            let sessions = SessionList()
            sessions.connection = .passUnretained(self)
            return sessions
        }
    }
}
