import SquallSQLite

/// The statements that begin and end a transaction, prepared once for a pooled connection. They bypass the cache, whose
/// order of use they would change each time. This took 190 of the 250 ns by which an empty read was slower than C.
struct TransactionStatements {
    enum Kind: Int, CaseIterable {
        case begin, beginImmediate, commit

        var sql: String {
            switch self {
            case .begin: "BEGIN DEFERRED TRANSACTION"
            case .beginImmediate: "BEGIN IMMEDIATE TRANSACTION"
            case .commit: "COMMIT TRANSACTION"
            }
        }
    }

    private var begin: OpaquePointer?
    private var beginImmediate: OpaquePointer?
    private var commit: OpaquePointer?

    /// Runs a statement, which is prepared at its first use.
    mutating func run(_ kind: Kind, on database: OpaquePointer) -> Int32 {
        switch kind {
        case .begin: Self.run(&begin, kind, on: database)
        case .beginImmediate: Self.run(&beginImmediate, kind, on: database)
        case .commit: Self.run(&commit, kind, on: database)
        }
    }

    @inline(__always)
    private static func run(_ statement: inout OpaquePointer?, _ kind: Kind, on database: OpaquePointer) -> Int32 {
        if statement == nil {
            let code = sqlite3_prepare_v3(database, kind.sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
            guard code == SQLITE_OK else { return code }
        }
        let code = sqlite3_step(statement)
        sqlite3_reset(statement)
        return code == SQLITE_DONE ? SQLITE_OK : code
    }

    /// Finalises the statements, now or when a claim on the connection ends.
    mutating func finalize(on connection: Connection) {
        for statement in [begin, beginImmediate, commit].compactMap({ $0 }) { connection.finalize(statement) }
        (begin, beginImmediate, commit) = (nil, nil, nil)
    }
}

// MARK: - Reads

extension PooledConnection {
    /// Runs `BEGIN DEFERRED TRANSACTION`, which takes no lock and does not wait. Continues with the transaction that is
    /// kept, if it is current.
    func beginSnapshot() throws {
        if held.isKept {
            if held.isCurrent, !held.mustEnd {
                held.isKept = false
                held.continuedReads += 1
                connection.transactionDepth += 1
                return
            }
            endKeptSnapshot()
        }
        held.willBegin()
        try run(.begin)
        connection.transactionDepth += 1
    }

    /// Runs `COMMIT TRANSACTION`, also after a closure that was cancelled. When this fails, `clean` rolls back, and
    /// nothing is lost, because the closure has only read.
    func endSnapshot() {
        connection.transactionDepth -= 1
        guard let handle = connection.handle, sqlite3_get_autocommit(handle) == 0 else { return }
        _ = transactionStatements.run(.commit, on: handle)
    }
}

// MARK: - Writes

extension PooledConnection {
    /// Runs a closure in a transaction, as ``Connection/transaction(transactionType:closure:)`` does.
    ///
    /// - Parameter staysOpen: Called after the closure; returns whether the transaction stays open.
    func transaction<Result>(
        staysOpen: () -> Bool = { false }, _ closure: (Connection) throws -> Result
    ) throws -> Result {
        try connection.scope(
            begin: {
                try connection.checkInterruption(sql: TransactionStatements.Kind.beginImmediate.sql)
                try run(.beginImmediate)
            },
            commit: {
                // `endOpenTransaction` then leaves the transaction, and not this scope.
                if staysOpen() { connection.transactionDepth += 1 } else { try commitTransaction() }
            },
            undo: { connection.undoTransaction() },
            closure: { try closure(connection) }
        )
    }

    /// Ends a transaction that has stayed open: commits, or rolls back when that fails.
    ///
    /// - Parameter commits: Whether to commit. Otherwise SQLite has rolled the transaction back.
    /// - Returns: Whether it is committed.
    func endOpenTransaction(commits: Bool) -> Bool {
        defer { connection.transactionDepth -= 1 }
        do {
            if commits { try commitTransaction() } else { connection.undoTransaction() }
            return commits
        } catch {
            connection.undoTransaction()
            return false
        }
    }

    private func commitTransaction() throws {
        let sql = TransactionStatements.Kind.commit.sql
        let handle = try connection.requireHandle(sql: sql)
        try connection.checkTransaction(handle, sql: sql)
        try connection.checkInterruption(sql: sql)
        if connection.followers.events.contains(.ends) {
            try connection.willEndTransaction(handle, by: .commit, sql: sql)
        }
        // Also when it fails: the commit hook may have been called.
        defer { if connection.callbacks.pointee.hasWorkLeft { connection.finishCallbacks() } }
        try run(.commit)
    }

    private func run(_ kind: TransactionStatements.Kind) throws {
        let handle = try connection.requireHandle(sql: kind.sql)
        var code = transactionStatements.run(kind, on: handle)
        if code == ResultCode.lockedSharedCache.rawValue {
            code = connection.lockPolicy.wait(connection.interruption) {
                transactionStatements.run(kind, on: handle)
            }
        }
        if code != SQLITE_OK { throw connection.failure(code, sql: kind.sql) }
    }
}
