import Foundation
import Squall
import Testing

@Suite struct TableFormatTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func numbersAreAtTheRightAndNullIsNeitherItsNameNorAnEmptyText() async throws {
        let path = try directory.database(
            """
            CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, price);
            INSERT INTO cars VALUES(1, 'Audi', 52642), (2, 'NULL', 2.5), (1000, '', NULL), (4, NULL, -1)
            """
        )
        try await expect(
            Tool.run("query", path, "SELECT * FROM cars"),
            prints: """
                   id │ name   │ price
                ──────┼────────┼───────
                    1 │ Audi   │ 52642
                    2 │ 'NULL' │   2.5
                    4 │ NULL   │    -1
                 1000 │        │  NULL
                4 rows

                """
        )
    }

    @Test func aNumberAmongTextIsAtTheRightOfItsColumn() async throws {
        try await expect(
            Tool.run("query", ":memory:", "VALUES('text', 1), (42, 2), (NULL, 3)"),
            prints: """
                 column1 │ column2
                ─────────┼─────────
                 text    │       1
                      42 │       2
                 NULL    │       3
                3 rows

                """
        )
    }

    @Test func charactersOfAnyWidthKeepTheColumnsInLine() async throws {
        let path = try directory.database("CREATE TABLE t(text TEXT, n INTEGER)")
        let connection = try Connection(path)
        let texts = ["abc", "漢字", "e\u{301}", "🇩🇪", "👨‍👩‍👧‍👦", "👍🏽", "❤️", "1️⃣", "한글", "\u{1112}\u{1161}\u{11AB}", "ｱ", "½"]
        for (index, text) in texts.enumerated() {
            try connection.run("INSERT INTO t VALUES(\(text), \(index))")
        }
        connection.close()
        try await expect(
            Tool.run("query", path, "SELECT text AS 表, n FROM t"),
            prints: """
                 表   │  n
                ──────┼────
                 abc  │  0
                 漢字 │  1
                 e\u{301}    │  2
                 🇩🇪   │  3
                 👨‍👩‍👧‍👦   │  4
                 👍🏽   │  5
                 ❤️   │  6
                 1️⃣   │  7
                 한글 │  8
                 \u{1112}\u{1161}\u{11AB}   │  9
                 ｱ    │ 10
                 ½    │ 11
                12 rows

                """
        )
    }

    @Test func whatWouldMoveTheCursorIsEscaped() async throws {
        let sql = """
            SELECT 'a' || char(0) || 'b' AS nul, 'x' || char(10, 13, 9) AS lines, char(27) || '[31m' AS colour, \
            char(0x202E, 0x85, 0x2028) AS marks, 'a\\nb' AS "two
            lines"
            """
        try await expect(
            Tool.run("query", ":memory:", sql),
            prints: #"""
                 nul     │ lines   │ colour     │ marks                  │ two\nlines
                ─────────┼─────────┼────────────┼────────────────────────┼────────────
                 a\u{0}b │ x\n\r\t │ \u{1B}[31m │ \u{202E}\u{85}\u{2028} │ a\nb
                1 row

                """#
        )
    }

    @Test func bytesAreLiteralsAndLongOnesAreCut() async throws {
        let sql = """
            VALUES(x'', x'00FF', zeroblob(16), zeroblob(17), CAST(x'61FF62' AS TEXT))
            """
        let zeros = String(repeating: "0", count: 32)
        try await expect(
            Tool.run("query", ":memory:", sql),
            prints: """
                 column1 │ column2 │ column3                             │ column4                         │ column5
                ─────────┼─────────┼─────────────────────────────────────┼─────────────────────────────────┼─────────
                 x''     │ x'00ff' │ x'\(zeros)' │ x'0000000000000000…' (17 bytes) │ a\u{FFFD}b
                1 row

                """
        )
    }

    @Test func realsAreShownSoThatTheyReadBack() async throws {
        let sql = "VALUES(0.1), (1e300 * 1e300), (-1e300 * 1e300), (5e-324), (100.0), (1e16)"
        try await expect(
            Tool.run("query", ":memory:", sql),
            prints: """
                 column1
                ─────────
                     0.1
                     Inf
                    -Inf
                  5e-324
                   100.0
                   1e+16
                6 rows

                """
        )
    }

    @Test func noRowsAreAHeaderAndNoColumnsAreNothing() async throws {
        try await expect(
            Tool.run("query", ":memory:", "SELECT 1 AS a, 2 AS b WHERE 0"),
            prints: """
                 a │ b
                ───┼───
                0 rows

                """
        )
        try await expect(Tool.run("query", ":memory:", "PRAGMA foreign_keys = ON"))
    }

    @Test func columnsOfTheSameNameAreAllThere() async throws {
        try await expect(
            Tool.run("query", ":memory:", "SELECT 1 AS a, 2 AS a"),
            prints: """
                 a │ a
                ───┼───
                 1 │ 2
                1 row

                """
        )
    }
}
