import SquallSQLite

extension Connection {
    /// Prepares SQL that must be a single statement.
    func prepareOnly(_ text: String, flags: UInt32 = 0) throws -> PreparedStatement {
        guard let handle else { throw closedError(sql: text) }
        var script = Script(text)
        guard let statement = try prepareNext(&script, on: handle, flags: flags) else {
            throw SQLiteError.misuse(.noStatement, sql: text)
        }
        do {
            if try script.findNext() {
                throw SQLiteError.misuse(
                    .severalStatements, sql: text,
                    offset: script.position, hint: "`execute` runs scripts"
                )
            }
        } catch {
            sqlite3_finalize(statement.handle)
            throw error
        }
        return statement
    }

    /// Prepares the next statement of a script, and waits for a locked table by ``tableLockPolicy``.
    ///
    /// - Returns: The statement; `nil` at the end of the script.
    func prepareNext(_ script: inout Script, on handle: OpaquePointer, flags: UInt32 = 0) throws -> PreparedStatement? {
        // SQLite reads the schema with its own statements, which the time limit covers.
        interruption.start()
        let start = script.nextStart()
        if access != .own {
            try checkAccess(start, sql: script.text)
            try willPrepare(start, on: handle)
        }
        if let pragma = start.pragma { try checkSchemaPragma(pragma, sql: script.text) }
        callbacks.pointee.isPreparing = true
        callbacks.pointee.depth &+= 1
        defer {
            callbacks.pointee.depth &-= 1
            callbacks.pointee.isPreparing = false
            if schemaFits.isWatching { schemaFits.didCompile() }
            if callbacks.pointee.hasWorkLeft { finishPostponedWork() }
        }
        do {
            guard let statement = try compileNext(&script, on: handle, flags: flags) else { return nil }
            if openHandle != nil { return PreparedStatement(handle: statement, start: start) }
            // A hook has closed the connection.
            sqlite3_finalize(statement)
            throw closedError(sql: script.text)
        } catch let error as SQLiteError {
            throw rethrown(explained(error))
        }
    }

    private func compileNext(_ script: inout Script, on handle: OpaquePointer, flags: UInt32) throws -> OpaquePointer? {
        do {
            return try script.prepareNext(on: handle, flags: flags)
        } catch let first as SQLiteError where first.extendedResultCode == .lockedSharedCache {
            var result = Result<OpaquePointer?, any Error>.failure(first)
            let code = lockPolicy.wait(interruption) {
                result = Result { try script.prepareNext(on: handle, flags: flags) }
                guard case .failure(let error as SQLiteError) = result else { return SQLITE_OK }
                return error.extendedCode
            }
            if code == SQLITE_INTERRUPT { throw error(code, sql: script.text) }
            return try result.get()
        }
    }
}

// MARK: - Tables as parameters

extension Connection {
    /// Adds the modules of the tables that are parameters of some SQL.
    func addModules(of sql: SQL) throws {
        for table in sql.tableParameters {
            let modules = companion { ModulesOfParameters() }
            guard !modules.types.contains(ObjectIdentifier(type(of: table))) else { continue }
            guard let handle else { throw closedError(sql: sql.text) }
            let code = table.addModule(to: handle)
            if code != SQLITE_OK { throw error(code, sql: sql.text) }
            modules.types.insert(ObjectIdentifier(type(of: table)))
        }
    }
}

/// The types of tables as parameters whose modules a connection has.
private final class ModulesOfParameters {
    var types: Set<ObjectIdentifier> = []
}

// MARK: - The statement cache

