// swift-format-ignore-file
import Foundation
import Squall
import SquallTestSupport
import Testing

struct QueriesPage {
    struct Car: Decodable {
        let id: Int64
        let name: String
        let price: Int?
    }

    struct Offer: ExpressibleByRow {
        let name: String
        let price: Double

        init(row: Row) throws {
            name = try row.get("name")
            price = try row.get("price") ?? 0
        }
    }

    func cars() throws -> Connection {
        let connection = try Connection(":memory:")
        try connection.execute("""
            CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT NOT NULL, price INTEGER);
            INSERT INTO cars VALUES (1, 'Audi', 52642), (2, 'Saab', NULL), (3, 'Volvo', 29000);
            """)
        return connection
    }

    @Test func results() throws {
        let connection = try cars()
        let count: Int = try connection.query("SELECT count(*) FROM cars")
        let price: Int? = try connection.query("SELECT price FROM cars WHERE id = ?", 2)
        let names: [String] = try connection.query("SELECT name FROM cars ORDER BY name")
        #expect(count == 3 && price == nil && names == ["Audi", "Saab", "Volvo"])

        let prices: [Int] = try connection.query("SELECT price FROM cars")
        // [52642, 29000]
        let all: [Int?] = try connection.query("SELECT price FROM cars")
        // [52642, nil, 29000]
        let byName: [String: Int?] = try connection.query("SELECT name, price FROM cars")
        // ["Audi": 52642, "Saab": nil, "Volvo": 29000]
        #expect(prices == [52642, 29000] && all == [52642, nil, 29000])
        #expect(byName == ["Audi": 52642, "Saab": nil, "Volvo": 29000])
        #expect(throws: ConversionError.self) { let _: [String: Int] = try connection.query("SELECT name, price FROM cars") }
        #expect(throws: ConversionError.self) { try connection.query("SELECT price FROM cars WHERE id = 9") as Int }
        #expect(throws: ConversionError.self) { try connection.query("SELECT price FROM cars WHERE id = 2") as Int }
        #expect(try connection.query("SELECT name FROM cars") as String == "Audi")
        #expect(try connection.query("SELECT price FROM cars") as Set<Int> == [52642, 29000])
        #expect(try connection.query("SELECT * FROM cars WHERE id = 9") as Row? == nil)
        #expect(throws: ConversionError.self) { try connection.query("SELECT * FROM cars WHERE id = 9") as Car }
        #expect(throws: ConversionError.self) { try connection.query("SELECT * FROM cars WHERE id = 9") as Offer }
        #expect(try connection.query("SELECT * FROM cars WHERE id = 9") as Offer? == nil)

        do {
            let pairs = try connection.query(
                "SELECT name, price FROM cars", as: (String, Int?).self)  // [(String, Int?)]
            for (name, price) in pairs { print(name, price ?? 0) }
            let totals = try connection.first(
                "SELECT count(*), sum(price) FROM cars", as: (Int, Int?).self)  // (3, 81642)?
            let most = try connection.first("SELECT max(price) FROM cars", as: Int.self)  // Int?
            #expect(most == 52642)
            #expect(pairs.map(\.0) == names)
            #expect(totals?.0 == 3 && totals?.1 == 81642)
            #expect(throws: SQLiteError.self) { _ = try connection.query("SELECT 1, 2, 3", as: (Int, Int).self) }
        }
        do {
            let cars: [Car] = try connection.query("SELECT * FROM cars")
            let saab: Car? = try connection.query("SELECT * FROM cars WHERE name = \("Saab")")
            let offers: [Offer] = try connection.query("SELECT name, price FROM cars")
            struct Nested: Decodable { struct Place: Decodable, Equatable { let x: Int }; let place: Place; let tags: [String] }
            let nested: Nested = try connection.query(#"SELECT '{"x":1}' AS place, '["a"]' AS tags, 5 AS more"#)
            #expect(nested.place.x == 1 && nested.tags == ["a"])
            #expect(cars.count == 3 && saab?.id == 2 && offers.map(\.price) == [52642, 0, 29000])
        }
        do {
            let labels: [String] = try connection.query("SELECT id, name FROM cars") { row in
                "\(try row.get("id") as Int): \(try row.get("name") as String)"
            }
            let first: String? = try connection.query("SELECT name FROM cars") { try $0.get(0) }
            #expect(labels == ["1: Audi", "2: Saab", "3: Volvo"] && first == "Audi")
            let row = try connection.query("SELECT * FROM cars WHERE id = 2")
            #expect(row?["price"] as Int? == nil && row?["name"] as Int? == nil && row?["NAME"] == "Saab")
            #expect(throws: ConversionError.self) { _ = try row?.get("name") as Int? }
        }
    }

    @Test func manyRows() throws {
        let connection = try cars()
        try connection.forEach("SELECT name, price FROM cars") { row, stop in
            print(try row.get("name") as String)
            stop = try row.get("price") as Int? == nil      // { row in … } reads all rows
        }
        let sql: SQL = "SELECT name, price FROM cars"
        var cursor = try connection.rows(sql, as: (String, Int?).self)
        while let (name, price) = try cursor.next() {
            if price == nil { break }
            print(name)
        }

        let before = connection.statementCache
        for id in [1, 2, 3] {
            let _: String = try connection.query("SELECT name FROM cars WHERE id = \(id)")
        }
        print(connection.statementCache.hits, connection.statementCache.misses)
        #expect(connection.statementCache.hits == before.hits + 2 && connection.statementCache.misses == before.misses + 1)

        let insert = try connection.prepare("INSERT INTO cars(name, price) VALUES(?, ?)")
        for (name, price) in [("Fiat", 18_000), ("Seat", 21_000)] {
            try insert.bind(name, price).run()
        }

        #expect(try connection.count("cars", where: "price > 20000") == 3)
        do {
            try connection.run("UPDATE cars SET price = price - 1000 WHERE price > \(20_000)")
            print(connection.changes)                                               // 3
            let ids: [Int64] = try connection.query(
                "DELETE FROM cars WHERE price IS NULL RETURNING id")                // [2]
            #expect(ids == [2])
        }

        #expect(throws: ConversionError.self) {
            try connection.query("UPDATE cars SET price = price + 1 WHERE id = 1 RETURNING name") as Int
        }
        #expect(try connection.query("SELECT price FROM cars WHERE id = 1") == 51643)

        let id = try connection.insert(into: "cars", ["name": "Lada", "price": nil])
        let price: SQL = "id * 1000"
        try connection.update("cars", set: ["price": price], where: "id = \(id)")
        let cheap: [String] = try connection.select(
            "name", from: "cars", where: "price < \(20_000)", orderBy: "price", limit: 10)
        let number = try connection.count("cars", where: "price IS NOT NULL")
        try connection.delete(from: "cars", where: "id = \(id)")
        #expect(id == 6 && cheap == ["Lada", "Fiat"] && number == 5)

        do {
            try connection.run("SELECT nmae FROM cars")
        } catch ResultCode.busy {               // a code: SQLITE_BUSY and its extended codes
            print("the file is locked")
        } catch let error as SQLiteError {
            print(error.message)                // no such column: nmae
            print(error)                        // and the SQL, with a caret
        }
        let error = try sqliteError { try connection.run("SELECT nmae FROM cars") }
        #expect(error.description == """
            SQLITE_ERROR (1): no such column: nmae, at line 1, column 8 in:
            SELECT nmae FROM cars
                   ^
            """)
    }
}
