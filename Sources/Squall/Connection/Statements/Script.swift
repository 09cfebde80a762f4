import SquallSQLite

/// SQL text that is compiled statement by statement.
struct Script {
    let text: String
    /// The byte offset of the next statement.
    private(set) var position = 0
    /// The text as a tokenizer reads it; `nil` until there is a PRAGMA.
    private var bytes: [UInt8]?

    init(_ text: String) {
        self.text = text
    }

    /// Prepares the next statement, or returns `nil` at the end.
    ///
    /// - Throws: ``SQLiteError`` with the offset in the whole text.
    mutating func prepareNext(on database: OpaquePointer, flags: UInt32 = 0) throws -> OpaquePointer? {
        let count = text.utf8.count
        while position < count {
            var statement: OpaquePointer?
            let start = position
            // A native Swift string ends with a NUL in memory, and is not copied.
            let code = text.withCString { text in
                let begin = text + start
                guard begin.pointee != 0 else { return SQLITE_FORMAT }
                var tail: UnsafePointer<CChar>?
                let length = Int32(clamping: count - start + 1)
                let code = sqlite3_prepare_v3(database, begin, length, flags, &statement, &tail)
                if code == SQLITE_OK, let tail { position += tail - begin }
                return code
            }
            if let statement { return statement }
            switch code {
            case SQLITE_OK: continue
            case SQLITE_FORMAT: throw nulError
            default: throw SQLiteError(code, on: database, sql: text, skipped: start)
            }
        }
        return nil
    }

    /// Reads the first word of the next statement.
    mutating func nextStart() -> StatementStart {
        let verb = text.withCString { StatementVerb(beginning: $0 + position) }
        guard verb == .pragma || verb == .explain else { return StatementStart(verb: verb, pragma: nil) }
        let bytes = bytes ?? Array(text.utf8)
        self.bytes = bytes
        return StatementStart(verb: verb, pragma: StatementFacts(SQLTokenizer(bytes, from: position)).pragma)
    }

    /// Skips space, comments and semicolons, without SQLite's compiler: a `PRAGMA` may take effect when it is compiled.
    ///
    /// - Returns: Whether another statement follows.
    /// - Throws: ``SQLiteError`` for a NUL character.
    mutating func findNext() throws -> Bool {
        let next = text.withCString { text in
            var next = text + position
            StatementVerb.skipBlanks(&next)
            return (position: next - text, isNUL: next.pointee == 0)
        }
        position = next.position
        guard position < text.utf8.count else { return false }
        if next.isNUL { throw nulError }
        return true
    }

    /// SQLite treats a NUL as the end of the SQL and would silently ignore the rest.
    private var nulError: SQLiteError {
        SQLiteError(.nulCharacter(in: .sql), code: .error, sql: text, offset: position)
    }
}
