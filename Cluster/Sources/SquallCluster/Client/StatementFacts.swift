/// What the text of a statement shows and a node does not check.
///
/// dqlite 1.11 runs a statement of a query request without replicating what it writes, and aborts at the next write. It
/// ignores everything after the first statement. So both are refused before anything is sent.
struct StatementFacts: Hashable, Sendable {
    private(set) var isEmpty = true
    /// Whether SQL follows the first statement.
    private(set) var hasTail = false
    /// Whether the statement only reads, by its verb.
    private(set) var isReading = false
    private(set) var hasReturning = false
    /// Whether the statement is a PRAGMA at which dqlite 1.11 crashes.
    private(set) var isUnsafe = false

    init(_ sql: String) {
        var tokens = SQLTokens(sql)
        var statement = Statement()
        while let token = tokens.next() {
            if statement.isOver, token != .other(UInt8(ascii: ";")) { hasTail = true }
            if hasTail { break }
            statement.add(token)
        }
        isEmpty = statement.verb == nil
        isReading = statement.isReading
        hasReturning = statement.hasReturning
        isUnsafe = statement.isUnsafe
    }

    /// Throws an error if a node would misread the statement.
    func check(isQuery: Bool, sql: String) throws(ClusterError) {
        if isEmpty { throw .unsupportedStatement(.empty, sql: sql) }
        if hasTail { throw .unsupportedStatement(.multipleStatements, sql: sql) }
        if isUnsafe { throw .unsupportedStatement(.unsafePragma, sql: sql) }
        if isQuery, !isReading { throw .unsupportedStatement(.writesRows, sql: sql) }
        if hasReturning { throw .unsupportedStatement(.returning, sql: sql) }
    }

    /// Throws an error if a statement of a script has a RETURNING clause or is an unsafe PRAGMA.
    static func check(script sql: String) throws(ClusterError) {
        var tokens = SQLTokens(sql)
        var statement = Statement()
        while let token = tokens.next() {
            statement.add(token)
            if statement.hasReturning { throw .unsupportedStatement(.returning, sql: sql) }
            if statement.isOver {
                try checkSafety(statement, sql)
                statement = Statement()
            }
        }
        try checkSafety(statement, sql)
    }

    private static func checkSafety(_ statement: Statement, _ sql: String) throws(ClusterError) {
        if statement.isUnsafe { throw .unsupportedStatement(.unsafePragma, sql: sql) }
    }
}

/// The state of reading one statement.
private struct Statement {
    private(set) var verb: String?
    private(set) var isOver = false
    private(set) var hasReturning = false
    private var depth = 0
    private var isTrigger = false
    private var pragma: Pragma?
    private var words = 0
    /// The two tokens before this one.
    private var last: (SQLTokens.Token?, SQLTokens.Token?) = (nil, nil)

    private static let readingVerbs: Set = ["SELECT", "VALUES", "EXPLAIN"]
    private static let writingVerbs: Set = ["INSERT", "REPLACE", "UPDATE", "DELETE"]

    var isReading: Bool {
        guard let verb else { return false }
        return pragma?.isReading ?? Self.readingVerbs.contains(verb)
    }

    var isUnsafe: Bool { pragma?.isUnsafe ?? false }

    mutating func add(_ token: SQLTokens.Token) {
        defer { last = (last.1, token) }
        pragma?.add(token)
        switch token {
        case .word(let word) where depth == 0: add(word)
        case .other(UInt8(ascii: "(")): depth += 1
        case .other(UInt8(ascii: ")")): depth -= 1
        case .other(UInt8(ascii: ";")): end()
        default: verb = verb ?? ""
        }
    }

    private mutating func add(_ word: String) {
        words += 1
        if verb == nil || verb == "WITH" && (Self.readingVerbs.contains(word) || Self.writingVerbs.contains(word)) {
            verb = word
            if word == "PRAGMA" { pragma = Pragma() }
        }
        if verb == "CREATE", words <= 3, word == "TRIGGER" { isTrigger = true }
        if let verb, Self.writingVerbs.contains(verb), word == "RETURNING" { hasReturning = true }
    }

    /// Ends the statement at a semicolon. A trigger ends only after `; END`.
    private mutating func end() {
        if verb == nil { return }
        let semicolon = SQLTokens.Token.other(UInt8(ascii: ";"))
        if !isTrigger || last == (semicolon, .word("END")) { isOver = true }
    }
}

/// The state of reading a PRAGMA.
private struct Pragma {
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
