import Foundation
import Testing

@Suite struct PlainFormatTests {
    private static let sql = """
        SELECT 1 AS a, NULL AS b, '' AS c, 2.5 AS "d|e" UNION ALL SELECT -9223372036854775808, 'x' || char(9) || 'y', 'say "hi"', x'01' \
        UNION ALL SELECT 0, 'one' || char(10) || 'two', ' z', 9e999
        """

    @Test func tabsSeparateFieldsAndQuotesHoldThem() async throws {
        try await expect(
            Tool.run("query", ":memory:", Self.sql, "--format", "tsv"),
            prints:
                "a\tb\tc\td|e\n1\t\t\"\"\t2.5\n-9223372036854775808\t\"x\ty\"\t\"say \"\"hi\"\"\"\tx'01'\n0\t\"one\ntwo\"\t\" z\"\tInf\n"
        )
    }

    @Test func anObjectIsOnEachLine() async throws {
        try await expect(
            Tool.run("query", ":memory:", Self.sql, "--format", "ndjson"),
            prints: #"""
                {"a": 1, "b": null, "c": "", "d|e": 2.5}
                {"a": -9223372036854775808, "b": "x\ty", "c": "say \"hi\"", "d|e": {"$base64": true, "encoded": "AQ=="}}
                {"a": 0, "b": "one\ntwo", "c": " z", "d|e": null}

                """#
        )
        try await expect(Tool.run("query", ":memory:", "SELECT 1 WHERE 0", "--format", "ndjson"))
    }

    @Test func markdownHasATable() async throws {
        try await expect(
            Tool.run("query", ":memory:", Self.sql, "--format", "markdown"),
            prints: #"""
                | a | b | c | d\|e |
                | --- | --- | --- | --- |
                | 1 | *NULL* |  | 2.5 |
                | -9223372036854775808 | x y | say "hi" | x'01' |
                | 0 | one<br>two |  z | Inf |

                """#
        )
    }

    @Test func whatMarkdownReservesIsEscaped() async throws {
        let sql = #"SELECT 'a_b _c_ *d* `e` <f> [g] h|i \ j&k' || char(13, 10) || 'l' || char(0, 27) AS snake_case"#
        try await expect(
            Tool.run("query", ":memory:", sql, "--format", "markdown"),
            prints: """
                | snake_case |
                | --- |
                | a_b \\_c\\_ \\*d\\* \\`e\\` \\<f> \\[g\\] h\\|i \\\\ j\\&k<br>l\u{FFFD}\u{FFFD} |

                """
        )
        try await expect(Tool.run("query", ":memory:", "PRAGMA foreign_keys = ON", "--format", "markdown"))
    }
}
