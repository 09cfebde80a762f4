import Squall
import Testing

@testable import SquallTool

@Suite struct ShellCompletionTests {
    /// Returns the text after TAB, and the words that it lists.
    private func complete(_ text: String) throws -> (text: String, words: [String]) {
        let connection = try Connection(":memory:", configuration: .sqlite)
        defer { connection.close() }
        try connection.execute(
            """
            CREATE TABLE "we ird"("top speed", [a"b]); CREATE TABLE "x]y"(a); CREATE TABLE "red\u{1B}[31m"(a);
            CREATE TABLE "\u{301}mark"(a); CREATE TABLE e\u{301}tude(a); CREATE TABLE 🚗car(a)
            """
        )
        var editor = LineEditor()
        _ = editor.handle(.text(text)) { _ in false }
        let words = ShellCompletion(connection).complete(&editor)
        return (editor.before, words)
    }

    @Test(arguments: [
        ("select * from we", "select * from \"we ird\" "),
        ("select * from \"we", "select * from \"we ird\" "),
        ("select * from \"we i", "select * from \"we ird\" "),
        ("select * from [we", "select * from [we ird] "),
        ("select * from `WE", "select * from `we ird` "),
        ("select * from [x", "select * from \"x]y\" "),
        ("select \"we ird\".to", "select \"we ird\".\"top speed\" "),
        ("select [we ird].[to", "select [we ird].[top speed] "),
        ("select \"a\"\"", "select \"a\"\"b\" "),
        ("select * from \"\u{301}m", "select * from \"\u{301}mark\" "),
        ("select * from e\u{301}t", "select * from e\u{301}tude "),
        ("select * from 🚗", "select * from \"🚗car\" "),
        (".schema \"we", ".schema \"we ird\" "), (".schema [we", ".schema \"we ird\" "),
    ])
    func aBegunQuoteIsReplaced(text: String, completed: String) throws {
        let result = try complete(text)
        #expect(Array(result.text.utf8) == Array(completed.utf8))
        #expect(result.words == [])
    }

    @Test(arguments: [
        "select 'we", "select 'it''s we", "select x'we", "-- we", "select 1 -- \"we", "/* we", "select 1 /* sel",
        "select * from red", "select * from \"red", "select * from \"\u{E9}t", "select * from \"we ird\"",
    ])
    func nothingIsCompletedInTextsAndComments(text: String) throws {
        let result = try complete(text)
        #expect(result.text == text && result.words == [])
    }

    @Test func afterTextsAndCommentsWordsAreCompleted() throws {
        for before in ["select 'it''s', ", "/* sel */ ", "-- sel\n"] {
            #expect(try complete(before + "sel").text == before + "select ")
        }
    }
}
