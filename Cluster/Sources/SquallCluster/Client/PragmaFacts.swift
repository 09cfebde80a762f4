/// What the text of a PRAGMA shows.
struct PragmaFacts {
    /// The name in capitals; empty if it is quoted.
    private var name = ""
    private var takesArgument = false
    private var isAssignment = false

    private static let readingWithArgument: Set = [
        "FOREIGN_KEY_CHECK", "FOREIGN_KEY_LIST", "INDEX_INFO", "INDEX_LIST", "INDEX_XINFO", "INTEGRITY_CHECK",
        "QUICK_CHECK", "TABLE_INFO", "TABLE_LIST", "TABLE_XINFO",
    ]
    private static let writingWithoutArgument: Set = [
        "INCREMENTAL_VACUUM", "OPTIMIZE", "SHRINK_MEMORY", "WAL_CHECKPOINT",
    ]

    /// PRAGMAs that change the files under dqlite, which keeps them in memory.
    private static let unsafeWithArgument: Set = ["JOURNAL_MODE", "LOCKING_MODE", "PAGE_SIZE", "WAL_AUTOCHECKPOINT"]

    /// PRAGMAs that migrations set: a part of the database, or settings of the connection for one migration.
    private static let forMigrations: Set = [
        "DEFER_FOREIGN_KEYS", "FOREIGN_KEYS", "LEGACY_ALTER_TABLE", "USER_VERSION",
    ]

    var isForMigrations: Bool { Self.forMigrations.contains(name) }

    var isUnsafe: Bool {
        name.isEmpty || name == "WAL_CHECKPOINT"
            || (takesArgument || isAssignment) && Self.unsafeWithArgument.contains(name)
    }

    var isReading: Bool {
        if isAssignment { return false }
        return takesArgument ? Self.readingWithArgument.contains(name) : !Self.writingWithoutArgument.contains(name)
    }

    mutating func add(_ token: SQLTokens.Token) {
        switch token {
        // The last word before an argument is the name; the first may be a schema.
        case .word(let word) where !takesArgument && !isAssignment: name = word
        case .quoted where !takesArgument && !isAssignment: name = ""
        case .other(UInt8(ascii: "(")): takesArgument = true
        case .other(UInt8(ascii: "=")): isAssignment = true
        default: break
        }
    }
}
