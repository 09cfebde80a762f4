import SQiftCompatibility
import Squall
import Testing

/// A parameter that was never bound is NULL, in a file that imports both libraries too.
struct MissingValueTests {
    private let connection: Connection

    init() throws {
        connection = try Connection(storageLocation: .inMemory)
    }

    @Test(
        arguments: ["SELECT ? IS NULL", "SELECT :a IS NULL", "SELECT ?1 IS NULL", "SELECT ?7 IS NULL AND $b IS NULL"]
            as [SQL])
    func aStatementRunsBeforeItsParametersAreBound(sql: SQL) throws {
        for make in Self.makers {
            #expect(try make(connection, sql).query() == true)
            #expect(try make(connection, sql).query { $0[0] as Int } as [Int] == [1])
            let statement = try make(connection, sql)
            #expect(try statement.step())
            #expect(statement.row?[0] == true)
            try statement.reset()
            #expect(try statement.query() == true)
        }
    }

    @Test func aFunctionGetsNULL() throws {
        try connection.addFunction("f") { (value: Int?) in value == nil }
        #expect(try connection.prepare("SELECT f(?)").query() == true)
    }

    @Test func aRowOfNullsIsInserted() throws {
        try connection.execute("CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, price INTEGER)")
        let insert = try connection.prepare("INSERT INTO cars(name, price) VALUES(:name, :price)")
        try insert.run()
        try insert.bind(["name": "Audi"]).run()
        try insert.run()
        try insert.bind(["price": 1]).run()
        #expect(throws: SQLiteError.self) { try insert.bind(1) }
        try insert.run()
        #expect(
            try connection.query("SELECT ifnull(name, '-') || ' ' || ifnull(price, '-') FROM cars ORDER BY id")
                as [String]
                == ["- -", "Audi -", "Audi -", "- 1", "- -"])
    }

    @Test func valuesByNameMayLeaveAParameterOut() throws {
        let sql: SQL = "SELECT ifnull(:a, '-') || ifnull(@b, '-') || ifnull(?3, '-')"
        let some: [String: (any Bindable)?] = ["a": 1]
        let expected = "1--"
        #expect(try connection.query(sql, ["a": 1]) == expected)
        #expect(try connection.query(sql, some) as String? == expected)
        #expect(try connection.query(sql, some) as [String] == [expected])
        #expect(try connection.query(sql, some)?[0] == expected)
        #expect(try connection.query(sql, some) { $0[0] as String } as [String] == [expected])
        #expect(try connection.query(sql, some) { ($0[0] as String, 1) } == [expected: 1])
        #expect(try connection.query(sql, some) { ($1[0] as String, $0.count) } == [expected: 0])
        #expect(try connection.prepare(sql, some).query() == expected)
        #expect(try connection.prepare(sql).bind(some).query() == expected)
        #expect(try connection.prepare(sql).bind([:]).query() == "---")
        #expect(try connection.prepare(sql, 1, 2, 3).bind(["?3": 4]).query() == "--4")
        let rows: [Row] = try connection.query(sql, some)
        #expect(rows.map { $0[0] as String } == [expected])
        struct Value: Decodable { let text: String }
        #expect(try connection.query("\(sql) AS text", some, as: Value.self).text == expected)
        try connection.forEach(sql, some) { #expect($0[0] == expected) }
        try connection.execute("CREATE TABLE t(a, b)")
        try connection.run("INSERT INTO t VALUES(:a, :b)", ["b": 2])
        #expect(try connection.query("SELECT a IS NULL AND b = 2 FROM t") == true)
    }

    @Test func otherMistakesAreErrors() throws {
        #expect(kind { try connection.query("SELECT :a", ["b": 1]) as Int? } == .unknownParameter(name: "b"))
        #expect(kind { try connection.prepare("SELECT ?, ?", [1]) } == .parameterCount(expected: 2, given: 1))
        #expect(kind { try connection.run("SELECT ?") } == .parameterCount(expected: 1, given: 0))
        #expect(kind { try connection.prepare("SELECT ?").bind() } == .parameterCount(expected: 1, given: 0))
        #expect(kind { try connection.execute("SELECT ?") } == .parameterCount(expected: 1, given: 0))
    }

    private func kind(_ body: () throws -> some Any) -> SQLiteError.Kind? {
        #expect(throws: SQLiteError.self) { _ = try body() }?.kind
    }

    private static var makers: [(Connection, SQL) throws -> Statement] {
        [
            { try $0.prepare($1) },
            { try $0.prepare($1, []) },
            { try $0.prepare($1, [:]) },
            { try Statement(connection: $0, sql: $1) },
        ]
    }
}
