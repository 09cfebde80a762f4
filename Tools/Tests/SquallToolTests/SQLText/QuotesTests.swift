import Testing

@testable import SquallTool

/// A combining mark forms one `Character` with the quote before it. SQLite sees the quote.
@Suite struct QuotesTests {
    @Test func quotesAreDoubledBeforeCombiningMarks() {
        #expect(Array("'\u{301}".textLiteral.utf8) == Array("'''\u{301}'".utf8))
        #expect(Array("a\"\u{301}".quotedName.utf8) == Array("\"a\"\"\u{301}\"".utf8))
        #expect(Array("a\"\u{301}".sqlName.utf8) == Array("\"a\"\"\u{301}\"".utf8))
    }

    @Test func wordsToSearchForAreNoSyntax() throws {
        let word = try SearchWord("50%\u{301} \"\u{302}_*")
        #expect(Array(word.matchExpression.utf8) == Array("\"50%\u{301} \"\"\u{302}_\"*".utf8))
        #expect(Array(word.likePattern.utf8) == Array("%50\\%\u{301} \"\u{302}\\_%".utf8))
    }

    @Test(arguments: [
        ("SELECT 1", "SELECT 1;"), ("SELECT 1 -- one", "SELECT 1 -- one\n;"),
        ("SELECT 1 --\u{301}", "SELECT 1 --\u{301}\n;"),
    ])
    func theSemicolonIsNotInAComment(sql: String, statement: String) {
        #expect(sql.withSemicolon == statement)
    }
}
