import SquallSQLite

/// The exclusive use of a connection's handle by another object, perhaps on another thread. A backup claims the handle
/// of its destination, because SQLite forbids every other use of it until the backup has ended.
///
/// While the claim lasts, the connection has no handle, and all its methods throw an error of ``kind``. Calls that
/// cannot throw are put off. The end of the claim finalises the statements that were released, and closes the
/// connection if it was closed or released.
///
/// Sendable, because all mutable properties are used under the lock, and the handle has one user at a time: the owner
/// of the claim until `release`, and then the connection, which gets it by `takeBack` under the same lock.
final class ConnectionClaim: @unchecked Sendable {
    private enum Stage {
        case held
        /// Held; the connection has been closed since.
        case closesAtEnd
        /// Being released; the handle is closed, and stays valid until its last statement is finalised.
        case finalizing
        /// Released; the handle is the connection's again.
        case released
        /// Released, and the handle is closed.
        case closed
    }

    let handle: OpaquePointer
    /// The kind of the error for uses of the connection during the claim.
    let kind: SQLiteError.Kind

    // A `Lock` and not a `Mutex`, for which the thread sanitizer reports false races.
    private let lock = Lock()
    private var stage = Stage.held
    private var finalizedAtEnd: [OpaquePointer] = []
    /// The contexts of the handle's C callbacks, such as the busy handler that a backup uses. Kept, because the
    /// connection may be released before the claim.
    private var callbackContexts: [AnyObject]

    init(handle: OpaquePointer, kind: SQLiteError.Kind, callbackContexts: [AnyObject]) {
        self.handle = handle
        self.kind = kind
        self.callbackContexts = callbackContexts
    }

    /// Whether the connection has not been closed during the claim.
    var isOfOpenConnection: Bool {
        lock.withLock {
            switch stage {
            case .held, .released: true
            case .closesAtEnd, .finalizing, .closed: false
            }
        }
    }

    /// Ends the claim. Called by its owner, which no longer uses the handle. Releasing again does nothing.
    func release() {
        // Outside the lock: an object that SQLite frees here may use the connection in its `deinit`.
        while let leftover = nextLeftover() {
            for statement in leftover.statements { sqlite3_finalize(statement) }
            if leftover.closes { Connection.close(handle) }
        }
        let contexts = lock.withLock {
            defer { callbackContexts = [] }
            return callbackContexts
        }
        withExtendedLifetime(contexts) {}
    }

    /// The work that remains before the claim can end; `nil` when it has ended.
    private func nextLeftover() -> (statements: [OpaquePointer], closes: Bool)? {
        lock.withLock {
            let statements = finalizedAtEnd
            finalizedAtEnd = []
            switch stage {
            case .closesAtEnd:
                stage = .finalizing
                return (statements, true)
            case .held, .finalizing:
                if !statements.isEmpty { return (statements, false) }
                stage = stage == .held ? .released : .closed
                return nil
            case .released, .closed:
                return nil
            }
        }
    }

    /// Returns the handle to its connection, if the claim has ended.
    func takeBack() -> OpaquePointer? {
        lock.withLock { stage == .released ? handle : nil }
    }

    /// Leaves closing the handle to the end of the claim.
    ///
    /// - Returns: `false` when the claim has ended, and the handle is the connection's again.
    func closeAtEnd() -> Bool {
        lock.withLock {
            if stage == .held { stage = .closesAtEnd }
            return stage != .released
        }
    }

    /// Leaves finalising a statement to the end of the claim.
    ///
    /// - Returns: `false` when the claim has ended.
    func finalizeAtEnd(_ statement: OpaquePointer) -> Bool {
        lock.withLock {
            switch stage {
            case .released, .closed: return false
            case .held, .closesAtEnd, .finalizing:
                finalizedAtEnd.append(statement)
                return true
            }
        }
    }
}
