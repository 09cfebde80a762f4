extension String {
    /// The text as an SQL identifier, in double quotes.
    var quotedName: String { "\"\(inserting("\"", before: ["\""]))\"" }

    /// The text as an SQL literal, in single quotes. SQL cannot contain a NUL character.
    var textLiteral: String { "'\(inserting("'", before: ["'"]))'" }

    /// The text with a mark before each of some ASCII characters. Scalars are compared, because a quote and a combining mark form
    /// one `Character`.
    func inserting(_ mark: Unicode.Scalar, before marked: Set<Unicode.Scalar>) -> String {
        var result = UnicodeScalarView()
        for scalar in unicodeScalars {
            if marked.contains(scalar) { result.append(mark) }
            result.append(scalar)
        }
        return String(result)
    }
}
