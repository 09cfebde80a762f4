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
    /// Whether SQLite has a statement with this verb. Otherwise, a node reports the syntax error.
    private(set) var hasKnownVerb = true
    private(set) var hasReturning = false
    /// Whether the statement is a PRAGMA at which dqlite 1.11 crashes.
    private(set) var isUnsafe = false
    /// Whether the statement explains one that writes.
    private(set) var explainsWrite = false
    /// The reason for which a closure of a cluster cannot run the statement.
    private(set) var closureProblem: ClusterError.StatementProblem?
    /// Whether the statement is a PRAGMA that migrations run.
    private(set) var isMigrationPragma = false

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
        hasKnownVerb = statement.hasKnownVerb
        hasReturning = statement.hasReturning
        isUnsafe = statement.isUnsafe
        explainsWrite = statement.explainsWrite
        closureProblem = statement.closureProblem
        isMigrationPragma = statement.isMigrationPragma
    }

    /// Throws an error if a node would misread the statement.
    func check(_ use: StatementUse, sql: String) throws(ClusterError) {
        if isEmpty { throw .unsupportedStatement(.empty, sql: sql) }
        if hasTail { throw .unsupportedStatement(.multipleStatements, sql: sql) }
        if isUnsafe { throw .unsupportedStatement(.unsafePragma, sql: sql) }
        if explainsWrite { throw .unsupportedStatement(.explainsWrite, sql: sql) }
        if use == .query, !isReading, hasKnownVerb { throw .unsupportedStatement(.writesRows, sql: sql) }
        if use == .execute, isReading { throw .unsupportedStatement(.returnsRows, sql: sql) }
        if hasReturning { throw .unsupportedStatement(.returning, sql: sql) }
    }

    /// Throws an error if a statement of a script returns rows or is an unsafe PRAGMA.
    static func check(script sql: String) throws(ClusterError) {
        try forEachStatement(of: sql) { statement throws(ClusterError) in
            if statement.hasReturning { throw .unsupportedStatement(.returning, sql: sql) }
            if statement.isUnsafe { throw .unsupportedStatement(.unsafePragma, sql: sql) }
            if statement.explainsWrite { throw .unsupportedStatement(.explainsWrite, sql: sql) }
            if statement.isReading { throw .unsupportedStatement(.returnsRows, sql: sql) }
        }
    }

    /// Throws an error if a closure of a cluster cannot run a statement of a script.
    static func check(closureScript sql: String, inMigration: Bool) throws(ClusterError) {
        try forEachStatement(of: sql) { statement throws(ClusterError) in
            if inMigration, statement.isMigrationPragma { return }
            if let problem = statement.closureProblem { throw .unsupportedStatement(problem, sql: sql) }
        }
    }

    /// Throws an error if a closure of a cluster cannot run the statement.
    static func check(inClosure sql: String, isReading: Bool, inMigration: Bool) throws(ClusterError) {
        // Most statements show by their first word that they are no exception. The rest is read when they are prepared.
        let word = SQLTokens.firstWord(of: sql)
        if word == "SELECT" { return }
        if !isReading, word == "INSERT" || word == "UPDATE" || word == "DELETE" { return }
        let facts = StatementFacts(sql)
        if inMigration, facts.isMigrationPragma { return }
        if let problem = facts.closureProblem { throw .unsupportedStatement(problem, sql: sql) }
        if isReading, !facts.isReading, !facts.isEmpty, facts.hasKnownVerb {
            throw .unsupportedStatement(.writesInRead, sql: sql)
        }
    }

    /// Returns whether a statement only reads, by its verb.
    static func isReading(_ sql: String) -> Bool {
        let word = SQLTokens.firstWord(of: sql)
        if word == "INSERT" || word == "UPDATE" || word == "DELETE" { return false }
        return StatementFacts(sql).isReading
    }

    private static func forEachStatement(
        of script: String, _ check: (Statement) throws(ClusterError) -> Void
    ) throws(ClusterError) {
        var tokens = SQLTokens(script)
        var statement = Statement()
        while let token = tokens.next() {
            statement.add(token)
            if statement.isOver {
                try check(statement)
                statement = Statement()
            }
        }
        try check(statement)
    }
}

