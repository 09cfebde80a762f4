import SquallSQLite

/// The exclusive use of a connection's handle by another object, perhaps on another thread. A backup claims the handle
/// of its destination, because SQLite forbids every other use of it until the backup has ended.
///
/// While the claim lasts, the connection has no handle, and all its methods throw an error of ``kind``. Finalising
/// and closing are put off. The end of the claim finalises the statements that were released, and closes the
/// connection if it was closed or released.
///
/// The handle has one user at a time: the owner of the claim until `release`, and then the connection, which gets it by
/// `takeBack`.
final class ConnectionClaim: Sendable {
    private enum Stage {
        case held
        /// Held; the connection has been closed since.
        case closesAtEnd
        /// Being released. `sqlite3_close_v2` is called next, or has been; SQLite keeps the handle until its last statement is
        /// finalised.
        case finalizing
        /// Released; the connection may take the handle back.
        case released
        /// Released, and the handle is closed.
        case closed
    }

    private struct State {
        let handle: OpaquePointer
        var stage = Stage.held
        var finalizedAtEnd: [OpaquePointer] = []
        /// The contexts of the handle's C callbacks, such as the busy handler that a backup uses. Kept, because the
        /// connection may be released before the claim.
        var callbackContexts: [AnyObject]
    }

    /// The kind of the error for uses of the connection during the claim.
    let kind: SQLiteError.Kind
    private let state: Locked<State>

    init(handle: OpaquePointer, kind: SQLiteError.Kind, callbackContexts: [AnyObject]) {
        self.kind = kind
        // Sendable, because the connection does not use the handle any more.
        nonisolated(unsafe) let state = State(handle: handle, callbackContexts: callbackContexts)
        self.state = Locked(state)
    }

    var handle: OpaquePointer { state.withLock { $0.handle } }

    /// Whether the connection has not been closed during the claim.
    var connectionIsOpen: Bool {
        state.withLock { state in
            switch state.stage {
            case .held, .released: true
            case .closesAtEnd, .finalizing, .closed: false
            }
        }
    }

    /// Ends the claim. Called by its owner, which no longer uses the handle. Releasing again does nothing.
    func release() {
        // Outside the lock: SQLite frees objects here, whose `deinit` may use the connection, and so add statements.
        while let leftover = nextCleanup() {
            for statement in leftover.statements { sqlite3_finalize(statement) }
            if leftover.closes { Connection.close(handle) }
        }
        // Last, because closing may call them.
        let contexts = state.withLock { state in
            defer { state.callbackContexts = [] }
            return state.callbackContexts
        }
        withExtendedLifetime(contexts) {}
    }

    /// Returns the next work before the claim can end. Without any, ends the claim and returns `nil`.
    private func nextCleanup() -> (statements: [OpaquePointer], closes: Bool)? {
        state.withLock { state in
            let statements = state.finalizedAtEnd
            state.finalizedAtEnd = []
            switch state.stage {
            case .closesAtEnd:
                state.stage = .finalizing
                return (statements, true)
            case .held, .finalizing:
                if !statements.isEmpty { return (statements, false) }
                state.stage = state.stage == .held ? .released : .closed
                return nil
            case .released, .closed:
                return nil
            }
        }
    }

    /// Returns the handle if the claim has ended without closing it. The connection calls it.
    func takeBack() -> OpaquePointer? {
        state.withLock { $0.stage == .released ? $0.handle : nil }
    }

    /// Requests that the end of the claim closes the handle.
    ///
    /// - Returns: `false` when the claim has ended, and the handle is the connection's again.
    func closeAtEnd() -> Bool {
        state.withLock { state in
            if state.stage == .held { state.stage = .closesAtEnd }
            return state.stage != .released
        }
    }

    /// Requests that the end of the claim finalises a statement.
    ///
    /// - Returns: `false` when the claim has ended.
    func finalizeAtEnd(_ statement: OpaquePointer) -> Bool {
        state.withLock { state in
            switch state.stage {
            case .released, .closed: return false
            case .held, .closesAtEnd, .finalizing:
                state.finalizedAtEnd.append(statement)
                return true
            }
        }
    }
}
