import Foundation
import Squall
import SquallTestSupport
import Testing

/// Values that are interpolated into a definition, where SQLite allows no parameters.
struct LiteralTests {
    let connection: Connection

    init() throws {
        connection = try Connection()
    }

    private func sql(of name: String) throws -> String {
        try connection.query("SELECT sql FROM sqlite_schema WHERE name = ?", name)
    }

    @Test func aNegativeNumberDoesNotBecomeAComment() throws {
        let x = -5
        try connection.createTable("t", ["a INTEGER CHECK (a > 10-\(x)\n)", "b DEFAULT \(x)", "c DEFAULT \(-1.5)"])
        #expect(try sql(of: "t") == "CREATE TABLE \"t\"(a INTEGER CHECK (a > 10- -5\n), b DEFAULT -5, c DEFAULT -1.5)")
        #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO t(a) VALUES(12)") }
        try connection.run("INSERT INTO t(a) VALUES(16)")
        #expect((try connection.query("SELECT b, c FROM t") as Row?)?.valuesText == "[-5, -1.5]")
        try connection.createIndex("i", on: "t", "a", where: "a > -\(-1)")
        #expect(try sql(of: "i").hasSuffix("WHERE a > - -1"))
        try connection.addColumn("d CHECK (d <> -\(-Double.infinity))", to: "t")
        #expect(try sql(of: "t").contains("d <> - -9e999"))
    }

    @Test func aDefaultMayBeAnyText() throws {
        for (column, text) in [("a", "a\0b"), ("b", "it's"), ("c", "\u{301}'"), ("d", "")] {
            try connection.createTable(column, ["x TEXT DEFAULT \(text)", "y"])
            try connection.run("INSERT INTO \(name: column)(y) VALUES(1)")
            #expect(try connection.query("SELECT x FROM \(name: column)") == text)
        }
        try connection.createTable(
            "e", ["x BLOB DEFAULT \(Data([0, 255]))", "y DEFAULT \(Int64.min)", "z DEFAULT \(nil as Int?)"])
        try connection.run("INSERT INTO e DEFAULT VALUES")
        let row = try #require(try connection.query("SELECT * FROM e") as Row?)
        #expect(try row.get("x") == Data([0, 255]))
        #expect(try row.get("y") == Int64.min)
        #expect(try row.get("z") as Int? == nil)
    }

    @Test func nanIsRefused() throws {
        for attempt in [
            { try connection.createTable("t", ["a DEFAULT \(Double.nan)"]) },
            { try connection.createTable("t", ["a CHECK (a IN \(in: [1, Double.nan]))"]) },
        ] {
            #expect(try sqliteError(attempt).message == "NaN has no literal: SQLite would make it NULL")
        }
        #expect(try connection.query("SELECT count(*) FROM sqlite_schema") == 0)
    }

    @Test func aValueInsideQuotesOfADefinitionIsRefused() throws {
        let hostile = "x'); DROP TABLE victim; --"
        try connection.execute("CREATE TABLE victim(a)")
        for attempt in [
            { try connection.createTable("t", ["a DEFAULT '\(hostile)'"]) },
            { try connection.createTable("t", ["a -- \(hostile)\n"]) },
            { try connection.createIndex("i", on: "victim", "a", where: "a = \"\(hostile)\"") },
            { try connection.addColumn("b DEFAULT '\(hostile)'", to: "victim") },
        ] {
            #expect(try sqliteError(attempt).message == PlacesTests.quoted)
        }
        #expect(try connection.query("SELECT sql FROM sqlite_schema") == ["CREATE TABLE victim(a)"])
    }

    @Test func aVersionWithAValueInsideQuotesThrows() throws {
        let hostile = "x'); DROP TABLE victim; --"
        for step in [
            CreateTable("t") { ColumnDef("a", sql: "TEXT DEFAULT '\(hostile)'") },
            CreateIndex("i", on: "victim", "a", where: "a = '\(hostile)'"),
            AlterTable("victim") { AddColumn("b", sql: "TEXT DEFAULT '\(hostile)'") },
            Execute("INSERT INTO victim VALUES('\(hostile)')"),
        ] as [any SchemaStep] {
            let connection = try Connection()
            try connection.execute("CREATE TABLE victim(a)")
            #expect(throws: (any Error).self) { try Schema("s") { Version(1) { step } }.migrate(connection) }
            #expect(try connection.query("SELECT name FROM sqlite_schema WHERE name NOT LIKE 'squall%'") == ["victim"])
            #expect(try connection.query("SELECT count(*) FROM victim") == 0)
        }
    }

    @Test func literalsStayTokensOfTheirOwn() throws {
        // As with a parameter, a word does not go on with the value.
        #expect(throws: SQLiteError.self) { try connection.createTable("t", ["a CHECK (x\(5) > 0)", "x5"]) }
        #expect(throws: SQLiteError.self) { try connection.createTable("t", ["a DEFAULT 'b'\("c")"]) }
        #expect(throws: SQLiteError.self) { try connection.createTable("t", ["a DEFAULT \(1)\(2)"]) }
        try connection.createTable(
            "t", ["a CHECK (a IN \(in: [1, 2, 3]) AND a<>\(4)AND a>\(-1))", "\(raw: "b")\(raw: "2")"])
        #expect(try sql(of: "t") == "CREATE TABLE \"t\"(a CHECK (a IN (1, 2, 3) AND a<>4 AND a>-1), b2)")
    }

    @Test func anArrayHasNoLiteral() throws {
        let error = try sqliteError {
            try connection.createTable("t", ["a CHECK (a IN (SELECT value FROM \(array: [1, 2])))"])
        }
        #expect(error.kind == .unbindable(type: "Array") && error.hint == "a definition has no parameters")
    }

    @Test func aScriptForElsewhereHasItsValuesAsLiterals() throws {
        let script: SQL = """
            DELETE FROM t WHERE a = \("it's"); INSERT INTO t VALUES(\(-1), \(1.5), \(Data([1])), \(nil as Int?))
            """
        #expect(
            try script.portableScript()
                == "DELETE FROM t WHERE a = 'it''s'; INSERT INTO t VALUES(-1, 1.5, X'01', NULL)")
        #expect(throws: SQLiteError.self) { try ("SELECT \(Double.nan)" as SQL).portableScript() }
    }
}
