import Foundation
import Squall
import SquallTestSupport
import Testing

struct SQLTests {
    @Test func interpolatedValuesBecomeParameters() {
        let sql: SQL = "SELECT \(1), \("x'y"), \(2.5), \(nil as Int?), \(Data([1])), \(true)"
        #expect(sql.text == "SELECT ?, ?, ?, ?, ?, ?")
        #expect(sql.parameters == [.integer(1), .text("x'y"), .real(2.5), .null, .blob(Data([1])), .integer(1)])
        #expect(sql.description == sql.text)
    }

    @Test func theDebuggerShowsTheValuesInPlace() {
        let sql: SQL = "SELECT \(1), \("x'y"), \(nil as Int?) WHERE a IN \(in: [2, 3, 4]) AND b = \(Data([10]))"
        #expect(sql.debugDescription == "SELECT 1, 'x''y', NULL WHERE a IN (2, 3, 4) AND b = X'0A'")
        let quoted: SQL = "SELECT '\(1)'"
        #expect(quoted.debugDescription == "SELECT '?'")
    }

    @Test func existentialsAndDefaults() {
        let any: any Bindable = 5
        let none: (any Bindable)? = nil
        let name: String? = nil
        let sql: SQL = "\(any) \(none) \(name, default: "nobody") \(Optional("x"), default: "nobody")"
        #expect(sql.text == "? ? ? ?")
        #expect(sql.parameters == [.integer(5), .null, .text("nobody"), .text("x")])
    }

    @Test func sqlNestsAndJoins() {
        let condition: SQL = "price > \(5)"
        let sql: SQL = "SELECT * FROM cars WHERE \(condition) AND id = \(1)"
        #expect(sql.text == "SELECT * FROM cars WHERE price > ? AND id = ?")
        #expect(sql.parameters == [.integer(5), .integer(1)])

        let sum = "SELECT " + "\(1)" + condition
        #expect(sum.text == "SELECT ?price > ?")
        #expect(sum.parameters == [.integer(1), .integer(5)])

        let conditions: [SQL] = ["a = \(1)", "b = \(2)", "c"]
        #expect(conditions.joined(separator: " AND ") == "a = \(1) AND b = \(2) AND c")
        #expect([SQL]().joined(separator: " AND ") == "")
    }

    @Test func rawTextIsSpliced() {
        let direction = "DESC"
        #expect(("ORDER BY a \(raw: direction)" as SQL).text == "ORDER BY a DESC")
        #expect(SQL(raw: direction.dropLast(2)).text == "DE")
    }

    @Test(arguments: [
        "order", "a b", #"a"b"#, #"""#, "", "]", "[x]", "`", "a;b--", "'", "Ä日本👩‍👩‍👧", "select", "%s", "\u{1}", "é\r\n",
        String(repeating: "n", count: 10_000), "\"\u{301}",
    ])
    func hostileIdentifiersComeBack(name: String) throws {
        let connection = try Connection()
        try connection.execute("CREATE TABLE \(name: name)(\(name: name) INTEGER)")
        try connection.run("INSERT INTO \(name: name)(\(name: name)) VALUES(\(7))")
        let row = try #require(try connection.query("SELECT \(name: name) FROM \(name: name)") as Row?)
        #expect(row.columns[0].name == name)
        #expect(row[name] == 7)
        #expect(try connection.query("SELECT name FROM sqlite_schema") == name)
        try connection.savepoint(named: name) { try connection.run("DELETE FROM \(name: name)") }
        #expect(try connection.query("SELECT count(*) FROM \(name: name)") == 0)
    }

    @Test func anIdentifierWithNULIsRefused() throws {
        let connection = try Connection()
        let sql: SQL = "SELECT 1 AS \(name: "a\0b")"
        for verb in [{ try connection.execute(sql) }, { try connection.run(sql) }, { _ = try connection.prepare(sql) }]
        {
            #expect(try sqliteError(verb).message == "an identifier cannot have a NUL character")
        }
        #expect(throws: SQLiteError.self) { try connection.savepoint(named: "a\0") {} }
        #expect(!connection.isInTransaction)
    }

