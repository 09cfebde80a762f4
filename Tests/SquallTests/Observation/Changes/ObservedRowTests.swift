import SquallTestSupport
import Testing

@testable import Squall

/// Queries that look up a row by its rowid are concerned by changes of that row alone.
struct ObservedRowTests {
    private struct Car: TableRecord {
        let id: Int64
        let name: String

        static let table = Table("cars", Car.init) {
            Column("id", \Car.id, .primaryKey)
            Column("name", \Car.name)
        }
    }

    @Test(
        .enabled(if: SQLiteFeatures.preUpdateHook),
        arguments: [
            { try $0.find(Car.self, 2)?.name },
            { try $0.find(Car.self, key: 2)?.name },
            { try $0.all(Car.self) { $0.id == 2 }.first?.name },
            { try $0.first(Car.self) { $0.id == 2 }?.name },
            { try $0.first(Car.where { $0.id == 2 }.select { $0.name }) },
            { try $0.query("SELECT name FROM cars WHERE id = ?", 2) },
            { try $0.query("SELECT name FROM Cars\nWHERE cars.ID = 2 limit 1") },
        ] as [@Sendable (Connection) throws -> String?])
    func aRecordThatIsFoundByItsRowID(query: @escaping @Sendable (Connection) throws -> String?) async throws {
        let cars = try ObservedDatabase()
        var names = cars.database.observe(removingDuplicates: false, query).makeAsyncIterator()
        #expect(try await names.next() == "Skoda")
        try cars.write(
            "UPDATE cars SET name = 'x' WHERE id <> 2; DELETE FROM cars WHERE id = 1; INSERT INTO cars(name) VALUES('y')"
        )
        try cars.write("UPDATE cars SET price = 1")
        #expect(cars.phase == .watching)
        try cars.write("UPDATE cars SET name = 'Seat' WHERE id = 2")
        #expect(try await names.next() == "Seat")
        try cars.write("DELETE FROM cars WHERE id = 2")
        #expect(try await names.next() == .some(nil))
        try cars.write("UPDATE cars SET id = 2 WHERE id = 3")
        #expect(try await names.next() == "x")
    }

    /// `INT PRIMARY KEY` is not the rowid: the row with the key can have any rowid.
    @Test(arguments: ["INT PRIMARY KEY", "INTEGER PRIMARY KEY DESC", "INTEGER UNIQUE"]) func aKeyThatIsNotTheRowID(
        type: String
    ) async throws {
        let cars = try ObservedDatabase(
            "DROP TABLE cars; CREATE TABLE cars(id \(raw: type), name TEXT); INSERT INTO cars(rowid, id, name) VALUES(7, 2, 'Skoda')"
        )
        var names = cars.database.observe { try $0.find(Car.self, 2)?.name }.makeAsyncIterator()
        #expect(try await names.next() == "Skoda")
        try cars.write("UPDATE cars SET name = 'Seat' WHERE id = 2")
        #expect(try await names.next() == "Seat")
    }

    /// A column hides the rowid.
    @Test(arguments: ["rowid INTEGER", "ROWID TEXT", "id INTEGER PRIMARY KEY, RowID INT"])
    func aColumnWithTheNameOfTheRowID(columns: String) async throws {
        let cars = try ObservedDatabase(
            "CREATE TABLE t(\(raw: columns), x); INSERT INTO t(rowid, x) VALUES(3, 'a'), (1, 'b')")
        var values = cars.database.observe("SELECT x FROM t WHERE rowid = 3", as: String.self).makeAsyncIterator()
        #expect(try await values.next() == "a")
        try cars.write("UPDATE t SET x = 'new' WHERE rowid = 3")
        #expect(try await values.next() == "new")
    }

    /// A query after `find` is not limited to the row.
    @Test func aQueryBesideARecordThatIsFound() async throws {
        let cars = try ObservedDatabase()
        var names = cars.database.observe { connection in
            [try connection.find(Car.self, 2)?.name]
                + (try connection.query("SELECT name FROM cars WHERE id = 1") as [String])
        }.makeAsyncIterator()
        #expect(try await names.next() == ["Skoda", "Audi"])
        try cars.write("UPDATE cars SET name = 'x' WHERE id = 1")
        #expect(try await names.next() == ["Skoda", "x"])
    }

