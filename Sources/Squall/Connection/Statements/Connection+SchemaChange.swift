import SquallSQLite

// A statement that writes is compiled for the indexes and the columns that its table has. If a function that it calls changes
// them, SQLite continues with the old ones: rows are missing from the new index, and values are in the wrong columns. What makes SQLite read
// the schema again, also by failing, frees the table, which SQLite then passes to the hooks of rows.

extension Connection {
    /// Throws for a statement that would free what the call of SQLite in progress uses. Called inside a function, a collation, a virtual
    /// table or another closure that SQLite calls.
    func checkMayRunInCall(_ statement: Statement) throws {
        // SQLite finds databases by their positions, and the parser keeps pointers to their schemas.
        if statement.schemaEffect == .databases {
            throw Self.callError("databases cannot be attached or detached", sql: statement.sql)
        }
        if !mayRunWhileTableIsMade(statement) {
            let message =
                callbacks.pointee.tableMaking == .connecting
                ? "only reading is possible while a virtual table is made for a statement"
                : "tables cannot be altered or dropped, and transactions neither begun nor rolled back, while a virtual table is created"
            throw SQLiteError(code: SQLITE_LOCKED, message: message, sql: statement.sql)
        }
        if callbacks.pointee.isComparing { try checkMayRunInCollation(statement) }
        if !statement.isReadOnly || statement.mayLeaveSomething { try checkNoTableIsCopied(sql: statement.sql) }
        guard !statement.isReadOnly else { return }
        try checkSchemaChange(statement)
    }

    private func mayRunWhileTableIsMade(_ statement: Statement) -> Bool {
        switch callbacks.pointee.tableMaking {
        case .none: return true
        // The parser keeps pointers to triggers and databases, and counts the indexes of the tables that it has found.
        case .connecting: return statement.isReadOnly && !statement.mayLeaveSomething
        // SQLite keeps a pointer to the table, which these free: they read the schema again.
        case .creating:
            switch statement.start.verb {
            case .alter, .drop, .begin, .savepoint, .rollback: return false
            default: return !creates(statement.handle, \.isVirtual)
            }
        }
    }

    /// Throws while SQLite copies the rows of a table to an index or to another file: what is written meanwhile is missing there.
    func checkNoTableIsCopied(sql: String?) throws {
        guard let database = openHandle else { return }
        let isCopying = writesInProgress(on: database).contains { statement in
            let verb = StatementVerb(beginning: sqlite3_sql(statement))
            return verb == .vacuum || verb == .reindex || creates(statement) { $0.kind == .index }
        }
        guard isCopying else { return }
        throw SQLiteError(
            code: SQLITE_LOCKED, message: "only reading is possible while SQLite copies the rows of a table", sql: sql)
    }

    /// Throws for a statement that begins or ends a transaction, inside a statement that writes: a collation cannot end the statement after
    /// a rollback.
    private func checkMayRunInCollation(_ statement: Statement) throws {
        guard let verb = statement.start.verb, verb.mayUseSavepoint || verb == .begin, hasWriteInProgress else {
            return
        }
        throw SQLiteError(
            code: SQLITE_LOCKED,
            message: "a collation cannot begin or roll back a transaction inside a statement that writes",
            sql: statement.sql)
    }

    /// Notes a PRAGMA that frees the schema when it is prepared, and throws for it in a call, and for one that would let SQLite write
    /// beside an encrypted file in clear.
    func checkSchemaPragma(_ pragma: PragmaFacts, sql: String) throws {
        guard pragma.isSet, ["writable_schema", "temp_store", "temp_store_directory"].contains(pragma.name) else {
            return
        }
        if pragma.allowsTemporaryFiles, let key = anyKey { throw type(of: key).temporaryFiles(sql: sql) }
        callbacks.pointee.schemaChanges &+= 1
        if callbacks.pointee.depth == 0 { return }
        let message =
            pragma.name == "writable_schema"
            ? "the schema cannot be made writable or read again" : "the temporary database cannot be replaced"
        throw Self.callError(message, sql: sql)
    }

    private static func callError(_ message: String, sql: String) -> SQLiteError {
        SQLiteError(code: SQLITE_LOCKED, message: "\(message) in a closure that SQLite calls", sql: sql)
    }

