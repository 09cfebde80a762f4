import Foundation
import Squall
import Testing

@Suite struct ImportCSVTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Imports a text into the table `t`, and returns the outcome.
    private func load(_ text: String, _ options: String..., file: String = "t.csv") async throws -> Outcome {
        let path = try directory.file(file, text)
        return try await Tool.shell(
            "\"$SQUALL\" import \"$@\"", [directory.path("test.db"), path] + options
        )
    }

    @Test func aTableIsMadeAndTheRowsAreCounted() async throws {
        try await expect(
            load("id,name,price\n1,Audi,52642\n2,\"Škoda, \"\"Octavia\"\"\",9000.5\n3,,\n"), prints: "3 rows into t\n"
        )
        #expect(
            try directory.values("SELECT sql FROM sqlite_schema") == [
                [.text("CREATE TABLE \"t\"(\n  \"id\" INTEGER,\n  \"name\" TEXT,\n  \"price\" REAL\n)")]
            ]
        )
        #expect(
            try directory.literals("SELECT * FROM t") == [
                "1 'Audi' 52642.0", "2 'Škoda, \"Octavia\"' 9000.5", "3 NULL NULL",
            ]
        )
        try await expect(load("id\n1\n", "--table", "one"), prints: "1 row into one\n")
    }

    @Test(arguments: [
        ("\n", "a,b\n1,x\n2,y\n"), ("\r\n", "a,b\n1,x\n2,y\n"), ("\r", "a,b\n1,x\n2,y\n"), ("\n", "a,b\n1,x\n2,y"),
        ("\n", "\u{FEFF}a,b\n1,x\n2,y\n"), ("\n", "\n\na,b\n\n1,x\n\n2,y\n\n"),
        ("\n", "\"a\",\"b\"\n\"1\",\"x\"\n\"2\",\"y\""),
    ])
    func linesEndInEveryUsualWay(end: String, text: String) async throws {
        try await expect(load(text.replacing("\n", with: end)), prints: "2 rows into t\n")
        #expect(try directory.literals("SELECT a, b FROM t") == ["1 'x'", "2 'y'"])
    }

    @Test func aFieldInQuotesMayHaveEverything() async throws {
        try await expect(
            load("a,b\n\"one\r\ntwo\",\"\"\"\"\n\" , \",\"\u{0}é👍🏽\"\n5\" nail,a\"\"b\n"), prints: "3 rows into t\n"
        )
        #expect(
            try directory.values("SELECT a, b FROM t") == [
                [.text("one\r\ntwo"), .text("\"")], [.text(" , "), .text("\u{0}é👍🏽")],
                [.text("5\" nail"), .text("a\"\"b")],
            ]
        )
    }

    @Test func aFileWithOneColumnHasNullsInBlankLines() async throws {
        try await expect(load("a\n1\n\n\"\"\n"), prints: "3 rows into t\n")
        #expect(try directory.literals("SELECT a FROM t") == ["1", "NULL", "NULL"])
    }

    @Test func tabsAndOtherDelimitersSeparateFields() async throws {
        try await expect(load("a\tb\n1,5\t\"x\ty\"\n", file: "t.tsv"), prints: "1 row into t\n")
        #expect(try directory.literals("SELECT a, b FROM t") == ["'1,5' 'x\ty'"])
        try await expect(load("a;b\n1;2\n", "--delimiter", ";", "--table", "u"), prints: "1 row into u\n")
        try await expect(load("a\tb\n1\t2\n", "--delimiter", "tab", "--table", "v"), prints: "1 row into v\n")
        #expect(try directory.literals("SELECT * FROM u UNION ALL SELECT * FROM v") == ["1 2", "1 2"])
    }

    @Test func namesComeFromTheHeaderOrTheOptions() async throws {
        try await expect(load("1,2\n3,4\n", "--no-header"), prints: "2 rows into t\n")
        #expect(try directory.literals("SELECT column1, column2 FROM t") == ["1 2", "3 4"])
        try await expect(load("1,2\n", "--no-header", "--columns", "x,y z", "--table", "u"), prints: "1 row into u\n")
        #expect(try directory.literals("SELECT x, \"y z\" FROM u") == ["1 2"])
        try await expect(load("a,a\n1,2\n", "--columns", "x,y", "--table", "v"), prints: "1 row into v\n")
        #expect(try directory.literals("SELECT x, y FROM v") == ["1 2"])
        try await expect(
            load("\"a \"\"b\"\"\",,é 👍\n1,2,3\n", "--table", "a \"b\" 👍"), prints: "1 row into a \"b\" 👍\n")
        #expect(try directory.literals("SELECT \"a \"\"b\"\"\", column2, \"é 👍\" FROM \"a \"\"b\"\" 👍\"") == ["1 2 3"])
    }

    @Test func aHeaderAloneIsAnEmptyTable() async throws {
        try await expect(load("a,b\n"), prints: "0 rows into t\n")
        #expect(try directory.literals("SELECT type FROM pragma_table_info('t')") == ["'TEXT'", "'TEXT'"])
    }

    @Test(arguments: [
        ("", ": the file is empty\nhint: its first line has the names of the columns"),
        ("a,A\n1,2\n", nil),
        ("a,b\n1,2\n3\n", ", line 3: 1 field instead of 2"),
        ("a,b\n\"1\n\n2\",x\n1,2,3\n", ", line 5: 3 fields instead of 2"),
        ("a,b\r\n1,\"2\r\n\r\n", ", line 2: a quote is opened and never closed"),
        ("a,b\n1,\"2\"x\n", ", line 2: field 2 has text after its closing quote"),
    ])
    func aFileThatIsNotCSVNamesItsLine(text: String, message: String?) async throws {
        let expected =
            message.map { "error: \(directory.path("t.csv"))\($0)\n" }
            ?? "error: \(directory.path("t.csv")): two columns have the name 'A'\nhint: give all columns other names with --columns\n"
        try await expect(load(text), fails: expected, exitCode: 65)
        #expect(try directory.files() == ["t.csv"])
    }

    @Test func textInAnotherEncodingIsAnError() async throws {
        let path = directory.path("latin.csv")
        try Data("a,b\n1,caf\u{E9}\n".unicodeScalars.map { UInt8($0.value) }).write(to: URL(fileURLWithPath: path))
        try await expect(
            Tool.run("import", directory.path("test.db"), path),
            fails: """
                error: \(path), line 2: column 'b' is not valid UTF-8
                hint: convert the file, for instance with iconv -f ISO-8859-1 -t UTF-8

                """,
            exitCode: 65
        )
        let wide: [UInt8] = [0xFF, 0xFE] + "a,b\n".utf8.flatMap { [$0, 0] }
        try Data(wide).write(to: URL(fileURLWithPath: path))
        try await expect(
            Tool.run("import", directory.path("test.db"), path),
            fails: """
                error: \(path): the text is UTF-16, and must be UTF-8
                hint: convert the file, for instance with iconv -f UTF-16 -t UTF-8

                """,
            exitCode: 65
        )
    }

    @Test func aRecordLongerThanTheBufferIsRead() async throws {
        let long = String(repeating: "0123456789\n", count: 100_000)
        let wide = (0..<1000).map { "c\($0)" }.joined(separator: ",")
        try await expect(load("a,b\nx,\"\(long)\"\ny,z\n"), prints: "2 rows into t\n")
        #expect(try directory.literals("SELECT length(b) FROM t") == ["1100000", "1"])
        try await expect(load("\(wide)\n\(wide)\n", "--table", "wide"), prints: "1 row into wide\n")
    }

    @Test func standardInputIsReadTwice() async throws {
        let database = directory.path("test.db")
        try await expect(
            Tool.run("import", database, "-", "--table", "t", "--format", "csv", input: Data("a\n1\n2.5\n".utf8)),
            prints: "2 rows into t\n"
        )
        try await expect(
            Tool.run("import", database, "-", "--table", "t", "--format", "csv", input: Data("a\n7\n".utf8)),
            prints: "1 row into t\n"
        )
        #expect(try directory.literals("SELECT a FROM t") == ["1.0", "2.5", "7.0"])
        try await expect(
            Tool.shell("printf 'a\\n3\\n' | \"$SQUALL\" import \"$1\" /dev/stdin --table u --format csv", [database]),
            prints: "1 row into u\n"
        )
    }
}
