import Foundation
import Squall
import Testing

/// Files that are not what the tool expects, and what it says about them.
@Suite struct ImportHintTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func load(_ name: String, _ bytes: Data, _ options: String...) async throws -> Outcome {
        let path = directory.path(name)
        try bytes.write(to: URL(fileURLWithPath: path))
        return try await Tool.shell(
            "\"$SQUALL\" import \"$@\"", [directory.path("test.db"), path, "--table", "t"] + options)
    }

    private static let mark = "\u{FEFF}"

    @Test(arguments: ["t.csv", "t.json"])
    func otherEncodingsAreNamed(name: String) async throws {
        let text = name == "t.csv" ? "ab,c\n1,2\n" : "[{\"ab\": 1}]"
        let cases: [(String.Encoding, String, String)] = [
            (.utf16LittleEndian, Self.mark, "UTF-16"), (.utf16BigEndian, Self.mark, "UTF-16"),
            (.utf32LittleEndian, Self.mark, "UTF-32"), (.utf32BigEndian, Self.mark, "UTF-32"),
            (.utf16LittleEndian, "", "UTF-16LE"), (.utf16BigEndian, "", "UTF-16BE"),
            (.utf32LittleEndian, "", "UTF-32LE"), (.utf32BigEndian, "", "UTF-32BE"),
        ]
        for (encoding, mark, title) in cases {
            let bytes = try #require((mark + text).data(using: encoding))
            try await expect(
                load(name, bytes),
                fails: """
                    error: \(directory.path(name)): the text is \(title), and must be UTF-8
                    hint: convert the file, for instance with iconv -f \(title) -t UTF-8

                    """, exitCode: 65)
        }
    }

    /// A column that has numbers already, from a file without such codes.
    @Test func zerosThatAreLostAreTold() async throws {
        _ = try await load("t.csv", Data("zip,price\n10001,0.5\n".utf8))
        let outcome = try await load("more.csv", Data("zip,price\n02134,007.5\n30003,0.5\n00501,0\n".utf8))
        #expect(outcome.exitCode == 0 && outcome.output == "3 rows into t\n")
        #expect(
            outcome.error
                == "hint: '02134' has lost its zeros, as have 2 other fields, because the column 'zip' has numbers\n")
        let exact = try await load("exact.csv", Data("zip,price\n40004,0.25\n".utf8))
        #expect(exact.error.isEmpty)
    }

    @Test func aHeaderOfLatin1HasAHint() async throws {
        try await expect(
            load("t.csv", Data("pr".utf8) + [0xE9] + Data("nom\n1\n".utf8)),
            fails: """
                error: \(directory.path("t.csv")), line 1: the header is not valid UTF-8
                hint: convert the file, for instance with iconv -f ISO-8859-1 -t UTF-8

                """, exitCode: 65)
    }

    /// It is ASCII, which no conversion of the file changes.
    @Test func halfOfAPairOfSurrogatesIsNotAnEncoding() async throws {
        try await expect(
            load("t.json", Data(#"[{"a": "x\ud83d"}]"#.utf8)),
            fails: #"""
                error: \#(directory.path("t.json")), line 1: column 'a' has half of a pair of surrogates, such as \ud83d, which is not a character
                hint: write both halves, or \ufffd in place of the one

                """#, exitCode: 65)
    }

    @Test(arguments: [
        ("a;b;c\n1;2;3\n", "2 semicolons", "';'"), ("a\tb\n1\t2\n", "1 tab", "tab"), ("a|b\n1|2\n", "1 bar", "'|'"),
    ])
    func anotherDelimiterIsSuggested(text: String, found: String, delimiter: String) async throws {
        let hint = "hint: the first line has \(found) and one column: --delimiter \(delimiter)\n"
        try await expect(load("t.csv", Data(text.utf8)), prints: "1 row into t\n", fails: hint)
        try await expect(
            load("t.csv", Data(text.utf8), "--no-header", "--table", "u"), prints: "2 rows into u\n", fails: hint)
        let given = delimiter.replacing("'", with: "")
        try await expect(load("t.csv", Data(text.utf8), "--delimiter", given, "--table", "v"), prints: "1 row into v\n")
        // The hint is also that of a table that has other columns.
        _ = try directory.database("CREATE TABLE w(a, b, c)", name: "other.db")
        let outcome = try await Tool.run("import", directory.path("other.db"), directory.path("t.csv"), "--table", "w")
        #expect(
            outcome.error.hasSuffix(
                "has no column '\(text.prefix { $0 != "\n" }.replacing("\t", with: "\\t"))'\n\(hint)"), "\(outcome)")
        try await expect(load("t.csv", Data("a\n1;2\n".utf8), "--table", "x"), prints: "1 row into x\n")
    }

    @Test func aDelimiterMakesStandardInputDelimitedText() async throws {
        try await expect(
            Tool.run(
                "import", directory.path("test.db"), "-", "--table", "t", "--delimiter", ";",
                input: Data("a;b\n1;2\n".utf8)),
            prints: "1 row into t\n")
        #expect(try directory.literals("SELECT * FROM t") == ["1 2"])
    }

    /// As the help says, a decimal number keeps its value and not its zeros.
    @Test func zerosAtTheEndAreKeptOnRequest() async throws {
        let text = Data("version\n1.10\n1.9\n".utf8)
        _ = try await load("t.csv", text)
        #expect(try directory.literals("SELECT version FROM t") == ["1.1", "1.9"])
        _ = try await load("t.csv", text, "--table", "u", "--type", "version=text")
        #expect(try directory.literals("SELECT version FROM u") == ["'1.10'", "'1.9'"])
    }
}
