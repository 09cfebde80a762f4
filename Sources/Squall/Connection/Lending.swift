import SquallSQLite

extension Connection {
    /// Whether a connection is lent by a queue, a pool or a database, and for what.
    enum Lending: UInt8 {
        /// Not lent at all.
        case own
        case writing
        /// A closure reads. Checkpoints, another journal mode and the like are refused: only the writer does these,
        /// because SQLite before 3.51.3 can lose data when two connections do.
        case reading
        /// The closure has returned: a connection that it has kept does nothing any more.
        case givenBack

        /// Whether a closure has the connection.
        var isForClosure: Bool { self == .writing || self == .reading }

        @inline(__always)
        var isRestricted: Bool { rawValue >= Self.reading.rawValue }
    }
}

extension Connection.Lending {
    func refusal(of what: String, sql: String?) -> SQLiteError {
        if self == .givenBack {
            return .misuse("the connection was lent for a closure, which has returned", sql: sql)
        }
        return .misuse("\(what) cannot be made inside a read", sql: sql, hint: "make it inside a write")
    }
}

extension Connection {
    func checkLending(_ statement: Statement) throws {
        // A connection that reads only now and then has nothing else to keep it from writing: `PRAGMA query_only` would
        // make SQLite prepare all statements of the cache anew with each change.
        if lending == .reading, statement.isAllowedInReads { return }
        guard lending == .reading, Pragma(sqlite3_sql(statement.handle))?.isForbiddenInReads != true else {
            throw lending.refusal(of: "this statement", sql: statement.sql)
        }
        throw SQLiteError(
            code: SQLITE_READONLY, message: "attempt to write a readonly database", sql: statement.sql
        ).insideRead
    }

    /// Some pragmas do their work already when they are prepared.
    func checkLending(_ script: Script) throws {
        guard lending == .reading, script.nextPragma?.isForbiddenInReads == true else { return }
        throw lending.refusal(of: "this statement", sql: script.text)
    }
}

extension SQLiteError {
    /// The error of a write that was tried inside a read.
    var insideRead: SQLiteError {
        SQLiteError(
            code: extendedCode, message: message, sql: sql,
            hint: "a read of a pool or a database cannot write: use `executeWrite`, `transaction` or `write`"
        )
    }
}
