import SquallSQLite

/// A `PRAGMA` at the start of SQL text.
struct Pragma {
    /// The name in lower case, without that of the database.
    let name: String
    /// The name of the database as the SQL writes it; `nil` if there is none.
    let database: String?
    /// Whether the SQL gives the PRAGMA a value.
    let isSet: Bool

    init?(_ sql: UnsafePointer<CChar>?) {
        guard var position = sql else { return nil }
        Self.skipBlanks(&position)
        // Many PRAGMAs take effect when they are compiled, even as part of an EXPLAIN.
        if Self.skip("explain", at: &position), Self.skip("query", at: &position) {
            _ = Self.skip("plan", at: &position)
        }
        // Nearly every statement ends here.
        guard position.pointee | 0x20 == 0x70, sqlite3_strnicmp(position, "pragma", 6) == 0 else { return nil }
        position += 6
        Self.skipBlanks(&position)
        let start = position
        Self.skipName(&position)
        let end = position
        Self.skipBlanks(&position)
        if position.pointee == 0x2e {
            position += 1
            database = String(decoding: UnsafeRawBufferPointer(start: start, count: end - start), as: UTF8.self)
        } else {
            position = start
            database = nil
        }
        name = Self.word(&position)
        Self.skipBlanks(&position)
        isSet = position.pointee == 0x3d || position.pointee == 0x28
    }

    /// Whether only the connection that writes may run the PRAGMA: see ``Connection/Access``.
    var isForbiddenInReads: Bool {
        name == "wal_checkpoint" || isSet && ["journal_mode", "locking_mode", "query_only"].contains(name)
    }

    /// Whether the PRAGMA changes a setting of the connection that affects later statements. Settings of the file and
    /// of the process are not meant.
    var isSetting: Bool { isSet && Self.settings.contains(name) }

    private static let settings: Set<String> = [
        "analysis_limit", "automatic_index", "busy_timeout", "cache_size", "cache_spill", "case_sensitive_like",
        "cell_size_check", "checkpoint_fullfsync", "count_changes", "defer_foreign_keys", "empty_result_callbacks",
        "foreign_keys", "full_column_names", "fullfsync", "ignore_check_constraints", "journal_size_limit",
        "legacy_alter_table", "mmap_size", "query_only", "read_uncommitted", "recursive_triggers",
        "reverse_unordered_selects", "secure_delete", "short_column_names", "synchronous", "threads", "trusted_schema",
        "writable_schema",
    ]

    /// Whether a PRAGMA without a database name sets every database of the connection, or returns a value that depends
    /// on another database.
    static func isOfAllDatabases(_ name: String) -> Bool {
        ["secure_delete", "mmap_size", "cache_spill"].contains(name)
    }

    /// Skips a word, given in lower case, and the blanks after it.
    static func skip(_ word: StaticString, at position: inout UnsafePointer<CChar>) -> Bool {
        guard Self.word(word, begins: position), !isPartOfName(UInt8(bitPattern: position[word.utf8CodeUnitCount]))
        else { return false }
        position += word.utf8CodeUnitCount
        skipBlanks(&position)
        return true
    }

    /// Returns whether SQL begins with a word, given in lower case.
    static func word(_ word: StaticString, begins sql: UnsafePointer<CChar>?) -> Bool {
        guard var position = sql else { return false }
        skipBlanks(&position)
        // Nearly every statement ends here.
        guard UInt8(bitPattern: position.pointee) | 0x20 == word.utf8Start.pointee else { return false }
        // Not `"\(word)"`, a `String` that is copied for C: `SELECT` begins as `SAVEPOINT` does.
        let start = UnsafeRawPointer(word.utf8Start).assumingMemoryBound(to: CChar.self)
        return sqlite3_strnicmp(position, start, Int32(word.utf8CodeUnitCount)) == 0
    }

    private static func word(_ position: inout UnsafePointer<CChar>) -> String {
        skipBlanks(&position)
        var word = ""
        while true {
            let byte = UInt8(bitPattern: position.pointee)
            switch byte {
            case UInt8(ascii: "_"), UInt8(ascii: "a")...UInt8(ascii: "z"):
                word.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): word.unicodeScalars.append(Unicode.Scalar(byte | 0x20))
            // Names may be quoted.
            case UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "'"): break
            default: return word
            }
            position += 1
        }
    }

    /// Returns the next word or quoted name; `nil` at the end of the statement.
    static func nextName(_ position: inout UnsafePointer<CChar>) -> Identifier? {
        // A semicolon counts as a blank: the SQL is a single statement.
        skipBlanks(&position)
        let start = position
        skipName(&position)
        let text = String(
            decoding: UnsafeRawBufferPointer(start: start, count: position - start), as: UTF8.self)
        guard let first = text.first else { return nil }
        guard ["\"", "'", "`", "["].contains(first) else { return Identifier(text) }
        // A quote inside a name is doubled.
        let name = text.dropFirst().dropLast()
        return Identifier(first == "[" ? String(name) : String(name.replacing("\(first)\(first)", with: "\(first)")))
    }

    /// Skips a name, which may be quoted.
    static func skipName(_ position: inout UnsafePointer<CChar>) {
        let closing: [CChar: CChar] = [0x22: 0x22, 0x27: 0x27, 0x60: 0x60, 0x5b: 0x5d]
        guard let end = closing[position.pointee] else {
            while isPartOfName(UInt8(bitPattern: position.pointee)) { position += 1 }
            return
        }
        position += 1
        while position.pointee != 0 {
            let isEnd = position.pointee == end
            position += 1
            // A quote inside a name is doubled.
            guard isEnd, position.pointee == end, end != 0x5d else {
                if isEnd { return }
                continue
            }
            position += 1
        }
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "$"), 0x80...:
            true
        default: false
        }
    }

    /// Skips space, comments, semicolons and byte order marks, which SQLite treats as space.
    static func skipBlanks(_ position: inout UnsafePointer<CChar>) {
        while true {
            switch UInt8(bitPattern: position.pointee) {
            case 0x20, 0x09, 0x0a, 0x0c, 0x0d, 0x3b: position += 1
            case 0xef where strncmp(position, "\u{feff}", 3) == 0: position += 3
            case 0x2d where position[1] == 0x2d:
                while position.pointee != 0, position.pointee != 0x0a { position += 1 }
            case 0x2f where position[1] == 0x2a && position[2] != 0:
                position += 2
                while position.pointee != 0, position.pointee != 0x2a || position[1] != 0x2f { position += 1 }
                if position.pointee != 0 { position += 2 }
            default: return
            }
        }
    }
}

extension Script {
    /// The next statement, if it is a PRAGMA.
    var nextPragma: Pragma? {
        text.withCString { Pragma($0 + position) }
    }
}
