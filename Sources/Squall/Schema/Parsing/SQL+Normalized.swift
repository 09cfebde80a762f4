extension SQL {
    /// The SQL without insignificant differences: whitespace, comments, the case of names and keywords, and quotes around
    /// names. Non-ASCII letters keep their case, as in SQLite.
    var normalized: String {
        SQLTokenizer.tokens(of: withLiterals.text).map { token in
            switch token.kind {
            case .word, .other: token.text.asciiUppercased
            // A quoted word equals the unquoted word, so that both spellings of a name match.
            case .name where SQLTokenizer.tokens(of: token.text).map(\.kind) == [.word]: token.text.asciiUppercased
            case .name, .unterminated: "\"\(token.text.asciiUppercased.doubling("\""))\""
            case .text: "'\(token.text.doubling("'"))'"
            }
        }.joined(separator: " ")
    }

    /// Returns the SQL with a table's name removed from column references: `cars.price > 0` becomes `price > 0`.
    func unqualified(by table: String) -> SQL {
        let sql = withLiterals
        let text = Array(sql.text.utf8)
        let tokens = SQLTokenizer.tokens(of: sql.text)
        var result: [UInt8] = []
        var position = 0
        for (index, token) in tokens.enumerated().dropLast(2) where token.isName(table) && tokens[index + 1].is(".") {
            guard index == 0 || !tokens[index - 1].is(".") else { continue }
            result += text[position..<token.range.lowerBound]
            position = tokens[index + 2].range.lowerBound
        }
        return position == 0 ? sql : SQL(raw: String(decoding: result + text[position...], as: UTF8.self))
    }
}

extension String {
    fileprivate var asciiUppercased: String {
        String(decoding: utf8.map { (97...122).contains($0) ? $0 - 32 : $0 }, as: UTF8.self)
    }
}
