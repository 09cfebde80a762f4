import Foundation
import Squall
import SquallTestSupport
import Testing

struct ArrayTableTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
        try connection.execute(
            """
            CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT);
            INSERT INTO cars VALUES(1, 'Audi'), (2, 'BMW'), (3, 'Citroën'), (7, NULL)
            """
        )
    }

    @Test func itStandsAfterIn() throws {
        let names: [String] = try connection.query(
            "SELECT name FROM cars WHERE id IN \(array: [3, 1, 9, 3]) ORDER BY id")
        #expect(names == ["Audi", "Citroën"])
        let others: [Int] = try connection.query("SELECT id FROM cars WHERE id NOT IN \(array: [3, 1]) ORDER BY id")
        #expect(others == [2, 7])
        #expect(try connection.query("SELECT id FROM cars WHERE name IN \(array: ["BMW"])") == 2)
    }

    @Test func itStandsInFromAndJoin() throws {
        let rows: [Row] = try connection.query("SELECT rowid, value FROM \(array: ["b", "a"])")
        #expect(rows.map(\.valuesText) == ["[1, 'b']", "[2, 'a']"])
        let names: [String] = try connection.query(
            "SELECT name FROM \(array: [3, 1, 3]) AS key CROSS JOIN cars ON cars.id = key.value")
        #expect(names == ["Citroën", "Audi", "Citroën"])
        let left: [Row] = try connection.query(
            "SELECT k.value, name FROM \(array: [2, 5]) AS k LEFT JOIN cars ON cars.id = k.value ORDER BY k.rowid DESC")
        #expect(left.map(\.valuesText) == ["[5, NULL]", "[2, 'BMW']"])
        #expect(
            try connection.query(
                "SELECT count(*) FROM \(array: [1, 2]) AS a, \(array: [2, 3, 4]) AS b WHERE a.value < b.value") == 5)
    }

    @Test func theTextIsTheSameForEveryLength() throws {
        #expect(("SELECT \(array: [1, 2])" as SQL).text == "SELECT squall_array(?)")
        #expect(("\(array: [] as [Int]) \(array: ["a"])" as SQL).text == "squall_array(?) squall_array(?)")
    }

    @Test func elementsOfAllTypesPass() throws {
        let id = UUID()
        let date = Date(timeIntervalSince1970: 1_000_000)
        let cases: [(SQL, String)] = [
            ("\(array: [1, -1, Int.max, Int.min])", "1 -1 9223372036854775807 -9223372036854775808"),
            ("\(array: [true, false])", "1 0"),
            ("\(array: [1.5, -2, 1e100])", "1.5 -2.0 1.0e+100"),
            ("\(array: ["a", "", "it's"])", "'a' '' 'it''s'"),
            ("\(array: ["a", nil])", "'a' NULL"),
            ("\(array: [Data([1, 2]), Data()])", "X'0102' X''"),
            ("\(array: [[1, 2] as [UInt8], []])", "X'0102' X''"),
            ("\(array: [id])", "X'\(id.uuidString.replacing("-", with: ""))'"),
            ("\(array: [date])", "'1970-01-12T13:46:40.000'"),
            ("\(array: [.integer(1), .null, .text("x")] as [BindingValue])", "1 NULL 'x'"),
            ("\(array: Set([5]))", "5"),
            ("\(array: (1...3).lazy.map { $0 * 2 })", "2 4 6"),
            ("\(array: "a,b".split(separator: ","))", "'a' 'b'"),
        ]
        for (array, expected) in cases {
            let values: String? = try connection.query("SELECT group_concat(quote(value), ' ') FROM \(array)")
            #expect(values == expected)
        }
    }

    @Test func bytesPassAsTheyAre() throws {
        let texts = ["a\0b", "\0", "👨‍👩‍👧", String(decoding: [0x61, 0xFF], as: UTF8.self)]
        let hex: [String] = try connection.query("SELECT hex(value) FROM \(array: texts)")
        #expect(hex == texts.map { $0.utf8.map { String(format: "%02X", $0) }.joined() })
        let lengths: [Int] = try connection.query(
            "SELECT length(CAST(value AS BLOB)) FROM \(array: [String(repeating: "é", count: 500_000), "x"])")
        #expect(lengths == [1_000_000, 1])
    }

    @Test func anEmptyArrayIsATableWithoutRows() throws {
        let none: [Int] = []
        #expect(try connection.query("SELECT count(*) FROM cars WHERE id IN \(array: none)") == 0)
        #expect(try connection.query("SELECT count(*) FROM cars WHERE id NOT IN \(array: none)") == 4)
        #expect(try connection.query("SELECT count(*) FROM \(array: none)") == 0)
    }

    @Test func nullsMakeNotInUnknown() throws {
        #expect(try connection.query("SELECT count(*) FROM cars WHERE id NOT IN \(array: [1, nil])") == 0)
        #expect(try connection.query("SELECT count(*) FROM cars WHERE id IN \(array: [1, nil])") == 1)
    }

    @Test func aMillionElements() throws {
        let numbers = Array(0..<1_000_000)
        #expect(try connection.query("SELECT sum(value) FROM \(array: numbers)") == 499_999_500_000)
        #expect(try connection.query("SELECT count(*) FROM cars WHERE id IN \(array: numbers)") == 4)
        let joined: Int? = try connection.query(
            "SELECT count(*) FROM \(array: numbers) AS a JOIN \(array: [3, 999_999, 1_000_000]) AS b ON a.rowid = b.value"
        )
        #expect(joined == 3)
    }

    @Test func itsOrderIsItsOwn() throws {
        let plan: [String] = try connection.query(
            "EXPLAIN QUERY PLAN SELECT value FROM \(array: [3, 1]) ORDER BY rowid"
        ) { $0[3] }
        #expect(!plan.contains { $0.contains("B-TREE") })
        let down: [Int] = try connection.query("SELECT value FROM \(array: [3, 1, 2]) ORDER BY rowid DESC")
        #expect(down == [2, 1, 3])
    }

    @Test(arguments: 0..<6) func ordersOfJoinsAreThoseOfARealTable(part: Int) throws {
        let seed = TestSeed.of()
        var random = seed.generator(part)
        let numbers = (0..<20).map { _ in Int.random(in: 1...9, using: &random) }
        try connection.execute("CREATE TABLE real_array(value); CREATE INDEX i ON cars(name)")
        for number in numbers { try connection.run("INSERT INTO real_array VALUES(?)", number) }
        for _ in 0..<20 {
            let join = random.pick(["JOIN", "CROSS JOIN", "LEFT JOIN"])
            let on = random.pick(["k.value = c.id", "k.value > c.id", "k.rowid = c.id", "k.value = c.id + 1"])
            let order = random.pick([
                "k.rowid", "k.rowid DESC, c.id", "c.id, k.rowid", "c.name, k.rowid", "k.rowid, c.id",
            ])
            let isFirst = random.chance(50)
            let sql = { (table: SQL) -> SQL in
                let tables: SQL =
                    isFirst ? "\(table) AS k \(raw: join) cars AS c" : "cars AS c \(raw: join) \(table) AS k"
                let tail: SQL = "\(raw: order)\(raw: order == "k.rowid" ? ", c.id" : "")"
                return "SELECT k.value, c.id, k.rowid FROM \(tables) ON \(raw: on) ORDER BY \(tail)"
            }
            let real: [Row] = try connection.query(sql("real_array"))
            let array: [Row] = try connection.query(sql("\(array: numbers)"))
            #expect(array.map(\.valuesText) == real.map(\.valuesText), "seed \(seed): \(sql("real_array"))")
        }
    }

    @Test func otherValuesStandBesideIt() throws {
        let sql: SQL = "SELECT id FROM cars WHERE id >= \(2) AND id IN \(array: [1, 2, 7]) AND id < \(5)"
        #expect(try connection.query(sql) == 2)
        let list = "(SELECT +value FROM squall_array(?))"
        #expect(sql.text == "SELECT id FROM cars WHERE id >= ? AND id IN \(list) AND id < ?")
    }

    @Test func itPassesToAllVerbs() throws {
        let ids = [1, 2]
        try connection.run("UPDATE cars SET name = upper(name) WHERE id IN \(array: ids)")
        try connection.execute(
            "DELETE FROM cars WHERE id IN \(array: [7]); INSERT INTO cars(id) SELECT value FROM \(array: [8, 9])")
        #expect(
            try connection.query("SELECT group_concat(id || coalesce(name, '-'), ' ') FROM cars")
                == "1AUDI 2BMW 3Citroën 8- 9-")
        var names: [String] = []
        try connection.forEach("SELECT name FROM cars WHERE id IN \(array: ids)") { (row: Row) in names.append(row[0]) }
        #expect(names == ["AUDI", "BMW"])
        let statement = try Statement(
            connection: connection, sql: "SELECT count(*) FROM cars WHERE id IN \(array: ids)")
        #expect(try statement.query() == 2)
    }

    @Test func aSQLValueIsUsedOnSeveralConnectionsAndOften() throws {
        let sql: SQL = "SELECT sum(value) FROM \(array: 1...10)"
        let others = try (0..<3).map { _ in try Connection(":memory:") }
        for connection in others + others + [connection] { #expect(try connection.query(sql) == 55) }
    }

    @Test func theStatementOfTheCacheReleasesTheArray() throws {
        final class Owner {}
        weak var owner: Owner?
        struct Element: Bindable {
            typealias ColumnBase = Int
            let owner: Owner
            var bindingValue: BindingValue { .integer(1) }
        }
        do {
            let made = Owner()
            owner = made
            #expect(try connection.query("SELECT value FROM \(array: [Element(owner: made)])") == 1)
        }
        // The array keeps the values, not the elements.
        #expect(owner == nil)
    }

    @Test func literalsCannotBeMadeOfIt() throws {
        #expect(throws: SQLiteError.self) {
            try connection.execute("CREATE VIEW v AS SELECT value FROM \(array: [1])")
        }
        try connection.execute("CREATE VIEW v AS SELECT value FROM squall_array(NULL)")
        #expect(throws: SQLiteError.self) { try connection.run("SELECT * FROM v") }
    }

    @Test func valuesThatAreNoArraysMakeATableWithoutRows() throws {
        #expect(try connection.query("SELECT 1 FROM \(array: [1])") == 1)
        for value in ["NULL", "1", "'x'", "zeroblob(8)", "x'0000000000000000'"] {
            #expect(try connection.query("SELECT count(*) FROM squall_array(\(raw: value))") == 0, "\(value)")
        }
        #expect(try connection.query("SELECT count(*) FROM squall_array") == 0)
        #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO squall_array VALUES(1)") }
    }

    @Test func valuesThatCannotBeStoredAreErrors() throws {
        let error = try sqliteError { let _: Int = try connection.query("SELECT count(*) FROM \(array: [1.0, .nan])") }
        #expect(error.resultCode == .mismatch)
    }

    @Test func theHiddenColumnOfTheArrayIsNULL() throws {
        let connection = try Connection()
        let rows: [Row] = try connection.query("SELECT k.value, k.array FROM \(array: [1, 2]) AS k")
        #expect(rows.map(\.valuesText) == ["[1, NULL]", "[2, NULL]"])
    }
}
