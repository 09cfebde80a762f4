extension SQL {
    /// Whether a list for `IN` was interpolated.
    var hasLists: Bool {
        tail.contains { piece in
            if case .list = piece { true } else { false }
        }
    }

    /// Returns this SQL with at most `limit` parameters, if its lists allow that. Lists lose their padding first; then
    /// they are bound as JSON.
    func fitted(to limit: Int) -> SQL {
        guard parameterCount > limit else { return self }
        let unpadded = mappingLists { list, _ in [.list(list, count: list.count)] }
        guard unpadded.parameterCount > limit else { return unpadded }
        return mappingLists { list, _ in
            guard let json = list.json else { return [.list(list, count: list.count)] }
            // The `+` removes the affinity of the values, so that only the affinity of the other operand of IN counts,
            // as in a list.
            return [.text("(SELECT +value FROM json_each("), .value(.text(json)), .text("))")]
        }
    }

    private func mappingLists(_ transform: ([BindingValue], Int) -> [Piece]) -> SQL {
        let tail = self.tail.flatMap { piece in
            if case .list(let values, let count) = piece { transform(values, count) } else { [piece] }
        }
        return replaced(by: head, tail)
    }
}

extension [BindingValue] {
    /// The values as a JSON array, or `nil` if SQLite would read different values from it.
    var json: String? {
        var parts: [String] = []
        for value in self {
            switch value {
            case .null: parts.append("null")
            case .integer(let number): parts.append("\(number)")
            case .text(let text) where !text.utf8.contains(0): parts.append(text.jsonLiteral)
            // JSON may round a REAL, ends TEXT at NUL, and has no BLOB and no malformed text.
            case .real, .text, .blob, .malformedText: return nil
            }
        }
        return "[\(parts.joined(separator: ","))]"
    }
}

extension String {
    fileprivate var jsonLiteral: String {
        var result = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"", "\\":
                result.unicodeScalars.append("\\")
                result.unicodeScalars.append(scalar)
            case "\u{0}"..."\u{1F}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

extension SQL.StringInterpolation {
    /// Quotes a list of identifiers: `"id", "name"`.
    package mutating func appendInterpolation(names: some Sequence<String>) {
        for (index, name) in names.enumerated() {
            if index > 0 { appendLiteral(", ") }
            appendInterpolation(name: name)
        }
    }
}
