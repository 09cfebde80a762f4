import SquallSQLite

// # Transactions
//
// A closure runs between `BEGIN` and `COMMIT`, or between `SAVEPOINT` and `RELEASE`, and an error undoes its work.
//
//     try connection.transaction(transactionType: .immediate) {
//         try connection.run("UPDATE accounts SET balance = balance - 10 WHERE id = 1")
//         try connection.savepoint {
//             try connection.run("INSERT INTO log(text) VALUES('paid')")
//         }
//     }
//
// The room is this file. The pools have another path, with prepared statements: `PooledConnection+Transaction.swift`.
//
// A transaction runs so:
// 1. `scope` runs the first statement, and increments `Connection.transactionDepth`.
// 2. The closure runs. `Connection.willStart(_:)` checks before each statement that the transaction is still open.
// 3. `scope` runs the last statement, after the same check.
// 4. If the closure or the last statement throws, `undo` rolls back, and the error is thrown again.
//
// Invariants: The depth decreases also after an error. If SQLite or SQL has ended the transaction, all later statements
// of the closure throw `ResultCode.transactionLost`, and none runs outside the transaction by mistake. Rollbacks bypass
// deadlines, cancellations and the authorizer (`cleanUp`), and their errors never replace the first one. If a rollback
// fails for lack of memory, the next use of the connection repeats it (`HandleState.rollbackUnfinished`). A savepoint
// that cannot be rolled back ends its transaction. The followers learn of a savepoint's rollback before it is released.

extension Connection {
    /// Runs a closure in a transaction: `BEGIN IMMEDIATE TRANSACTION`, the closure, `COMMIT TRANSACTION`; or
    /// `ROLLBACK` when the closure throws or the commit fails.
    ///
    ///     let id = try connection.transaction {
    ///         try connection.run("INSERT INTO cars VALUES(1, 'Audi', 52642)")
    ///         return connection.lastInsertRowID
    ///     }
    ///
    /// Without a type, it begins as ``Configuration/transactionType`` says: `IMMEDIATE` in the recommended configuration,
    /// `DEFERRED` in SQLite's own; under `PRAGMA query_only` always `DEFERRED`.
    ///
    /// SQLite sometimes rolls a transaction back by itself (a full disk, an interrupt, `ON CONFLICT ROLLBACK`). If the
    /// closure then continues, every statement throws ``ResultCode/transactionLost`` without running. <doc:Rollbacks>
    /// lists all situations.
    ///
    /// - Parameters:
    ///   - transactionType: The time at which the transaction takes its locks; `nil` for that of the configuration.
    ///   - closure: The closure to run.
    /// - Returns: The closure's result.
    /// - Throws: The closure's error; ``SQLiteError`` when the transaction cannot begin or commit: `SQLITE_BUSY` (5) when
    ///   another connection has had the write lock for the busy timeout, `SQLITE_ERROR` (1) inside another transaction.
    @discardableResult
    public func transaction<Result>(
        transactionType: TransactionType? = nil, closure: () throws -> Result
    ) throws -> Result {
        try scope(
            begin: { try begin(transactionType) }, commit: { try run("COMMIT TRANSACTION") },
            undo: { self.undoTransaction() }, closure: closure)
    }

    private func begin(_ type: TransactionType?) throws {
        do {
            try run("BEGIN \(raw: (type ?? configuration.transactionType).rawValue) TRANSACTION")
        } catch let error as SQLiteError where type == nil && error.extendedCode == SQLITE_READONLY {
            // SQLite takes no write lock under `query_only`, but the closure may read. A write in it throws the same error.
            try run("BEGIN DEFERRED TRANSACTION")
        }
    }

