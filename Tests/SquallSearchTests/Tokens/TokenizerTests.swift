import Foundation
import Squall
import SquallSearch
import SquallTestSupport
import Testing

/// Tokenizers in Swift.
@Suite(.enabled(if: SQLiteFeatures.fullTextSearch))
struct TokenizerTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
    }

    /// Words of letters with `_` between them.
    private static func splitNames(
        _ text: Span<UInt8>, _ emit: borrowing TokenEmitter, separator: UInt8 = UInt8(ascii: "_")
    ) throws {
        var start = 0
        for index in 0...text.count where index == text.count || text[index] == separator || text[index] == 32 {
            if start < index { try emit(start..<index) }
            start = index + 1
        }
    }

    private func found(_ pattern: SearchPattern) throws -> [Int] {
        try connection.query("SELECT rowid FROM names WHERE names MATCH \(pattern) ORDER BY rowid")
    }

    /// A token that is not the text itself: as a string, as a part of one, and as bytes.
    @Test(arguments: [0, 1, 2]) func tokensOfAnotherSpelling(form: Int) throws {
        try connection.addTokenizer("folded") { text, reason, emit in
            let word = ContiguousArray((0..<text.count).map { text[$0] | 0x20 })
            switch form {
            case 0: try emit(String(decoding: word, as: UTF8.self), 0..<text.count)
            case 1: try emit(String(decoding: [0x78] + word, as: UTF8.self).dropFirst(), 0..<text.count)
            default: try emit(word.span, 0..<text.count)
            }
        }
        try connection.execute("CREATE VIRTUAL TABLE names USING fts5(name, tokenize = 'folded')")
        try connection.run("INSERT INTO names VALUES('Anna'), ('BO')")
        #expect(try found(.allWords("ANNA")) == [1])
        #expect(try found(.allWords("bo")) == [2])
        #expect(try found(.allWords("cy")) == [])
    }

    @Test func aTokenizerIsAClosureOverBytes() throws {
        try connection.addTokenizer("code") { text, reason, emit in try Self.splitNames(text, emit) }
        try connection.execute("CREATE VIRTUAL TABLE names USING fts5(name, tokenize = 'code')")
        try connection.run("INSERT INTO names VALUES('read_next_row'), ('next_page'), ('Row')")
        #expect(try found(.allWords("next")) == [1, 2])
        #expect(try found(.phrase("read next")) == [1])
        #expect(try found(.phrase("next_row")) == [1])
        #expect(try found(.allWords("row")) == [1])
        let marked: [String] = try connection.query(
            "SELECT highlight(names, 0, '[', ']') FROM names WHERE names MATCH 'next'")
        #expect(marked == ["read_[next]_row", "[next]_page"])
    }

    @Test func theReasonSaysWhyTheTextIsSplit() throws {
        let reasons = Log()
        try connection.addTokenizer("code") { text, reason, emit in
            reasons.add("\(reason)")
            try Self.splitNames(text, emit)
        }
        try connection.execute("CREATE VIRTUAL TABLE names USING fts5(name, tokenize = 'code')")
        try connection.run("INSERT INTO names VALUES('read_next')")
        _ = try found("next")
        _ = try found("ne*")
        let _: String = try connection.query("SELECT highlight(names, 0, '[', ']') FROM names WHERE names MATCH 'next'")
        #expect(reasons.lines == ["document", "query", "prefixQuery", "query", "auxiliary"])
    }

    @Test func synonymsAreColocated() throws {
        try connection.addTokenizer("synonyms") { text, reason, emit in
            var start = 0
            for index in 0...text.count where index == text.count || text[index] == 32 {
                if start < index {
                    try emit(start..<index)
                    let word = String(decoding: (start..<index).map { text[$0] }, as: UTF8.self)
                    if reason == .document, word == "first" { try emit("1st", start..<index, .colocated) }
                }
                start = index + 1
            }
        }
        try connection.execute("CREATE VIRTUAL TABLE names USING fts5(name, tokenize = 'synonyms')")
        try connection.run("INSERT INTO names VALUES('the first place'), ('the 1st row')")
        #expect(try found(.allWords("1st")) == [1, 2])
        #expect(try found(.phrase("the 1st place")) == [1])
        #expect(try found(.allWords("first")) == [1])
        let marked: [String] = try connection.query(
            "SELECT highlight(names, 0, '[', ']') FROM names WHERE names MATCH '\"1st\"'")
        #expect(marked == ["the [first] place", "the [1st] row"])
    }

    @Test func argumentsOfTheTableReachTheTokenizer() throws {
        let seen = Log()
        try connection.addTokenizer(
            "split",
            makingWith: { arguments in
                seen.add(arguments.joined(separator: "|"))
                let separator = UInt8(ascii: arguments.first == "dot" ? "." : "_")
                return { text, _, emit in try Self.splitNames(text, emit, separator: separator) }
            })
        try connection.execute(
            """
            CREATE VIRTUAL TABLE names USING fts5(name, tokenize = 'split dot ''two words''');
            CREATE VIRTUAL TABLE others USING fts5(name, tokenize = split);
            INSERT INTO names VALUES('a.b_c'); INSERT INTO others VALUES('a.b_c');
            """)
        #expect(seen.lines == ["dot|two words", ""])
        #expect(try found("\"b_c\"") == [1])
        #expect(try found("c") == [])
        #expect(try connection.query("SELECT count(*) FROM others WHERE others MATCH 'c'") == 1)
    }

    @Test func aTokenCanDifferFromItsText() throws {
        try connection.addTokenizer("upper") { text, _, emit in
            let word = String(decoding: (0..<text.count).map { text[$0] }, as: UTF8.self)
            if !word.isEmpty { try emit(word.uppercased(), 0..<text.count) }
        }
        try connection.execute("CREATE VIRTUAL TABLE names USING fts5(name, tokenize = upper)")
        try connection.run("INSERT INTO names VALUES('straße'), ('STRASSE')")
        #expect(try found("strasse") == [1, 2])
        try connection.execute("CREATE VIRTUAL TABLE tokens USING fts5vocab(names, instance)")
        let tokens: [String] = try connection.query("SELECT term FROM tokens ORDER BY doc")
        #expect(tokens == ["STRASSE", "STRASSE"])
    }

    @Test func textWithNULAndInvalidUTF8ArrivesByteByByte() throws {
        let texts = Log()
        try connection.addTokenizer("bytes") { text, _, emit in texts.add("\((0..<text.count).map { text[$0] })") }
        try connection.execute("CREATE VIRTUAL TABLE names USING fts5(name, tokenize = bytes)")
        try connection.run("INSERT INTO names VALUES(\("a\0b"))")
        try connection.run("INSERT INTO names VALUES(CAST(x'61ff62' AS TEXT))")
        try connection.run("INSERT INTO names VALUES(NULL), (''), (12)")
        #expect(texts.lines.filter { $0 != "[]" } == ["[97, 0, 98]", "[97, 255, 98]", "[49, 50]"])
    }

    /// FTS5 ends a token at a NUL character, and would report a damaged index when the row is deleted.
    @Test func aNULInATokenIsReplaced() throws {
        try connection.addTokenizer("code") { text, reason, emit in try Self.splitNames(text, emit) }
        try connection.execute("CREATE VIRTUAL TABLE names USING fts5(name, tokenize = 'code')")
        try connection.run("INSERT INTO names VALUES(\("a\0b_c")), (\("a\0d")), ('a')")
        #expect(try found("\"a\u{fffd}b\"") == [1])
        #expect(try found("a") == [3])
        try connection.run("DELETE FROM names WHERE rowid < 3")
        try connection.run("INSERT INTO names(names) VALUES('integrity-check')")
        #expect(try found("c") == [])
    }

    @Test func validatedTextIsASpanOfUTF8() throws {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        try connection.addTokenizer("characters") { (text: UTF8Span, _, emit) in
            var characters = text.makeCharacterIterator()
            var start = 0
            while let character = characters.next() {
                try emit(String(character), start..<characters.currentCodeUnitOffset)
                start = characters.currentCodeUnitOffset
            }
        }
        try connection.execute("CREATE VIRTUAL TABLE names USING fts5(name, tokenize = characters)")
        try connection.run("INSERT INTO names VALUES('né👩‍👧x')")
        // The valid parts, with their ranges in the whole text.
        try connection.run("INSERT INTO names VALUES(CAST(x'c3a9ff78' AS TEXT))")
        #expect(try found(.phrase("👩‍👧x")) == [1])
        #expect(try found(.phrase("é")) == [1, 2])
        #expect(try found(.phrase("éx")) == [2])
        let marked: String = try connection.query(
            "SELECT highlight(names, 0, '[', ']') FROM names WHERE names MATCH \(SearchPattern.phrase("👩‍👧"))")
        #expect(marked == "né[👩‍👧]x")
    }

    @Test func aTokenizerThatGetsTheNameOfAnotherServesLaterTables() throws {
        try connection.addTokenizer("code") { text, _, emit in try Self.splitNames(text, emit) }
        try connection.execute("CREATE VIRTUAL TABLE names USING fts5(name, tokenize = code)")
        try connection.addTokenizer("code") { text, _, emit in if text.count > 0 { try emit("all", 0..<text.count) } }
        try connection.execute("CREATE VIRTUAL TABLE others USING fts5(name, tokenize = code)")
        try connection.run("INSERT INTO names VALUES('a_b')")
        try connection.run("INSERT INTO others VALUES('a_b')")
        #expect(try found("b") == [1])
        #expect(try connection.query("SELECT count(*) FROM others WHERE others MATCH 'anything'") == 1)
    }

    @Test func theRangesOfRandomTextsReproduceTheirTokens() throws {
        let seed = 4
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        try connection.addTokenizer("words") { text, _, emit in try Self.splitNames(text, emit, separator: 44) }
        try connection.addSearchFunction("marks") { match in
            var marks = ""
            try match.withText(ofColumn: 0) { text in
                try match.tokenize(text) { token, range, _ in
                    let isSame =
                        token.count == range.count
                        && range.indices.allSatisfy {
                            token[$0 - range.lowerBound] == text[$0]
                        }
                    marks += isSame ? "=" : "!"
                }
            }
            return marks
        }
        try connection.execute("CREATE VIRTUAL TABLE names USING fts5(name, tokenize = words)")
        for _ in 0..<200 {
            let parts = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
                generator.pick(["é", "語", "🙂", ",", " ", "a", "x,y"])
            }
            try connection.run("DELETE FROM names")
            try connection.run("INSERT INTO names VALUES(\("k " + parts.joined()))")
            let marks: String = try connection.query("SELECT marks(names) FROM names WHERE names MATCH 'k'")
            #expect(!marks.utf8.contains(UInt8(ascii: "!")))
        }
    }
}
