extension SQL {
    /// The SQL with its values as literals, in the form of ``SQLTokenizer/normalized(_:)``.
    var normalized: String {
        SQLTokenizer.normalized(withLiterals.text)
    }

    /// Returns the SQL with a table's name removed from column references: `cars.price > 0` becomes `price > 0`. A name after
    /// another dot, as in `main.cars.price`, is kept.
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