    /// Throws for a statement that changes the indexes or the columns of a table, while a statement that writes to tables is
    /// in progress.
    private func checkSchemaChange(_ statement: Statement) throws {
        guard let database = openHandle else { return }
        if deletesAllRows(statement, database), isWritingTables(database) {
            throw SQLiteError(
                code: SQLITE_LOCKED,
                message: "all rows of a table cannot be deleted inside a statement that writes: add a condition",
                sql: statement.sql)
        }
        guard changesTables(statement), isWritingTables(database) else { return }
        throw SQLiteError(
            code: SQLITE_LOCKED,
            message: "indexes and columns cannot be changed, nor tables dropped, inside a statement that writes",
            sql: statement.sql)
    }

    private func changesTables(_ statement: Statement) -> Bool {
        switch statement.start.verb {
        case .alter, .reindex, .drop: true
        // The code of a virtual table can fail after SQLite has noted it.
        default: creates(statement.handle) { $0.isVirtual || $0.kind == .index }
        }
    }

    /// Whether a statement is a CREATE of which a condition holds.
    private func creates(_ statement: OpaquePointer, _ condition: (CreationFacts) -> Bool) -> Bool {
        guard StatementVerb(beginning: sqlite3_sql(statement)) == .create else { return false }
        return StatementFacts(of: statement)?.creation.map(condition) == true
    }

    /// Whether a statement empties a table without going through its rows, which the statement that writes to it does not notice.
    private func deletesAllRows(_ statement: Statement, _ database: OpaquePointer) -> Bool {
        guard statement.start.verb == .delete else { return false }
        return hasOperation(in: statement.sql, database) { operation, _ in operation == "Clear" } == true
    }

    /// Whether a statement that writes, or a blob that is open for writing, is in progress. A transaction cannot be committed
    /// then.
    var hasWriteInProgress: Bool { openHandle.map { !writesInProgress(on: $0).isEmpty } ?? false }

    /// The statements that write and are in progress: the one that calls a function, and open blobs.
    private func writesInProgress(on database: OpaquePointer) -> [OpaquePointer] {
        var found: [OpaquePointer] = []
        var next = sqlite3_next_stmt(database, nil)
        while let statement = next {
            if sqlite3_stmt_busy(statement) != 0, sqlite3_stmt_readonly(statement) == 0 { found.append(statement) }
            next = sqlite3_next_stmt(database, statement)
        }
        return found
    }

    private func isWritingTables(_ database: OpaquePointer) -> Bool {
        // An open blob has no SQL. CREATE writes to no table that exists; CREATE VIRTUAL TABLE calls code that may make its own.
        let sql = writesInProgress(on: database).compactMap { statement -> String? in
            guard let sql = sqlite3_sql(statement), StatementVerb(beginning: sql) != .create else {
                return nil
            }
            return String(cString: sql)
        }
        return sql.contains { writesTables($0, database) }
    }

    /// Whether a statement writes rows of tables: not of virtual ones, nor of the schema, which has the root page 1.
    private func writesTables(_ sql: String, _ database: OpaquePointer) -> Bool {
        // Nothing is known of a statement that cannot be prepared again.
        hasOperation(in: sql, database) { operation, page in operation == "OpenWrite" && page != 1 } ?? true
    }

    /// Whether SQLite's program of a statement has an operation, which a closure finds by its name and its second operand; `nil` if the
    /// statement cannot be prepared.
    private func hasOperation(
        in sql: String, _ database: OpaquePointer, where matches: (String, Int) -> Bool
    ) -> Bool? {
        var isFound = false
        let code = forEachRowInternally("EXPLAIN \(sql)", on: database) { row in
            if matches(row.text(1), row.int(3)) { isFound = true }
        }
        return isFound ? true : code == SQLITE_OK ? false : nil
    }
}

/// A change that a statement makes to the meaning of names.
enum SchemaEffect {
    /// A change of a table, a view, an index or a trigger.
    case schema
    /// A change of the list of databases.
    case databases
    /// A rollback, after which SQLite reads a schema again that the transaction has changed.
    case rollback

    /// Returns the effect of a statement by its first word; `nil` for another statement.
    init?(of verb: StatementVerb?) {
        switch verb {
        case .create, .alter, .drop: self = .schema
        case .attach, .detach: self = .databases
        case .rollback: self = .rollback
        default: return nil
        }
    }
}
