import Foundation
import Squall
import Testing

@Suite struct ImportTypeTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func load(_ text: String, _ options: [String] = [], file: String = "t.csv") async throws -> Outcome {
        let path = try directory.file(file, text)
        return try await Tool.shell("\"$SQUALL\" import \"$@\"", [directory.path("test.db"), path] + options)
    }

    @Test(arguments: [
        (["1", "-1", "0", "9223372036854775807", "-9223372036854775808"], "INTEGER"),
        (["1", "2.5"], "REAL"), (["1.50", ".5", "-.5", "-0.0"], "REAL"),
        (["1e+16", "5e-324", "1.5e-07", "0.1"], "REAL"),
        (["1.5", "Inf", "-Inf"], "REAL"), (["1", ""], "INTEGER"), (["1", "\"\""], "INTEGER"),
        (["\"1\"", "\"2\""], "INTEGER"),
        (["0.12345678901234567"], "REAL"), (["1.50000000000000000000000"], "REAL"),
        (["0.00000000000000000000012345"], "REAL"), (["-00000.5"], "TEXT"), (["-0", "1"], "INTEGER"),
        (["0.1234567890123456789"], "TEXT"), (["0.12345678901234567890"], "TEXT"), (["1.00000000000000000001"], "TEXT"),
        (["1.5", "-0.000123456789012345678"], "TEXT"),
        (["007"], "TEXT"), (["+1"], "TEXT"), (["1e3"], "TEXT"), (["9223372036854775808"], "TEXT"),
        (["1", "x"], "TEXT"),
        (["1.5", "9007199254740993"], "TEXT"), (["1234567890123456.5"], "REAL"), (["12345678901234567.5"], "TEXT"),
        (["1."], "TEXT"), (["."], "TEXT"), (["-"], "TEXT"),
        ([" 1"], "TEXT"), (["1,5"], "TEXT"), (["0x10"], "TEXT"), (["nan"], "TEXT"), (["Inf"], "TEXT"),
        (["NA", "1"], "TEXT"),
        (["00.5"], "TEXT"), (["", ""], "TEXT"), (["1_000"], "TEXT"), (["2013-01-01"], "TEXT"), (["١"], "TEXT"),
        (["true"], "TEXT"),
    ])
    func theTypeFitsAllFields(fields: [String], type: String) async throws {
        let lines = fields.map { "x,\($0.contains(",") ? "\"\($0)\"" : $0)\n" }.joined()
        try await expect(
            load("k,a\n" + lines), prints: "\(fields.count) \(fields.count == 1 ? "row" : "rows") into t\n")
        #expect(try directory.literals("SELECT type FROM pragma_table_info('t') WHERE name = 'a'") == ["'\(type)'"])
    }

    @Test func numbersKeepTheirValue() async throws {
        try await expect(
            load(
                "i,r\n9223372036854775807,0.1\n-9223372036854775808,1.7976931348623157e+308\n0,123456.789012345\n,-Inf\n"
            ),
            prints: "4 rows into t\n"
        )
        #expect(
            try directory.values("SELECT i, r FROM t") == [
                [.integer(.max), .real(0.1)], [.integer(.min), .real(.greatestFiniteMagnitude)],
                [.integer(0), .real(123456.789012345)], [.null, .real(-.infinity)],
            ]
        )
    }

    @Test func aNumberWithTooManyDigitsStaysAsItIsWritten() async throws {
        try await expect(
            load("a,b,c\n0.1234567890123456789,1.00000000000000000001,-0\n1.5,2,-0.0\n"), prints: "2 rows into t\n")
        #expect(
            try directory.literals("SELECT a, b, c FROM t") == [
                "'0.1234567890123456789' '1.00000000000000000001' 0.0", "'1.5' '2' 0.0",
            ]
        )
        // A declared type is what the user wants.
        try await expect(
            load("a\n0.1234567890123456789\n", ["--type", "a=real", "--table", "u"]), prints: "1 row into u\n")
        #expect(try directory.literals("SELECT a FROM u") == ["0.12345678901234568"])
    }

    @Test func anEmptyFieldIsNullAndQuotesAreEmptyText() async throws {
        try await expect(load("n,t\n,\n\"\",\"\"\n1,x\n"), prints: "3 rows into t\n")
        #expect(try directory.literals("SELECT n, t FROM t") == ["NULL NULL", "NULL ''", "1 'x'"])
    }

    @Test func aTextForNullIsNullInEveryColumn() async throws {
        let text = "n,t\nNA,NA\n1,\"NA\"\n2,\n3,\"\"\n"
        try await expect(load(text, ["--null", "NA"]), prints: "4 rows into t\n")
        #expect(try directory.literals("SELECT n, t FROM t") == ["NULL NULL", "1 NULL", "2 NULL", "3 ''"])
        try await expect(load(text, ["--null", "", "--table", "u"]), prints: "4 rows into u\n")
        #expect(try directory.literals("SELECT n, t FROM u") == ["'NA' 'NA'", "'1' 'NA'", "'2' NULL", "'3' NULL"])
    }

    @Test func optionsOverruleWhatIsDetected() async throws {
        let options = ["--type", "zip=text", "--type", "n=real", "--type", "b=blob", "--type", "a=any", "--strict"]
        try await expect(
            load("zip,n,b,a\n123,1,x'00FF',1\n456,2,abc,y\n", options + ["--type", "b=any"]), prints: "2 rows into t\n"
        )
        #expect(try directory.literals("SELECT * FROM t") == ["'123' 1.0 x'00ff' 1", "'456' 2.0 'abc' 'y'"])
        #expect(
            try directory.literals("SELECT sql FROM sqlite_schema").first?.hasSuffix(
                "(\n  \"zip\" TEXT,\n  \"n\" REAL,\n  \"b\" ANY,\n  \"a\" ANY\n) STRICT'") == true
        )
    }

    @Test func aTypeRequiresItsValues() async throws {
        let path = directory.path("t.csv")
        for (field, type, reason) in [
            ("abc", "integer", "'abc' is not a whole number of 64 bits, which column 'n' requires"),
            ("1.5", "integer", "'1.5' is not a whole number of 64 bits, which column 'n' requires"),
            (
                "9223372036854775808", "int",
                "'9223372036854775808' is not a whole number of 64 bits, which column 'n' requires"
            ),
            (
                "1.00000000000000000001", "integer",
                "'1.00000000000000000001' is not a whole number of 64 bits, which column 'n' requires"
            ),
            ("1e3x", "real", "'1e3x' is not a number, which column 'n' requires"),
            (
                String(repeating: "a", count: 50), "real",
                "'\(String(repeating: "a", count: 40))…' is not a number, which column 'n' requires"
            ),
        ] {
            try await expect(
                load("n\n\(field)\n", ["--type", "n=\(type)"]), fails: "error: \(path), line 2: \(reason)\n",
                exitCode: 65
            )
        }
        try await expect(load("n\n007\n+1\n 1e3 \n3.0\n", ["--type", "n=integer"]), prints: "4 rows into t\n")
        #expect(try directory.literals("SELECT n FROM t") == ["7", "1", "1000", "3"])
    }

    @Test func theDeclaredTypesOfATableDecide() async throws {
        _ = try directory.database(
            "CREATE TABLE t(i INT, r DOUBLE PRECISION, s VARCHAR(10), b BLOB, d DATETIME, x, g AS (i + 1))"
        )
        try await expect(
            load("s,i,r,b,d,x\n007,007,1,x'01',2020-01-01,1\n1e3,,+1.5,y,7,x'02'\n"), prints: "2 rows into t\n",
            fails: "hint: '007' has lost its zeros, because the column 'i' has numbers\n"
        )
        #expect(
            try directory.literals("SELECT s, i, r, b, d, x, g FROM t") == [
                "'007' 7 1.0 x'01' '2020-01-01' 1 8", "'1e3' NULL 1.5 'y' 7 x'02' NULL",
            ]
        )
    }
}
