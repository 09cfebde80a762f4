extension SQLTokenizer {
    /// Returns SQL without insignificant differences: space, comments, the case of keywords and names, and quotes around names
    /// that need none. Letters that are not ASCII keep their case, as in SQLite.
    public static func normalized(_ sql: some StringProtocol) -> String {
        tokens(of: sql).map { token in
            switch token.kind {
            case .text: return token.source
            case .name:
                let name = token.text.asciiUppercased
                // A quoted word equals the unquoted word, so that both spellings of a name match.
                return tokens(of: name).map(\.kind) == [.word] ? name : "\"\(name.doubling("\""))\""
            default: return token.source.asciiUppercased
            }
        }.joined(separator: " ")
    }
}
