import CSQLite

extension Connection {
    /// Whether a connection is lent by a queue, a pool or a database, and for what.
    enum Lending: UInt8 {
        /// Not lent at all.
        case own
        case writing
        /// A closure reads. Checkpoints, another journal mode and the like are refused: only the writer does these, because
        /// SQLite before 3.51.3 can lose data when two connections do.
        case reading
        /// The closure has returned: a connection that it has kept does nothing any more.
        case givenBack

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

    /// Whether some SQL begins with a pragma that is the writer's.
    static func forbidsInReads(_ sql: UnsafePointer<CChar>?) -> Bool {
        guard let sql else { return false }
        var start = sql
        skipBlanks(&start)
        // Nearly every statement ends here.
        guard start.pointee | 0x20 == 0x70, sqlite3_strnicmp(start, "pragma", 6) == 0 else { return false }
        start += 6
        var name = word(&start)
        skipBlanks(&start)
        if start.pointee == 0x2e {
            start += 1
            name = word(&start)
            skipBlanks(&start)
        }
        if name == "wal_checkpoint" { return true }
        let isSet = start.pointee == 0x3d || start.pointee == 0x28
        return isSet && ["journal_mode", "locking_mode", "query_only"].contains(name)
    }

    private static func word(_ position: inout UnsafePointer<CChar>) -> String {
        skipBlanks(&position)
        var word = ""
        while true {
            let byte = UInt8(bitPattern: position.pointee)
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"):
                word.unicodeScalars.append(Unicode.Scalar(byte | 0x20 == 0x7f ? byte : byte | 0x20))
            // Names may be quoted.
            case UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "'"): break
            default: return word
            }
            position += 1
        }
    }

    /// Skips space and comments.
    private static func skipBlanks(_ position: inout UnsafePointer<CChar>) {
        while true {
            switch position.pointee {
            case 0x20, 0x09, 0x0a, 0x0c, 0x0d, 0x3b: position += 1
            case 0x2d where position[1] == 0x2d:
                while position.pointee != 0, position.pointee != 0x0a { position += 1 }
            case 0x2f where position[1] == 0x2a:
                position += 2
                while position.pointee != 0, position.pointee != 0x2a || position[1] != 0x2f { position += 1 }
                if position.pointee != 0 { position += 2 }
            default: return
            }
        }
    }
}

extension Connection {
    func checkLending(_ statement: Statement) throws {
        if lending == .reading, !statement.isForbiddenInReads { return }
        throw lending.refusal(of: "this statement", sql: statement.sql)
    }

    /// Runs a statement of the library's own from the cache, whatever has been cancelled or lost.
    func runUnchecked(_ sql: SQL) -> Int32 {
        guard let entry = try? lend(sql) else { return handle.map { sqlite3_errcode($0) } ?? SQLITE_MISUSE }
        defer { giveBack(entry) }
        let code = sqlite3_step(entry.statement.handle)
        sqlite3_reset(entry.statement.handle)
        return code == SQLITE_DONE || code == SQLITE_ROW ? SQLITE_OK : code
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
