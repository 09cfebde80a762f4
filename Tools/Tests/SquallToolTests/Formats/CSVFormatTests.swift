import Foundation
import SwiftCSV
import Testing

@Suite struct CSVFormatTests {
    @Test func nullIsNothingAndEmptyTextIsQuotes() async throws {
        try await expect(
            Tool.run("query", ":memory:", "VALUES(1, NULL, '', 'a'), (2.5, 'NULL', ' b', 1e999)", "--format", "csv"),
            prints: """
                column1,column2,column3,column4
                1,,"",a
                2.5,NULL," b",Inf

                """
        )
    }

    @Test func bytesAreLiterals() async throws {
        let sql = "SELECT x'' AS a, x'00FF' AS b, zeroblob(20) AS c, CAST(x'61FF62' AS TEXT) AS d"
        let zeros = String(repeating: "0", count: 40)
        try await expect(
            Tool.run("query", ":memory:", sql, "--format", "csv"),
            prints: "a,b,c,d\nx'',x'00ff',x'\(zeros)',x'61ff62'\n"
        )
    }

    @Test func whatCSVReservesIsQuoted() async throws {
        let sql =
            #"SELECT 'a,b' AS "x,y", 'say "hi"' AS """", 'one' || char(13, 10) || 'two' AS lines, 'c' AS c, 'c' AS c"#
        try await expect(
            Tool.run("query", ":memory:", sql, "--format", "csv"),
            prints: #""x,y","""",lines,c,c"# + "\n" + #""a,b","say ""hi""","one"# + "\r\n" + #"two",c,c"# + "\n"
        )
    }

    @Test func anotherReaderGetsTheSameValues() async throws {
        let texts = [
            "plain", "comma, comma", "quote \" quote", "\"", " spaces ", "two\nlines", "", "nul \0 nul",
            "漢字 e\u{301} 👨‍👩‍👧‍👦 🇩🇪", "'; DROP TABLE cars; --",
        ]
        let literals = texts.map { text in
            let digits = text.utf8.map { String(format: "%02x", $0) }.joined()
            return "CAST(x'\(digits)' AS TEXT)"
        }
        let outcome = try await Tool.run(
            "query", ":memory:", "SELECT " + literals.joined(separator: ", "), "--format", "csv"
        )
        #expect(outcome.error == "" && outcome.exitCode == 0)
        let csv = try EnumeratedCSV(string: outcome.output, delimiter: .comma, loadColumns: false)
        #expect(csv.rows == [texts])
    }

    @Test func noRowsAreAHeaderAndNoColumnsAreNothing() async throws {
        try await expect(
            Tool.run("query", ":memory:", "SELECT 1 AS a, 2 AS b WHERE 0", "--format", "csv"), prints: "a,b\n"
        )
        try await expect(Tool.run("query", ":memory:", "PRAGMA foreign_keys = ON", "--format", "csv"))
    }

    @Test func manyRowsArriveWhole() async throws {
        let sql = "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT i FROM n"
        let outcome = try await Tool.run("query", ":memory:", sql, "--format", "csv")
        expect(outcome, prints: "i\n" + (1...20_000).map { "\($0)\n" }.joined())
    }
}
