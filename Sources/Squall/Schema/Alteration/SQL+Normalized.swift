extension SQL {
    /// The SQL without what makes no difference: space, comments, the case of names and keywords, and quotes around names.
    var normalized: String {
        let text = withLiterals.text
        return SQLTokenizer.tokens(of: text).map { token in
            switch token.kind {
            case .word, .name: token.text.uppercased()
            case .text: "'\(token.text)'"
            case .other: token.text.uppercased()
            }
        }.joined(separator: " ")
    }
}
