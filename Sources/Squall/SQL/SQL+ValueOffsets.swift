// SQLite numbers the parameters that it finds in the text. This file checks that they are exactly the interpolated
// values.

extension SQL {
    /// Checks that every interpolated value is a parameter of the text, and that the text has no others.
    ///
    /// - Throws: ``SQLiteError`` with the offset of a value inside quotes or a comment, or of a parameter that is not a
    ///   value.
    func checkValueOffsets() throws {
        guard hasValues else { return }
        let text = self.text
        var parameters = SQLTokenizer(text).lazy.filter { $0.kind == .parameter }.map(\.range).makeIterator()
        for value in valueOffsets {
            guard let parameter = parameters.next(), parameter.lowerBound <= value else {
                throw SQLiteError.misuse(
                    .valueInsideQuotes, sql: text, offset: value,
                    hint: "write the value without quotes: name = \\(name), or name LIKE \\(pattern)"
                )
            }
            guard parameter == value..<value + 1 else {
                throw writtenParameterError(at: parameter.lowerBound, in: text)
            }
        }
        if let parameter = parameters.next() { throw writtenParameterError(at: parameter.lowerBound, in: text) }
    }

    private func writtenParameterError(at offset: Int, in text: String) -> SQLiteError {
        SQLiteError.misuse(
            .parameterBesideValues, sql: text, offset: offset,
            hint: "interpolate every value, or give every value as a parameter"
        )
    }

    /// The byte offsets of the values in the text as UTF-8.
    private var valueOffsets: [Int] {
        var offsets: [Int] = []
        var end = head.utf8.count
        for piece in tail {
            switch piece {
            case .text(let text): end += text.utf8.count
            case .value, .table:
                offsets.append(end)
                end += 1
            case .list(_, let count):
                offsets += (0..<count).map { end + 1 + 3 * $0 }
                end += 3 * count
            }
        }
        return offsets
    }
}
