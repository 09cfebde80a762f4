import Foundation
import SQLiteORMCompatibility
import Squall
import SquallTestSupport
import Testing

/// Paths of the same meaning, of which one once differed.
struct AgreeingPathTests {
    private let connection: Connection

    init() throws {
        connection = try Connection()
    }

    /// NULL is a value of `BindingValue` on every way out that is not optional.
    @Test func nullAsABindingValue() throws {
        try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1), (NULL), ('x')")
        let all: [BindingValue] = [.integer(1), .null, .text("x")]
        #expect(try connection.query("SELECT NULL") as BindingValue == .null)
        #expect(try connection.query("SELECT NULL") as BindingValue? == nil)
        #expect(try connection.query("SELECT a FROM t") as [BindingValue] == all)
        #expect(try connection.query("SELECT a FROM t") as [BindingValue?] == [.integer(1), nil, .text("x")])
        #expect(try connection.query("SELECT a FROM t") as Set<BindingValue> == Set(all))
        #expect(
            try connection.query("SELECT rowid, a FROM t") as [Int: BindingValue] == [
                1: .integer(1), 2: .null, 3: .text("x"),
            ])
        #expect(try connection.query("SELECT a FROM t", as: BindingValue.self) { try $0.get(0) } == all)
        #expect(try connection.query("SELECT a FROM t", as: BindingValue.self) { try $0.get("a") } == all)
        #expect(try connection.query("SELECT a FROM t", as: BindingValue.self) { $0[0] } == all)
        #expect(try connection.query("SELECT a FROM t", as: BindingValue.self) { $0["a"] } == all)
        let optional: [BindingValue?] = try connection.query("SELECT a FROM t", as: BindingValue?.self) {
            try $0.get("a")
        }
        #expect(optional == [.integer(1), nil, .text("x")])
        var rows = try connection.rows("SELECT a FROM t", as: BindingValue.self)
        var found: [BindingValue] = []
        while let value = try rows.next() { found.append(value) }
        #expect(found == all)
        #expect(try connection.query("SELECT a, a FROM t", as: (BindingValue, BindingValue?).self).map(\.0) == all)
        // Other types have no value for it.
        #expect(try connection.query("SELECT a FROM t WHERE a IS NOT 'x'") as [Int] == [1])
        #expect(throws: ConversionError.self) { try connection.query("SELECT NULL") as Int }
        #expect(throws: ConversionError.self) {
            try connection.query("SELECT a FROM t", as: Int.self) { try $0.get(0, as: Int.self) }
        }
        for index in [-1, 1, 5] {
            #expect(throws: ConversionError.self) {
                try connection.query("SELECT a FROM t", as: BindingValue.self) { try $0.get(index) }
            }
        }
        #expect(throws: ConversionError.self) {
            try connection.query("SELECT a FROM t", as: BindingValue.self) { try $0.get("b") }
        }
    }

    private struct Place: TableRecord, Equatable {
        let id: Int64
        let name: String
        private static let doubled = StorageForm<Int64>("doubled", type: "INTEGER") {
            .integer($0 * 2)
        } decode: {
            $0.integer.map { $0 / 2 }
        }
        static let table = Table("places", Place.init) {
            Column("id", \Place.id, as: doubled, .primaryKey)
            Column("name", \Place.name)
        }
    }

    /// SQLite has one type for integers of all sizes, and so have the keys.
    @Test func integersOfAllSizesAreKeysInAForm() throws {
        try connection.create(Place.table)
        let place = Place(id: 7, name: "seven")
        try connection.insert(place)
        #expect(try connection.find(Place.self, key: 7) == place)
        #expect(try connection.find(Place.self, key: UInt8(7)) == place)
        #expect(try connection.find(Place.self, key: Int64(7)) == place)
        let storage = try Storage("", Place.table)
        try storage.createTables()
        try storage.replace(place)
        #expect(try storage.get(Place.self, id: 7) == place)
        #expect(throws: SQLiteError.self) { try connection.find(Place.self, key: UInt64.max) }
        #expect(throws: SQLiteError.self) { try connection.find(Place.self, key: "7") }
    }

    @Test func notANumberOfAFunction() throws {
        try connection.addFunction("f") { () -> Double in .nan }
        #expect(try sqliteError { try connection.query("SELECT f()") as Double? }.message.contains("NaN"))
    }

    private struct Number: TableRecord, Equatable {
        let id: Int64
        var value: BindingValue
        static let table = Table("numbers", Number.init) {
            Column("id", \Number.id, .primaryKey)
            Column("value", \Number.value)
        }
    }

    @Test func theSignOfZeroIsAChange() throws {
        try connection.create(Number.table)
        let old = Number(id: 1, value: .real(0))
        try connection.insert(old)
        #expect(try connection.update(Number(id: 1, value: .real(-0.0)), changedFrom: old) == .updated)
        let stored: Double = try connection.query("SELECT value FROM numbers")
        #expect(stored.sign == .minus)
        #expect(try connection.update(old, changedFrom: old) == .unchanged)
    }

    /// A connection of a store writes the values into SQL, and finds the parameters that SQLite finds.
    @Test(
        arguments: [
            (["a": 1], "SELECT :a"), (["?1": 1], "SELECT ?1"), (["?2": 1, "?1": 2], "SELECT ?2 - ?1"),
            (["a": 1], "SELECT :a + @a"),
            ([":a": 1], "SELECT :a + @a"), (["?": 1], "SELECT ?"), (["1": 1], "SELECT ?1"), (["#a": 1], "SELECT :a"),
            (["a": 1, ":a": 2], "SELECT :a"), (["a": 1], "SELECT ?"), ([:], "SELECT :a"),
            (["a": 1, "?1": 5], "SELECT :a + ?1"),
            (["b": 1], "SELECT :a"), (["a::b(c)": 1], "SELECT $a::b(c)"), (["É": 1], "SELECT :É"),
        ] as [([String: Int], String)]) func namesOfParameters(_ values: [String: Int], _ text: String) async throws
    {
        let list = values.mapValues { $0 as (any Bindable)? }
        let expected = Outcome<Int> { try connection.query(SQL(raw: text), list) }
        let directory = try TemporaryDirectory()
        let database = try Database(directory.file("db"))
        var found: Outcome<Int>
        do {
            found = .result(try await database.read(deadline: nil) { try await $0.query(SQL(raw: text), list) })
        } catch {
            found = Outcome { throw error }
        }
        #expect(found == expected)
        try await database.close()
    }

    // MARK: Depth

    private struct Words: TableRecord, Equatable {
        let id: Int64
        let word: String
        let number: Int
        let real: Double
        static let table = Table("words", Words.init) {
            Column("id", \Words.id, .primaryKey)
            Column("word", \Words.word)
            Column("number", \Words.number)
            Column("real", \Words.real)
        }
    }

    /// SQLite limits the depth of an expression, and the parser that of parentheses.
    @Test func chainsOfThousandsOfOperands() throws {
        try connection.create(Words.table)
        try connection.insert(Words(id: 1, word: "ab", number: 2, real: 0.5))
        let count = 3000
        let query = Words.query
        let text = try connection.first(
            query.select { w in (1..<count).reduce(w.word) { all, _ in all.appending(w.word) } })
        #expect(text == String(repeating: "ab", count: count))
        let right = try connection.first(
            query.select { w in (1..<count).reduce(w.word) { all, _ in w.word.appending(all) } })
        #expect(right == text)
        let literal = try connection.first(
            query.select { w in (0..<count).reduce(w.word) { all, n in all.appending("\(n % 10)") } })
        #expect(literal == "ab" + (0..<count).map { "\($0 % 10)" }.joined())
        let sum = try connection.first(query.select { w in (1..<count).reduce(w.number) { all, _ in all + w.number } })
        #expect(sum == 2 * count)
        let plus = try connection.first(query.select { w in (0..<count).reduce(w.number) { all, n in all + n } })
        #expect(plus == 2 + count * (count - 1) / 2)
        let product = try connection.first(query.select { w in (1..<count).reduce(w.real * 2) { all, _ in all * 1 } })
        #expect(product == 1)
        let long = query.select { w in (0..<20_000).reduce(w.number) { all, n in all + n } }.sql
        #expect(long.parameters.count == 20_000)
        let mixed = try connection.first(query.select { w in (w.number + w.number) * (w.number + 1) - w.number + 1 })
        #expect(mixed == 4 * 3 - 2 + 1)
        #expect(
            query.select { $0.number + 1 + $0.number }.sql.text
                == #"SELECT "words"."number" + ? + "words"."number" FROM "words""#)
        #expect(
            query.select { 1 + ($0.number + $0.number) }.sql.text
                == #"SELECT ? + ("words"."number" + "words"."number") FROM "words""#)
        #expect(query.select { ($0.number + 1) * 2 }.sql.text == #"SELECT ("words"."number" + ?) * ? FROM "words""#)
    }
}
