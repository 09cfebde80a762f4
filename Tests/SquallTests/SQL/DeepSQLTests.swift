import Squall
import SquallTestSupport
import Testing

/// SQL and values of great depth and length are an error of SQLite, or work. They never end the program.
struct DeepSQLTests {
    let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.execute("CREATE TABLE t(a INTEGER, b TEXT); INSERT INTO t VALUES(1, 'one')")
    }

    @Test func aDeepExpressionIsAnError() throws {
        let sum = SQL(raw: Array(repeating: "1", count: 1_500).joined(separator: "+"))
        let error = try sqliteError { try connection.run("SELECT \(sum)") }
        #expect(error.message == "Expression tree is too large (maximum depth 1000)")
        // SQLite 3.46 to 3.52 have no limit for brackets, and 3.53 has one of some thousands.
        let brackets = SQL(raw: String(repeating: "(", count: 200) + "1" + String(repeating: ")", count: 200))
        if SQLiteFeatures.version < 3_046_000 {
            #expect(try sqliteError { try connection.run("SELECT \(brackets)") }.message == "parser stack overflow")
        } else {
            #expect(try connection.query("SELECT \(brackets)") == 1)
        }
    }

    @Test func deepJSONIsAnError() throws {
        let json = String(repeating: "[", count: 5_000) + String(repeating: "]", count: 5_000)
        #expect(throws: SQLiteError.self) { try connection.run("SELECT json(\(json))") }
        let decoded: JSONBinding<[Int]>? = try? connection.query("SELECT \(json)")
        #expect(decoded == nil)
    }

    @Test func sqlThatIsNestedTenThousandTimes() throws {
        var sum: SQL = "\(1)"
        for _ in 0..<10_000 { sum = "(\(sum))" }
        #expect(sum.text.utf8.count == 20_001)
        if (3_046_000..<3_053_000).contains(SQLiteFeatures.version) {
            #expect(try connection.query("SELECT \(sum)") == 1)
        } else {
            #expect(throws: SQLiteError.self) { try connection.run("SELECT \(sum)") }
        }
        #expect(sum.debugDescription.utf8.count == 20_001)
    }

    // The frames of a sanitizer are several times as large.
    @Test(.enabled(if: !Sanitizers.areInUse)) func aConditionThatIsNestedTenThousandTimes() throws {
        var condition: Condition = "a = \(1)"
        for number in 0..<10_000 { condition = number.isMultiple(of: 2) ? !condition : condition && "b = \("one")" }
        // SQLite refuses the depth, and nothing overflows the stack before.
        #expect(throws: SQLiteError.self) { _ = try connection.all(Row2.self) { _ in condition } }
    }

    private struct Row2: TableRecord {
        let a: Int?
        let b: String?
        static let table = Table("t", Row2.init) {
            Column("a", \Row2.a)
            Column("b", \Row2.b)
        }
    }

    @Test func aDefinitionWithManyBrackets() throws {
        let deep = String(repeating: "(", count: 50_000)
        let table = TableDefinition(
            name: "u", columns: [ColumnDefinition(name: "a", type: "INT", defaultValue: SQL(raw: deep + "1"))])
        #expect(throws: (any Error).self) { try connection.sync([table]) }
        #expect(try connection.tableNames() == ["t"])
        // A type of other characters is in quotes.
        let type = TableDefinition(name: "u", columns: [ColumnDefinition(name: "a", type: deep)])
        try connection.sync([type])
        #expect(try connection.tableInfo("u") == type)
    }

    /// SQLite's own functions stop at a NUL character. Comparing does not, and neither does Squall.
    @Test func aTextWithNULIsComparedAsAWhole() throws {
        let text = "ab\0cd"
        #expect(try connection.query("SELECT length(\(text))") == 2)
        #expect(try connection.query("SELECT \(text) = \("ab")") == false)
        #expect(try connection.query("SELECT \(text) = \("ab\0cd")") == true)
        #expect(try connection.query("SELECT \(text)") == text)
    }
}
