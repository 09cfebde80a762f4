import SquallSQLite

// Code of the user that SQLite calls may release what SQLite uses: it closes the connection, or drops a statement on a row. All that SQLite
// calls therefore counts as a call, by `Callbacks.depth`, and what would free memory in a call is done when the outermost one has returned.

/// A statement on a row that was released during a call of SQLite.
enum ReleasedStatement {
    /// The statement of an object that does not exist any more, which must be finalised.
    case owned(OpaquePointer)
    /// A statement that returns to the cache.
    case borrowed(StatementCache.Entry)
}

extension Connection {
    /// Calls a closure that makes one or several calls of SQLite, and then does what was postponed in it.
    func duringCall<Result>(_ body: () throws -> Result) rethrows -> Result {
        defer { if callbacks.pointee.hasWorkLeft { finishPostponedWork() } }
        return try callbacks.duringCall(body)
    }

    /// Ends a statement when the calls of SQLite have returned.
    func endLater(_ statement: ReleasedStatement) {
        releasedStatements.append(statement)
        callbacks.pointee.hasReleasedStatements = true
    }

    /// Ends the statements that were released, and closes the connection if it was closed, unless a call of SQLite is running.
    ///
    /// After each call of SQLite that may call code of the user, except in methods that go on to use the handle.
    func finishPostponedWork() {
        guard callbacks.pointee.depth == 0 else { return }
        endReleasedStatements()
        finishClosing()
    }

    /// Ends the statements that were released in calls of SQLite, which have returned.
    func endReleasedStatements() {
        guard callbacks.pointee.hasReleasedStatements else { return }
        let statements = releasedStatements
        releasedStatements = []
        callbacks.pointee.hasReleasedStatements = false
        for statement in statements {
            switch statement {
            case .owned(let handle): finalize(handle)
            case .borrowed(let entry): self.return(entry)
            }
        }
    }

    /// Closes the connection if `close` was postponed, and SQLite's calls have returned.
    func finishClosing() {
        // The state first: during a claim, another thread may count calls.
        guard case .closesLater = state, callbacks.pointee.depth == 0, state.resumeClosing() else { return }
        close()
    }
}
