import SquallTestSupport
import Squall
import Testing

@testable import SquallSQLFiles

struct QueryFileFuzzTests {
    private static let pieces = [
        "-- name: a", "-- name: b :many", "-- nmae: c", "-- x: Int", "-- x: Int??", "-- :y: [A", "--", "-- \"q", "\n",
        "\n",
        "\n", "\r\n", ";", ";", " ", "SELECT 1", "BEGIN", "END", "CREATE TRIGGER", "PRAGMA a(", "'", "\"", "`", "[",
        "]",
        "/*", "*/", "x'", "é", "🚗", "(", ":p", ":l...", "-", "/", "-- function: f(", "-- function: f() -> Int", ".",
        "\t",
    ]

    /// Whatever a file contains, its statements are parts of its text in their order, and its diagnostics have places in it.
    @Test func everyFileIsRead() {
        var random = TestSeed.of().generator()
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 0...24, using: &random)).map { _ in
                Self.pieces.randomElement(using: &random) ?? ""
            }.joined()
            let file = ReadQueries.file(text)
            let bytes = Array(text.utf8)
            var end = 0
            for statement in file.queries.flatMap(\.statements) {
                let range = statement.offset..<statement.offset + statement.text.utf8.count
                #expect(range.lowerBound >= end && range.upperBound <= bytes.count, "\(text)")
                #expect(String(decoding: bytes[range], as: UTF8.self) == statement.text, "\(text)")
                #expect(SQLTokenizer.tokens(of: statement.text).first?.range.lowerBound == 0, "\(text)")
                #expect(SQLTokenizer.tokens(of: statement.text).last?.range.upperBound == range.count, "\(text)")
                end = range.upperBound
            }
            let lines = text.utf8.split(separator: 10, omittingEmptySubsequences: false).map(\.count)
            for place in file.diagnostics.map(\.location) {
                #expect(lines.indices.contains(place.line - 1) && place.column <= lines[place.line - 1] + 1, "\(text)")
            }
            #expect(file.queries.allSatisfy { !$0.statements.isEmpty }, "\(text)")
        }
    }
}
