import SquallSQLite

extension Connection {
    /// When a transaction takes its locks.
    public enum TransactionType: String, Sendable {
        /// With the first read and the first write. A write after a read can fail with `SQLITE_BUSY` however long the
        /// connection would wait.
        case deferred = "DEFERRED"
        /// The write lock at once.
        case immediate = "IMMEDIATE"
        /// At once, and outside WAL mode a lock that keeps readers out too.
        case exclusive = "EXCLUSIVE"
    }

    /// Runs a closure in a transaction: `BEGIN DEFERRED TRANSACTION`, the closure, `COMMIT TRANSACTION`; or
    /// `ROLLBACK TRANSACTION` when the closure throws or the commit fails.
    ///
    ///     let id = try connection.transaction {
    ///         try connection.run("INSERT INTO cars VALUES(1, 'Audi', 52642)")
    ///         return connection.lastInsertRowID
    ///     }
    ///
    /// SQLite sometimes rolls a transaction back by itself (a full disk, an interrupt, `ON CONFLICT ROLLBACK`). If the
    /// closure then goes on, every statement throws ``ResultCode/transactionLost`` and does nothing.
    ///
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws; ``SQLiteError`` when the transaction cannot begin or commit.
    @discardableResult
    public func transaction<Result>(
        transactionType: TransactionType = .deferred, closure: () throws -> Result
    ) throws -> Result {
        try scope(
            begin: "BEGIN \(raw: transactionType.rawValue) TRANSACTION",
            commit: "COMMIT TRANSACTION",
            undo: { self.rollBackEverything() },
            closure: closure
        )
    }

    /// Runs a closure in a savepoint, a transaction inside a transaction: `SAVEPOINT "name"`, the closure,
    /// `RELEASE SAVEPOINT "name"`; or `ROLLBACK TO SAVEPOINT "name"` and the release when the closure throws.
    ///
    /// Savepoints nest, also under the same name. The outermost one is a transaction of its own when none is open.
    ///
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws; ``SQLiteError`` when the savepoint cannot begin or be released.
    @discardableResult
    public func savepoint<Result>(named name: String, closure: () throws -> Result) throws -> Result {
        try scope(
            begin: "SAVEPOINT \(name: name)",
            commit: "RELEASE SAVEPOINT \(name: name)",
            undo: { self.undoSavepoint(named: name) },
            closure: closure
        )
    }

    private func scope<Result>(
        begin: SQL, commit: SQL, undo: () -> Void, closure: () throws -> Result
    ) throws -> Result {
        try run(begin)
        transactionDepth += 1
        defer { transactionDepth -= 1 }
        do {
            let result = try closure()
            try run(commit)
            return result
        } catch {
            undo()
            throw error
        }
    }

    /// Undoes a savepoint and removes it, unless its transaction is gone already. No error here may take the place of
    /// the one that led here.
    private func undoSavepoint(named name: String) {
        // Past the checks of `run`: what ended the closure, a deadline say, must not end this as well.
        let sql = SQL("ROLLBACK TO SAVEPOINT \(name: name); RELEASE SAVEPOINT \(name: name)").text
        if isInTransaction { cleanUp(sql) }
    }
}
