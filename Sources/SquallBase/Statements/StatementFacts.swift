/// The effects of one statement, as far as its text shows them.
public struct StatementFacts: Hashable, Sendable {
    /// Whether the text has no statement.
    public private(set) var isEmpty = true
    /// Whether SQL follows the statement.
    public private(set) var hasTail = false
    /// The verb that decides what the statement does: after `EXPLAIN`, and after the tables of `WITH`. `nil` if SQLite has no
    /// such statement.
    public private(set) var verb: StatementVerb?
    /// Whether the verb is that of a statement after `EXPLAIN`.
    public private(set) var isExplained = false
    /// Whether a statement that writes rows returns them.
    public private(set) var hasReturning = false
    /// Whether `INTO` occurs outside parentheses, as in `VACUUM INTO`.
    public private(set) var hasInto = false
    /// The PRAGMA. SQLite sets it also in an EXPLAIN.
    public private(set) var pragma: PragmaFacts?
    public private(set) var creation: CreationFacts?
    public private(set) var savepoint: SavepointAction?

    /// Reads the first statement of SQL.
    public init(_ sql: some StringProtocol) {
        self.init(SQLTokenizer(sql))
    }

    package init(_ tokenizer: SQLTokenizer) {
        var reader = StatementReader(tokenizer)
        self = reader.next() ?? StatementFacts()
        hasTail = reader.hasMore
    }

    fileprivate init() {}

    /// Returns the facts of the statements of a script.
    public static func statements(of script: some StringProtocol) -> some Sequence<StatementFacts> {
        StatementReader(SQLTokenizer(script))
    }

    /// Whether the statement only reads, by its verb.
    public var isReading: Bool {
        guard let pragma else { return verb?.isReading == true }
        return switch pragma.value {
        case .none: !Self.writingPragmas.contains(pragma.name)
        case .argument: pragma.takesName
        case .assigned: false
        }
    }

    /// The PRAGMAs that write without a value.
    private static let writingPragmas: Set<Identifier> = [
        "incremental_vacuum", "optimize", "shrink_memory", "wal_checkpoint",
    ]

    /// Reads the rest of a statement from its verb.
    fileprivate init(_ first: Token?, _ reader: inout StatementReader, isExplained: Bool) {
        isEmpty = false
        self.isExplained = isExplained
        verb = first.flatMap(StatementVerb.init)
        var start = first.map { [$0] } ?? []
        var (depth, last) = (0, first)
        while let token = reader.take() {
            if start.count < Self.longestStart { start.append(token) }
            if token.is("(") { depth += 1 }
            if token.is(")") { depth -= 1 }
            if depth == 0, token.kind == .word { add(token, after: last) }
            last = token
        }
        switch verb {
        case .pragma: pragma = PragmaFacts(start.dropFirst())
        case .create: creation = CreationFacts(start.dropFirst())
        case .savepoint, .release, .rollback: savepoint = SavepointAction(start[...])
        default: break
        }
    }

    /// The number of tokens that tell what is created: `CREATE TEMPORARY TABLE IF NOT EXISTS main.cars`. No other statement needs
    /// more.
    private static let longestStart = 9

    /// Adds a word outside parentheses after the verb.
    private mutating func add(_ word: Token, after last: Token?) {
        if verb == .with, last?.is(")") == true, let next = StatementVerb(word), next.isReading || next.isWriting {
            verb = next
        } else if verb?.isWriting == true, word.is("RETURNING") {
            hasReturning = true
        } else if word.is("INTO") {
            hasInto = true
        }
    }
}

/// Reads the statements of a script one after the other.
private struct StatementReader: Sequence, IteratorProtocol {
    private var tokenizer: SQLTokenizer
    private var lookahead: Token?
    private var end = StatementEnd()

    init(_ tokenizer: SQLTokenizer) {
        self.tokenizer = tokenizer
        advance()
        skipSemicolons()
    }

    /// Whether there is another statement.
    var hasMore: Bool { lookahead != nil }

    private mutating func advance() {
        repeat { lookahead = tokenizer.next() } while lookahead?.isBlank == true
    }

    private mutating func skipSemicolons() {
        while lookahead?.is(";") == true { advance() }
    }

    /// Takes the next token of the statement; `nil` at its end, which is then taken.
    mutating func take() -> Token? {
        guard let token = lookahead else { return nil }
        advance()
        return end.add(token) ? nil : token
    }

    mutating func next() -> StatementFacts? {
        guard hasMore else { return nil }
        end = StatementEnd()
        var first = take()
        let isExplained = first?.is("EXPLAIN") == true && hasMore
        if isExplained {
            first = take()
            if first?.is("QUERY") == true, take() != nil { first = take() }
        }
        let facts = StatementFacts(first, &self, isExplained: isExplained)
        skipSemicolons()
        return facts
    }
}
