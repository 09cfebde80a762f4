/// SQL without insignificant differences: space, comments, the case of keywords and names, and quotes around names that need
/// none.
enum NormalizedSQL {
    static func of(_ sql: String) -> String {
        let lexer = SQLLexer(sql)
        return lexer.filter { !$0.isBlank }.map { token in
            let text = lexer.text(of: token)
            switch token.kind {
            case .name: return normalizedName(text)
            case .text where text.hasPrefix("'"): return text
            default: return text.asciiUppercased
            }
        }.joined(separator: " ")
    }

    private static func normalizedName(_ quoted: String) -> String {
        let name = quoted.unquoted.asciiUppercased
        let tokens = Array(SQLLexer(name))
        if tokens.count == 1, tokens[0].kind == .word { return name }
        return name.quotedName
    }
}

extension String {
    /// The text with ASCII letters in upper case. SQLite folds no others.
    var asciiUppercased: String {
        String(decoding: utf8.map { (97...122).contains($0) ? $0 - 32 : $0 }, as: UTF8.self)
    }

    /// The text on one line, without the space that indents SQL.
    var onOneLine: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }

    /// The name or the text that a token in quotes, backticks or brackets stands for; other text as it is.
    var unquoted: String {
        guard let quote = utf8.first, "'\"`[".utf8.contains(quote) else { return self }
        let inside = utf8.dropFirst().dropLast()
        if quote == UInt8(ascii: "[") { return String(decoding: inside, as: UTF8.self) }
        var bytes: [UInt8] = []
        var isSecond = false
        for byte in inside {
            isSecond = byte == quote && !isSecond
            if !isSecond { bytes.append(byte) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text as an SQL identifier, in quotes.
    var quotedName: String { "\"\(doubling(UInt8(ascii: "\"")))\"" }

    /// The text with each quote doubled. Bytes are compared, because a quote and a combining mark form one `Character`.
    func doubling(_ quote: UInt8) -> String {
        String(decoding: utf8.flatMap { $0 == quote ? [quote, quote] : [$0] }, as: UTF8.self)
    }
}

/// The name of a table, a column or another object of a schema. SQLite compares names by their bytes, and ASCII letters in any
/// case are equal.
struct ObjectName: Hashable, Comparable, CustomStringConvertible {
    private let folded: [UInt8]

    init(_ name: String) {
        folded = Array(name.asciiUppercased.utf8)
    }

    static func < (left: Self, right: Self) -> Bool { left.folded.lexicographicallyPrecedes(right.folded) }

    var description: String { String(decoding: folded, as: UTF8.self) }
}
