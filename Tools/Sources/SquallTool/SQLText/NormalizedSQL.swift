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
}
