import SquallSQLite

/// The sessions of a connection. SQLite requires that they are deleted before the connection is closed.
final class SessionList: CallbackContext {
    private struct Session {
        let pointer: OpaquePointer
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
    /// Called after the sessions have received a change.
    var didReceiveChange: (() -> Void)? { didSet { updateChecks() } }

    func contains(_ session: OpaquePointer) -> Bool { open[session] != nil }

    func isFull(_ session: OpaquePointer) -> Bool { open[session]?.isFull == true }

    func make(_ database: String, memoryLimit: Int?) throws -> OpaquePointer {
        try Changeset.checkSessions()
        guard let connection, let handle = connection._withUnsafeGuaranteedRef({ $0.handle }) else {
            throw connection?._withUnsafeGuaranteedRef { $0.closedError() } ?? SQLiteError.connectionIsClosed()
        }
        var session: OpaquePointer?
        let code = slot(of: connection).changeSessions(on: handle) { hook, sessions in
            squall_session_create(handle, database, hook, &sessions, &session)
        }
        guard code == SQLITE_OK, let session else { throw SQLiteError(code ?? SQLITE_ERROR, on: handle) }
        open[session] = Session(pointer: session, limit: memoryLimit)
        updateChecks()
        return session
    }

    /// Records the tables that a closure chooses.
    func setFilter(of session: OpaquePointer, _ isRecorded: @escaping (String) -> Bool) {
        let filter = SessionFilter(self, isRecorded)
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
            _ = slot(of: connection).changeSessions(on: handle) { hook, sessions in
                squall_session_delete(handle, session.pointer, hook, &sessions)
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
    private func slot(of connection: Unmanaged<Connection>) -> PreUpdateSlot {
        connection._withUnsafeGuaranteedRef { $0.slot(PreUpdateSlot.self) }
    }

    /// Whether something must be done after a change: SQLite then calls the sessions through the slot.
    private var needsChecks: Bool {
        didReceiveChange != nil || open.values.contains { $0.limit != nil || $0.filter != nil }
    }

    private func updateChecks() {
        guard let connection else { return }
        let slot = slot(of: connection)
        guard needsChecks != (slot.checkSessions != nil) else { return }
        slot.checkSessions = needsChecks ? { [weak self] _ in self?.didRecord() } : nil
        connection._withUnsafeGuaranteedRef { $0.changeCallbacks { slot.install(on: $0) } }
    }

    private func didRecord() {
        didReceiveChange?()
        for (pointer, session) in open {
            guard let limit = session.limit, !session.isFull, sqlite3session_memory_used(pointer) > limit else {
                continue
            }
            open[pointer]?.isFull = true
            sqlite3session_enable(pointer, 0)
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

    static let function: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> Int32 = { context, table in
        guard let context, let table else { return 0 }
        let filter = Unmanaged<SessionFilter>.fromOpaque(context).takeUnretainedValue()
        return filter.sessions.filter { filter.isRecorded(String(cString: table)) } ? 1 : 0
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
