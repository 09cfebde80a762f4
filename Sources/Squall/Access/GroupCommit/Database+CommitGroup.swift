import Dispatch
import SquallSQLite

// A group is carried on by one thread after the other, each of which has the connection, with the transaction open:
//
// 1. The first closure runs in a transaction, as without a group. If the next caller in the line may join, the transaction
//    stays open. Otherwise it is committed at once.
// 2. The closure of each further caller runs in a savepoint: that of a task on a queue, that of a blocked thread on this thread,
//    which then carries on.
// 3. When the next caller may not join, or no caller waits, the transaction is committed, and all callers get their results.

extension Database {
    /// Runs a closure of a task in a group.
    nonisolated(nonsending) func groupedWrite<Result: Sendable>(
        _ deadline: Duration?, _ body: @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        let end = deadline.map { Deadline(after: $0) }
        let (result, group) = try await writer.perform(deadline: deadline, joining: .task) { pooled, cancellation in
            try runMember(on: pooled, Limits(deadline: end, cancellation: cancellation), body)
        }
        switch await group.finished() {
        case .committed: return result
        case .lost(let error): throw error
        case .undone: return try await performTransaction(Self.rest(until: end), body)
        }
    }

    /// Runs a closure of this thread in a group.
    func groupedTransaction<Result>(
        until end: Deadline?, _ closure: (Connection) throws -> Result
    ) throws -> Result {
        try readers.checkIsNotOpening()
        let pooled = try writer.acquire(until: end, joining: .thread)
        let (result, group) = try runMember(on: pooled, Limits(deadline: end, cancellation: nil), closure)
        switch group.waitUntilFinished() {
        case .committed: return result
        case .lost(let error): throw error
        case .undone: return try blocking.write(deadline: Self.rest(until: end), isolated: true, closure)
        }
    }

    private static func rest(until end: Deadline?) -> Duration? {
        end.map(\.rest)
    }

    /// The limits of a closure: for a task, its cancellation, which includes the deadline.
    private struct Limits {
        let deadline: Deadline?
        let cancellation: Cancellation?
    }

    /// Runs a closure with a connection that was leased for it, or that has the transaction of a group.
    ///
    /// - Throws: The closure's error. Nothing of its work is committed then.
    private func runMember<Result>(
        on pooled: PooledConnection, _ limits: Limits, _ closure: (Connection) throws -> Result
    ) throws -> (Result, CommitGroup) {
        guard let group = pooled.group else { return try runFirst(on: pooled, limits, closure) }
        // After the closure of a task, its queue carries on.
        defer { if limits.cancellation == nil { carryOn(group, after: pooled) } }
        return (try runNext(of: group, on: pooled, limits, closure), group)
    }

    private func runFirst<Result>(
        on pooled: PooledConnection, _ limits: Limits, _ closure: (Connection) throws -> Result
    ) throws -> (Result, CommitGroup) {
        let group = CommitGroup(longest: writer.longestGroup)
        let lease = Lease(pooled: pooled, kind: .outermost)
        pooled.enter(.writing)
        var next: Member?
        let result: Result
        do {
            result = try lease.run(until: limits.deadline, limits.cancellation) { _ in
                try pooled.transaction(
                    staysOpen: {
                        next = nextMember(of: group, on: pooled)
                        return next != nil
                    }, closure)
            }
        } catch {
            endWrite(lease, hasFailed: true, until: limits.deadline, limits.cancellation)
            throw error
        }
        if let next {
            pooled.group = group
            pooled.leaveTransactionOpen()
            run(next, of: group, on: pooled)
        } else {
            let error = endWrite(lease, hasFailed: false, until: limits.deadline, limits.cancellation)
            if let error { throw error }
            group.finish(.committed)
        }
        return (result, group)
    }

