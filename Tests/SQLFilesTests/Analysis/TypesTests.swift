import Foundation
import Squall
import SquallTestSupport
import Testing

@testable import SquallSQLFiles

/// The types of the columns and the parameters of some hundred queries, which `Golden/types.txt` lists; with
/// `SQUALL_RECORD=1`, the test writes that file.
///
/// Each query also runs on random rows: no NULL arrives where the type is not optional, and values have their types.
struct TypesTests {
    private static let golden = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Golden/types.txt")

    @Test(.enabled(if: SQLiteLibrary.has("ENABLE_MATH_FUNCTIONS"))) func theyAreAsListed() throws {
        let connection = try MatrixSchema.connection()
        let compiler = try StatementCompiler(connection, CatalogReader(connection).catalog())
        let lines = try String(contentsOf: Self.golden, encoding: .utf8).split(separator: "\n")
        let found = try lines.map { line -> String in
            guard !line.hasPrefix("#"), let arrow = line.firstRange(of: " → ") else { return String(line) }
            let sql = String(line[..<arrow.lowerBound])
            return "\(sql) → \(try MatrixSchema.types(of: sql, compiler))"
        }
        if ProcessInfo.processInfo.environment["SQUALL_RECORD"] != nil {
            try (found.joined(separator: "\n") + "\n").write(to: Self.golden, atomically: true, encoding: .utf8)
        }
        for (line, other) in zip(lines, found) where line != other {
            Issue.record("listed: \(line)\nfound:  \(other)")
        }
        #expect(lines.count > 300)
    }

    @Test(.enabled(if: SQLiteLibrary.has("ENABLE_MATH_FUNCTIONS"))) func randomRowsKeepThem() throws {
        let connection = try MatrixSchema.connection()
        let compiler = try StatementCompiler(connection, CatalogReader(connection).catalog())
        let lines = try String(contentsOf: Self.golden, encoding: .utf8).split(separator: "\n")
        var (broken, rows) = ([String](), 0)
        for line in lines where !line.hasPrefix("#") {
            guard let arrow = line.firstRange(of: " → ") else { continue }
            let sql = String(line[..<arrow.lowerBound])
            for seed in 0..<20 {
                try MatrixRows.fill(connection, SeededGenerator(seed: seed))
                let (lines, count) = try PromiseCheck(compiler).broken(sql)
                broken += lines
                rows += count
            }
        }
        #expect(broken.isEmpty, "\(broken.prefix(10).joined(separator: "\n"))")
        #expect(rows > 10_000)
    }
}
