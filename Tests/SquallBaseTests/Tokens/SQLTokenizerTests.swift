import SquallBase
import Testing

/// SQL is split as SQLite splits it.
struct SQLTokenizerTests {
    private func tokens(_ sql: String) -> [String] {
        SQLTokenizer.tokens(of: sql).map { "\($0.kind) \($0.source)" }
    }

    @Test func wordsNamesAndLiterals() {
        #expect(
            tokens("SELECT a$b, \"c\"\"d\", `e`, [f g] FROM é") == [
                "word SELECT", "word a$b", "sign ,", "name \"c\"\"d\"", "sign ,", "name `e`", "sign ,", "name [f g]",
                "word FROM", "word é",
            ])
        #expect(
            tokens("'it''s' x'00' X'ff' x 'a'") == ["text 'it''s'", "blob x'00'", "blob X'ff'", "word x", "text 'a'"])
        #expect(tokens("x'00''11'") == ["blob x'00'", "text '11'"])
    }

    @Test func numbers() {
        #expect(
            tokens("1 0x1F 1.5 .5 1. 1e5 1e+5 1.5E-3 1_000") == [
                "integer 1", "integer 0x1F", "real 1.5", "real .5", "real 1.", "real 1e5", "real 1e+5", "real 1.5E-3",
                "integer 1_000",
            ])
        #expect(
            tokens("1e+x 12a 0x 1.5.2") == [
                "integer 1e", "sign +", "word x", "integer 12a", "integer 0x", "real 1.5", "real .2",
            ])
    }

    @Test func signs() {
        let signs = [
            "<>", "<=", ">=", "==", "!=", "||", "->", "->>", "<<", ">>", "<", ">", "=", "!", "|", "-", "/", "*", "^",
        ]
        for sign in signs {
            #expect(tokens("a\(sign) b") == ["word a", "sign \(sign)", "word b"])
        }
    }

    @Test func theContentIsWithoutQuotes() {
        #expect(SQLTokenizer.tokens(of: "\"a\"\"b\" [c]]").map(\.text) == ["a\"b", "c", "]"])
        #expect(SQLTokenizer.tokens(of: "'it''s' x'00' :a").map(\.text) == ["it's", "00", ":a"])
        // A combining mark forms one `Character` with the quote before it. SQLite sees the quote.
        #expect(Array(SQLTokenizer.tokens(of: "\"a\"\"\u{301}\"")[0].text.utf8) == Array("a\"\u{301}".utf8))
    }

    @Test func spaceAndCommentsAreBlank() {
        let kinds = SQLTokenizer(" \n-- a\n/* b */c\u{feff} \u{feff}d").map(\.kind)
        #expect(kinds == [.space, .comment, .space, .comment, .word, .space, .space, .word])
        #expect(tokens("/*/ a */ b /**/") == ["word b"])
        // A vertical tab is space only after other space.
        #expect(tokens("a \u{b}b\u{b}") == ["word a", "word b", "sign \u{b}"])
        #expect(tokens("a /*") == ["word a", "sign /", "sign *"])
    }

    @Test(arguments: ["'a", "\"a\"\"", "`a", "[a", "x'0", "/* a", "/*/"]) func aMissingEndIsNoted(sql: String) {
        #expect(SQLTokenizer("b " + sql).map(\.isTerminated) == [true, true, false])
    }

    /// SQLite does not check the encoding.
    @Test func invalidBytesArePartsOfWords() {
        let tokens = Array(SQLTokenizer([0x61, 0xff, 0xc3, 0x27, 0x80, 0x27, 0xef, 0xbb]))
        #expect(tokens.map(\.kind) == [.word, .text, .word])
        #expect(tokens.map(\.range) == [0..<3, 3..<6, 6..<8])
    }

    @Test func listsAreReadOnlyWhereAskedFor() {
        #expect(tokens(":a...") == ["parameter :a", "sign .", "sign .", "sign ."])
        let list = SQLTokenizer.tokens(of: "IN (:ids...)", readsLists: true)[2]
        #expect(list.kind == .list)
        #expect(list.text == ":ids")
        #expect(list.source == ":ids...")
    }

    @Test func keywordsAreReserved() {
        for (word, isReserved, canBeName, canBeAlias) in [
            ("select", true, false, false), ("\"select\"", false, true, true), ("window", false, true, true),
            ("Indexed", true, true, false), ("left", true, true, false), ("CROSS", true, true, false),
            ("'a'", false, false, false),
        ] {
            let token = SQLTokenizer.tokens(of: word)[0]
            #expect(token.isReserved == isReserved, "\(word)")
            #expect(token.canBeName == canBeName, "\(word)")
            #expect(token.canBeAlias == canBeAlias, "\(word)")
        }
    }
}