/// The state of reading one statement.
private struct Statement {
    private(set) var verb: String?
    private(set) var isOver = false
    private(set) var hasReturning = false
    private var depth = 0
    private var isTrigger = false
    /// Whether the verb is that of a statement after EXPLAIN.
    private var explains = false
    private var pragma: PragmaFacts?
    private var creation: CreationFacts?
    /// Whether the statement has one of the words that change its meaning: `ROLLBACK TO` and `VACUUM INTO`.
    private var hasTo = false
    private var hasInto = false
    private var words = 0
    /// The two tokens before this one.
    private var last: (SQLTokens.Token?, SQLTokens.Token?) = (nil, nil)

    private static let readingVerbs: Set = ["SELECT", "VALUES", "EXPLAIN"]
    private static let writingVerbs: Set = ["INSERT", "REPLACE", "UPDATE", "DELETE"]
    private static let otherVerbs: Set = [
        "ALTER", "ANALYZE", "ATTACH", "BEGIN", "COMMIT", "CREATE", "DETACH", "DROP",
        "END", "PRAGMA", "REINDEX", "RELEASE", "ROLLBACK", "SAVEPOINT", "VACUUM", "WITH",
    ]

    var hasKnownVerb: Bool {
        guard let verb else { return false }
        return Self.readingVerbs.contains(verb) || Self.writingVerbs.contains(verb) || Self.otherVerbs.contains(verb)
    }

    var isReading: Bool {
        guard let verb else { return false }
        return pragma?.isReading ?? Self.readingVerbs.contains(verb)
    }

    var isUnsafe: Bool { pragma?.isUnsafe ?? false }

    var isMigrationPragma: Bool { pragma?.isForMigrations ?? false }

    /// Whether the statement explains one that writes, which a node leaves running, so that no COMMIT succeeds.
    var explainsWrite: Bool { explains && !isReading }

    var closureProblem: ClusterError.StatementProblem? {
        if explainsWrite { return .explainsWrite }
        return switch verb {
        case "ATTACH", "DETACH": .attach
        case "BEGIN", "COMMIT", "END": .transaction
        case "ROLLBACK": hasTo ? nil : .transaction
        case "CREATE": creation?.isTemporary == true ? .temporary : nil
        case "PRAGMA": pragma?.isReading == true ? nil : .changingPragma
        case "VACUUM": hasInto ? .vacuumInto : nil
        default: nil
        }
    }

    mutating func add(_ token: SQLTokens.Token) {
        defer { last = (last.1, token) }
        pragma?.add(token)
        creation?.add(token)
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
        if isExplained(word) { explains = true }
        if verb == nil || isVerbAfterWith(word) || isExplained(word) {
            verb = word
            if word == "PRAGMA" { pragma = PragmaFacts() }
            if word == "CREATE" { creation = CreationFacts() }
        }
        if word == "TO" { hasTo = true }
        if word == "INTO" { hasInto = true }
        if verb == "CREATE", word == "TRIGGER", isAfterCreate { isTrigger = true }
        if let verb, Self.writingVerbs.contains(verb), word == "RETURNING" { hasReturning = true }
    }

    /// Returns whether a word is the verb of a statement that begins with `WITH`. `WITH explain AS (…)` names a table.
    private func isVerbAfterWith(_ word: String) -> Bool {
        verb == "WITH" && last.1 == .other(UInt8(ascii: ")"))
            && (Self.readingVerbs.contains(word) || Self.writingVerbs.contains(word))
    }

    /// Returns whether a word is the verb after `EXPLAIN` or `EXPLAIN QUERY PLAN`. SQLite sets a PRAGMA all the same.
    private func isExplained(_ word: String) -> Bool {
        verb == "EXPLAIN" && (words == 2 && word != "QUERY" || last == (.word("QUERY"), .word("PLAN")))
    }

    /// Whether the last word is the verb CREATE, or the TEMP after it. `CREATE TABLE trigger(a)` names a table.
    private var isAfterCreate: Bool {
        words == 2 || words == 3 && (last.1 == .word("TEMP") || last.1 == .word("TEMPORARY"))
    }

    /// Ends the statement at a semicolon. A trigger ends only after `; END`.
    private mutating func end() {
        if verb == nil { return }
        let semicolon = SQLTokens.Token.other(UInt8(ascii: ";"))
        if !isTrigger || last == (semicolon, .word("END")) { isOver = true }
    }
}
