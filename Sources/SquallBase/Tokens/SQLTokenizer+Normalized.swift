extension SQLTokenizer {
    /// Returns SQL in a form that is equal for texts that differ only in whitespace, comments, the ASCII case of keywords and names,
    /// and the quotes around names.
    public static func normalized(_ sql: some StringProtocol) -> String { normalized(tokens(of: sql)[...]) }

    /// Returns the form of ``normalized(_:)`` of tokens without space and comments.
    package static func normalized(_ tokens: ArraySlice<Token>) -> String {
        tokens.map { token in
            switch token.kind {
            case .text: return token.source
            case .name:
                let name = token.text.asciiUppercased
                return isPlainName(name) ? name : "\"\(name.doubling("\""))\""
            default: return token.source.asciiUppercased
            }
        }.joined(separator: " ")
    }

    /// Whether a name means the same without quotes: it is one word, and neither a keyword nor a literal. `DEFAULT "null"` is a text.
    private static func isPlainName(_ name: String) -> Bool {
        let tokens = tokens(of: name)
        guard tokens.count == 1, tokens[0].kind == .word, !tokens[0].isReserved else { return false }
        return !["TRUE", "FALSE", "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP"].contains(name)
    }
}
