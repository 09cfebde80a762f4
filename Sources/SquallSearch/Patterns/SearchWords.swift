import Squall

/// The words or phrases of a pattern, split at blanks.
struct SearchWords {
    /// The maximum number of words. FTS5 takes a quarter of a second to parse 20,000, and a millisecond for 1,000.
    static let largestCount = 1_000

    private let words: [String]
    /// Whether the text ends in the last word, and not in a blank.
    private let endsInWord: Bool

    init(_ text: String) {
        // By scalars: a blank with a combining mark is one `Character`, which is not a blank.
        let parts = text.unicodeScalars.split(maxSplits: Self.largestCount, whereSeparator: Self.isSeparator)
        words = parts.prefix(Self.largestCount).map { String($0) }
        endsInWord = text.unicodeScalars.last.map { !Self.isSeparator($0) } ?? false
    }

    init(phrases: [String]) {
        words = phrases.filter { !$0.unicodeScalars.allSatisfy(Self.isSeparator) }.prefix(Self.largestCount)
            .map { String($0) }
        endsInWord = true
    }

    init(phrase text: String) {
        self.init(phrases: [text])
    }

    /// The first word or phrase of less than three characters.
    var short: String? { words.first { $0.unicodeScalars.count < 3 } }

    /// Returns the words as strings of FTS5's syntax.
    func quoted(lastIsPrefix: Bool) -> [String] {
        words.enumerated().map { index, word in
            let isTyped = lastIsPrefix && endsInWord && index == words.count - 1
            return Self.quoted(word) + (isTyped || word.endsInSingleCJKCharacter ? " *" : "")
        }
    }

    /// Returns a text in quotes. FTS5 ends at a NUL character, and would report that the string does not end.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" { result.unicodeScalars.append(scalar) }
            result.unicodeScalars.append(scalar == "\0" ? " " : scalar)
        }
        return result + "\""
    }

    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        Character(scalar).isWhitespace || scalar == "\0"
    }
}

extension String {
    /// Whether the text ends in a run of Han, Kana or Hangul that is one character long.
    fileprivate var endsInSingleCJKCharacter: Bool {
        var count = 0
        for scalar in unicodeScalars.reversed() {
            if CJKText.isVariationSelector(scalar.value) { continue }
            guard CJKText.contains(scalar.value) else { break }
            count += 1
            if count > 1 { return false }
        }
        return count == 1
    }
}
