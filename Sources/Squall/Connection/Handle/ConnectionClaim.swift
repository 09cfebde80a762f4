import SquallSQLite

/// A connection's handle while something else works on it, perhaps on another thread: SQLite forbids every use of the
/// destination of a backup until the backup has ended.
///
/// While the claim lasts, the connection has no handle, and all its methods throw ``reason``. Calls that cannot throw are put
/// off until the end of the claim: it then finalises the statements that were released, and closes the connection that was
/// closed or released.
///
/// Sendable, because everything that changes is under the lock, and the handle has one user at a time: the owner of the claim
/// until `release`, and then the connection, which gets it by `takeBack` under the same lock.
final class ConnectionClaim: @unchecked Sendable {
    private enum Stage {
        case held
        /// Held; the connection was closed meanwhile.
        case closesAtEnd
        /// Being released; the handle is closed, and stays valid until its last statement is finalised.
        case finalizing
        /// Released; the handle is the connection's again.
        case released
        /// Released, and the handle is closed.
        case closed
    }

    let handle: OpaquePointer
    /// The message for uses of the connection meanwhile.
    let reason: String

    // A lock and not a `Mutex`, about which the thread sanitizer reports false races.
    private let lock = Lock()
    private var stage = Stage.held
    private var finalizedAtEnd: [OpaquePointer] = []
    /// The contexts of the handle's C callbacks, such as the busy handler that a backup uses: the connection may be released
    /// before the claim.
    private var callbackContexts: [AnyObject]

    init(handle: OpaquePointer, reason: String, callbackContexts: [AnyObject]) {
        self.handle = handle
        self.reason = reason
        self.callbackContexts = callbackContexts
    }

    /// Whether the connection has not been closed meanwhile.
    var isOfOpenConnection: Bool {
        lock.withLock {
            switch stage {
            case .held, .released: true
            case .closesAtEnd, .finalizing, .closed: false
            }
        }
    }

    /// Ends the claim. Called by its owner, who no longer touches the handle. Releasing again does nothing.
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
