import SquallSQLite

extension Changeset {
    /// Throws if SQLite was built without sessions.
    static func checkSessions() throws {
        if PreUpdateSlot.sessionHook == nil { throw SQLiteError.libraryLacks(.sessions) }
    }

    static func check(_ code: Int32) throws {
        if code != SQLITE_OK { throw error(code) }
    }

    /// Returns the error of a function that works on the bytes of changesets.
    static func error(_ code: Int32) -> SQLiteError {
        switch code & 0xff {
        case SQLITE_CORRUPT: SQLiteError(ChangesetProblem.damaged)
        case SQLITE_SCHEMA: SQLiteError(ChangesetProblem.differentTables)
        default: SQLiteError(code: code, message: ResultCode(rawValue: code).description)
        }
    }
}
