import Squall
import Testing

@testable import SquallSQLFiles

/// Statements that are nested deeply. SQLite refuses them before version 3.46, and later versions allow some of them.
struct DeepStatementTests {
    private static func statement(_ begin: String, _ middle: String, _ end: String, levels: Int) -> String {
        "SELECT * FROM t WHERE a = " + String(repeating: begin, count: levels) + middle
            + String(repeating: end, count: levels)
    }

    private static let forms: [(begin: String, middle: String, end: String)] = [
        ("(", "1", ")"), ("(SELECT ", "1", ")"), ("EXISTS (SELECT * FROM t WHERE ", "1", ")"),
        ("CASE WHEN 1 THEN ", "1", " END"), ("abs(", "1", ")"), ("1 IN (", "1", ")"), ("CAST(", "1", " AS INT)"),
        ("(SELECT 1 FROM (SELECT ", "1", "))"), ("(WITH c AS (SELECT ", "1", ") SELECT 1 FROM c)"),
    ]

    @Test(arguments: forms.indices) func areNotAnalysed(_ form: Int) throws {
        let (begin, middle, end) = Self.forms[form]
        let deep = Self.statement(begin, middle, end, levels: 5_000)
        #expect(throws: Parser.Failure.self) { try Parser.statement(SQLTokenizer.tokens(of: deep)) }
        _ = try Parser.statement(SQLTokenizer.tokens(of: Self.statement(begin, middle, end, levels: 20)))
    }

    @Test(arguments: ["(", "(SELECT * FROM "]) func tablesAreNotAnalysed(_ begin: String) throws {
        func sql(_ levels: Int) -> String {
            "SELECT * FROM " + String(repeating: begin, count: levels) + "t" + String(repeating: ")", count: levels)
        }
        #expect(throws: Parser.Failure.self) { try Parser.statement(SQLTokenizer.tokens(of: sql(5_000))) }
        _ = try Parser.statement(SQLTokenizer.tokens(of: sql(20)))
    }

    /// SQLite 3.46 creates the table.
    @Test func aSchemaWithManyBracketsIsRead() throws {
        let brackets = String(repeating: "(", count: 5_000) + "1" + String(repeating: ")", count: 5_000)
        let lines = try SampleFolder(schema: "CREATE TABLE a (x INT CHECK (\(brackets)))").lines()
        #expect(lines.allSatisfy { $0.hasPrefix("schema/001_start.sql:1:") }, "\(lines)")
    }
}
