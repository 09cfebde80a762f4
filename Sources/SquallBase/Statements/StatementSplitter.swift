/// Splits SQL that arrives in pieces into statements; see ``StatementEnd``.
public struct StatementSplitter: Sendable {
    /// The token that the text ends with. More text may continue it.
    private struct LastToken {
        let kind: Token.Kind
        let isTerminated: Bool

        var isInStatement: Bool { kind != .space && (kind != .comment || !isTerminated) }
    }

    /// The text after the last statement.
    private var bytes: [UInt8] = []
    /// The position after the last token that no more text can continue.
    private var position = 0
    private var last: LastToken?
    private var end = StatementEnd()
    private var hasContent = false

    public init() {}

    /// Returns the statements that end in the text, each with its semicolon.
    public mutating func add(_ text: some StringProtocol) -> [String] {
        let scanned = bytes.count
        bytes += text.utf8
        var statements: [String] = []
        var start = 0
        var tokenizer = SQLTokenizer(bytes, from: position)
        // The lines of a long text are read once.
        var next =
            if let last, !last.isTerminated { tokenizer.resume(last.kind, at: position, from: scanned) as Token? } else
            {
                tokenizer.next()
            }
        last = nil
        while let token = next {
            if tokenizer.hasReachedEnd, !token.is(";") {
                last = LastToken(kind: token.kind, isTerminated: token.isTerminated)
                break
            }
            position = token.range.upperBound
            if !token.isBlank, !token.is(";") { hasContent = true }
            if end.add(token) {
                if hasContent { statements.append(String(decoding: bytes[start..<position], as: UTF8.self)) }
                start = position
                hasContent = false
            }
            next = tokenizer.next()
        }
        bytes.removeFirst(start)
        position -= start
        return statements
    }

    /// Whether a statement has begun and not ended.
    public var isInStatement: Bool { hasContent || last?.isInStatement == true }

    /// Returns what follows the last statement, and begins again.
    public mutating func takeRest() -> String? {
        defer { self = StatementSplitter() }
        return isInStatement ? String(decoding: bytes, as: UTF8.self) : nil
    }
}