    /// Runs a closure in a savepoint, a transaction inside a transaction: `SAVEPOINT "name"`, the closure,
    /// `RELEASE SAVEPOINT "name"`; or `ROLLBACK TO SAVEPOINT "name"` and the release when the closure throws.
    ///
    /// Savepoints nest, even with the same name. An outermost savepoint is in a transaction, which begins as that of
    /// ``transaction(transactionType:closure:)``.
    ///
    /// - Parameters:
    ///   - name: The name of the savepoint, which errors and traces show. Savepoints inside one another can have the same
    ///     name.
    ///   - transactionType: The time at which the transaction of an outermost savepoint takes its locks; `nil` for that of the
    ///     configuration. A savepoint that only reads is `.deferred`.
    ///   - closure: The closure to run.
    /// - Returns: The closure's result.
    /// - Throws: The closure's error; ``SQLiteError`` when the savepoint cannot begin or be released.
    @discardableResult
    public func savepoint<Result>(
        named name: String = "squall", transactionType: TransactionType? = nil, closure: () throws -> Result
    ) throws -> Result {
        // SQLite refuses a savepoint in a function of a statement that writes. A failed transaction there would end the
        // statement.
        let isDeferred = (transactionType ?? configuration.transactionType) == .deferred
        if isInTransaction || isDeferred || hasWriteInProgress {
            return try bareSavepoint(named: name, closure: closure)
        }
        return try transaction(transactionType: transactionType) { try bareSavepoint(named: name, closure: closure) }
    }

    /// Runs a closure in a savepoint. Without a transaction, SQLite begins a DEFERRED one with it.
    private func bareSavepoint<Result>(named name: String, closure: () throws -> Result) throws -> Result {
        try scope(
            begin: "SAVEPOINT \(name: name)",
            commit: "RELEASE SAVEPOINT \(name: name)",
            // A savepoint that cannot be rolled back takes its transaction with it.
            undo: { if !self.undoSavepoint(named: name) { self.rollBackOpenTransaction() } },
            closure: closure
        )
    }

    /// Runs a closure in an IMMEDIATE transaction that is rolled back at its end.
    func rolledBackTransaction<Result>(_ closure: () throws -> Result) throws -> Result {
        try scope(
            begin: "BEGIN IMMEDIATE TRANSACTION", commit: "ROLLBACK TRANSACTION", undo: { self.undoTransaction() },
            closure: closure)
    }

    /// Runs a closure between two statements.
    ///
    /// - Parameter undo: Called when the closure, or the second statement, throws.
    func scope<Result>(
        begin: SQL, commit: SQL, undo: () -> Void, closure: () throws -> Result
    ) throws -> Result {
        try scope(begin: { try run(begin) }, commit: { try run(commit) }, undo: undo, closure: closure)
    }

    /// Runs a closure between the begin and the end of a transaction or a savepoint.
    ///
    /// - Parameter undo: Called when the closure, or `commit`, throws.
    @inline(__always)
    func scope<Result>(
        begin: () throws -> Void, commit: () throws -> Void, undo: () -> Void, closure: () throws -> Result
    ) throws -> Result {
        try begin()
        transactionDepth += 1
        defer { transactionDepth -= 1 }
        do {
            let result = try closure()
            try commit()
            return result
        } catch {
            undo()
            throw error
        }
    }

    /// Rolls back a savepoint and releases it, unless its transaction has already ended. An error here must not replace
    /// the error that led here.
    ///
    /// - Returns: Whether the savepoint is rolled back.
    @discardableResult
    func undoSavepoint(named name: String) -> Bool {
        // Bypasses the checks of `run`: a deadline that ended the closure must not stop the rollback.
        let sql = SQL("ROLLBACK TO SAVEPOINT \(name: name); RELEASE SAVEPOINT \(name: name)").text
        guard isInTransaction else { return false }
        // Before the release, which commits if the savepoint is the outermost.
        followers { $0.didRun(.rollBack(Identifier(name))) }
        let isUndone = cleanUp(sql)
        followers { $0.didRun(.release(Identifier(name))) }
        return isUndone
    }
}
