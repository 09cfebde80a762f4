extension String {
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
