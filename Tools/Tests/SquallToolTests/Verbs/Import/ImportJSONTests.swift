import Foundation
import Squall
import Testing

@Suite struct ImportJSONTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func load(_ text: String, _ options: String..., file: String = "t.json") async throws -> Outcome {
        let path = try directory.file(file, text)
        return try await Tool.shell("\"$SQUALL\" import \"$@\"", [directory.path("test.db"), path] + options)
    }

    @Test func objectsAreRowsAndKeysAreColumns() async throws {
        try await expect(
            load(#"[{"id": 1, "name": "Audi", "price": 2.5}, {"price": null, "ID": 2, "extra": true}, {}]"#),
            prints: "3 rows into t\n"
        )
        #expect(
            try directory.literals("SELECT id, name, price, extra FROM t") == [
                "1 'Audi' 2.5 NULL", "2 NULL NULL 1", "NULL NULL NULL NULL",
            ]
        )
        #expect(
            try directory.literals("SELECT type FROM pragma_table_info('t')") == [
                "'INTEGER'", "'TEXT'", "'REAL'", "'INTEGER'",
            ]
        )
    }

    @Test(arguments: [
        "{\"a\": 1}\n{\"a\": 2}\n", "{\"a\": 1}\r\n\r\n{\"a\": 2}", "\u{FEFF}{\"a\":1}{\"a\":2}",
        "{\n\"a\"\n:\n1\n}\n{ \"a\" : 2 }\n\n",
    ])
    func linesAreObjectsOneAfterAnother(text: String) async throws {
        try await expect(load(text, file: "t.ndjson"), prints: "2 rows into t\n")
        #expect(try directory.literals("SELECT a FROM t") == ["1", "2"])
    }

    @Test func nestedValuesAreJSONText() async throws {
        try await expect(
            load(
                """
                [{"a": [1, {"b": "x y", "c": []}, "\\" ]"], "o": {}, "d":
                  {"deep": [[[ {} ]]], "n": null}}]
                """
            ),
            prints: "1 row into t\n"
        )
        #expect(
            try directory.literals("SELECT a, o, d, a ->> '$[1].b' FROM t") == [
                #"'[1,{"b":"x y","c":[]},"\" ]"]' '{}' '{"deep":[[[{}]]],"n":null}' 'x y'"#
            ]
        )
    }

    @Test func numbersKeepTheirDigits() async throws {
        try await expect(
            load(
                """
                [{"i": 9223372036854775807, "big": 9223372036854775808, "r": 0.1, "huge": 1e400, "z": -0, "m": 9007199254740993},
                 {"i": -9223372036854775808, "big": 1, "r": 1E3, "huge": 1, "z": 0, "m": 0.5}]
                """
            ),
            prints: "2 rows into t\n"
        )
        #expect(
            try directory.literals("SELECT i, big, r, huge, z, m FROM t") == [
                "9223372036854775807 '9223372036854775808' 0.1 '1e400' 0 9007199254740993",
                "-9223372036854775808 1 1000.0 1 0 0.5",
            ]
        )
    }

    @Test func valuesOfSeveralKindsStayWhatTheyAre() async throws {
        let text = #"[{"a": 1, "b": "x"}, {"a": "1", "b": "007"}, {"a": 1.0, "b": ""}, {"a": [1], "b": null}]"#
        try await expect(load(text), prints: "4 rows into t\n")
        #expect(try directory.literals("SELECT a, b FROM t") == ["1 'x'", "'1' '007'", "1.0 ''", "'[1]' NULL"])
        try await expect(load(text, "--table", "s", "--strict"), prints: "4 rows into s\n")
        #expect(try directory.literals("SELECT a, b FROM s") == ["1 'x'", "'1' '007'", "1.0 ''", "'[1]' NULL"])
        #expect(try directory.literals("SELECT type FROM pragma_table_info('s')") == ["'ANY'", "'TEXT'"])
    }

    @Test func escapesAreRead() async throws {
        try await expect(
            load(#"[{"a": "\"\\\/\b\f\n\r\t\u0000\u00e9\u20AC\ud83d\udc4D", "k\u0065y \"": 1}]"#),
            prints: "1 row into t\n"
        )
        #expect(
            try directory.values(#"SELECT a, "key """ FROM t"#) == [
                [.text("\"\\/\u{8}\u{C}\n\r\t\u{0}é€👍"), .integer(1)]
            ]
        )
    }

    @Test func aNumberWithTooManyDigitsStaysAsItIsWritten() async throws {
        try await expect(
            load(
                #"[{"a": 0.1234567890123456789, "b": 1.5000000000000000000000}, {"a": 1, "b": 12345678901234567890e-25}]"#
            ),
            prints: "2 rows into t\n"
        )
        #expect(
            try directory.literals("SELECT a, b FROM t") == [
                "'0.1234567890123456789' 1.5", "1 '12345678901234567890e-25'",
            ])
    }

    @Test func anObjectWithMoreThanBytesIsKept() async throws {
        let objects = [
            #"{"$base64":true,"encoded":"AA==","x":1}"#, #"{"$base64":true,"encoded":"AA==","encoded":"AQ=="}"#,
            #"{"$base64":true,"encoded":"AA==","x:":{"y":":"}}"#, #"{"$base64":false,"encoded":"AA=="}"#,
        ]
        try await expect(
            load("[" + objects.map { "{\"a\":\($0)}" }.joined(separator: ",") + "]"), prints: "4 rows into t\n")
        #expect(try directory.literals("SELECT a FROM t") == objects.map { "'\($0)'" })
        try await expect(
            load(#"[{"b": {"encoded" : "\/\u0041==", "$base64" : true}}]"#, "--table", "u"), prints: "1 row into u\n")
        #expect(try directory.literals("SELECT b FROM u") == ["x'fc'"])
    }

    @Test func bytesComeBack() async throws {
        try await expect(
            load(#"[{"a": {"$base64": true, "encoded": "AQL/"}}, {"a": { "$base64":true,"encoded":""}}, {"a": null}]"#),
            prints: "3 rows into t\n"
        )
        #expect(try directory.literals("SELECT a FROM t") == ["x'0102ff'", "x''", "NULL"])
        #expect(try directory.literals("SELECT type FROM pragma_table_info('t')") == ["'BLOB'"])
    }

    @Test(arguments: [
        ("", 1, "the file is empty"), ("[{\"a\": 1}", 1, "the file ends where a comma or ']' is expected"),
        ("[\n{\"a\": 1},\n{\"a\" 2}]", 3, "'2' where ':' is expected"),
        ("[{\"a\": 01}]", 1, "'1' where a comma or '}' is expected"),
        ("[{\"a\": 1.}]", 1, "'}' where a digit is expected"), ("[{\"a\": nul}]", 1, "'}' where null is expected"),
        ("[{\"a\": \"x\ny\"}]", 1, "a string has no end"),
        ("[{\"a\": \"\\x\"}]", 1, "'x' where an escape such as \\n is expected"),
        ("[{\"a\": \"\\u12g4\"}]", 1, "'g' where a hexadecimal digit is expected"),
        ("[{a: 1}]", 1, "'a' where a key in quotes is expected"),
        ("[{\"a\": 1,}]", 1, "'}' where a key in quotes is expected"),
        ("[{\"a\": [1,]}]", 1, "']' where a value is expected"),
        ("[{\"a\": [1}]}]", 1, "'}' where a comma or ']' is expected"),
        ("[{\"a\": 1}] x", 1, "there is more after the array"),
        ("[{\"a\": 1},\n 5]", 2, "a number instead of an object"),
        ("[{\"a\": 1, \"a\": 2}]", 1, "the key 'a' is there twice"),
        ("[{\"a\": 1, \"A\": 2}]", 1, "the key 'a' is there twice"),
        (
            "[{\"a\": \"\\ud800\"}]", 1,
            "column 'a' has half of a pair of surrogates, such as \\ud83d, which is not a character"
        ),
        ("[{\"a\": \"\u{1}\"}]", 1, "a control character in a string"),
        ("[{\"a\": NaN}]", 1, "'N' where a value is expected"),
    ])
    func invalidJSONNamesItsLine(text: String, line: Int, message: String) async throws {
        let outcome = try await load(text)
        #expect(outcome.output == "" && outcome.exitCode == 65)
        #expect(
            outcome.error.components(separatedBy: "\n").first
                == "error: \(directory.path("t.json")), line \(line): \(message)".printed)
        #expect(try directory.files() == ["t.json"])
    }

    @Test func theOtherFormatIsSuggested() async throws {
        let path = directory.path("t.json")
        try await expect(
            load("{\"a\": 1}"),
            fails: """
                error: \(path), line 1: '{' where an array of objects is expected
                hint: for one object on each line use --format ndjson

                """, exitCode: 65
        )
        try await expect(
            load("[{\"a\": 1}]", "--format", "ndjson"),
            fails: """
                error: \(path), line 1: an array instead of an object
                hint: for an array of objects use --format json

                """, exitCode: 65
        )
    }

    @Test func aBadLineIsRejectedAndTheNextOneRead() async throws {
        let reject = directory.path("bad.csv")
        try await expect(
            load(
                "{\"a\": 1}\n{\"a\": }\n{\"a\": 2}\n[3]\n{\"a\": 4\n{\"a\": 5}\n", "--reject", reject, file: "t.ndjson"
            ),
            prints: "3 rows into t, 3 rejected into \(reject)\n"
        )
        #expect(try directory.literals("SELECT a FROM t") == ["1", "2", "5"])
        #expect(
            try String(contentsOfFile: reject, encoding: .utf8) == """
                line,reason,record
                2,'}' where a value is expected,"{""a"": }"
                4,an array instead of an object,[3]
                5,'{' where a comma or '}' is expected,"{""a"": 4"

                """
        )
    }

    @Test func aMissingKeyLeavesTheDefault() async throws {
        _ = try directory.database("CREATE TABLE t(id INTEGER PRIMARY KEY, n TEXT NOT NULL DEFAULT 'none', m)")
        try await expect(load(#"[{"id": 1}, {"n": "x", "id": 2}, {"m": 1}, {}]"#), prints: "4 rows into t\n")
        #expect(
            try directory.literals("SELECT * FROM t") == ["1 'none' NULL", "2 'x' NULL", "3 'none' 1", "4 'none' NULL"])
        try await expect(load(#"[{"id": 2, "m": 5}, {"id": 1, "n": "y"}]"#, "--upsert"), prints: "2 rows into t\n")
        #expect(try directory.literals("SELECT * FROM t LIMIT 2") == ["1 'y' NULL", "2 'x' 5"])
    }

    @Test func rowsOfManyShapesAreRead() async throws {
        let rows = (0..<500).map { number in
            let keys = (0..<6).filter { number >> $0 & 1 == 1 }
            return "{\(keys.map { "\"k\($0)\": \(number)" }.joined(separator: ", "))}"
        }
        try await expect(load(rows.joined(separator: "\n"), file: "t.ndjson"), prints: "500 rows into t\n")
        #expect(
            try directory.literals("SELECT count(*), count(k0), count(k5), sum(k1) FROM t") == ["500 250 244 62625"]
        )
    }

    @Test func aKeyThatTheTableDoesNotHaveMakesItsRowBad() async throws {
        _ = try directory.database("CREATE TABLE t(a, b)")
        let text = "{\"a\": 1}\n{\"a\": 2, \"z\": 3}\n{\"b\": 4}\n"
        try await expect(
            load(text, file: "t.ndjson"),
            fails: """
                error: \(directory.path("t.ndjson")), line 2: the table 't' has no column 'z'
                hint: the columns are a, b

                """, exitCode: 65
        )
        let reject = directory.path("bad.csv")
        try await expect(
            load(text, "--reject", reject, file: "t.ndjson"), prints: "2 rows into t, 1 rejected into \(reject)\n"
        )
        #expect(try directory.literals("SELECT a, b FROM t") == ["1 NULL", "NULL 4"])
    }

    @Test func anArrayAsDeepAsAFileIsLongIsRead() async throws {
        let deep = String(repeating: "[", count: 300_000) + String(repeating: "]", count: 300_000)
        try await expect(load("[{\"a\": \(deep)}]"), prints: "1 row into t\n")
        #expect(try directory.literals("SELECT length(a) FROM t") == ["600000"])
    }
}

extension String {
    /// The text as a message shows it: with control characters escaped.
    fileprivate var printed: String { replacing("\u{1}", with: "\\u{1}") }
}
