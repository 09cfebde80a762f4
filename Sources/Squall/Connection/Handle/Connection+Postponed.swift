import SquallSQLite

// Code of the user that SQLite calls may release what SQLite uses: it closes the connection, drops a statement on a row, or stops a recorder
// of changes. All that SQLite calls therefore counts as a call, by `Callbacks.depth`, and what would free memory in a call is done when the
// outermost one has returned.

/// Work that waits for the end of the outermost call of SQLite.
enum PostponedWork {
    /// Finalises the statement of an object that does not exist any more.
    case finalize(OpaquePointer)
    /// Returns a statement on a row to the cache.
    case `return`(StatementCache.Entry)
    /// Deletes another object of SQLite.
    case delete(() -> Void)
}

extension Connection {
    /// Calls a closure that makes one or several calls of SQLite, and then does what was postponed in it.
    package func duringCall<Result>(_ body: () throws -> Result) rethrows -> Result {
        defer { if callbacks.pointee.hasWorkLeft { finishPostponedWork() } }
        return try callbacks.duringCall(body)
    }

    /// Does some work when the outermost call of SQLite has returned.
    func postpone(_ work: PostponedWork) {
        callbackMemory.postponed.append(work)
        callbacks.pointee.hasPostponedWork = true
    }

    /// Deletes an object that SQLite may be using, now or when the outermost call of SQLite has returned.
    package func deleteAfterCalls(_ delete: @escaping () -> Void) {
        if callbacks.pointee.depth == 0 { delete() } else { postpone(.delete(delete)) }
    }

    /// Does what was postponed, and closes the connection if it was closed, unless a call of SQLite is running.
    ///
    /// Called after each call of SQLite that may call code of the user, except in methods that go on to use the handle.
    func finishPostponedWork() {
        guard callbacks.pointee.depth == 0 else { return }
        doPostponedWork()
        finishClosing()
    }

    /// Does what was postponed in calls of SQLite, which have returned.
    func doPostponedWork() {
        guard callbacks.pointee.hasPostponedWork else { return }
        let list = callbackMemory.postponed
        callbackMemory.postponed = []
        callbacks.pointee.hasPostponedWork = false
        for work in list {
            switch work {
            case .finalize(let statement): finalize(statement)
            case .return(let entry): self.return(entry)
            case .delete(let delete): delete()
            }
        }
    }

    /// Closes the connection if `close` was postponed, and SQLite's calls have returned.
    func finishClosing() {
        // The state first: during a claim, another thread may count calls.
        guard case .closeDeferred = state, callbacks.pointee.depth == 0, state.reopenForClosing() else { return }
        close(nil)
    }
}
