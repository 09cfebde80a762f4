import Squall
import SquallSearch

extension FuzzTarget {
    /// Texts of users as patterns of full-text search.
    static let search = FuzzTarget(
        "search", "texts as patterns of full-text search", longestInput: 512, seeds: { SearchSeeds.all },
        run: { bytes in
            var input = FuzzInput(bytes)
            try SearchedText(&input).check()
        })
}

/// Patterns made of a text, and the rows that they find.
struct SearchedText {
    private let tokenizer: String
    private let row: String
    private let pattern: SearchPattern
    private let raw: String
    private let distance: Int

    init(_ input: inout FuzzInput) {
        tokenizer = input.pick("unicode61", "cjk", "trigram", "porter ascii", "unicode61 remove_diacritics 2")
        distance = input.number(below: 40) - 5
        pattern = Self.pattern(&input, depth: 0)
        row = input.text(upTo: 80)
        raw = String(decoding: input.rest(), as: UTF8.self)
    }

    private static func pattern(_ input: inout FuzzInput, depth: Int) -> SearchPattern {
        if depth < 5, input.chance(40) {
            let left = pattern(&input, depth: depth + 1)
            switch input.number(below: 5) {
            case 0: return left && pattern(&input, depth: depth + 1)
            case 1: return left || pattern(&input, depth: depth + 1)
            case 2: return left.excluding(pattern(&input, depth: depth + 1))
            case 3: return left.in("title", "body")
            default: return left.outside("body")
            }
        }
        let text = input.text(upTo: 60)
        switch input.number(below: 6) {
        case 0: return .allWords(text, lastIsPrefix: input.chance(50))
        case 1: return .anyWord(text, lastIsPrefix: input.chance(50))
        case 2: return .phrase(text)
        case 3: return .prefix(text)
        case 4: return .near(text, distance: Int(truncatingIfNeeded: input.integer()))
        default: return .near([text, input.text()])
        }
    }

    func check() throws {
        let connection = try Connection(":memory:")
        try connection.addCJKTokenizer()
        try connection.run("CREATE VIRTUAL TABLE notes USING fts5(title, body, tokenize = '\(raw: tokenizer)')")
        try connection.run("INSERT INTO notes VALUES(\(row), 'other words')")
        let _: Int = try connection.query("SELECT count(*) FROM notes WHERE notes MATCH \(pattern)")
        try checkOwnText(connection)
        // FTS5's own syntax may be wrong, which is an error of SQLite.
        try allowingErrors {
            let _: Int = try connection.query("SELECT count(*) FROM notes WHERE notes MATCH \(SearchPattern(raw: raw))")
        }
    }

    /// A row with at least one token is found by its own text.
    private func checkOwnText(_ connection: Connection) throws {
        // The tokens of `trigram` have blanks in them, where a pattern has its words.
        guard !row.utf8.contains(0), tokenizer != "trigram" else { return }
        // For `ascii`, a blank beyond ASCII is a letter, and so the words of the row are others.
        if tokenizer.hasSuffix("ascii"), row.utf8.contains(where: { $0 > 127 }) { return }
        try connection.run("CREATE VIRTUAL TABLE words USING fts5vocab(notes, col)")
        let count: Int = try connection.query("SELECT count(*) FROM words WHERE col = 'title'")
        guard count > 0 else { return }
        for (name, pattern) in [
            ("allWords", SearchPattern.allWords(row)), ("anyWord", .anyWord(row)), ("phrase", .phrase(row)),
            ("prefix", .prefix(row)), ("near", .near(row, distance: 1000)),
        ] {
            let found: Int = try connection.query("SELECT count(*) FROM notes WHERE notes MATCH \(pattern)")
            try requireEqual(found, 1, "\(name) of \(row.debugDescription) with \(tokenizer), \(pattern.text)")
        }
    }
}
