import Foundation
import Squall
import SquallTestSupport
import Testing

struct QueryTests {
    let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.execute("CREATE TABLE t(a, b); INSERT INTO t VALUES(1, 'x'), (NULL, 'y'), (3, 'z')")
    }

    @Test func aLoopOverTypedValues() throws {
        let least = 0
        var seen: [Int] = []
        for number: Int in try connection.query("SELECT a FROM t WHERE a > \(least)") { seen.append(number) }
        for number: Int in try connection.query("SELECT a FROM t WHERE a > ?", 1) { seen.append(number) }
        #expect(seen == [1, 3, 3])
        var optional: [Int?] = []
        for number: Int? in try connection.query("SELECT a FROM t ORDER BY b") { optional.append(number) }
        #expect(optional == [1, nil, 3])
        var rows = 0
        for row in try connection.query("SELECT a FROM t") { rows += row.columnCount }
        #expect(rows == 3)
        #expect(try connection.query("SELECT a FROM t WHERE a > \(least)") == [1, 3])
        #expect(try connection.query("SELECT a FROM t ORDER BY b") == [1, nil, 3])
    }

    @Test func aClosureOfARowWithoutATypeForTheResultIsForTheFirstRow() throws {
        let name = try connection.query("SELECT b FROM t") { try $0.get("b") as String }
        #expect(type(of: name) == String?.self)
        #expect(name == "x")
        let names: [String] = try connection.query("SELECT b FROM t") { try $0.get("b") }
        #expect(names == ["x", "y", "z"])
        let least = 1
        let number = try connection.query("SELECT a FROM t WHERE a > \(least)") { try $0.get("a") as Int }
        #expect(number == 3)
        for name in try connection.query("SELECT b FROM t", body: { try $0.get("b") as String }) {
            #expect(type(of: name) == String.self)
        }
    }

    @Test func aSingleValue() throws {
        let count: Int = try connection.query("SELECT count(*) FROM t")
        #expect(count == 3)
        let none: Int? = try connection.query("SELECT a FROM t WHERE b = ?", "nope")
        #expect(none == nil)
        let null: Int? = try connection.query("SELECT a FROM t WHERE b = 'y'")
        #expect(null == nil)
        if let found: Int = try connection.query("SELECT a FROM t WHERE b = 'z'") {
            #expect(found == 3)
        } else {
            Issue.record("there is a row")
        }
        #expect(try connection.query("SELECT a FROM t WHERE b = 'nope'") ?? 7 == 7)
    }

    @Test func noRowAndNullAreErrorsForAValueThatIsNeeded() throws {
        let noRow = try conversionError { let _: Int = try connection.query("SELECT a FROM t WHERE 0") }
        #expect(noRow.reason == .noRow)
        #expect(noRow.description == "expected Int, found no row in: SELECT a FROM t WHERE 0")
        let null = try conversionError { let _: Int = try connection.query("SELECT a FROM t WHERE b = 'y'") }
        #expect(null.reason == .null)
        #expect(null.description == "column 0 \"a\": expected Int, found NULL in: SELECT a FROM t WHERE b = 'y'")
    }

    @Test func sqiftDefect3ListsLeaveNullsOutAndGoOn() throws {
        let values: [Int] = try connection.query("SELECT a FROM t ORDER BY b")
        #expect(values == [1, 3])
        let all: [Int?] = try connection.query("SELECT a FROM t ORDER BY b")
        #expect(all == [1, nil, 3])
        #expect(throws: ConversionError.self) { let _: [Int] = try connection.query("SELECT b FROM t") }
        #expect(throws: ConversionError.self) { let _: [Int?] = try connection.query("SELECT b FROM t") }
        #expect(throws: ConversionError.self) { let _: Int? = try connection.query("SELECT b FROM t") }
    }

    @Test func arraysAndDictionariesAreListsOfValues() throws {
        let texts = ["x", "z"]
        let named = ["first": "x", "second": "z"]
        let sql: SQL = "SELECT a FROM t WHERE b IN (\(texts[0]), \(texts[1]))"
        let lists: [[Int]] = [
            try connection.query("SELECT a FROM t WHERE b IN (?, ?)", ["x", "z"]),
            try connection.query("SELECT a FROM t WHERE b IN (?, ?)", texts),
            try connection.query("SELECT a FROM t WHERE b IN (?, ?)", texts as [any Bindable]),
            try connection.query("SELECT a FROM t WHERE b IN (:first, :second)", ["first": "x", ":second": "z"]),
            try connection.query("SELECT a FROM t WHERE b IN (:first, :second)", named),
            try connection.query(SQL(raw: sql.text), sql.parameters),
            try connection.query("SELECT a FROM t WHERE a IN (?, ?)", [1, 3]),
            try connection.query("SELECT a FROM t WHERE a IS NOT NULL", []),
            try connection.query("SELECT a FROM t WHERE a IS NOT NULL", [:]),
        ]
        #expect(lists == Array(repeating: [1, 3], count: lists.count))
    }

    @Test func listsAndALiteralNilGiveRowsAndClosures() throws {
        let first = try connection.query("SELECT b FROM t WHERE a = ?", [3])
        #expect(first?[0] == "z")
        let named = try connection.query("SELECT b FROM t WHERE a IS :a", ["a": nil])
        #expect(named?[0] == "y")
        let beside = try connection.query("SELECT b FROM t WHERE a IS ?", nil)
        #expect(beside?[0] == "y")
        var seen: [String] = []
        for row in try connection.query("SELECT b FROM t WHERE a > ?", [2]) { seen.append(row[0]) }
        for row in try connection.query("SELECT b FROM t WHERE a IS ?", nil) { seen.append(row[0]) }
        #expect(seen == ["z", "y"])
        let rows: [Row] = try connection.query("SELECT b FROM t WHERE a IS ?", nil)
        #expect(rows.count == 1)
        let name = try connection.query("SELECT b FROM t WHERE a > ?", [1]) { $0[0] as String }
        #expect(name == "z")
        let names: [String] = try connection.query("SELECT b FROM t WHERE a IS ? OR a > ?", nil, 1) { $0[0] }
        #expect(names == ["y", "z"])
    }

    @Test func anArrayOfBytesIsOneBLOB() throws {
        let bytes: [UInt8] = [1, 2]
        #expect(try connection.query("SELECT hex(?)", bytes) == "0102")
        #expect(try connection.query("SELECT hex(?) || ifnull(?, '-')", bytes, nil) == "0102-")
        #expect(try connection.query("SELECT hex(?)", [bytes]) == "0102")
        #expect(try connection.query("SELECT length(?)", [] as [UInt8]) == 0)
        let row = try #require(try connection.query("SELECT ?", bytes) as Row?)
        #expect(try row.get(0) == bytes)
        #expect(row[0] as [UInt8]? == bytes)
    }

    @Test func dictionariesAndClosures() throws {
        let last: [Int: String] = try connection.query("SELECT 1, b FROM t ORDER BY b") { ($0[0], $0[1]) }
        #expect(last == [1: "z"])
        let first: String? = try connection.query("SELECT b FROM t ORDER BY b") { $0[0] }
        #expect(first == "x")
        let nothing: String? = try connection.query("SELECT b FROM t WHERE 0") { $0[0] }
        #expect(nothing == nil)
        var steps = 0
        #expect(throws: CancellationError.self) {
            let _: [Int] = try connection.query("SELECT a FROM t") { _ in
                steps += 1
                throw CancellationError()
            }
        }
        #expect(steps == 1)
        // The error left no statement behind that would hold the table.
        try connection.execute("DROP TABLE t")
    }

    @Test func setsLeaveNullsOut() throws {
        let numbers: Set<Int> = try connection.query("SELECT a FROM t UNION ALL SELECT a FROM t")
        #expect(numbers == [1, 3])
        let texts: Set<String> = try connection.query("SELECT b FROM t WHERE a > \(1)")
        #expect(texts == ["z"])
        let listed: Set<Int> = try connection.query("SELECT a FROM t WHERE b = ?", ["x"])
        #expect(listed == [1])
        struct Pair: Decodable, Hashable { let a: Int?, b: String }
        let pairs: Set<Pair> = try connection.query("SELECT * FROM t")
        #expect(pairs == [Pair(a: 1, b: "x"), Pair(a: nil, b: "y"), Pair(a: 3, b: "z")])
        #expect(throws: ConversionError.self) { let _: Set<Int> = try connection.query("SELECT b FROM t") }
    }

    @Test func dictionariesAreThePairsOfAllRows() throws {
        let letters: [String: Int?] = try connection.query("SELECT b, a FROM t")
        #expect(letters == ["x": 1, "y": nil, "z": 3])
        #expect(letters.keys.contains("y"))
        let settings: [String: String] = try connection.query(
            "SELECT 'theme' AS key, 'dark' AS value UNION ALL SELECT 'size', '12' UNION ALL SELECT 'size', '14'")
        #expect(settings == ["theme": "dark", "size": "14"])
        let none: [Int: String] = try connection.query("SELECT a, b FROM t WHERE a > ?", 5)
        #expect(none == [:])
        let null = try conversionError { let _: [String: Int] = try connection.query("SELECT b, a FROM t") }
        #expect(null.description == "column 1 \"a\": expected Int, found NULL in: SELECT b, a FROM t")
        let three = try sqliteError { let _: [String: Int?] = try connection.query("SELECT b, a, a FROM t") }
        #expect(
            three.message
                == "Dictionary<String, Optional<Int>> is made of two columns, a key and a value, and the query has 3")
        #expect(three.hint?.contains("make the pairs with a closure") == true)
    }

    @Test func dictionariesOfOtherTypesAreNotTheFirstRow() throws {
        struct Pair: Decodable { let a: Int? }
        let error = try sqliteError { let _: [String: Pair] = try connection.query("SELECT a, b FROM t") }
        #expect(error.message.hasPrefix("Dictionary<String, Pair> is not made of rows"))
        #expect(error.hint?.contains("make the pairs with a closure") == true)
    }

    @Test func forEachStreamsRows() throws {
        var sum = 0
        try connection.forEach(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000) SELECT i FROM n"
        ) {
            sum += try $0.get(0)
        }
        #expect(sum == 500_500)
    }

    @Test func theSameQueryInsideItself() throws {
        var pairs: [String] = []
        try connection.forEach("SELECT b FROM t ORDER BY b") { outer in
            try connection.forEach("SELECT b FROM t ORDER BY b") { inner in
                pairs.append((outer[0] as String) + (inner[0] as String))
            }
        }
        #expect(pairs == ["xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"])
    }

    @Test func genericCode() throws {
        func first<T: Extractable>(_ sql: SQL, as type: T.Type) throws -> T? { try connection.query(sql) }
        func all<T: ExpressibleByRow>(_ sql: SQL, as type: T.Type) throws -> [T] { try connection.query(sql) }
        struct B: ExpressibleByRow {
            let b: String
            init(row: Row) throws { b = try row.get("b") }
        }
        #expect(try first("SELECT 5", as: Int.self) == 5)
        #expect(try first("SELECT NULL", as: String.self) == nil)
        #expect(try all("SELECT b FROM t ORDER BY b", as: B.self).map(\.b) == ["x", "y", "z"])
    }

    @Test func aTypeThatIsBothIsMadeFromTheRow() throws {
        struct Both: CodableBinding, ExpressibleByRow {
            let b: String
            init(row: Row) throws { b = try row.get("b") }
        }
        let all: [Both] = try connection.query("SELECT a, b FROM t ORDER BY b")
        #expect(all.map(\.b) == ["x", "y", "z"])
    }

    @Test func attachAndDetach() throws {
        let directory = try TemporaryDirectory()
        for path in [directory.file("it's.db"), directory.file("file:x?mode=memory"), directory.file("日本.db")] {
            let name = #"o'"ther]"#
            try connection.attachDatabase(from: .onDisk(path), withName: name)
            try connection.execute("CREATE TABLE \(name: name).u(a); INSERT INTO \(name: name).u VALUES(1)")
            #expect(FileManager.default.fileExists(atPath: path))
            try connection.detachDatabase(named: name)
        }
        try connection.attachDatabase(from: .inMemory, withName: "m")
        #expect(try sqliteError { try connection.detachDatabase(named: "nope") }.code == 1)
        let impossible = directory.file("no/such/folder.db")
        #expect(try sqliteError { try connection.attachDatabase(from: .onDisk(impossible), withName: "x") }.code == 14)
        #expect(
            try sqliteError { try connection.attachDatabase(from: .onDisk("a\0b"), withName: "x") }.resultCode
                == .misuse)
        #expect(
            try sqliteError { try connection.attachDatabase(from: .inMemory, withName: "a\0") }.resultCode == .misuse)
    }

    @Test func theFirstValueByItsType() throws {
        let one = try connection.first("SELECT a FROM t", as: Int.self)
        #expect(type(of: one) == Int?.self && one == 1)
        #expect(try connection.first("SELECT b FROM t WHERE a = ?", 3, as: String.self) == "z")
        #expect(try connection.first("SELECT b FROM t WHERE a = \(3) OR b = 'none'", as: String.self) == "z")
        #expect(try connection.first("SELECT b FROM t WHERE a IS ?", nil, as: String.self) == "y")
        #expect(try connection.first("SELECT b FROM t WHERE a = ?", [3], as: String.self) == "z")
        #expect(try connection.first("SELECT b FROM t WHERE a = :a", ["a": 3], as: String.self) == "z")
        #expect(try connection.first("SELECT a FROM t WHERE b = 'none'", as: Int.self) == nil)
        #expect(try connection.first("SELECT a FROM t WHERE b = 'y'", as: Int.self) == nil, "NULL")
        #expect(try connection.first("SELECT a FROM t WHERE b = 'y'", as: BindingValue.self) == nil)
        #expect(throws: ConversionError.self) { try connection.first("SELECT b FROM t", as: Int.self) }
        #expect(throws: SQLiteError.self) { try connection.first("SELECT 1; SELECT 2", as: Int.self) }
        #expect(try connection.first("SELECT a, b FROM t", as: (Int, String).self)?.1 == "x")
    }
}
