import SquallSQLite

/// A connection's handle while something else works on it, perhaps on another thread: SQLite forbids every use of the
/// destination of a backup until the backup has ended.
///
/// While the claim lasts, the connection has no handle, and all its verbs throw ``reason``. What cannot throw is put off
/// until the end: statements that go are finalised then, and a connection that was closed, or that went, is closed then.
///
/// Sendable, because everything that changes is behind the lock, and the handle itself has one user at a time: whoever
/// made the claim until `release`, and from then on the connection's owner, who gets it by `takeBack` under the same lock.
final class ConnectionClaim: @unchecked Sendable {
    let handle: OpaquePointer
    /// What the connection is doing.
    let reason: String

    // A lock and not a `Mutex`, about which the thread sanitizer reports false races.
    private let lock = Lock()
    private var isReleased = false
    private var closesAtEnd = false
    private var isClosed = false
    private var finalizedAtEnd: [OpaquePointer] = []
    /// What C callbacks of the handle point to (a busy handler is asked by a backup), should the connection go first.
    private var callbackContexts: [AnyObject]

    init(handle: OpaquePointer, reason: String, callbackContexts: [AnyObject]) {
        self.handle = handle
        self.reason = reason
        self.callbackContexts = callbackContexts
    }

    /// Whether the connection has not been closed meanwhile.
    var isOfOpenConnection: Bool { lock.withLock { !closesAtEnd } }

    /// Ends the claim. Called by whoever made it, once they no longer touch the handle; again, it does nothing.
    func release() {
        // Not under the lock: what SQLite frees here may have been the last to hold something that asks for it.
        while let leftover = nextLeftover() {
            for statement in leftover.statements { sqlite3_finalize(statement) }
            // The handle stays valid until its last statement has gone.
            if leftover.closes { Connection.close(handle) }
        }
        let contexts = lock.withLock {
            defer { callbackContexts = [] }
            return callbackContexts
        }
        withExtendedLifetime(contexts) {}
    }

    /// What is to be done before the claim can end; with nothing, it ends.
    private func nextLeftover() -> (statements: [OpaquePointer], closes: Bool)? {
        lock.withLock {
            if isReleased { return nil }
            if finalizedAtEnd.isEmpty, !closesAtEnd || isClosed {
                isReleased = true
                return nil
            }
            defer {
                finalizedAtEnd = []
                isClosed = closesAtEnd
            }
            return (finalizedAtEnd, closesAtEnd && !isClosed)
        }
    }

    /// The handle for its connection, if the claim has ended.
    func takeBack() -> OpaquePointer? {
        lock.withLock { isReleased && !closesAtEnd ? handle : nil }
    }

    /// Leaves closing the handle to the end of the claim, or returns `false` when that has been.
    func closeAtEnd() -> Bool {
        lock.withLock {
            if isReleased, !closesAtEnd { return false }
            closesAtEnd = true
            return true
        }
    }

    /// Leaves finalising a statement to the end of the claim, or returns `false` when that has been.
    func finalizeAtEnd(_ statement: OpaquePointer) -> Bool {
        lock.withLock {
            if isReleased { return false }
            finalizedAtEnd.append(statement)
            return true
        }
    }
}

extension Connection {
    /// Takes the handle away for a backup to the connection, until the claim is released.
    ///
    /// - Throws: ``SQLiteError`` when the connection is closed, claimed already, in a transaction, or being read from.
    func claimAsDestination() throws -> ConnectionClaim {
        guard let handle else { throw closedError() }
        if sqlite3_get_autocommit(handle) == 0 || transactionDepth > 0 {
            throw destinationInUse("it has a transaction open")
        }
        if hasBusyStatements { throw destinationInUse("one of its statements stands on a row: reset it") }
        if pins > 0 { throw destinationInUse("it is the source of another backup") }
        return giveAway(handle, reason: "the connection is the destination of a backup that is not finished")
    }

    private func destinationInUse(_ hint: String) -> SQLiteError {
        SQLiteError(code: SQLITE_ERROR, message: "destination database is in use", hint: hint)
    }

    private var hasBusyStatements: Bool {
        var next = handle.flatMap { sqlite3_next_stmt($0, nil) }
        while let statement = next {
            if sqlite3_stmt_busy(statement) != 0 { return true }
            next = sqlite3_next_stmt(handle, statement)
        }
        return false
    }
}
