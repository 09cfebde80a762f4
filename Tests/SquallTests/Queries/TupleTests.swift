import Foundation
import Squall
import SquallTestSupport
import Testing

/// Rows as tuples: the number of columns is checked before a row is read, each value as its type.
struct TupleTests {
    let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.execute("CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, price INTEGER)")
        try connection.execute("INSERT INTO cars VALUES(1, 'Audi', 52642), (2, 'Saab', NULL), (3, 'Škoda', 9000)")
    }

    private func show<A, B>(_ rows: [(A, B)]) -> [String] { rows.map { "\($0.0) \($0.1)" } }

    @Test func aQueryReturnsItsRowsAsTuples() throws {
        let rows = try connection.query("SELECT name, price FROM cars", as: (String, Int?).self)
        #expect(type(of: rows) == [(String, Int?)].self)
        #expect(rows.map(\.0) == ["Audi", "Saab", "Škoda"])
        #expect(rows.map(\.1) == [52642, nil, 9000])
        var names: [String] = []
        for (id, name, price) in try connection.query("SELECT * FROM cars", as: (Int, String, Double?).self) {
            names.append("\(id) \(name) \(price ?? 0)")
        }
        #expect(names == ["1 Audi 52642.0", "2 Saab 0.0", "3 Škoda 9000.0"])
        #expect(try connection.query("SELECT id, name FROM cars WHERE 0", as: (Int, String).self).isEmpty)
    }

    @Test func theFirstRowIsATupleOrNil() throws {
        let totals = try connection.first("SELECT count(*), avg(price) FROM cars", as: (Int, Double).self)
        #expect(totals?.0 == 3)
        #expect(totals?.1 == 30821)
        let none = try connection.first("SELECT id, name FROM cars WHERE id > ?", 5, as: (Int, String).self)
        #expect(none == nil)
        // Its statement holds no lock.
        try connection.execute("DROP TABLE cars")
    }

    @Test func valuesAreInterpolatedOrGivenInEveryForm() throws {
        let (least, name, missing) = (1, "Saab", nil as Int?)
        let lists: [[(Int, String)]] = [
            try connection.query("SELECT id, name FROM cars WHERE name = \(name)", as: (Int, String).self),
            try connection.query("SELECT id, name FROM cars WHERE name = ?", name, as: (Int, String).self),
            try connection.query(
                "SELECT id, name FROM cars WHERE id > ? AND name = ?", least, "Saab", as: (Int, String).self),
            try connection.query("SELECT id, name FROM cars WHERE price IS ?", nil, as: (Int, String).self),
            try connection.query("SELECT id, name FROM cars WHERE price IS ?", missing, as: (Int, String).self),
            try connection.query("SELECT id, name FROM cars WHERE name = ?", ["Saab"], as: (Int, String).self),
            try connection.query("SELECT id, name FROM cars WHERE price IS ?", [nil], as: (Int, String).self),
            try connection.query("SELECT id, name FROM cars WHERE name = :n", ["n": "Saab"], as: (Int, String).self),
            try connection.query("SELECT id, name FROM cars WHERE name IN \(in: [name])", as: (Int, String).self),
        ]
        for rows in lists { #expect(show(rows) == ["2 Saab"]) }
        let firsts: [(Int, String)?] = [
            try connection.first("SELECT id, name FROM cars WHERE name = \(name)", as: (Int, String).self),
            try connection.first("SELECT id, name FROM cars WHERE name = ?", name, as: (Int, String).self),
            try connection.first("SELECT id, name FROM cars WHERE price IS ?", nil, as: (Int, String).self),
            try connection.first("SELECT id, name FROM cars WHERE name = ?", ["Saab"], as: (Int, String).self),
            try connection.first("SELECT id, name FROM cars WHERE name = :n", ["n": "Saab"], as: (Int, String).self),
        ]
        for row in firsts { #expect(row.map { "\($0) \($1)" } == "2 Saab") }
        #expect(
            try errorKind {
                _ = try connection.query("SELECT id, name FROM cars WHERE id = \(1)", 2, as: (Int, String).self)
            } == .mixedParameters)
    }

    @Test func everyTypeOfValueIsRead() throws {
        let sql: SQL = "SELECT 1, 2, 3.5, 'x', x'0102', 1, NULL, NULL, NULL, 255, '2026-11-22', 'a'"
        enum Kind: String, Binding { case a, b }
        let row = try #require(
            try connection.first(
                sql,
                as: (Int, Int64?, Double, String, Data, Bool, Int?, String?, Double?, UInt8, Date, Kind?).self))
        #expect(row.0 == 1 && row.1 == 2 && row.2 == 3.5 && row.3 == "x" && row.4 == Data([1, 2]) && row.5)
        #expect(row.6 == nil && row.7 == nil && row.8 == nil && row.9 == 255 && row.11 == .a)
        #expect(bindingDateFormatter.string(from: row.10).hasPrefix("2026-11-22"))
    }

    @Test func anotherNumberOfColumnsIsAnErrorBeforeARowIsRead() throws {
        let error = try sqliteError { _ = try connection.query("SELECT id, name FROM cars", as: (Int, Int, Int).self) }
        #expect(error.kind == .columnCount(expected: 3, found: 2))
        #expect(error.message == "the tuple is made of 3 columns, and the query has 2")
        #expect(error.hint == "the columns are id, name")
        #expect(error.sql == "SELECT id, name FROM cars")
        for sql: SQL in ["SELECT * FROM cars", "SELECT * FROM cars WHERE 0", "SELECT id FROM cars"] {
            let found = sql.text.contains("*") ? 3 : 1
            let kind = SQLiteError.Kind.columnCount(expected: 2, found: found)
            #expect(try errorKind { _ = try connection.query(sql, as: (Int, String).self) } == kind)
            #expect(try errorKind { _ = try connection.first(sql, as: (Int, String).self) } == kind)
            #expect(try errorKind { _ = try connection.rows(sql, as: (Int, String).self) } == kind)
        }
        // A statement that writes is not run.
        #expect(
            try errorKind { _ = try connection.query("DELETE FROM cars RETURNING *", as: (Int, String).self) }
                == .columnCount(expected: 2, found: 3))
        #expect(try connection.query("SELECT count(*) FROM cars") == 3)
    }

    @Test func aCachedSelectOfAnAlteredTableHasItsNewColumns() throws {
        let sql: SQL = "SELECT * FROM cars WHERE id = 1"
        #expect(try connection.first(sql, as: (Int, String, Int).self)?.1 == "Audi")
        try connection.execute("ALTER TABLE cars ADD COLUMN doors INTEGER DEFAULT 4")
        let wide = try connection.first(sql, as: (Int, String, Int, Int).self)
        #expect(wide?.3 == 4)
        try connection.execute("ALTER TABLE cars ADD COLUMN seats INTEGER DEFAULT 5")
        #expect(
            try errorKind { _ = try connection.query(sql, as: (Int, String, Int, Int).self) }
                == .columnCount(expected: 4, found: 5))
        try connection.execute("ALTER TABLE cars ADD COLUMN wheels INTEGER DEFAULT 4")
        var rows = try connection.rows(sql, as: (Int, String, Int, Int, Int, Int).self)
        let widest = try rows.next()
        #expect(widest?.4 == 5)
    }

    @Test func aValueThatDoesNotFitNamesItsColumn() throws {
        let null = try conversionError {
            _ = try connection.query("SELECT name, price FROM cars", as: (String, Int).self)
        }
        #expect(null.description == #"column 1 "price": expected Int, found NULL in: SELECT name, price FROM cars"#)
        let text = try conversionError { _ = try connection.first("SELECT id, name FROM cars", as: (Int, Int?).self) }
        #expect(text.description == #"column 1 "name": expected Int, found TEXT in: SELECT id, name FROM cars"#)
        let large = try conversionError { _ = try connection.query("SELECT 1, 300 AS n", as: (Int, UInt8).self) }
        #expect(large.reason == .outOfRange && large.columnName == "n")
    }

    @Test func aWriteReturnsTuples() throws {
        let rows = try connection.query(
            "UPDATE cars SET price = ? WHERE id < ? RETURNING id, price", 7, 3, as: (Int, Int).self)
        #expect(show(rows) == ["1 7", "2 7"])
        let first = try connection.first(
            "INSERT INTO cars(name) VALUES('Volvo') RETURNING id, name", as: (Int, String).self)
        #expect(first?.0 == 4)
        #expect(try connection.query("SELECT count(*) FROM cars") == 4)
    }

    /// The statement in the cache has the columns of before.
    @Test func aColumnThatAnotherConnectionAdds() throws {
        let directory = try TemporaryDirectory()
        let (one, other) = (try Connection(directory.file("cars.db")), try Connection(directory.file("cars.db")))
        try one.execute("CREATE TABLE t(a, b); INSERT INTO t VALUES(1, 2)")
        #expect(show(try one.query("SELECT * FROM t", as: (Int, Int).self)) == ["1 2"])
        try other.run("ALTER TABLE t ADD COLUMN c DEFAULT 3")
        let rows = try one.query("SELECT * FROM t", as: (Int, Int, Int).self)
        #expect(rows.map { "\($0) \($1) \($2)" } == ["1 2 3"])
        try other.run("ALTER TABLE t ADD COLUMN d")
        let error = try sqliteError { _ = try one.query("SELECT * FROM t", as: (Int, Int, Int, Int, Int).self) }
        #expect(error.kind == .columnCount(expected: 5, found: 4) && error.hint == "the columns are a, b, c, d")
    }
}
