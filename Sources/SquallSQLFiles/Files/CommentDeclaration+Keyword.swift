extension CommentDeclaration.Keyword {
    /// Reads the value after the keyword.
    func declaration(_ value: String, at location: SourceLocation) -> CommentDeclaration {
        let declaration = value.isEmpty ? .invalid("'\(self)' has no value: \(example)") : read(value, at: location)
        guard case .invalid(let message) = declaration, case .success? = TypeReader.read(value) else {
            return declaration
        }
        return .invalid("\(message); the type of a column of this name is declared in quotes: -- \"\(self)\": \(value)")
    }

    private var example: String {
        switch self {
        case .name: "write -- name: cheapCars"
        case .row: "write -- row: Car"
        case .plan: "write -- plan: no scan"
        case .function: "write -- function: distance(Double, Double) -> Double?"
        case .collation: "write -- collation: german"
        }
    }

    private func read(_ value: String, at location: SourceLocation) -> CommentDeclaration {
        switch self {
        case .name: Self.name(value)
        case .row:
            SwiftIdentifier.isType(value)
                ? .row(value) : .invalid("'\(value)' is not the name of a Swift type: \(example)")
        case .plan: Self.isNoScan(value) ? .noScan : .invalid("'\(value)' is not a property of a plan: \(example)")
        case .function:
            FunctionReader.read(value, at: location).map { .function($0) }
                ?? .invalid("'\(value)' is not a function: \(example)")
        case .collation:
            value.contains(where: \.isWhitespace)
                ? .invalid("'\(value)' is not the name of a collation: \(example)") : .collation(value)
        }
    }

    private static func name(_ value: String) -> CommentDeclaration {
        let words = value.split(whereSeparator: \.isWhitespace)
        guard let name = words.first, SwiftIdentifier.isFunction(name) else {
            return .invalid("'\(words.first ?? "")' is not the name of a Swift function: write -- name: cheapCars")
        }
        if words.count == 1 { return .name(String(name), nil) }
        guard words.count == 2, let cardinality = cardinality(words[1]) else {
            let kinds = Cardinality.allCases.map { ":\($0)" }.joined(separator: ", ")
            let rest = words.dropFirst().joined(separator: " ")
            return .invalid("'\(rest)' is not the number of rows, which is one of \(kinds)")
        }
        return .name(String(name), cardinality)
    }

    private static func cardinality(_ word: Substring) -> Cardinality? {
        word.hasPrefix(":") ? Cardinality(rawValue: String(word.dropFirst())) : nil
    }

    private static func isNoScan(_ value: String) -> Bool {
        value.split(whereSeparator: \.isWhitespace) == ["no", "scan"]
    }

    // MARK: Misspelled keywords

    /// Returns whether a word is a misspelling of the keyword, because the value after it fits.
    func isMeant(by word: String, _ value: String) -> Bool {
        if self == .name {
            let words = value.split(whereSeparator: \.isWhitespace)
            guard let first = words.first, SwiftIdentifier.isFunction(first) else { return false }
            // `-- query: cheapCars :many` is the header of a query, whatever its key is.
            if words.count == 2, Self.cardinality(words[1]) != nil { return true }
            return words.count == 1 && isSimilar(to: word)
        }
        guard isSimilar(to: word) else { return false }
        return switch self {
        case .name, .row: SwiftIdentifier.isType(value)
        case .plan: Self.isNoScan(value)
        case .function: FunctionReader.read(value, at: SourceLocation(file: "", line: 1, column: 1)) != nil
        case .collation: !value.isEmpty && !value.contains(where: \.isWhitespace)
        }
    }

    /// Returns whether a word becomes the keyword by one change: a letter more, less or other, or two letters exchanged.
    private func isSimilar(to word: String) -> Bool {
        let (left, right) = (Array(word.asciiFolded.utf8), Array(rawValue.utf8))
        guard abs(left.count - right.count) <= 1 else { return false }
        let start = zip(left, right).prefix { $0 == $1 }.count
        let (leftRest, rightRest) = (left[start...], right[start...])
        let end = zip(leftRest.reversed(), rightRest.reversed()).prefix { $0 == $1 }.count
        let (changed, expected) = (leftRest.dropLast(end), rightRest.dropLast(end))
        return max(changed.count, expected.count) <= 1
            || changed.count == 2 && changed.elementsEqual(expected.reversed())
    }
}
