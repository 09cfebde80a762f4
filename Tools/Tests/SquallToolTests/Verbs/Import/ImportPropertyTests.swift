import Foundation
import Squall
import SwiftCSV
import Testing

/// Random files. Each failure names the seed, with which the file is made again.
@Suite struct ImportPropertyTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private static let pieces = [
        "a", "\"", "\"\"", ",", "\n", "\r\n", "\r", " ", "\t", "é", "漢字", "👨‍👩‍👧", "e\u{301}", "\u{0}", "1", "-", ".5",
        "NULL", "'", "\\", "",
    ]

    private static func text(_ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...6, using: &random)).map { _ in random.pick(pieces) }.joined()
    }

    @Test(arguments: [199_690] + TestSeed.list(20, of: "everyCSVIsReadAsItWasWritten"))
    func everyCSVIsReadAsItWasWritten(seed: Int) async throws {
        var random = SeededGenerator(seed: seed)
        let width = Int.random(in: 2...5, using: &random)
        let rows = (0..<Int.random(in: 1...200, using: &random)).map { _ in (0..<width).map { _ in Self.text(&random) }
        }
        let end = random.chance(50) ? "\n" : "\r\n"
        let names = (0..<width).map { "c\($0)" }
        var lines: [String] = []
        for row in [names] + rows {
            let fields = row.map { field in
                let isSpecial = field.isEmpty || field.utf8.contains { "\",\r\n".utf8.contains($0) }
                return isSpecial || random.chance(30) ? "\"\(field.replacing("\"", with: "\"\""))\"" : field
            }
            lines.append(fields.joined(separator: ","))
        }
        let ended = lines.map { $0 + end }.joined()
        let file = random.chance(50) ? ended : lines.joined(separator: end)
        let path = try directory.file("t.csv", file)
        let types = names.flatMap { ["--type", "\($0)=text"] }
        try await expect(
            Tool.shell("\"$SQUALL\" import \"$@\"", [directory.path("test.db"), path] + types),
            prints: "\(rows.count) \(rows.count == 1 ? "row" : "rows") into t\n"
        )
        let read = try directory.values("SELECT * FROM t ORDER BY rowid")
        #expect(read == rows.map { $0.map { .text($0) } }, "seed \(seed)")
        // Another reader reads the same, where it can: it takes the characters of CRLF for one, and loses an empty field at the end
        // of a file without a last line end.
        if end == "\n", !rows.joined().contains(where: { $0.utf8.contains(UInt8(ascii: "\r")) }) {
            let other = try EnumeratedCSV(string: ended, delimiter: .comma, loadColumns: false)
            #expect(other.rows == rows, "seed \(seed)")
        }
    }

    @Test(arguments: TestSeed.list(20, of: "noBytesCrashTheReader"))
    func noBytesCrashTheReader(seed: Int) async throws {
        var random = SeededGenerator(seed: seed)
        let format = random.pick(["csv", "tsv", "json", "ndjson"])
        let pieces =
            Self.pieces + [
                "{", "}", "[", "]", ":", "{\"a\":1}\n", "[{\"a\":", "\\u12", "true", "\u{FEFF}", "1e", "a,b\n1,2\n",
            ]
        var bytes = Data((0..<Int.random(in: 0...60, using: &random)).map { _ in random.pick(pieces) }.joined().utf8)
        if random.chance(30), !bytes.isEmpty { bytes[Int.random(in: 0..<bytes.count, using: &random)] = 0xFF }
        for options in [[], ["--reject", directory.path("bad.csv")]] {
            let path = directory.path("t.\(format)")
            try bytes.write(to: URL(fileURLWithPath: path))
            let outcome = try await Tool.shell(
                "rm -f \"$1\"; \"$SQUALL\" import \"$@\"", [directory.path("test.db"), path] + options
            )
            #expect([0, 2, 65].contains(outcome.exitCode), "seed \(seed): \(outcome)")
            #expect(
                outcome.exitCode == 0 ? !outcome.error.contains("error: ") : outcome.error.contains("error: "),
                "seed \(seed)")
        }
    }

    @Test(arguments: TestSeed.list(20, of: "everyJSONIsReadAsItWasWritten"))
    func everyJSONIsReadAsItWasWritten(seed: Int) async throws {
        var random = SeededGenerator(seed: seed)
        let rows = (0..<Int.random(in: 1...200, using: &random)).map { _ in
            ["a": Self.text(&random), "b": Self.text(&random)].filter { _ in random.chance(90) }
        }
        let isArray = random.chance(50)
        let encoder = JSONEncoder()
        if isArray, random.chance(50) { encoder.outputFormatting = .prettyPrinted }
        let lines = try rows.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }.joined(
            separator: "\n")
        let file = isArray ? String(decoding: try encoder.encode(rows), as: UTF8.self) : lines
        let path = try directory.file(isArray ? "t.json" : "t.ndjson", file)
        _ = try directory.database("CREATE TABLE t(a TEXT, b TEXT)")
        try await expect(
            Tool.run("import", directory.path("test.db"), path),
            prints: "\(rows.count) \(rows.count == 1 ? "row" : "rows") into t\n"
        )
        let expected = rows.map { row in ["a", "b"].map { row[$0].map { BindingValue.text($0) } ?? .null } }
        #expect(try directory.values("SELECT a, b FROM t ORDER BY rowid") == expected, "seed \(seed)")
    }
}
