import Squall

/// The tokenizer of a search table, with its arguments.
///
///     SearchTableDefinition(
///         "notes_search", columns: "title", "body", tokenizer: .porter(over: .unicode61))
///     // tokenize = 'porter unicode61'
public struct SearchTokenizer: Hashable, Codable, Sendable {
    /// The names of the tokenizers and their arguments.
    public let words: [String]

    private init(words: [String]) {
        self.words = words
    }

    /// A tokenizer of this name, for instance one of ``Squall/Connection/addTokenizer(_:makingWith:)``.
    public init(_ name: String, arguments: String...) {
        self.init(words: [name] + arguments)
    }

    /// Words of Unicode letters and digits, without case and without diacritics. It is FTS5's default.
    public static let unicode61 = SearchTokenizer("unicode61")

    /// Words of Unicode letters and digits, with options.
    ///
    /// - Parameters:
    ///   - keepsDiacritics: Whether "é" and "e" are different letters.
    ///   - tokenCharacters: Other characters that are parts of words.
    ///   - separators: Letters and digits that are not.
    public static func unicode61(
        keepsDiacritics: Bool = false, tokenCharacters: String = "", separators: String = ""
    ) -> SearchTokenizer {
        // The default, 1, keeps some diacritics for compatibility.
        var words = ["unicode61", "remove_diacritics", keepsDiacritics ? "0" : "2"]
        if !tokenCharacters.isEmpty { words += ["tokenchars", tokenCharacters] }
        if !separators.isEmpty { words += ["separators", separators] }
        return SearchTokenizer(words: words)
    }

    /// Words of ASCII letters and digits, and of all other characters.
    public static let ascii = SearchTokenizer("ascii")

    /// Stems of English words, which another tokenizer has found.
    public static func porter(over tokenizer: SearchTokenizer = .unicode61) -> SearchTokenizer {
        SearchTokenizer(words: ["porter"] + tokenizer.words)
    }

    /// All groups of three characters, with which patterns find any part of a text of at least three characters, and `LIKE` and `GLOB` use
    /// the index.
    public static let trigram = SearchTokenizer("trigram")

    /// Whether tokens have three characters, so that it finds no shorter words.
    var isTrigram: Bool { words.first.map { Identifier($0) == Identifier("trigram") } ?? false }

    /// Pairs of characters in Han, Kana and Hangul, and words elsewhere; see ``Squall/Connection/addCJKTokenizer()``.
    public static let cjk = SearchTokenizer(CJKTokenizer.name)

    /// Reads the value of the option `tokenize`.
    init(option text: String) {
        var words: [String] = []
        var scalars = text.unicodeScalars[...]
        while true {
            scalars = scalars.drop { $0 == " " }
            guard let first = scalars.first else { break }
            var word = ""
            if first == "'" {
                scalars.removeFirst()
                while let scalar = scalars.popFirst() {
                    if scalar == "'" {
                        guard scalars.first == "'" else { break }
                        scalars.removeFirst()
                    }
                    word.unicodeScalars.append(scalar)
                }
            } else {
                word = String(scalars.prefix { $0 != " " })
                scalars = scalars.drop { $0 != " " }
            }
            words.append(word)
        }
        self.words = words
    }

    /// The value of the option `tokenize`.
    var option: String {
        words.map { word in
            let isPlain = !word.isEmpty && word.utf8.allSatisfy(\.isOfBareWord)
            return isPlain ? word : "'\(word.doubling("'"))'"
        }.joined(separator: " ")
    }

    /// Whether a table with it needs the tokenizer `cjk`.
    var usesCJK: Bool { words.contains { $0.isSameName(as: CJKTokenizer.name) } }
}

extension UInt8 {
    /// Whether FTS5 takes the byte as part of a word without quotes.
    fileprivate var isOfBareWord: Bool {
        switch self {
        case 48...57, 65...90, 97...122, UInt8(ascii: "_"), 128...: true
        default: false
        }
    }
}