    /// Runs a closure in a savepoint of the transaction of others.
    private func runNext<Result>(
        of group: CommitGroup, on pooled: PooledConnection, _ limits: Limits,
        _ closure: (Connection) throws -> Result
    ) throws -> Result {
        let connection = pooled.connection
        pooled.enter(.writing)
        connection.lease.mustNotCommit = true
        defer {
            connection.lease.mustNotCommit = false
            group.didRunClosure(isUndone: !connection.isInTransaction)
            pooled.leaveTransactionOpen()
        }
        return try connection.scope(
            begin: "SAVEPOINT squall_group", commit: "RELEASE squall_group",
            undo: {
                // The closure may have released the savepoint.
                if !connection.undoSavepoint(named: "squall_group") { connection.rollBackOpenTransaction() }
            }
        ) {
            let lease = Lease(pooled: pooled, kind: .outermost)
            let result = try lease.run(until: limits.deadline, limits.cancellation, closure)
            // The commit would fail for the others.
            guard !connection.hasDeferredForeignKeys else {
                throw SQLiteError(
                    code: ResultCode.constraintForeignKey.rawValue, message: "FOREIGN KEY constraint failed")
            }
            return result
        }
    }

    /// A caller that has left the line, to run its closure in the open transaction.
    private struct Member: Sendable {
        let membership: Waiter.Membership
        /// Lets the caller run its closure. If it is a task, the closure has run when this returns.
        let resume: Waiter.Resume
    }

    /// Returns the first caller in the line if its closure may run in the open transaction.
    private func nextMember(of group: CommitGroup, on pooled: PooledConnection) -> Member? {
        let connection = pooled.connection
        guard group.hasRoom, connection.isInTransaction, !connection.lease.isClosed,
            connection.lease.settings.isEmpty, !connection.hasDeferredForeignKeys, !connection.canRefuseCommits,
            // A step of an undo history is a transaction.
            !connection.followers.events.contains(.ends)
        else { return nil }
        // At once: a caller whose deadline passes later is not withdrawn any more.
        let next = writer.lock.withLock {
            writer.state.handOver { $0.membership != .none }
                .map { Member(membership: $0.membership, resume: $0.takeResume()) }
        }
        if next != nil { group.join() }
        return next
    }

    /// Continues a group after the closure of a blocked thread.
    ///
    /// The thread may be inside other closures, whose transactions and limits do not concern the other callers. It therefore runs
    /// no closure of a task, and does not commit then.
    private func carryOn(_ group: CommitGroup, after pooled: PooledConnection) {
        if let next = nextMember(of: group, on: pooled) {
            run(next, of: group, on: pooled)
        } else if PooledConnection.isUsedByThread {
            writer.callQueues.run { self.commit(group, on: pooled) }
        } else {
            commit(group, on: pooled)
        }
    }

    /// Runs the closure of the next caller: on its thread, or on a queue, which then carries on.
    private func run(_ next: Member, of group: CommitGroup, on pooled: PooledConnection) {
        guard next.membership == .task else { return next.resume(.joined(pooled)) }
        writer.callQueues.run { [self] in
            next.resume(.joined(pooled))
            carryOn(group, on: pooled)
        }
    }

    /// Runs the closures of further callers on this queue, and commits.
    private func carryOn(_ group: CommitGroup, on pooled: PooledConnection) {
        while let next = nextMember(of: group, on: pooled) {
            next.resume(.joined(pooled))
            // Its thread carries on.
            if next.membership == .thread { return }
        }
        commit(group, on: pooled)
    }

    private func commit(_ group: CommitGroup, on pooled: PooledConnection) {
        pooled.group = nil
        pooled.enter(.writing)
        let isCommitted = pooled.endOpenTransaction(commits: !group.isUndone)
        let lease = Lease(pooled: pooled, kind: .outermost)
        let error = endWrite(lease, hasFailed: !isCommitted, until: nil, nil)
        group.finish(isCommitted ? error.map { .lost($0) } ?? .committed : .undone)
    }
}
