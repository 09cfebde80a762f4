import SquallSQLite

extension Connection {
    /// How a connection may be used: by its owner, or through a queue, a pool or a database.
    enum Access: UInt8 {
        /// The connection does not belong to a pool, or the pool itself uses it.
        case own
        /// A closure of a pool writes.
        case writing
        /// A closure of a pool reads. Checkpoints, changes of the journal mode and the like are refused. Only the
        /// writer makes them, because SQLite before 3.51.3 can lose data when two connections do.
        case reading
        /// The closure has returned the connection. Code that has kept the connection can no longer use it.
        case returned

        /// Whether a closure has the connection.
        var isForClosure: Bool { self == .writing || self == .reading }

        @inline(__always)
        var isRestricted: Bool { rawValue >= Self.reading.rawValue }
    }
}

extension Connection {
    /// How the connection may be used now. A closure that has ended takes its cursors with it: another thread may use the
    /// connection next.
    var access: Access {
        @inline(__always) get { lease.access }
        set {
            lease.access = newValue
            guard newValue == .returned else { return }
            schemaFits.didEndTransaction()
            if statements.firstCursor != nil { endCursors() }
        }
    }
}

extension Connection.Access {
    /// Returns the error of a statement or an operation that this access does not allow.
    func refusalError(of violation: SQLiteError.ReadViolation, sql: String?) -> SQLiteError {
        if self == .returned {
            return .misuse(.connectionReturned, sql: sql)
        }
        return .misuse(.insideRead(violation), sql: sql, hint: "use a write")
    }
}

extension Connection {
    /// Throws when the connection is closed, and when the closure to which it was lent has returned.
    func checkIsUsable() throws {
        if isClosed { throw closedError() }
        if access == .returned { throw access.refusalError(of: .statement, sql: nil) }
    }

    func checkAccess(_ statement: Statement) throws {
        // The only connection of a database in memory reads and writes in turn. Switching `PRAGMA query_only` each time
        // would make SQLite prepare all cached statements again.
        if access == .reading, statement.isAllowedInReads {
            if followers.events.contains(.reads) {
                for follower in followers[.reads] { follower.willStart(statement, on: self) }
            }
            return
        }
        guard access == .reading, statement.start.pragma?.isForbiddenInReads != true else {
            throw access.refusalError(of: .pragma, sql: statement.sql)
        }
        throw SQLiteError(.insideRead(.statement), code: .readOnly, sql: statement.sql).insideReadError
    }

    /// Checks pragmas before they are prepared, because preparing some of them already runs them.
    func checkAccess(_ start: StatementStart, sql: String) throws {
        guard access == .reading, start.pragma?.isForbiddenInReads == true else { return }
        throw access.refusalError(of: .pragma, sql: sql)
    }
}

extension SQLiteError {
    /// This error of a write inside a read, with its kind and a hint.
    var insideReadError: SQLiteError {
        changed {
            $0.kind = .insideRead(.statement)
            $0.hint = "a read of a pool or a database cannot write: use `write`, or `writeWithoutTransaction`"
        }
    }
}
