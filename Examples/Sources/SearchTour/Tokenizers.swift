import Squall
import SquallSearch

private let texts = [
    "Crème brûlée", "The runner was running", "A yam, and some jam", "C# and F#", "C is older", "naïve",
]

/// Prints the texts that each of FTS5's tokenizers finds for some words.
func compareTokenizers(_ connection: Connection) throws {
    let tokenizers: [(String, SearchTokenizer)] = [
        ("ascii", .ascii), ("unicode61", .unicode61),
        ("unicode61, é is not e, # is a letter", .unicode61(keepsDiacritics: true, tokenCharacters: "#")),
        ("porter", .porter()), ("trigram", .trigram),
    ]
    for (title, tokenizer) in tokenizers {
        let table = SearchTableDefinition("texts", columns: "text", tokenizer: tokenizer)
        try connection.create(table)
        for text in texts { try connection.run("INSERT INTO texts VALUES(\(text))") }
        print("\(title):")
        for word in ["creme", "run", "yam", "C#", "aïv"] {
            // A trigram is three characters, so that a shorter word is in none.
            if tokenizer == .trigram, word.count < 3 { continue }
            let found: [String] = try connection.query(
                "SELECT text FROM texts WHERE texts MATCH \(SearchPattern.phrase(word)) ORDER BY rowid")
            print("    \(word): \(found)")
        }
        try connection.drop(table)
    }
}

/// Returns a tokenizer that splits a text at spaces, and stores other words for some of them at the same place.
private func tokenizer(with synonyms: [String: String]) -> Connection.Tokenizer {
    { text, reason, emit in
        var start = 0
        for end in 0...text.count where end == text.count || text[end] == UInt8(ascii: " ") {
            defer { start = end + 1 }
            if start == end { continue }
            let word = (start..<end).map { Character(UnicodeScalar(text[$0])) }.map { $0.lowercased() }.joined()
            try emit(word, start..<end)
            if isIndexed(reason), let other = synonyms[word] {
                try emitSynonym(other, of: start..<end, to: emit)
            }
        }
    }
}

/// Synonyms are stored with a row. A pattern needs none: whichever word it has is in the index.
private func isIndexed(_ reason: TokenizationReason) -> Bool {
    switch reason {
    case .document, .auxiliary: true
    case .query, .prefixQuery: false
    }
}

private func emitSynonym(_ word: String, of range: Range<Int>, to emit: borrowing TokenEmitter) throws {
    try emit(word, range, TokenPlacement.colocated)
}

func findSynonyms(_ connection: Connection) throws {
    // The arguments are those of the table, in pairs.
    try connection.addTokenizer("synonyms") { arguments in
        let pairs = stride(from: 0, to: arguments.count - 1, by: 2).map { (arguments[$0], arguments[$0 + 1]) }
        return tokenizer(with: Dictionary(pairs) { first, _ in first })
    }
    let table = SearchTableDefinition(
        "adverts", columns: "text",
        tokenizer: SearchTokenizer("synonyms", arguments: "bike", "bicycle", "tv", "television"))
    try connection.create(table)
    for text in ["Red bike", "Bicycle with bell", "TV for sale"] {
        try connection.run("INSERT INTO adverts VALUES(\(text))")
    }
    for pattern in [SearchPattern.allWords("bicycle"), .allWords("bike"), .prefix("tele")] {
        let found: [String] = try connection.query(
            """
            SELECT highlight(adverts, 0, '[', ']') FROM adverts WHERE adverts MATCH \(pattern) ORDER BY rowid
            """)
        print("    \(pattern): \(found)")
    }
}
