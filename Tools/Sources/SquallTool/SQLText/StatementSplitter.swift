/// Splits SQL that arrives in pieces into statements, as `sqlite3_complete` recognises them: a statement ends with a semicolon
/// outside quotes and comments, and that of a trigger with `;END;`.
struct StatementSplitter {
    private enum Mode: Equatable {
        case plain
        /// After `-` or `/`, which may begin a comment.
        case sign(UInt8)
        case word
        case quoted(end: UInt8)
        case lineComment
        case blockComment(isAfterStar: Bool)
    }

    /// The states of SQLite's own function.
    private enum Progress {
        case start, normal, explain, create, trigger, semicolon, end
    }

    private enum Token {
        case semicolon, other, explain, create, temporary, trigger, end
    }

    private var mode = Mode.plain
    private var progress = Progress.start
    private var word: [UInt8] = []
    private var bytes: [UInt8] = []
    private var hasContent = false

    /// Returns the statements that end in the text, each with its semicolon.
    mutating func add(_ text: some StringProtocol) -> [String] {
        var statements: [String] = []
        for byte in text.utf8 {
            bytes.append(byte)
            guard add(byte) else { continue }
            if hasContent { statements.append(String(decoding: bytes, as: UTF8.self)) }
            bytes.removeAll()
            hasContent = false
        }
        return statements
    }

    /// Whether a statement has begun and not ended.
    var isInStatement: Bool { hasContent || mode != .plain && mode != .lineComment }

    /// Returns what follows the last statement, and begins again.
    mutating func takeRest() -> String? {
        defer { self = StatementSplitter() }
        return isInStatement ? String(decoding: bytes, as: UTF8.self) : nil
    }

    /// - Returns: Whether the byte ends a statement.
    private mutating func add(_ byte: UInt8) -> Bool {
        switch mode {
        case .quoted(let end):
            // A doubled quote ends the text and begins it again.
            if byte == end { mode = .plain }
            return false
        case .lineComment:
            if byte == 10 { mode = .plain }
            return false
        case .blockComment(let isAfterStar):
            mode =
                isAfterStar && byte == UInt8(ascii: "/")
                ? .plain : .blockComment(isAfterStar: byte == UInt8(ascii: "*"))
            return false
        case .sign(let sign):
            if sign == UInt8(ascii: "-"), byte == sign {
                mode = .lineComment
                return false
            }
            if sign == UInt8(ascii: "/"), byte == UInt8(ascii: "*") {
                mode = .blockComment(isAfterStar: false)
                return false
            }
            mode = .plain
            advance(.other)
            return addPlain(byte)
        case .word:
            if byte.isOfWord {
                word.append(byte)
                return false
            }
            mode = .plain
            advance(Self.keywords[String(decoding: word, as: UTF8.self).asciiUppercased] ?? .other)
            return addPlain(byte)
        case .plain: return addPlain(byte)
        }
    }

    private mutating func addPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 9, 10, 12, 13, 32: return false
        case UInt8(ascii: ";"):
            advance(.semicolon)
            return progress == .start
        case UInt8(ascii: "-"), UInt8(ascii: "/"): mode = .sign(byte)
        case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
            advance(.other)
            mode = .quoted(end: byte)
        case UInt8(ascii: "["):
            advance(.other)
            mode = .quoted(end: UInt8(ascii: "]"))
        case _ where byte.isOfWord:
            hasContent = true
            word = [byte]
            mode = .word
        default: advance(.other)
        }
        return false
    }

    private static let keywords: [String: Token] = [
        "EXPLAIN": .explain, "CREATE": .create, "TEMP": .temporary, "TEMPORARY": .temporary, "TRIGGER": .trigger,
        "END": .end,
    ]

    private mutating func advance(_ token: Token) {
        if token != .semicolon { hasContent = true }
        progress =
            switch (progress, token) {
            case (.trigger, .semicolon), (.semicolon, .semicolon): .semicolon
            case (_, .semicolon): .start
            case (.semicolon, .end): .end
            case (.trigger, _), (.semicolon, _), (.end, _): .trigger
            case (.start, .explain): .explain
            case (.start, .create), (.explain, .create): .create
            case (.explain, .other): .explain
            case (.create, .temporary): .create
            case (.create, .trigger): .trigger
            default: .normal
            }
    }
}

extension UInt8 {
    fileprivate var isOfWord: Bool {
        (48...57).contains(self) || (65...90).contains(self) || (97...122).contains(self) || self == UInt8(ascii: "_")
            || self == UInt8(ascii: "$") || self >= 0x80
    }
}
