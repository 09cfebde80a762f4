import SquallSQLite

extension Connection {
    /// Adds an observer of commits beside others. They are called before each commit of a transaction that has written, in the order
    /// in which they were added, until one returns `true`: the transaction is then rolled back instead, and the committing statement
    /// throws `SQLITE_CONSTRAINT` (19).
    ///
    /// An observer cannot use the connection: every call throws. The connection retains its observers: capture the
    /// connection `weak` or `unowned` in them. On a closed connection, it is never called, and adding it does not throw.
    /// For a database, see ``Database/addCommitObserver(_:)``.
    @discardableResult
    public func addCommitObserver(_ observer: @escaping () -> Bool) -> ObserverToken {
        slot(CommitSlot.self).add(CommitListener(canRefuse: true, willCommit: observer))
    }

    /// Adds an observer of rollbacks beside others. It is called after each rollback, except the one when the connection is closed.
    ///
    /// An observer cannot use the connection: every call throws. The connection retains its observers: capture the
    /// connection `weak` or `unowned` in them. On a closed connection, it is never called, and adding it does not throw.
    /// For a database, see ``Database/addRollbackObserver(_:)``.
    @discardableResult
    public func addRollbackObserver(_ observer: @escaping () -> Void) -> ObserverToken {
        slot(RollbackSlot.self).add(observer)
    }
}

extension Connection {
    /// Adds an observer that refuses no commit, or only one that ends a transaction too early.
    @discardableResult
    func addCommitListener(_ listener: @escaping () -> Bool) -> ObserverToken {
        slot(CommitSlot.self).add(CommitListener(canRefuse: false, willCommit: listener))
    }

    /// Whether an observer can refuse commits.
    var canRefuseCommits: Bool { slot(CommitSlot.self).hooks.contains(where: \.canRefuse) }
}

struct CommitListener {
    let canRefuse: Bool
    let willCommit: () -> Bool
}

final class CommitSlot: HookSlot<CommitListener> {
    override class var event: FollowedEvents { .transactions }

    override func install(_ isOn: Bool, on handle: OpaquePointer) {
        guard isOn else {
            sqlite3_commit_hook(handle, nil, nil)
            return
        }
        sqlite3_commit_hook(
            handle,
            { context in
                let isRefused = CommitSlot.with(context) { slot in
                    // `PRAGMA optimize` takes the lock of a write, even if it only returns its recommendations.
                    if slot.connection?._withUnsafeGuaranteedRef({ $0.callbacks.pointee.isHidden }) == true {
                        return false
                    }
                    return slot.call("commit hook") {
                        if slot.hooks.contains(where: { $0.willCommit() }) { return true }
                        slot.callFollowers { $0.willCommit(on: $1) }
                        return false
                    }
                }
                return isRefused == true ? 1 : 0
            },
            pointer
        )
    }
}

final class RollbackSlot: HookSlot<() -> Void> {
    override class var event: FollowedEvents { .transactions }

    override func install(_ isOn: Bool, on handle: OpaquePointer) {
        guard isOn else {
            sqlite3_rollback_hook(handle, nil, nil)
            return
        }
        sqlite3_rollback_hook(
            handle,
            { context in
                RollbackSlot.with(context) { slot in
                    slot.call("rollback hook") {
                        slot.callFollowers { $0.didRollBack(on: $1) }
                        for hook in slot.hooks { hook() }
                    }
                }
            },
            pointer
        )
    }
}
