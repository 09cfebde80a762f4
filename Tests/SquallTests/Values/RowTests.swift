import Foundation
import Squall
import SquallTestSupport
import Testing

struct RowTests {
    let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.execute(
            """
            CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, price INTEGER, "weight" REAL, image BLOB);
            INSERT INTO cars VALUES(1, 'Audi', 52642, 1.5, x'0102'), (2, 'O''Car', NULL, 2.5, NULL);
            """)
    }

    @Test func descriptionHasNamesWithValues() throws {
        let rows: [Row] = try connection.query("SELECT * FROM cars")
        #expect(
            rows.map(\.description) == [
                "[id: 1, name: 'Audi', price: 52642, weight: 1.5, image: 2 bytes]",
                "[id: 2, name: 'O'Car', price: NULL, weight: 2.5, image: NULL]",
            ])
        #expect(rows[0].columns[1].description == #"{ index: 1 name: "name", type: "text", value: Audi }"#)
        #expect(rows[1].columns[2].description == #"{ index: 2 name: "price", type: "null", value: nil }"#)
        #expect(rows[0].columns.map(\.dataType) == [.integer, .text, .integer, .float, .blob])
    }

    @Test func valuesAreOfTheirStorageClass() throws {
        let row = try #require(try connection.query("SELECT * FROM cars") as Row?)
        #expect(row.columnCount == 5)
        #expect(row.values[0] as? Int64 == 1)
        #expect(row.values[1] as? String == "Audi")
        #expect(row.values[3] as? Double == 1.5)
        #expect(row.values[4] as? Data == Data([1, 2]))
        #expect(row.map { $0 == nil } == [false, false, false, false, false])
        #expect(row.value(at: 9) == nil)
    }

    @Test func optionalSubscriptsGiveNilForWhateverDoesNotFit() throws {
        let row = try #require(try connection.query("SELECT * FROM cars WHERE id = 2") as Row?)
        let null: Int? = row["price"]
        let wrongClass: Int? = row["name"]
        let missing: Int? = row["nope"]
        let beyond: Int? = row[5]
        let negative: Int? = row[-1]
        let wrapped: Int? = row[1 << 32]
        #expect([null, wrongClass, missing, beyond, negative, wrapped] == [nil, nil, nil, nil, nil, nil])
    }

    @Test func getSaysWhatIsWrong() throws {
        let row = try #require(try connection.query("SELECT * FROM cars WHERE id = 2") as Row?)
        let sql = "SELECT * FROM cars WHERE id = 2"

        let null = try conversionError { let _: Int = try row.get("price") }
        #expect(null.description == "column 2 \"price\": expected Int, found NULL in: \(sql)")
        let nothing: Int? = try row.get("price")
        #expect(nothing == nil)

        let wrong = try conversionError { let _: Int? = try row.get("name") }
        #expect(wrong.description == "column 1 \"name\": expected Int, found TEXT in: \(sql)")

        let missing = try conversionError { let _: Int? = try row.get("nope") }
        #expect(missing.reason == .noSuchColumn)
        #expect(missing.description == "column \"nope\": expected Int, but there is no such column in: \(sql)")
        for index in [5, -1, 1 << 32, Int.min, Int.max] {
            #expect(try conversionError { let _: Int? = try row.get(index) }.reason == .noSuchColumn)
            #expect(try conversionError { let _: Int = try row.get(index) }.columnIndex == index)
        }
    }

    @Test func liveRowsFailAsDetachedOnesDo() throws {
        try connection.forEach("SELECT * FROM cars WHERE id = 2") { (row) throws in
            #expect(try conversionError { let _: Int = try row.get("price") }.reason == .null)
            #expect(try conversionError { let _: Int? = try row.get(7) }.reason == .noSuchColumn)
            #expect(try conversionError { let _: Int? = try row.get(-7) }.reason == .noSuchColumn)
            #expect(try conversionError { let _: Data = try row.get("name") }.reason == .storageClass)
        }
    }

    @Test func namesAreExactThenWithoutCaseAndTheFirstOfDuplicatesWins() throws {
        let row = try #require(
            try connection.query("SELECT 1 AS a, 2 AS A, 3 AS b, 4 AS b, 5 AS Ä, 6 AS \"x y\"") as Row?)
        #expect(row["A"] == 2)
        #expect(row["a"] == 1)
        #expect(row["b"] == 3)
        #expect(row["b"] == 3)
        #expect(row["B"] == 3)
        #expect(row["X Y"] == 6)
        let otherCase: Int? = row["ä"]
        #expect(otherCase == nil)
    }

    @Test func namesInAnyOrder() throws {
        let row = try #require(try connection.query("SELECT 1 AS a, 2 AS b, 3 AS c") as Row?)
        let read: [Int] = ["c", "b", "a", "a", "b", "c", "a", "c"].map { row[$0] }
        #expect(read == [3, 2, 1, 1, 2, 3, 1, 3])
    }

    @Test func sqiftDefect15RowsThatAreKeptKeepTheirValues() throws {
        var kept: [Row] = []
        try connection.forEach("SELECT * FROM cars ORDER BY id") { kept.append($0) }
        #expect(kept.map { $0["name"] as String } == ["Audi", "O'Car"])
        let collected: [Row] = try connection.query("SELECT * FROM cars ORDER BY id") { $0 }
        #expect(collected.map { $0[0] as Int } == [1, 2])

        var last: Row?
        #expect(throws: CancellationError.self) {
            try connection.forEach("SELECT * FROM cars ORDER BY id") { row in
                last = row
                throw CancellationError()
            }
        }
        #expect(last?["name"] == "Audi")

        // No lock is kept, and the values outlive the table, the statement and the connection.
        let row = try #require(try connection.query("SELECT * FROM cars") as Row?)
        try connection.execute("DROP TABLE cars")
        connection.close()
        #expect(row.description == "[id: 1, name: 'Audi', price: 52642, weight: 1.5, image: 2 bytes]")
        #expect(try conversionError { let _: Int = try row.get("name") }.sql == "SELECT * FROM cars")
    }

    @Test func rowsOfAStatementKeepTheirValues() throws {
        let statement = try connection.prepare("SELECT id FROM cars ORDER BY id")
        #expect(statement.row == nil)
        try statement.step()
        let first = try #require(statement.row)
        try statement.step()
        let second = try #require(statement.row)
        #expect(first[0] == 1)
        #expect(second[0] == 2)
        try statement.reset()
        #expect(statement.row == nil)
        #expect(second[0] == 2)
        try statement.step()
        #expect(try statement.step())
        #expect(try !statement.step())
        #expect(statement.row == nil)
    }

    @Test func aStatementThatGoesLeavesItsRows() throws {
        var row: Row?
        do {
            let statement = try connection.prepare("SELECT name FROM cars ORDER BY id")
            try statement.step()
            row = statement.row
        }
        #expect(row?[0] == "Audi")
    }

    #if compiler(>=6.2) && !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
        @Test func subscriptsWithoutOptionalStopTheProgramWithTheSameMessageAtTheCaller() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let row = try #require(try Connection().query("SELECT NULL AS price") as Row?)
                let _: Int = row["price"]
            }
            let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
            #expect(text.contains("column 0 \"price\": expected Int, found NULL in: SELECT NULL AS price"))
            #expect(text.contains("SquallTests/RowTests.swift:"))
        }
    #endif

    struct Car: ExpressibleByRow {
        let name: String
        let price: UInt

        init(row: Row) throws {
            guard let name: String = row["name"], let price: UInt = row["price"] else {
                throw ExpressibleByRowError(type: Car.self, row: row)
            }
            self.name = name
            self.price = price
        }
    }

    @Test func expressibleByRow() throws {
        let cars: [Car] = try connection.query("SELECT * FROM cars WHERE price IS NOT NULL")
        #expect(cars.map(\.name) == ["Audi"])
        let none: Car? = try connection.query("SELECT * FROM cars WHERE id = 9")
        #expect(none == nil)
        #expect(
            try conversionError { let _: Car = try connection.query("SELECT * FROM cars WHERE id = 9") }.reason
                == .noRow)

        let error = try #require(throws: ExpressibleByRowError.self) {
            let _: [Car] = try connection.query("SELECT name, price FROM cars")
        }
        let columns =
            #"[{ index: 0 name: "name", type: "text", value: O'Car }, { index: 1 name: "price", type: "null", value: nil }]"#
        #expect(error.errorDescription == "Failed to initialize Car from Row with columns: \(columns)")
        #expect(
            error.description == "ExpressibleByRowError: Failed to initialize Car from Row with columns: \(columns)")
        #expect(error.failureReason == "Car could not be initialized from Row with columns: \(columns)")
        #expect(error.columns.count == 2)
    }
}