    @Test(arguments: [(0, 0), (1, 1), (2, 2), (3, 4), (5, 8), (1000, 1024), (20_000, 32_766), (40_000, 40_000)])
    func listsAreFilledUpToPowersOfTwo(count: Int, parameters: Int) throws {
        let values = Array(0..<count)
        let sql: SQL = "\(in: values)"
        #expect(sql.parameters.count == parameters)
        #expect(sql.text == "(" + Array(repeating: "?", count: parameters).joined(separator: ", ") + ")")
        #expect(sql.parameters.last == values.last.map { .integer(Int64($0)) })
        let connection = try Connection()
        let found: Int = try connection.query(
            """
            WITH RECURSIVE n(i) AS (SELECT -5 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
            SELECT count(*) FROM n WHERE i IN \(in: values)
            """
        )
        #expect(found == count)
    }

    @Test func listsOfEveryType() throws {
        let connection = try Connection()
        try connection.execute("CREATE TABLE t(id INTEGER, name TEXT, image BLOB)")
        try connection.run("INSERT INTO t VALUES(1, 'a', x'01'), (2, ?, ?), (3, 'c', NULL)", "b\0b", Data())
        func ids(_ condition: SQL) throws -> [Int] {
            try connection.query("SELECT id FROM t WHERE \(condition) ORDER BY id")
        }

        #expect(try ids("name IN \(in: ["a", "b\0b", "x'y"])") == [1, 2])
        #expect(try ids("name IN \(in: ["b"])") == [])
        #expect(try ids("image IN \(in: [Data([1]), Data()])") == [1, 2])
        #expect(try ids("id IN \(in: [Int]())") == [])
        #expect(try ids("id NOT IN \(in: [Int]())") == [1, 2, 3])
        #expect(try ids("id NOT IN \(in: [1, 3])") == [2])
        // The column's affinity applies: TEXT finds integers in an INTEGER column, and the other way about.
        #expect(try ids("id IN \(in: ["1", "3"])") == [1, 3])
        #expect(try ids("name IN \(in: Set([1]))") == [])
        let mixed: [any Bindable] = [1, "2"]
        #expect(try ids("id IN \(in: mixed)") == [1, 2])
        #expect(try ids("id IN \(in: (1...2).lazy.map { $0 })") == [1, 2])
    }

    @Test func optionalsOfOptionalsAreNullOrTheirValue() throws {
        let none: Int?? = .some(nil)
        let some: Int?? = 5
        let missing: [String: Int?] = ["a": nil]
        let any: (any Bindable)?? = .some(nil)
        let sql: SQL = "\(none) \(some) \(missing["a"]) \(missing["b"]) \(any)"
        #expect(sql.parameters == [.null, .integer(5), .null, .null, .null])
        #expect(try Connection().query("SELECT \(none) IS NULL") == true)
    }

    @Test func equalityIsOfTextAndParameters() {
        let one: SQL = "a = \(1)"
        #expect(one == "a = \(1)")
        #expect(one != "a = \(2)")
        #expect(one != "a = ?")
        #expect(Set([one, "a = \(1)"]).count == 1)
        // To Swift, "é" and "e" with an accent are one text; to SQLite they are two.
        #expect(BindingValue.text("\u{e9}") != .text("e\u{301}"))
        #expect(("a = \("\u{e9}")" as SQL) != "a = \("e\u{301}")")
        #expect(BindingValue.text("\u{e9}") == .text("\u{e9}"))
    }

    @Test func aListWithAValueThatCannotBeStoredThrows() throws {
        let sql: SQL = "SELECT 1 IN \(in: [Date(timeIntervalSince1970: 1e15)])"
        #expect(sql.text == "SELECT 1 IN (?)")
        let error = try sqliteError { try Connection().run(sql) }
        #expect(error.kind == .unstorable(type: "Date", reason: .yearOutOfRange))
    }

    @Test func anArrayInSQLIsEqualOnlyToItself() {
        func sql(_ array: SQL) -> SQL { "SELECT * FROM \(array)" }
        let (one, other): (SQL, SQL) = ("\(array: [1, 2])", "\(array: [1, 2])")
        #expect(sql(one) == sql(one))
        #expect(sql(one) != sql(other))
    }
}
