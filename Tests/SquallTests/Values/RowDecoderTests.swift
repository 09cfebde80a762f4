import Foundation
import Squall
import SquallTestSupport
import Testing

struct RowDecoderTests {
    struct Car: Decodable, Equatable {
        enum Fuel: String, Codable { case petrol, diesel }
        struct Owner: Codable, Equatable { let name: String, since: Date? }

        let id: Int
        let name: String
        let price: Double?
        let built: Date
        let image: Data?
        let fuel: Fuel
        let owner: Owner?
        let tags: [String]?
        let isNew: Bool
    }

    let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.execute("CREATE TABLE cars(id, name, price, built, image, fuel, owner, tags, isNew)")
    }

    @Test func structuresFromColumns() throws {
        try connection.run(
            "INSERT INTO cars VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)", 1, "Audi", 10, "2001-01-01", Data([1]), "diesel",
            #"{"name": "Ada", "since": "2001-01-01T00:00:01.000"}"#, #"["a", "b"]"#, 1
        )
        try connection.run("INSERT INTO cars VALUES(2, 'B', NULL, '2001-01-01', NULL, 'petrol', NULL, NULL, 0)")
        let date = Date(timeIntervalSinceReferenceDate: 0)
        let first = Car(
            id: 1, name: "Audi", price: 10, built: date, image: Data([1]), fuel: .diesel,
            owner: .init(name: "Ada", since: date + 1), tags: ["a", "b"], isNew: true
        )
        let second = Car(
            id: 2, name: "B", price: nil, built: date, image: nil, fuel: .petrol, owner: nil, tags: nil, isNew: false
        )
        let cars: [Car] = try connection.query("SELECT * FROM cars")
        #expect(cars == [first, second])
        #expect(try connection.query("SELECT * FROM cars WHERE id = \(1)") == first)
        #expect(try connection.query("SELECT * FROM cars WHERE id = ?", 2) == second)
        let none: Car? = try connection.query("SELECT * FROM cars WHERE id = ?", [3])
        #expect(none == nil)
        let error = try conversionError { let _: Car = try connection.query("SELECT * FROM cars WHERE id = 3") }
        #expect(error.reason == .noRow)
        #expect(error.expected == "Car")
        let row = try #require(try connection.query("SELECT * FROM cars") as Row?)
        #expect(try row.decode(Car.self) == first)
        #expect(try connection.query("SELECT * FROM cars WHERE id = ?", 1, as: Car.self) == first)
        #expect(try connection.prepare("SELECT * FROM cars").query(as: [Car].self) == [first, second])
    }

    struct Pair: Decodable, Equatable {
        let a: Int
        let b: String?
    }

    @Test func errorsNameTheColumn() throws {
        let missing = try conversionError { let _: [Pair] = try connection.query("SELECT 'x' AS b") }
        #expect(missing.reason == .noSuchColumn)
        #expect(missing.columnName == "a")
        let null = try conversionError { let _: [Pair] = try connection.query("SELECT NULL AS a") }
        #expect(null.reason == .null)
        let text = try conversionError { let _: [Pair] = try connection.query("SELECT '12abc' AS a") }
        #expect(text.description == "column 0 \"a\": expected Int, found TEXT in: SELECT '12abc' AS a")
        // An optional is `nil` for NULL and for no column, never for a value that does not fit.
        let wrong = try conversionError { let _: [Pair] = try connection.query("SELECT 1 AS a, 2 AS b") }
        #expect(wrong.reason == .storageClass)
        #expect(wrong.columnName == "b")
        #expect(try connection.query("SELECT 1 AS a") == Pair(a: 1, b: nil))
        #expect(try connection.query("SELECT 1 AS A, 'x' AS B") == Pair(a: 1, b: "x"))
    }

    @Test func extractableTypesAreReadAsValues() throws {
        struct Employee: CodableBinding, Equatable { let name: String }
        let phil = Employee(name: "Phil")
        #expect(try connection.query("SELECT ?", phil) == phil)
        if let found: Employee? = try connection.query("SELECT ?", phil) { #expect(found == phil) }
        struct Holder: Decodable, Equatable { let employee: Employee }
        #expect(try connection.query("SELECT ? AS employee", phil) == Holder(employee: phil))
        let nested: Int?? = try connection.query("SELECT NULL")
        #expect(nested == .some(nil))
    }

    /// `try?`, optional chaining and generic code ask for shapes that only the `Decodable` form accepts.
    @Test func optionalListsAreLists() throws {
        let connection: Connection? = connection
        let sql: SQL = "SELECT 1 AS a UNION ALL SELECT NULL UNION ALL SELECT 3"
        let numbers: [Int]? = try connection?.query(sql)
        #expect(numbers == [1, 3])
        #expect(((try? connection?.query(sql)) ?? []) == [1, 3])
        let optionals: [Int?]? = try connection?.query(sql)
        #expect(optionals == [1, nil, 3])
        let pairs: [Pair]? = try connection?.query("SELECT 1 AS a")
        #expect(pairs == [Pair(a: 1, b: nil)])
        let none: [Pair]? = try connection?.query("SELECT 1 AS a WHERE 0")
        #expect(none == [])
        let rows: [Row]? = try connection?.query(sql)
        #expect(rows?.count == 3)
        if let nothing: Int? = try connection?.query("SELECT 1 WHERE 0") {
            #expect(nothing == nil)
        } else {
            Issue.record("SQift's own pattern is entered without a row, too")
        }

        func list<T: Decodable>(_ sql: SQL) throws -> [T] { try self.connection.query(sql) }
        #expect(try list(sql) == [1, 3])
    }

    @Test func bytesAreReadFromBlobs() throws {
        struct Image: Decodable { let bytes: [UInt8] }
        #expect(try connection.query("SELECT x'0102' AS bytes", as: Image.self).bytes == [1, 2])
        let all: [[UInt8]] = try connection.query("SELECT x'0102' UNION ALL SELECT x''")
        #expect(all == [[1, 2], []])
        let numbers: [UInt8] = try connection.query("SELECT 1 UNION SELECT 2")
        #expect(numbers == [1, 2])
    }

    @Test func singleValuesAndDictionaries() throws {
        enum Fuel: String, Decodable { case petrol }
        let fuels: [Fuel] = try connection.query("SELECT 'petrol' AS x")
        #expect(fuels == [.petrol])
        let error = try conversionError { let _: [Fuel] = try connection.query("SELECT 'water' AS x") }
        #expect(
            error.description
                == "column 0 \"x\": expected Fuel, found TEXT that it does not accept in: SELECT 'water' AS x")
        let row = try #require(try connection.query("SELECT 1 AS a, 2 AS b") as Row?)
        #expect(try row.decode([String: Int].self) == ["a": 1, "b": 2])
        let columns: [[String: Int]] = try connection.query("SELECT 1 AS a, 2 AS b")
        #expect(columns == [["a": 1, "b": 2]])
    }

    struct Address: Decodable { let city: String, floors: [Int]? }
    struct Person: Decodable { let id: Int, address: Address }

    @Test(arguments: [
        ("'{'", "found TEXT that it does not accept: it is not valid JSON"),
        ("'{}'", "found TEXT that it does not accept: city is missing"),
        ("'{\"city\": null}'", "found TEXT that it does not accept: city is null instead of String"),
        (
            "'{\"city\": \"x\", \"floors\": [1, \"a\"]}'",
            "found TEXT that it does not accept: floors[1] is not of type Int"
        ),
        ("NULL", "found NULL"), ("5", "found INTEGER 5"),
    ])
    func jsonThatDoesNotDecodeNamesTheColumnAndTheSQL(value: String, finding: String) throws {
        let sql = SQL(raw: "SELECT 1 AS id, \(value) AS address")
        for attempt in [
            { let _: [Person] = try connection.query(sql) }, { let _: Person = try connection.query(sql) },
            { let _: Person? = try connection.query(sql) { try $0.decode() } },
        ] {
            let error = try conversionError(attempt)
            #expect(error.description == "column 1 \"address\": expected Address, \(finding) in: \(sql.text)")
            #expect((error.decodingError == nil) == !finding.contains("accept"))
        }
    }

    @Test func anErrorOfTheTypeItselfIsKept() throws {
        struct Strict: Decodable {
            init(from decoder: any Decoder) throws {
                throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "never"))
            }
        }
        let error = try conversionError { let _: Strict = try connection.query("SELECT 1 AS a, 2") }
        #expect(error.description == "expected Strict, found a row that it does not accept in: SELECT 1 AS a, 2")
        guard case .dataCorrupted(let context) = error.decodingError else {
            Issue.record("the type's own error is lost")
            return
        }
        #expect(context.debugDescription == "never")
    }

    @Test func brokenJSONIsThrown() throws {
        struct Holder: Decodable { let list: [Int] }
        for json in ["[1,", "[\"a\"]"] {
            let error = try conversionError { let _: [Holder] = try connection.query("SELECT ? AS list", json) }
            #expect(error.reason == .unacceptable)
            #expect(error.columnName == "list")
        }
        #expect(
            try conversionError { let _: [Holder] = try connection.query("SELECT 5 AS list") }.reason == .storageClass)
        #expect(try conversionError { let _: [Holder] = try connection.query("SELECT NULL AS list") }.reason == .null)
        #expect(try connection.query("SELECT json_array(1, 2) AS list", as: Holder.self).list == [1, 2])
        #expect(try connection.query("SELECT CAST('[3]' AS BLOB) AS list", as: Holder.self).list == [3])
    }

    struct Careful: Decodable {
        enum CodingKeys: String, CodingKey { case a, b }

        let hasB: Bool
        let isANil: Bool

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            hasB = container.contains(.b)
            isANil = try container.decodeNil(forKey: .a)
        }
    }

    @Test func nilAndMissingColumnsAreToldApart() throws {
        let null: Careful = try connection.query("SELECT NULL AS a")
        #expect(null.isANil && !null.hasB)
        let value: Careful = try connection.query("SELECT 1 AS a, 2 AS b")
        #expect(!value.isANil && value.hasB)
        #expect(try conversionError { let _: Careful = try connection.query("SELECT 1 AS b") }.reason == .noSuchColumn)
    }

    /// Its initialiser decodes the row, which must not come back to it.
    struct Both: Decodable, ExpressibleByRow, Equatable {
        let a: Int

        init(row: Row) throws { self = try row.decode() }
    }

    @Test func aTypeMayBeMadeFromARowByDecodingIt() throws {
        let all: [Both] = try connection.query("SELECT 1 AS a UNION SELECT 2")
        #expect(all.map(\.a) == [1, 2])
        let optional: [Both]? = try connection.query("SELECT 1 AS a")
        #expect(optional?.map(\.a) == [1])
    }

    class Vehicle: Decodable {
        let wheels: Int
    }

    final class Bike: Vehicle {
        let gears: Int

        private enum CodingKeys: String, CodingKey { case gears }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            gears = try container.decode(Int.self, forKey: .gears)
            try super.init(from: container.superDecoder())
        }
    }

    @Test func classesWithSuperclasses() throws {
        let bike: Bike = try connection.query("SELECT 21 AS gears, 2 AS wheels")
        #expect(bike.gears == 21)
        #expect(bike.wheels == 2)
    }

    struct Keyed: Decodable {
        static let key = CodingUserInfoKey(rawValue: "unit")
        let value: Int
        let unit: String?

        init(from decoder: any Decoder) throws {
            value = try decoder.singleValueContainer().decode(Int.self)
            unit = Self.key.flatMap { decoder.userInfo[$0] as? String }
        }
    }

    @Test func userInfoReachesTheDecoder() throws {
        let key = try #require(Keyed.key)
        let all: [Keyed] = try connection.query("SELECT 1 UNION SELECT 2", userInfo: [key: "km"])
        #expect(all.map(\.unit) == ["km", "km"])
        #expect(all.map(\.value) == [1, 2])
    }

    /// Reads one value as each type that a container has a method for.
    private struct Ones: Decodable {
        let texts: [String]

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            texts = [
                "\(try value.decode(Bool.self))", "\(try value.decode(Double.self))", "\(try value.decode(Float.self))",
                "\(try value.decode(Int.self))", "\(try value.decode(Int8.self))", "\(try value.decode(Int16.self))",
                "\(try value.decode(Int32.self))", "\(try value.decode(Int64.self))", "\(try value.decode(UInt.self))",
                "\(try value.decode(UInt8.self))", "\(try value.decode(UInt16.self))",
                "\(try value.decode(UInt32.self))",
                "\(try value.decode(UInt64.self))",
            ]
        }
    }

    @Test func aContainerReadsEachTypeOfNumber() throws {
        let ones: Ones = try connection.query("SELECT 1")
        #expect(ones.texts == ["true", "1.0", "1.0"] + Array(repeating: "1", count: 10))
    }

    private static let unit = CodingUserInfoKey(rawValue: "unit")

    /// The decoder of a column, as the type of a property sees it.
    private struct Seen: Decodable {
        let isNull: Bool
        let path: [String]
        let unit: String?

        init(from decoder: any Decoder) throws {
            isNull = try decoder.singleValueContainer().decodeNil()
            path = decoder.codingPath.map(\.stringValue)
            unit = RowDecoderTests.unit.flatMap { decoder.userInfo[$0] as? String }
        }
    }

    private struct SeenTwice: Decodable {
        let first: Seen
        let second: Seen
    }

    @Test func theDecoderOfAColumnKnowsItsNameAndTheUserInfo() throws {
        let key = try #require(Self.unit)
        let rows: [SeenTwice] = try connection.query("SELECT 1 AS first, '' AS second", userInfo: [key: "km"])
        let row = try #require(rows.first)
        #expect(row.first.path == ["first"] && row.second.path == ["second"])
        #expect(row.first.unit == "km" && !row.first.isNull && !row.second.isNull)
    }

    private struct Meters: Decodable, Equatable, Binding {
        typealias BindingType = Int64
        var value: Int64
        var bindingValue: BindingValue { .integer(value) }
        static func fromBindingValue(_ value: Any) -> Meters? { (value as? Int64).map { Meters(value: $0) } }
    }

    /// Where only `Decodable` is known, a type that is read from a column is still read from one.
    @Test func aTypeOfAColumnIsReadFromItInGenericCode() throws {
        func decoded<T: Decodable>(_ sql: SQL) throws -> T {
            let row = try #require(try connection.query(sql) as Row?)
            return try row.decode(T.self)
        }
        #expect(try decoded("SELECT 7") == Meters(value: 7))
        #expect(try decoded("SELECT 7") == Meters(value: 7) as Meters?)
        #expect(try decoded("SELECT NULL") == nil as Meters?)
        let error = try conversionError { let _: Meters = try decoded("SELECT NULL") }
        #expect(error.reason == .null && error.expected == "Meters")
    }
}
