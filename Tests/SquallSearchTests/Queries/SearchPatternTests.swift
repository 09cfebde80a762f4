import Squall
import SquallSearch
import SquallTestSupport
import Testing

/// The text of patterns, and the rows that they find.
@Suite(.enabled(if: SQLiteFeatures.fullTextSearch))
struct SearchPatternTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
        try connection.execute(
            """
            CREATE VIRTUAL TABLE notes USING fts5(title, body);
            INSERT INTO notes(rowid, title, body) VALUES
                (1, 'Swift', 'the structured query language of SQLite in Swift'),
                (2, 'Birds', 'a swift is a bird'),
                (3, 'Queries', 'query a structured file'),
                (4, 'Crème brûlée', 'sugar and cream, twenty-one minutes');
            """)
    }

    private func found(_ pattern: SearchPattern) throws -> [Int] {
        try connection.query("SELECT rowid FROM notes WHERE notes MATCH \(pattern) ORDER BY rowid")
    }

    @Test func allWordsMustBeInTheRow() throws {
        #expect(SearchPattern.allWords("swift  sqlite").text == #""swift" "sqlite""#)
        #expect(try found(.allWords("swift sqlite")) == [1])
        #expect(try found(.allWords("swift")) == [1, 2])
        #expect(try found(.allWords("swift bird sqlite")) == [])
    }

    @Test func theLastWordMayGoOnWhileItIsTyped() throws {
        #expect(SearchPattern.allWords("a str", lastIsPrefix: true).text == #""a" "str" *"#)
        #expect(try found(.allWords("query str", lastIsPrefix: true)) == [1, 3])
        // After a blank, the word is complete.
        #expect(SearchPattern.allWords("str ", lastIsPrefix: true).text == #""str""#)
        #expect(try found(.allWords("str ", lastIsPrefix: true)) == [])
    }

    @Test func anyWordIsEnough() throws {
        #expect(SearchPattern.anyWord("bird file").text == #""bird" OR "file""#)
        #expect(try found(.anyWord("bird file")) == [2, 3])
    }

    @Test func phrasesAndPrefixes() throws {
        #expect(SearchPattern.phrase("structured query").text == #""structured query""#)
        #expect(try found(.phrase("structured query")) == [1])
        #expect(SearchPattern.prefix("struct").text == #""struct" *"#)
        #expect(try found(.prefix("struct")) == [1, 3])
        #expect(try found(.prefix("structured qu")) == [1])
    }

    @Test func wordsNearToEachOther() throws {
        #expect(SearchPattern.near("query swift", distance: 4).text == #"NEAR("query" "swift", 4)"#)
        #expect(try found(.near("query swift", distance: 4)) == [1])
        #expect(try found(.near("query swift", distance: 1)) == [])
        #expect(SearchPattern.near(["a b", "c"]).text == #"NEAR("a b" "c", 10)"#)
        #expect(SearchPattern.near("a", distance: -3).text == #"NEAR("a", 0)"#)
        #expect(try found(.near("a", distance: .max)) == [2, 3])
    }

    @Test func aColumnFilterLimitsThePattern() throws {
        #expect(SearchPattern.allWords("swift").in("title").text == #"{"title"} : ("swift")"#)
        #expect(try found(.allWords("swift").in("title")) == [1])
        #expect(try found(.allWords("swift").outside("title")) == [1, 2])
        #expect(try found(.allWords("swift bird").in("title", "body")) == [2])
        let error = try sqliteError { _ = try found(.allWords("swift").in("nowhere")) }
        #expect(error.message == "no such column: nowhere")
    }

    @Test func operatorsJoinPatterns() throws {
        let swift = SearchPattern.allWords("swift")
        let bird = SearchPattern.allWords("bird")
        #expect((swift && bird).text == #"("swift") AND ("bird")"#)
        #expect(try found(swift && bird) == [2])
        #expect(try found(bird || .phrase("structured file")) == [2, 3])
        #expect(swift.excluding(bird).text == #"("swift") NOT ("bird")"#)
        #expect(try found(swift.excluding(bird)) == [1])
        #expect(try found((swift || .allWords("sugar")).excluding(bird) && .prefix("s")) == [1, 4])
    }

    @Test func aLiteralIsTheSyntaxOfFTS5() throws {
        #expect(try found("NEAR(swift sqlite)") == [1])
        #expect(try found("title : swift OR bird*") == [1, 2])
        #expect(try found(SearchPattern(raw: "sugar")) == [4])
        let error = try sqliteError { _ = try found("swift AND") }
        #expect(error.message == #"fts5: syntax error near """#)
    }

    @Test(arguments: [
        "", " ", "\0", "\0\0 \0", "\n\t", "\u{3000}", "\u{2028}", "\u{a0}", "-", "\"", "()", "* ^ :", ", - + ~", "🙂",
    ])
    func inputWithoutWordsMatchesNothing(_ input: String) throws {
        #expect(try found(.allWords(input)) == [])
        #expect(try found(.allWords(input, lastIsPrefix: true)) == [])
        #expect(try found(.anyWord(input)) == [])
        #expect(try found(.phrase(input)) == [])
        #expect(try found(.prefix(input)) == [])
        #expect(try found(.near(input)) == [])
        #expect(try found(SearchPattern.allWords(input).in("title")) == [])
        #expect(try found(SearchPattern.allWords(input) && .allWords("swift")) == [])
    }

    @Test func aBlankLiteralMatchesNothing() throws {
        #expect(try found("") == [])
        #expect(try found(SearchPattern(raw: " \n")) == [])
    }

    @Test func nothingIsNeutralInOrAndInExcluding() throws {
        let nothing = SearchPattern.allWords("")
        #expect(try found(nothing || .allWords("bird")) == [2])
        #expect(try found(.allWords("bird") || nothing) == [2])
        #expect(try found(.allWords("swift").excluding(nothing)) == [1, 2])
        #expect(try found(nothing.excluding(.allWords("swift"))) == [])
        #expect(try found(nothing.in("title")) == [])
        #expect(try found(nothing.outside("title")) == [])
    }

    @Test func operatorsAndQuotesInInputAreText() throws {
        #expect(SearchPattern.allWords("say \"hi\" AND").text == #""say" """hi""" "AND""#)
        #expect(try found(.allWords("NEAR(swift")) == [])
        #expect(try found(.allWords("title:swift")) == [])
        #expect(try found(.allWords("\"swift\"")) == [1, 2])
        #expect(try found(.allWords("swift*")) == [1, 2])
        #expect(try found(.allWords("swif\0t")) == [])
        #expect(try found(.allWords("twenty-one")) == [4])
        #expect(try found(.allWords("CREME brulee")) == [4])
    }

    @Test func aWordThatTheTokenizerDropsIsLeftOut() throws {
        #expect(try found(.allWords("swift & bird")) == [2])
        #expect(try found(.allWords("swift ☕")) == [1, 2])
        #expect(try found(.phrase("structured / query")) == [1])
        #expect(try found(.anyWord("- bird")) == [2])
    }

    @Test func patternsAreEqualByTheirBytes() {
        let composed: SearchPattern = "caf\u{e9}"
        let decomposed: SearchPattern = "cafe\u{301}"
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed, composed]).count == 2)
        #expect("\(SearchPattern.allWords("a b"))" == #""a" "b""#)
    }

    @Test func onlyTheFirstThousandWordsAreUsed() throws {
        let text = String(repeating: "swift ", count: 5_000)
        #expect(SearchPattern.allWords(text).text.utf8.count == 1_000 * 8 - 1)
        #expect(try found(.allWords(text)) == [1, 2])
    }

    @Test func aChainOfAThousandPatternsIsOneLevelDeep() throws {
        let any = (0..<1_000).reduce(SearchPattern.allWords("bird")) { $0 || .allWords("x\($1)") }
        #expect(try found(any) == [2])
        let all = (0..<1_000).reduce(SearchPattern.allWords("bird")) { pattern, _ in pattern && .allWords("swift") }
        #expect(try found(all) == [2])
    }
}
