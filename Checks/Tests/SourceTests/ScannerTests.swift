import Foundation
import Testing

/// SQL is read by one tokenizer, and by one test of the first word that every prepared statement passes.
struct ScannerTests {
    private static let scanners = [
        "Sources/Squall/Connection/Statements/StatementStart.swift", "Sources/SquallBase/Tokens/SQLTokenizer.swift",
    ]

    /// The files of all packages but those that are about another language.
    private static let files = Repository.files(in: "", ".swift").filter { file in
        file.path.contains("Sources/") && !file.path.hasPrefix("Documentation/")
    }

    /// The signs of a scanner: it finds the end of a block comment, or it knows three kinds of quotes.
    private static func isScanner(_ code: String) -> Bool {
        func has(_ sign: String, _ number: String) -> Bool {
            code.contains("ascii: \"\(sign)\")") || code.contains(number)
        }
        let endsComments =
            has("*", "0x2a") && has("/", "0x2f") || code.contains("\"*/\".utf8") || code.contains("hasPrefix(\"*/\")")
        return endsComments || has("'", "0x27") && has("`", "0x60") && has("[", "0x5b")
    }

    @Test func twoFilesScanSQL() {
        #expect(Self.files.count > 600)
        #expect(Self.files.filter { Self.isScanner($0.code) }.map(\.path) == Self.scanners)
    }

    @Test func aScannerIsRecognised() {
        #expect(Self.isScanner(#"case UInt8(ascii: "*") where next == UInt8(ascii: "/"): break"#))
        #expect(Self.isScanner(#"[UInt8(ascii: "'"), UInt8(ascii: "`"), UInt8(ascii: "[")]"#))
        #expect(Self.isScanner("let closing = [0x27: 0x27, 0x60: 0x60, 0x5b: 0x5d]"))
        #expect(!Self.isScanner(#"text.hasPrefix("--")"#))
    }
}
