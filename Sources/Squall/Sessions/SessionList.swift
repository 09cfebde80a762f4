import SquallSQLite

/// The open sessions of a connection. SQLite requires that they are deleted before the connection is closed.
final class SessionList: CallbackContext {
    var connection: Unmanaged<Connection>?
    private var open: Set<OpaquePointer> = []
    /// The bytes of memory that sessions may use.
    private var limits: [OpaquePointer: Int] = [:]
    /// Sessions that have used more, and record no more changes.
    private var full: Set<OpaquePointer> = []
    /// Called after the sessions have received a change.
    var didReceiveChange: (() -> Void)? { didSet { updateCallback() } }
    /// Sessions that have ended while the connection had no handle.
    private var ended: [OpaquePointer] = []

    func contains(_ session: OpaquePointer) -> Bool { open.contains(session) }

    func isFull(_ session: OpaquePointer) -> Bool { full.contains(session) }

    func make(_ database: String, memoryLimit: Int?) throws -> OpaquePointer {
        try Changeset.checkSessions()
        guard let connection, let handle = connection._withUnsafeGuaranteedRef({ $0.handle }) else {
            throw connection?._withUnsafeGuaranteedRef { $0.closedError() } ?? SQLiteError.connectionIsClosed()
        }
        var session: OpaquePointer?
        let code = connection._withUnsafeGuaranteedRef {
            $0.slot(PreUpdateSlot.self).changeSessions(on: handle) { hook, sessions in
                squall_session_create(handle, database, hook, &sessions, &session)
            }
        }
        guard code == SQLITE_OK, let session else { throw SQLiteError(code ?? SQLITE_ERROR, on: handle) }
        open.insert(session)
        if let memoryLimit {
            limits[session] = memoryLimit
            updateCallback()
        }
        return session
    }

    private func updateCallback() {
        connection?._withUnsafeGuaranteedRef { connection in
            let slot = connection.slot(PreUpdateSlot.self)
            let isNeeded = !limits.isEmpty || didReceiveChange != nil
            if isNeeded == (slot.checkSessions != nil) { return }
            slot.checkSessions = isNeeded ? { [weak self] in self?.receivedChange() } : nil
            connection.changeCallbacks { slot.install(on: $0) }
        }
    }

    private func receivedChange() {
        didReceiveChange?()
        for (session, limit) in limits where squall_session_memory_used(session) > limit {
            full.insert(session)
            sqlite3session_enable(session, 0)
        }
    }

    func end(_ session: OpaquePointer) {
        guard open.remove(session) != nil else { return }
        ended.append(session)
        full.remove(session)
        limits[session] = nil
        guard let connection else { return }
        updateCallback()
        connection._withUnsafeGuaranteedRef { $0.changeCallbacks { [weak self] in self?.install(on: $0) } }
    }

    func install(on handle: OpaquePointer) {
        while let session = ended.popLast() {
            _ = connection?._withUnsafeGuaranteedRef {
                $0.slot(PreUpdateSlot.self).changeSessions(on: handle) { hook, sessions in
                    squall_session_delete(handle, session, hook, &sessions)
                }
            }
        }
    }

    func connectionWillClose() {
        for session in open { end(session) }
        guard let handle = connection?._withUnsafeGuaranteedRef({ $0.handle }) else { return }
        install(on: handle)
    }

    func connectionDidClose() {}
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
