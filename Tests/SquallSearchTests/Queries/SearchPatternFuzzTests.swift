import Foundation
import Squall
import SquallSearch
import SquallTestSupport
import Testing

/// Patterns of hostile input are never a syntax error.
@Suite(.enabled(if: SQLiteFeatures.fullTextSearch))
struct SearchPatternFuzzTests {
    /// The pieces that FTS5's syntax consists of, and characters that are easily split.
    private static let pieces = [
        "\"", "'", "(", ")", "{", "}", ":", "*", "^", "+", "-", ",", "\0", " ", "\t", "\n", "\u{3000}", "\u{feff}",
        "AND", "OR",
        "NOT", "NEAR", "NEAR(", "title", "title:", "{title body}", "body :", "--", "/*", ";", "\\", "%", "_", "?", "1",
        "10",
        "swift", "é", "e\u{301}", "\u{301}", "🙂", "👩‍👩‍👧", "語", "日本語", "ひ", "한국어", "ｶ", "\u{fe0f}", "\u{202e}", "ﬁ", "ß",
        "\u{fffd}", "\u{10ffff}", "a\0b",
    ]

    private static func input(_ generator: inout SeededGenerator) -> String {
        let count = Int.random(in: 0...12, using: &generator)
        return (0..<count).map { _ in
            if generator.chance(10) {
                let value = UInt32.random(in: 0...0x10ffff, using: &generator)
                return Unicode.Scalar(value).map { String($0) } ?? ""
            }
            return generator.pick(pieces)
        }.joined()
    }

    private static func pattern(_ generator: inout SeededGenerator, depth: Int = 0) -> SearchPattern {
        let text = input(&generator)
        if depth < 3, generator.chance(40) {
            let left = pattern(&generator, depth: depth + 1)
            let right = pattern(&generator, depth: depth + 1)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: return left && right
            case 1: return left || right
            case 2: return left.excluding(right)
            case 3: return left.in("title")
            default: return left.outside("body")
            }
        }
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return .allWords(text, lastIsPrefix: generator.chance(50))
        case 1: return .anyWord(text, lastIsPrefix: generator.chance(50))
        case 2: return .phrase(text)
        case 3: return .prefix(text)
        case 4: return .near(text, distance: Int.random(in: -1...20, using: &generator))
        default: return .near([text, input(&generator)])
        }
    }

    @Test(arguments: ["unicode61", "cjk", "trigram", "porter ascii"])
    func noInputIsASyntaxError(_ tokenizer: String) throws {
        let seed = TestSeed.of(17)
        var generator = seed.generator()
        let connection = try Connection(":memory:")
        try connection.addCJKTokenizer()
        let option: SQL = "CREATE VIRTUAL TABLE notes USING fts5(title, body, tokenize = '\(raw: tokenizer)')"
        try connection.run(option)
        for _ in 0..<100 {
            try connection.run(
                "INSERT INTO notes VALUES(\(Self.input(&generator)), \(Self.input(&generator)))")
        }
        for number in 0..<Rounds.of(10_000) {
            let pattern = Self.pattern(&generator)
            do {
                let _: Int = try connection.query("SELECT count(*) FROM notes WHERE notes MATCH \(pattern)")
            } catch {
                Issue.record("seed \(seed), \(number): \(pattern.text.debugDescription) throws \(error)")
                return
            }
        }
    }
}
