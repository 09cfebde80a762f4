extension Connection {
    /// Sets the update hook, or removes it with `nil`. Observers remain.
    ///
    /// It is called for the same rows as an observer of `addUpdateObserver(_:)`, and by the same rules. On a closed
    /// connection, the hook is never called, and setting it does not throw.
    public func updateHook(_ hook: UpdateHook?) {
        set(\.update, hook.map { addUpdateObserver($0) })
    }

    /// Sets the commit hook, or removes it with `nil`. Observers remain.
    ///
    /// It is called by the rules of `addCommitObserver(_:)`: if it returns `true`, the transaction is rolled back. On a
    /// closed connection, the hook is never called, and setting it does not throw.
    public func commitHook(_ hook: CommitHook?) {
        set(\.commit, hook.map { addCommitObserver($0) })
    }

    /// Sets the rollback hook, or removes it with `nil`. Observers remain.
    ///
    /// It is called by the rules of `addRollbackObserver(_:)`. On a closed connection, the hook is never called, and
    /// setting it does not throw.
    public func rollbackHook(_ hook: RollbackHook?) {
        set(\.rollback, hook.map { addRollbackObserver($0) })
    }

    /// Calls a closure with each statement that begins, with its values in place, or stops with `nil`. Observers and
    /// the closure of ``traceEvent(mask:closure:)`` remain.
    ///
    ///     connection.trace { sql in print(sql) }
    ///
    /// Inside a trigger, the text is a comment: `-- TRIGGER name`. The closure cannot use the connection: every call
    /// throws. On a closed connection, it is never called.
    public func trace(_ closure: ((String) -> Void)?) {
        set(\.trace, closure.map { traceStatements($0) })
    }

    /// Calls a closure with the events that SQLite reports for its statements, or stops with `nil`. Observers and the
    /// closure of ``trace(_:)`` remain.
    ///
    /// It is called by the rules of `addTraceObserver(mask:_:)`. On a closed connection, it is never called.
    ///
    /// - Parameters:
    ///   - mask: The kinds of events: masks of `TraceEvent` joined by `|`, or `nil` for all.
    ///   - closure: The closure to call.
    public func traceEvent(mask: UInt32? = nil, closure: ((TraceEvent) -> Void)?) {
        set(\.traceEvent, closure.map { addTraceObserver(mask: mask, $0) })
    }

    /// Sets the authorizer, or removes it with `nil`. Authorizers that were added remain, and the strictest decision
    /// counts.
    ///
    /// It is called by the rules of `addAuthorizer(_:)`. One that a closure of a database sets ends with the closure: the
    /// authorizer before it is set again.
    ///
    /// - Throws: `SQLiteError`, `SQLITE_MISUSE` (21), when the connection is closed.
    public func authorizer(_ authorizer: Authorizer?) throws {
        try checkIsUsable()
        let hooks = companion { SetHooks() }
        willChange("authorizer of SQift") {
            let earlier = hooks.authorizer
            return { (try? $0.authorizer(earlier?.authorizer)) != nil }
        }
        let kept = authorizer.map(KeptAuthorizer.init)
        hooks.authorizer = kept
        set(\.authorizerToken, kept.map { kept in addAuthorizer { kept.authorizer($0, $1, $2, $3, $4) } })
    }

    /// Replaces the observer of a setter by one that was just added, so that SQLite keeps its callback.
    private func set(_ setter: ReferenceWritableKeyPath<SetHooks, ObserverToken?>, _ token: ObserverToken?) {
        // A connection that was returned to its pool accepts no hooks, and keeps those of the next closure.
        guard (try? checkIsUsable()) != nil else { return }
        let hooks = companion { SetHooks() }
        hooks[keyPath: setter]?.cancel()
        hooks[keyPath: setter] = token
    }
}

/// The observers that SQift's setters have added to a connection, one for each setter.
private final class SetHooks {
    var update: ObserverToken?
    var commit: ObserverToken?
    var rollback: ObserverToken?
    var trace: ObserverToken?
    var traceEvent: ObserverToken?
    var authorizerToken: ObserverToken?
    /// Weak, so that a closed connection releases the closure with its observer.
    weak var authorizer: KeptAuthorizer?
}

/// An authorizer that is set again after a closure that replaces it.
private final class KeptAuthorizer {
    let authorizer: Connection.Authorizer

    init(_ authorizer: @escaping Connection.Authorizer) {
        self.authorizer = authorizer
    }
}
