import Foundation
import Testing

@Suite struct JSONFormatTests {
    /// Runs a query, and reads what it prints with Foundation's parser.
    private func objects(_ sql: String) async throws -> [[String: Any]] {
        let outcome = try await Tool.run("query", ":memory:", sql, "--format", "json")
        #expect(outcome.error == "" && outcome.exitCode == 0)
        return try #require(JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]])
    }

    @Test func aRowIsAnObjectOnALineOfItsOwn() async throws {
        try await expect(
            Tool.run("query", ":memory:", "VALUES(1, 'a'), (NULL, '')", "--format", "json"),
            prints: """
                [{"column1": 1, "column2": "a"},
                 {"column1": null, "column2": ""}]

                """
        )
    }

    @Test(arguments: ["SELECT 1 WHERE 0", "PRAGMA foreign_keys = ON"])
    func noRowsAreAnEmptyArray(sql: String) async throws {
        try await expect(Tool.run("query", ":memory:", sql, "--format", "json"), prints: "[]\n")
    }

    @Test func keysInTwoUnicodeFormsAreTwoKeys() async throws {
        let outcome = try await Tool.run(
            "query", ":memory:", "SELECT 1 AS \u{E9}, 2 AS e\u{301}, 3 AS \u{E9}", "--format", "json")
        #expect(Array(outcome.output.utf8) == Array("[{\"\u{E9}\": 1, \"e\u{301}\": 2, \"\u{E9}:1\": 3}]\n".utf8))
    }

    @Test func integersKeepAllTheirDigits() async throws {
        let row = try #require(await objects("SELECT 9223372036854775807 AS most, -9223372036854775808 AS least").first)
        #expect((row["most"] as? NSNumber)?.int64Value == .max)
        #expect((row["least"] as? NSNumber)?.int64Value == .min)
    }

    @Test func realsReadBackAsTheSameValue() async throws {
        let sql = "SELECT 0.1 + 0.2 AS a, 5e-324 AS b, 1.7976931348623157e308 AS c, -0.0 AS d, 1e16 AS e, 3.0 AS f"
        let outcome = try await Tool.run("query", ":memory:", sql, "--format", "json")
        // Not JSONSerialization: on Linux it reads the sum as 0.3000000000000001.
        let rows = try JSONDecoder().decode([[String: Double]].self, from: Data(outcome.output.utf8))
        let numbers = [
            "a": 0.1 + 0.2, "b": .leastNonzeroMagnitude, "c": .greatestFiniteMagnitude, "d": 0, "e": 1e16, "f": 3,
        ]
        #expect(rows == [numbers])
    }

    @Test func infinityIsNull() async throws {
        let sql = "SELECT 1e999 AS a, -1e999 AS b"
        try await expect(
            Tool.run("query", ":memory:", sql, "--format", "json"), prints: "[{\"a\": null, \"b\": null}]\n"
        )
    }

    @Test func textComesBackAsItWas() async throws {
        let sql = """
            SELECT '"\\/' AS marks, 'a' || char(0, 1, 8, 9, 10, 12, 13, 27, 31, 127) || 'b' AS controls, \
            '漢字 e\u{301} 👨‍👩‍👧‍👦 ' || char(0x2028) AS wide, 1 AS "key "" with
            a line"
            """
        let row = try #require(await objects(sql).first)
        #expect(row["marks"] as? String == "\"\\/")
        #expect(row["controls"] as? String == "a\u{0}\u{1}\u{8}\t\n\u{C}\r\u{1B}\u{1F}\u{7F}b")
        let wide = try #require(row["wide"] as? String)
        #expect(wide.unicodeScalars.elementsEqual("漢字 e\u{301} 👨‍👩‍👧‍👦 \u{2028}".unicodeScalars))
        #expect(row["key \" with\na line"] as? Int == 1)
    }

    @Test func bytesAreBase64() async throws {
        let sql = "SELECT x'00FF10' AS blob, x'' AS empty, CAST(x'61FF' AS TEXT) AS malformed"
        let row = try #require(await objects(sql).first)
        let expected = ["blob": [0, 0xFF, 0x10], "empty": [], "malformed": [0x61, 0xFF]] as [String: [UInt8]]
        for (key, bytes) in expected {
            let object = try #require(row[key] as? [String: Any])
            #expect(object.count == 2 && object["$base64"] as? Bool == true)
            #expect((object["encoded"] as? String).flatMap { Data(base64Encoded: $0) } == Data(bytes))
        }
    }

    @Test func columnsOfTheSameNameAreNumbered() async throws {
        try await expect(
            Tool.run(
                "query", ":memory:", "SELECT 1 AS a, 2 AS a, 3 AS a, 4 AS b, 5 AS b, 6 AS 'b:1'", "--format", "json"
            ), prints: #"[{"a": 1, "a:1": 2, "a:2": 3, "b": 4, "b:2": 5, "b:1": 6}]"# + "\n"
        )
    }

    @Test func rowsBeforeAnErrorAreThere() async throws {
        let sql = "SELECT 1 AS a UNION ALL SELECT abs(-9223372036854775808)"
        try await expect(
            Tool.run("query", ":memory:", sql, "--format", "json"), prints: #"[{"a": 1}"#,
            fails: "error: integer overflow (SQLITE_ERROR)\n", exitCode: 2
        )
    }
}
