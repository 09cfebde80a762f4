import Squall
import SquallBase

typealias StatementFacts = SquallBase.StatementFacts

// dqlite 1.11 runs a statement of a query request without replicating what it writes, and aborts at the next write. It
// ignores everything after the first statement. So both are refused before anything is sent.

extension StatementFacts {
    /// Whether the statement explains one that writes, which a node leaves running, so that no COMMIT succeeds.
    var explainsWrite: Bool { isExplained && !isReading }

    /// Whether the statement is a PRAGMA at which dqlite 1.11 crashes, or one whose name is in quotes.
    var isUnsafe: Bool {
        guard let pragma else { return false }
        return pragma.isQuoted || pragma.name == "wal_checkpoint"
            || pragma.isSet && Self.unsafeWithValue.contains(pragma.name)
    }

    /// PRAGMAs that change the files under dqlite, which keeps them in memory.
    private static let unsafeWithValue: Set<Identifier> = [
        "journal_mode", "locking_mode", "page_size", "wal_autocheckpoint",
    ]

    /// Whether the statement is a PRAGMA that migrations run.
    var isMigrationPragma: Bool { pragma.map { Self.forMigrations.contains($0.name) } ?? false }

    /// PRAGMAs that migrations set: a part of the database, or settings of the connection for one migration.
    private static let forMigrations: Set<Identifier> = [
        "defer_foreign_keys", "foreign_keys", "legacy_alter_table", "user_version",
    ]

    /// The reason for which a closure of a cluster cannot run the statement.
    var closureProblem: ClusterError.StatementProblem? {
        if explainsWrite { return .explainsWrite }
        return switch verb {
        case .attach, .detach: .attach
        case .begin, .commit, .end: .transaction
        case .rollback: savepoint == nil ? .transaction : nil
        case .create: creation?.isTemporary == true ? .temporary : nil
        case .pragma: isReading ? nil : .changingPragma
        case .vacuum: hasInto ? .vacuumInto : nil
        default: nil
        }
    }

    /// Throws an error if a node would misread the statement.
    func check(_ use: StatementUse, sql: String) throws(ClusterError) {
        if isEmpty { throw .unsupportedStatement(.empty, sql: sql) }
        if hasTail { throw .unsupportedStatement(.multipleStatements, sql: sql) }
        if isUnsafe { throw .unsupportedStatement(.unsafePragma, sql: sql) }
        if explainsWrite { throw .unsupportedStatement(.explainsWrite, sql: sql) }
        // A node reports the syntax error of a statement without a verb.
        if use == .query, !isReading, verb != nil { throw .unsupportedStatement(.writesRows, sql: sql) }
        if use == .execute, isReading { throw .unsupportedStatement(.returnsRows, sql: sql) }
        if hasReturning { throw .unsupportedStatement(.returning, sql: sql) }
    }

    /// Throws an error if a statement of a script returns rows or is an unsafe PRAGMA.
    static func check(script sql: String) throws(ClusterError) {
        for statement in statements(of: sql) {
            if statement.hasReturning { throw .unsupportedStatement(.returning, sql: sql) }
            if statement.isUnsafe { throw .unsupportedStatement(.unsafePragma, sql: sql) }
            if statement.explainsWrite { throw .unsupportedStatement(.explainsWrite, sql: sql) }
            if statement.isReading { throw .unsupportedStatement(.returnsRows, sql: sql) }
        }
    }

    /// Throws an error if a closure of a cluster cannot run a statement of a script.
    static func check(closureScript sql: String, inMigration: Bool) throws(ClusterError) {
        for statement in statements(of: sql) where !inMigration || !statement.isMigrationPragma {
            if let problem = statement.closureProblem { throw .unsupportedStatement(problem, sql: sql) }
        }
    }

    /// Throws an error if a closure of a cluster cannot run the statement.
    static func check(inClosure sql: String, isReading: Bool, inMigration: Bool) throws(ClusterError) {
        // Most statements show by their first word that they are no exception. The rest is read when they are prepared.
        if let verb = firstVerb(of: sql), verb == .select || !isReading && verb.isWriting { return }
        let facts = StatementFacts(sql)
        if inMigration, facts.isMigrationPragma { return }
        if let problem = facts.closureProblem { throw .unsupportedStatement(problem, sql: sql) }
        if isReading, !facts.isReading, facts.verb != nil { throw .unsupportedStatement(.writesInRead, sql: sql) }
    }

    /// Returns whether a statement only reads, by its verb.
    static func isReading(_ sql: String) -> Bool {
        firstVerb(of: sql)?.isWriting == true ? false : StatementFacts(sql).isReading
    }

    private static func firstVerb(of sql: String) -> StatementVerb? {
        SQLTokenizer(sql).first { $0.kind != .space }.flatMap(StatementVerb.init)
    }
}