    @Test(
        arguments: [
            ("SELECT name FROM cars WHERE id = ", true),
            ("select \"name\", \"a\".\"b\" from \"CARS\" where \"cars\".\"Id\" = ", true),
            ("SELECT DISTINCT name AS label\nFROM cars\nWHERE id=", true),
            ("SELECT name FROM cars WHERE NOT id = ", false),
            ("SELECT name FROM cars WHERE id == ", false),
            ("SELECT name FROM cars WHERE id >= ", false),
            ("SELECT name FROM cars WHERE name = 1 OR id = ", false),
            ("SELECT name FROM cars WHERE price = ", false),
            ("SELECT name FROM cars c WHERE id = ", false),
            ("SELECT name FROM cars, cars b WHERE cars.id = ", false),
            ("SELECT name FROM main.cars WHERE id = ", false),
            ("SELECT id IN cars FROM cars WHERE id = ", false),
            ("SELECT id IN\"cars\" FROM cars WHERE id = ", false),
            ("SELECT (SELECT max(id) FROM cars) FROM cars WHERE id = ", false),
            ("SELECT max(price) FROM cars WHERE id = ", false),
            ("SELECT name FROM cars UNION SELECT name FROM cars WHERE id = ", false),
            ("SELECT name FROM cars -- FROM cars WHERE id = ", false),
            ("SELECT name FROM cars /* FROM cars WHERE id = ", false),
            ("SELECT 'x FROM cars WHERE id = ", false),
            ("SELECT a FROM cars WHERE \"x FROM cars WHERE id\" = ", false),
            ("EXPLAIN SELECT name FROM cars WHERE id = ", false),
            ("WITH cars AS (SELECT 1 AS id) SELECT name FROM cars WHERE id = ", false),
            ("DELETE FROM cars WHERE id = ", false),
            ("SELECT * FROM\tcars\r\nWHERE id = ", true),
            ("SELECT name\r\nFROM cars\r\nUNION ALL\r\nSELECT name FROM cars WHERE id = ", false),
            ("SELECT name FROM\tcars UNION ALL SELECT\tname FROM cars WHERE id = ", false),
            ("SELECT *FROM cars UNION ALL SELECT* FROM cars WHERE id = ", false),
            ("SELECT ?1IN cars FROM cars WHERE id = ", false),
            ("SELECT 5 IN\tcars FROM cars WHERE id = ", false),
            ("SELECT name FROM\tcars WHERE\t\"from cars where id\" = ", false),
            ("", false),
        ])
    func lookups(sql: String, isLookup: Bool) {
        let lookup = RowLookup(table: "cars", column: "id")
        #expect(lookup.matches(sql + "3") == isLookup)
        #expect(lookup.matches(sql + "? LIMIT 1") == isLookup)
        // It can be the name of a column.
        #expect(!lookup.matches(sql + "\"3\""))
    }

    @Test(
        arguments: [
            ("3", 3), ("3 LIMIT 1", 3), ("-9223372036854775808", .min), ("9223372036854775808", nil), ("3.0", nil),
            ("'3'", nil), ("'=3 '", nil), ("'=3 limit 1'", nil), ("'=3 limit ' LIMIT 1", nil), ("x'33'", nil),
            ("NULL", nil), ("?", nil), ("3 OR 1", nil), ("3 LIMIT 2", nil), ("3 LIMIT 1 OFFSET 1", nil), ("", nil),
        ] as [(String, Int64?)])
    func keys(end: String, key: Int64?) {
        #expect(RowLookup.key(in: "SELECT name FROM cars WHERE id = " + end) == key)
    }

    @Test func anEmptyBLOBThatIsSetToAnEmptyBLOBIsNoChange() async throws {
        let phase = try await ObservedDatabase.phase(
            of: "SELECT length(b) FROM t WHERE a = 1", after: "UPDATE t SET b = x''",
            with: "CREATE TABLE t(a INTEGER PRIMARY KEY, b BLOB); INSERT INTO t VALUES(1, x'')")
        #expect(phase == .watching)
    }
}