extension Connection {
    /// Borrows a statement from the cache, which prepares it at first. `withStatement` does this for one closure.
    @usableFromInline
    func borrow(_ sql: SQL) throws -> StatementCache.Entry {
        if let failure = sql.failure { throw failure }
        if openHandle == nil { _ = try requireHandle(sql: sql.text) }
        if let entry = cache.borrow(sql) {
            statements.borrowed += 1
            return entry
        }
        let count = sql.parameterCount
        let sql = fitted(sql)
        // The cache has the statement under the text that fits.
        if sql.parameterCount != count, let entry = cache.borrow(sql) {
            statements.borrowed += 1
            return entry
        }
        try addModules(of: sql)
        let text = sql.text
        let prepared = try prepareOnly(text, flags: UInt32(SQLITE_PREPARE_PERSISTENT))
        let statement = Statement(connection: self, sql: text, prepared: prepared, isOwned: false)
        let (entry, evicted) = cache.insert(statement, for: sql)
        withExtendedLifetime(evicted) { statements.borrowed += 1 }
        return entry
    }

    /// Finalises all statements of the cache, except those that are borrowed.
    func evictStatements() {
        let evicted = cache.removeAll()
        withExtendedLifetime(evicted) {}
    }

    /// Returns a borrowed statement to the cache, reset and without values.
    @usableFromInline
    func `return`(_ entry: StatementCache.Entry) {
        if entry.statement.execution.isOnRow, entry.statement.isCallingFunction { return postpone(.return(entry)) }
        cache.return(entry)
        statements.borrowed -= 1
    }

    /// Whether all statements of the connection are in the cache, and none is borrowed. Then none is on a row.
    var hasOnlyIdleStatements: Bool { statements.borrowed == 0 && statements.count == cache.statistics.count }
}

// MARK: - Checks before a statement runs

extension Connection {
    /// Checks everything that could prevent a statement from running, before its first step.
    @usableFromInline
    func willStart(_ statement: Statement) throws {
        let handle = try openHandle ?? requireHandle(sql: statement.sql)
        if transactionDepth > 0 { try checkTransaction(handle, sql: statement.sql) }
        if access.isRestricted { try checkAccess(statement) }
        if statement.lacksValues { throw statement.missingValuesError }
        if callbacks.pointee.depth > 0 { try checkMayRunInCall(statement) }
        statement.checksInterruption = interruption.isActive
        if statement.checksInterruption { try checkInterruption(sql: statement.sql) }
        if followers.events.contains(.ends), let verb = statement.start.verb, verb.mayCommit {
            try willEndTransaction(handle, by: verb, sql: statement.sql)
        }
    }

    /// Tells the followers of a statement that may commit.
    func willEndTransaction(_ handle: OpaquePointer, by verb: StatementVerb, sql: String) throws {
        for follower in followers[.ends] { try follower.willEndTransaction(on: self, by: verb) }
        // A follower has begun to read, for which SQLite may have lacked memory: it then rolls back.
        try checkTransaction(handle, sql: sql)
    }

    /// Returns the error of a statement that must end now; `nil` if it may continue.
    func interruptionError(sql: String) -> SQLiteError? {
        interruption.reason.map { .interrupted($0, sql: sql) }
    }

    func checkInterruption(sql: String?) throws {
        interruption.start()
        try checkMayBegin(sql)
    }

    /// Throws when a statement must neither begin nor wait for a lock: after a cancellation, a suspension or a deadline.
    package func checkMayBegin(_ sql: String? = nil) throws {
        if let reason = interruption.reasonNotToBegin { throw SQLiteError.interrupted(reason, sql: sql) }
    }

    /// Throws when the transaction of a running `transaction` or `savepoint` has ended.
    func checkTransaction(_ handle: OpaquePointer, sql: String?) throws {
        guard transactionDepth > 0, sqlite3_get_autocommit(handle) != 0 else { return }
        throw SQLiteError(.transactionLost, code: .transactionLost, sql: sql)
    }

    /// Throws as ``checkTransaction(_:sql:)``, also where SQLite calls a hook.
    package func checkTransactionInHook() throws {
        if let handle = state.handleInHooks { try checkTransaction(handle, sql: nil) }
    }
}
