import Foundation
import Squall
import Testing

@testable import SquallTool

@Suite struct SQLErrorTests {
    private func expectError(
        _ sql: String, _ error: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await expect(
            Tool.run("query", ":memory:", "--", sql), fails: error, exitCode: 2, sourceLocation: sourceLocation
        )
    }

    @Test func aCaretIsUnderTheErrorInItsLine() async throws {
        try await expectError(
            "selct 1",
            """
            error: near "selct": syntax error (SQLITE_ERROR)
              selct 1
              ^

            """
        )
        try await expectError(
            "SELECT 1,\n       nam,\n       2",
            """
            error: no such column: nam (SQLITE_ERROR)
                     nam,
                     ^

            """
        )
        try await expectError(
            "-- first\r\nSELECT nam\r\n-- last",
            """
            error: no such column: nam (SQLITE_ERROR)
              SELECT nam
                     ^

            """
        )
    }

    @Test func hintsDoNotAddressSwiftProgrammers() async throws {
        let hint = """
            hint: a parameter stands for a value: write names and keywords, and the values of a definition or a PRAGMA, \
            into the SQL

            """
        for sql in ["SELECT * FROM ?", "CREATE TABLE t(a DEFAULT (?))"] {
            let outcome = try await Tool.run("query", ":memory:", sql)
            #expect(outcome.exitCode == 2 && outcome.error.hasSuffix(hint))
        }
        // Root may write in every directory, so the error is made here.
        for code: Int32 in [5, 6] {
            let error = SQLiteError(
                code: ResultCode.readOnly.rawValue | code << 8, message: "no", hint: "mode .immutable")
            let text = Failure(error, file: "a.db").map { "\($0)" } ?? ""
            #expect(text.hasSuffix(": copy the database and its -wal file to another directory"))
        }
    }

    @Test func aCaretIsUnderTheErrorBehindWideCharactersAndTabs() async throws {
        try await expectError(
            "SELECT '漢字👨‍👩‍👧‍👦e\u{301}', nam",
            """
            error: no such column: nam (SQLITE_ERROR)
              SELECT '漢字👨‍👩‍👧‍👦e\u{301}', nam
                                ^

            """
        )
        try await expectError(
            "SELECT 1,\n\t'漢',\tnam",
            """
            error: no such column: nam (SQLITE_ERROR)
              \t'漢',\tnam
              \t     \t^

            """
        )
    }

    @Test func controlCharactersInSQLAreEscaped() async throws {
        try await expectError(
            "SELECT '\u{1B}[31m', nam",
            #"""
            error: no such column: nam (SQLITE_ERROR)
              SELECT '\u{1B}[31m', nam
                                   ^

            """#
        )
    }

    @Test func aLongLineIsCutAroundTheError() async throws {
        let list = String(repeating: "1, ", count: 100)
        try await expectError(
            "SELECT \(list)nam, \(list)2",
            """
            error: no such column: nam (SQLITE_ERROR)
              …\(list.suffix(100))nam, \(list.prefix(95))…
              \(String(repeating: " ", count: 101))^

            """
        )
    }

    @Test(arguments: ["", "-- nothing", ";", " \n "])
    func sqlWithoutAStatementIsAnError(sql: String) async throws {
        try await expectError(sql, "error: the SQL has no statement (SQLITE_MISUSE)\n")
    }

    @Test func aSecondStatementIsAnError() async throws {
        try await expectError(
            "SELECT 1; SELECT 2",
            """
            error: the SQL has more than one statement (SQLITE_MISUSE)
              SELECT 1; SELECT 2
                        ^

            """
        )
    }

    @Test func anErrorWhileRunningHasItsName() async throws {
        try await expectError("SELECT abs(-9223372036854775808)", "error: integer overflow (SQLITE_ERROR)\n")
        try await expectError("SELECT zeroblob(2147483648)", "error: string or blob too big (SQLITE_TOOBIG)\n")
    }

    @Test func sqlComesFromStandardInput() async throws {
        try await expect(
            Tool.run("query", ":memory:", "-", "--format", "csv", input: Data("SELECT\n1 AS a;\n".utf8)),
            prints: "a\n1\n"
        )
        try await expect(
            Tool.run("query", ":memory:", "-", input: Data("SELECT\n\tnam".utf8)),
            fails: """
                error: no such column: nam (SQLITE_ERROR)
                  \tnam
                  \t^

                """,
            exitCode: 2
        )
        try await expect(
            Tool.run("query", ":memory:", "-", input: Data([0x53, 0xFF])),
            fails: """
                error: standard input is not valid UTF-8
                hint: convert the file, for instance with iconv -f ISO-8859-1 -t UTF-8

                """, exitCode: 65
        )
        try await expect(
            Tool.run("query", ":memory:", "-", input: Data("SELECT 1\0".utf8)),
            fails: #"""
                error: the SQL has a NUL character (SQLITE_ERROR)
                  SELECT 1\u{0}
                          ^

                """#,
            exitCode: 2
        )
    }
}
