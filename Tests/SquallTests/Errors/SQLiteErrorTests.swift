import Foundation
import Squall
import SquallTestSupport
import Testing

struct SQLiteErrorTests {
    let connection: Connection

    init() throws {
        connection = try Connection()
    }

    @Test func descriptionHasCodePlaceHintAndSQLOnceButNoValues() throws {
        let error = try sqliteError { try connection.run("SELECT * FROM nowhere WHERE a = \("secret")") }
        #expect(
            error.description == "SQLITE_ERROR (1): no such table: nowhere in: SELECT * FROM nowhere WHERE a = ?")
        #expect(String(reflecting: error) == error.description)

        let placed = try sqliteError { try connection.run("DELETE\n FROM \("cars")") }
        #expect(
            placed.description == #"""
                SQLITE_ERROR (1): near "?": syntax error, at line 2, column 7 (hint: a parameter cannot stand for a \#
                name or a keyword: \(name:) quotes a name, \(raw:) splices text; nor for a value in a definition or a PRAGMA, which is a literal) in:
                DELETE
                 FROM ?
                      ^
                """#)

        try connection.execute("CREATE TABLE t(a UNIQUE); INSERT INTO t VALUES(1)")
        let unique = try sqliteError { try connection.run("INSERT INTO t VALUES(1)") }
        #expect(unique.description.hasPrefix("SQLITE_CONSTRAINT_UNIQUE (2067): UNIQUE constraint failed: t.a"))
        #expect(error.sql == "SELECT * FROM nowhere WHERE a = ?")
        #expect(!"\(error) \(error.localizedDescription)".contains("secret"))
    }

    @Test func longSQLIsCutToTheLineOfTheError() throws {
        let blank = String(repeating: "\n", count: 1_000)
        let error = try sqliteError { try connection.run(SQL(raw: "SELECT\(blank)nope\(blank)")) }
        #expect(error.description.hasSuffix(", at line 1001, column 1 in:\nnope …\n^"))
        let other = SQLiteError(code: 1, message: "m", sql: String(repeating: "x", count: 2_000))
        #expect(other.description.hasSuffix(" in: \(String(repeating: "x", count: 1_000)) …"))
    }

    @Test func localizedDescriptionIsTheMessage() throws {
        let error: any Error = try sqliteError { try connection.run("x") }
        #expect(error.localizedDescription == #"near "x": syntax error"#)
    }

    @Test func extendedCodeTellsConstraintsApart() throws {
        try connection.execute("CREATE TABLE t(a NOT NULL UNIQUE)")
        try connection.run("INSERT INTO t VALUES(1)")
        let unique = try sqliteError { try connection.run("INSERT INTO t VALUES(1)") }
        #expect(unique.code == 19)
        #expect(unique.extendedResultCode == .constraintUnique)
        #expect(unique.resultCode == .constraint)
        let null = try sqliteError { try connection.run("INSERT INTO t VALUES(?)", nil) }
        #expect(null.extendedResultCode == .constraintNotNull)
        #expect(null.message == "NOT NULL constraint failed: t.a")
        #expect(null.codeDescription == "constraint failed")
    }

    @Test(arguments: [
        ("selct 1", 0, 1, 1),
        ("SELECT 1 FROM\n  (SELECT) x", 23, 2, 10),
        ("SELECT a\n, b\n, frm x y", 21, 3, 9),
        ("SELECT '日本', nope", 17, 1, 14),
    ])
    func offsetPointsAtTheToken(sql: SQL, offset: Int, line: Int, column: Int) throws {
        let error = try sqliteError { try connection.run(sql) }
        #expect(error.offset == offset, "\(error)")
        let location = try #require(error.location)
        #expect(location.line == line)
        #expect(location.column == column)
        #expect(location.text == sql.text.split(separator: "\n")[line - 1])
    }

    @Test func offsetInAScriptCountsFromItsStart() throws {
        let error = try sqliteError { try connection.execute("CREATE TABLE t(a);\nSELECT nope FROM t;") }
        #expect(error.offset == 26)
        #expect(error.location?.line == 2)
        #expect(error.location?.column == 8)
        #expect(error.location?.prefix == "SELECT ")
    }

    @Test func locationOfAnErrorWithoutOffsetIsNil() {
        #expect(SQLiteError(code: 1, message: "m", sql: "s").location == nil)
        #expect(SQLiteError(code: 1, message: "m", sql: "s", offset: 5).location == nil)
    }

    @Test func hintForDoubleQuotedText() throws {
        let connection = try Connection(":memory:")
        let error = try sqliteError { try connection.run(#"SELECT "Audi""#) }
        #expect(error.message == "no such column: Audi")
        #expect(error.hint?.hasPrefix("double quotes are for names: write 'Audi' for text") == true)
        let other = try sqliteError { try connection.run("SELECT Audi") }
        #expect(other.hint == nil)
    }

    @Test(
        arguments: [
            "CREATE VIEW v AS SELECT \(1)", "CREATE TABLE u(x DEFAULT (\(1)))", "CREATE TABLE u(x CHECK(x > \(1)))",
            "CREATE INDEX i ON t(a) WHERE a > \(1)", "ALTER TABLE t ADD COLUMN b CHECK (b > \(1))",
            "CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT \(1); END",
        ] as [SQL]) func hintForAValueInADefinition(sql: SQL) throws
    {
        let connection = try Connection()
        try connection.execute("CREATE TABLE t(a)")
        #expect(
            try sqliteError { try connection.run(sql) }.hint?.hasPrefix("SQLite stores the text of a definition")
                == true)
    }

    @Test func hintForValuesInTwoWays() throws {
        let error = try sqliteError { try Connection().run("SELECT \(1), ?", 2) }
        #expect(error.hint == "interpolate every value, or give every value as a parameter")
    }

    @Test func hintForAValueInThePlaceOfAName() throws {
        let error = try sqliteError { try connection.run("DELETE FROM \("cars")") }
        #expect(error.message == #"near "?": syntax error"#)
        #expect(
            error.hint
                == #"a parameter cannot stand for a name or a keyword: \(name:) quotes a name, \(raw:) splices text; nor for a value in a definition or a PRAGMA, which is a literal"#
        )
    }

    @Test func resultCodesDescribeThemselves() {
        #expect(ResultCode.busy.description == "database is locked")
        #expect(ResultCode.constraintUnique.primary == .constraint)
        #expect(ResultCode.transactionLost.rawValue == 516)
        #expect(ResultCode.transactionLost.name == "SQLITE_ABORT_ROLLBACK")
        #expect(ResultCode.constraintUnique.name == "SQLITE_CONSTRAINT_UNIQUE")
        #expect(ResultCode.busy.name == "SQLITE_BUSY")
        #expect(ResultCode(rawValue: 5 | 99 << 8).name == "SQLITE_BUSY, 25349")
        #expect(ResultCode(rawValue: 77).name == "SQLite code 77")
    }
}
