import Testing

import Squall

/// The parameters that are found in SQL text are those that SQLite finds.
struct ParameterTests {
    private func parameters(_ text: String) -> [String] {
        SQLTokenizer(text).filter { $0.kind == .parameter }.map(\.source)
    }

    @Test func theFormsOfAParameter() {
        #expect(parameters("SELECT ?, ?12, :a, @b, $c, #d") == ["?", "?12", ":a", "@b", "$c", "#d"])
        #expect(parameters("?1a") == ["?1"])
        #expect(parameters("x=:ä1-?") == [":ä1", "?"])
    }

    @Test func namesAsInTcl() {
        #expect(parameters("$a::b(c), :a(b c), $c('), @d::") == ["$a::b(c)", ":a", "$c(')", "@d::"])
    }

    @Test func aSignWithoutANameIsNone() {
        #expect(parameters(": @ $ # :") == [])
        #expect(parameters("a:") == [])
        #expect(parameters(":-?") == ["?"])
    }

    @Test func quotesAndComments() {
        #expect(parameters("':a' \":b\" `:c` [:d] :e") == [":e"])
        #expect(parameters("'it''s :a' ?") == ["?"])
        #expect(parameters("-- :a\n:b") == [":b"])
        #expect(parameters("/* :a * :b */ :c /**/ :d /* :e") == [":c", ":d"])
        #expect(parameters("/*/ :a */ :b") == [":b"])
        #expect(parameters("1 - :a / :b") == [":a", ":b"])
        #expect(parameters("'never closed :a") == [])
    }

    @Test func aWordThatContainsASign() {
        #expect(parameters("a$b $c") == ["$c"])
        #expect(parameters("a1?b") == ["?"])
    }

    /// SQLite has as many parameters.
    @Test func asSQLiteCounts() throws {
        let connection = try Connection()
        for text in [
            "SELECT ?, ?, :a, @b", "SELECT ':a', :b -- :c\n, ?", "SELECT /* ? */ ? /**/", "SELECT 1 AS [?], ?",
            "SELECT 1 AS \"a?\", `b?` FROM (SELECT 2 AS `b?`) WHERE ?",
        ] {
            #expect(try connection.prepare(SQL(raw: text)).parameterCount == parameters(text).count, "\(text)")
        }
    }
}
