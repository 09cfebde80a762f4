import Squall

/// A pattern of full-text search: the right side of `MATCH`.
///
///     SearchPattern.allWords("swift sqlite")                // "swift" "sqlite"
///     SearchPattern.allWords(input, lastIsPrefix: true)     // "swift" "sql" *
///     SearchPattern.phrase("a swift").in("title")           // {"title"} : ("a swift")
///     let pattern: SearchPattern = "NEAR(swift sqlite)"     // FTS5's own syntax
///
/// Patterns made from input are never a syntax error: words are quoted, so that quotes, operators and NUL characters in them mean
/// nothing. A pattern without words matches nothing. Of a longer text, only the first 1,000 words are used.
///
/// A word that ends in a single character of Han, Kana or Hangul is a prefix: most words are longer, and tokenizers other than `cjk`
/// take a whole run of them as one word.
///
/// A literal is FTS5's own syntax, which SQLite checks when the query runs. A `String` variable is not a pattern: that compiles only
/// as `allWords` and so on, or as ``init(raw:)``.
public struct SearchPattern: Sendable {
    enum Kind: Sendable {
        case nothing
        case and
        case or
        case single
    }

    /// The text in FTS5's syntax.
    public let text: String
    let kind: Kind
    /// A word, of a pattern made from input, that has less than three characters: the tokenizer `trigram` has no token for it.
    let shortWord: String?

    init(_ text: String, _ kind: Kind, shortWord: String? = nil) {
        self.text = text
        self.kind = kind
        self.shortWord = shortWord
    }

    /// A pattern in FTS5's own syntax. Never pass input: SQLite reports a syntax error when the query runs, and input could search
    /// other columns than it should.
    public init(raw text: String) {
        let isBlank = text.utf8.allSatisfy { $0 == 0x20 || 0x09...0x0d ~= $0 }
        self = isBlank ? .nothing : SearchPattern(text, .single)
    }

    /// The pattern that matches nothing. FTS5 refuses an empty text, and accepts a phrase without words.
    static let nothing = SearchPattern("\"\"", .nothing)

    private var operand: String { "(\(text))" }
}

extension SearchPattern {
    /// Matches rows with all words of a text, in any order: `"swift" "sqlite"`.
    ///
    /// - Parameters:
    ///   - text: The words, with blanks between them. A word that the tokenizer splits is a phrase: `foo-bar`.
    ///   - lastIsPrefix: Whether the last word may go on, for a search while the user types. It does not after a blank.
    public static func allWords(_ text: String, lastIsPrefix: Bool = false) -> SearchPattern {
        // Not AND: FTS5 leaves out a word without tokens between the terms of an implicit AND.
        SearchPattern(SearchWords(text), lastIsPrefix: lastIsPrefix, joined: " ", .single)
    }

    /// Matches rows with at least one of the words of a text: `"swift" OR "sqlite"`.
    public static func anyWord(_ text: String, lastIsPrefix: Bool = false) -> SearchPattern {
        SearchPattern(SearchWords(text), lastIsPrefix: lastIsPrefix, joined: " OR ", .or)
    }

    /// Matches rows with the words of a text one after another: `"structured query"`.
    public static func phrase(_ text: String) -> SearchPattern {
        SearchPattern(SearchWords(phrase: text), lastIsPrefix: false, joined: " ", .single)
    }

    /// Matches rows with words that begin with a text; with several words, the last one begins with it: `"struct" *`.
    public static func prefix(_ text: String) -> SearchPattern {
        SearchPattern(SearchWords(phrase: text), lastIsPrefix: true, joined: " ", .single)
    }

    /// Matches rows with all words of a text near to each other: `NEAR("swift" "sqlite", 10)`.
    ///
    /// - Parameters:
    ///   - text: The words, with blanks between them.
    ///   - distance: The maximum number of tokens between the first word and the last one.
    public static func near(_ text: String, distance: Int = 10) -> SearchPattern {
        near(SearchWords(text), distance)
    }

    /// Matches rows with all phrases near to each other: `NEAR("structured query" "language", 10)`.
    public static func near(_ phrases: [String], distance: Int = 10) -> SearchPattern {
        near(SearchWords(phrases: phrases), distance)
    }

    private static func near(_ words: SearchWords, _ distance: Int) -> SearchPattern {
        let quoted = words.quoted(lastIsPrefix: false)
        if quoted.isEmpty { return .nothing }
        let distance = Swift.min(Swift.max(0, distance), 1_000_000)
        let text = "NEAR(\(quoted.joined(separator: " ")), \(distance))"
        return SearchPattern(text, .single, shortWord: words.short)
    }

    private init(_ words: SearchWords, lastIsPrefix: Bool, joined separator: String, _ kind: Kind) {
        let quoted = words.quoted(lastIsPrefix: lastIsPrefix)
        self =
            quoted.isEmpty
            ? .nothing : SearchPattern(quoted.joined(separator: separator), kind, shortWord: words.short)
    }
}

extension SearchPattern {
    /// Searches only these columns: `{"title"} : (…)`. A column that the search table lacks makes the query throw.
    public func `in`(_ columns: String...) -> SearchPattern { limited(to: columns, sign: "") }

    /// Searches all columns except these: `- {"title"} : (…)`.
    public func outside(_ columns: String...) -> SearchPattern { limited(to: columns, sign: "- ") }

    func limited(to columns: [String], sign: String) -> SearchPattern {
        if kind == .nothing || columns.isEmpty { return self }
        let names = columns.map { SearchWords.quoted($0) }.joined(separator: " ")
        return SearchPattern("\(sign){\(names)} : \(operand)", .single, shortWord: shortWord)
    }

    /// Matches rows that both patterns match: `(…) AND (…)`.
    @_disfavoredOverload  // else the compiler takes over a second to explain a wrong condition of a query
    public static func && (left: SearchPattern, right: SearchPattern) -> SearchPattern {
        if left.kind == .nothing || right.kind == .nothing { return .nothing }
        let text = left.operand(in: .and) + " AND " + right.operand(in: .and)
        return SearchPattern(text, .and, shortWord: left.shortWord ?? right.shortWord)
    }

    /// Matches rows that at least one of the patterns matches: `(…) OR (…)`.
    @_disfavoredOverload  // else the compiler takes over a second to explain a wrong condition of a query
    public static func || (left: SearchPattern, right: SearchPattern) -> SearchPattern {
        if left.kind == .nothing { return right }
        if right.kind == .nothing { return left }
        let text = left.operand(in: .or) + " OR " + right.operand(in: .or)
        return SearchPattern(text, .or, shortWord: left.shortWord ?? right.shortWord)
    }

    /// Matches rows that this pattern matches and the other one does not: `(…) NOT (…)`.
    public func excluding(_ other: SearchPattern) -> SearchPattern {
        if kind == .nothing || other.kind == .nothing { return self }
        return SearchPattern("\(operand) NOT \(other.operand)", .single, shortWord: shortWord ?? other.shortWord)
    }

    /// The text between operators of a kind. Chains have no parentheses: FTS5's parser has a stack of 100.
    private func operand(in kind: Kind) -> String { self.kind == kind ? text : operand }
}

extension SearchPattern: ExpressibleByStringLiteral {
    /// A pattern in FTS5's own syntax.
    public init(stringLiteral text: String) {
        self.init(raw: text)
    }
}

extension SearchPattern: Bindable {
    public var bindingValue: BindingValue { .text(text) }
}

extension SearchPattern: Hashable, CustomStringConvertible {
    /// Two patterns are equal when their texts have the same bytes.
    public static func == (left: SearchPattern, right: SearchPattern) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }

    public var description: String { text }
}

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
