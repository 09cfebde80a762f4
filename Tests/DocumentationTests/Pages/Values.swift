// swift-format-ignore-file
import Foundation
import Squall
import SquallTestSupport
import Testing

struct ValuesPage {
    enum Fuel: String, Binding { case petrol, diesel, electric }
    struct CarID: RawRepresentable, Hashable, Binding { let rawValue: Int64 }

    public enum Genre: String, Binding, Sendable { case jazz, rock }

    struct Address: Codable, Equatable { let street: String; let city: String }

    /// Whether the library has JSONB: SQLite 3.45.
    private static let hasJSONB = (try? Connection().query("SELECT jsonb('1') IS NOT NULL")) ?? false

    @Test(.enabled(if: hasJSONB)) func binaryJSON() throws {
        let connection = try Connection()
        let home = Address(street: "Storgata 1", city: "Oslo")
        try connection.execute("CREATE TABLE offices(address BLOB)")
        try connection.run("INSERT INTO offices VALUES(jsonb(\(JSONBinding(home))))")
        let town: String = try connection.query("SELECT address ->> '$.city' FROM offices")
        let office: JSONBinding<Address> = try connection.query(
            "SELECT json(address) FROM offices")
        #expect(town == "Oslo" && office.value == home)
        #expect(try connection.query("SELECT typeof(address) FROM offices") == "blob")
        #expect(try connection.query("SELECT typeof(json_set(address, '$.city', 'Bergen')) FROM offices") == "text")
        #expect(try connection.query("SELECT typeof(jsonb_set(address, '$.city', 'Bergen')) FROM offices") == "blob")
    }

    struct Settings: CodableBinding { var theme = "dark"; var zoom = 1.5 }

    struct Kilometres: Binding, Equatable {
        typealias BindingType = Double
        let value: Double

        var bindingValue: BindingValue { .real(value) }

        static func fromBindingValue(_ value: Any) -> Kilometres? {
            guard let value = value as? Double, value >= 0 else { return nil }
            return Kilometres(value: value)
        }
    }

    struct Trip: TableRecord {
        let id: UUID
        let start: Date
        let price: Decimal
        let stops: [String]

        static let cents = StorageForm<Decimal>("cents", type: "INTEGER") { price in
            let cents = price * 100
            let whole = Int64(exactly: cents as NSDecimalNumber)
            guard let whole else { throw CocoaError(.formatting) }
            return .integer(whole)
        } decode: { value in
            value.integer.map { Decimal($0) / 100 }
        }
        static let table = Table("trips", Trip.init) {
            Column("id", \Trip.id, as: .text, .primaryKey)
            Column("start", \Trip.start, as: .unixMilliseconds)
            Column("price", \Trip.price, as: cents)
            Column("stops", \Trip.stops, as: .json)
        }
    }
    // CREATE TABLE "trips"("id" TEXT PRIMARY KEY NOT NULL, "start" INTEGER NOT NULL,
    //   "price" INTEGER NOT NULL, "stops" TEXT NOT NULL)

    @Test func overview() throws {
        let connection = try Connection(":memory:")
        try connection.execute("""
            CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, price INTEGER, built TEXT)
            """)
        try connection.run("INSERT INTO cars VALUES(?, ?, ?, ?)", 1, "Audi", 52_642, Date())
        try connection.run("INSERT INTO cars(name, price) VALUES(?, ?)", "Saab", nil)

        let name: String = try connection.query("SELECT name FROM cars WHERE id = 1")
        let price: Int? = try connection.query("SELECT price FROM cars WHERE id = 2") // nil
        #expect(name == "Audi" && price == nil)

        do {
            let _: [Int] = try connection.query("SELECT name FROM cars")
        } catch let error as ConversionError {
            print(error)
            // column 0 "name": expected Int, found TEXT in: SELECT name FROM cars
            print(error.reason == .storageClass, error.value ?? .null)  // true text("Audi")
        }
        let error = #expect(throws: ConversionError.self) { let _: [Int] = try connection.query("SELECT name FROM cars") }
        #expect(error?.description == #"column 0 "name": expected Int, found TEXT in: SELECT name FROM cars"#)
        #expect("\(error?.value ?? .null)" == #"text("Audi")"#)
    }

    /// Checks the table of stored values and types.
    @Test func readingIsStrict() throws {
        let connection = try Connection(":memory:")
        func read<T: Extractable>(_ sql: SQL, _ type: T.Type = T.self) throws -> T { try connection.query(sql) }
        func reason<T: Extractable>(_ sql: SQL, _ type: T.Type) throws -> ConversionError.Reason {
            try #require(throws: ConversionError.self) { _ = try read(sql, type) }.reason
        }
        #expect(try reason("SELECT 300", Int8.self) == .outOfRange)
        #expect(try read("SELECT 3") as Double == 3)
        #expect(try reason("SELECT 9007199254740993", Double.self) == .outOfRange)
        #expect(try read("SELECT 3.0") as Int == 3)
        #expect(try reason("SELECT 3.5", Int.self) == .outOfRange)
        #expect(try read("SELECT 0.1") as Float == 0.1)
        #expect(try read("SELECT 7") as Bool)
        #expect(try reason("SELECT '12'", Int.self) == .storageClass)
        #expect(try reason("SELECT 12", String.self) == .storageClass)
        #expect(try reason("SELECT NULL", Int.self) == .null)
        #expect(try connection.query("SELECT NULL") as Int? == nil)
        #expect(try reason("SELECT CAST(x'FF' AS TEXT)", String.self) == .invalidUTF8)
        #expect(try read("SELECT CAST(x'FF' AS TEXT)") as Data == Data([0xFF]))
        #expect(try reason("SELECT 5", Date.self) == .storageClass)
        #expect(try reason("SELECT 'steam'", Fuel.self) == .unacceptable)
        #expect(try reason("SELECT -1.0", Kilometres.self) == .unacceptable)
        #expect(try read("SELECT 2") as Kilometres == Kilometres(value: 2))
        #expect(try read("SELECT 1 WHERE length(x'') = 0 AND x'' IS NOT NULL") as Int == 1)
        #expect(try connection.query("SELECT typeof(?)", Data()) as String == "blob")
        #expect(try connection.query("SELECT typeof(?)", "") as String == "text")
        #expect(try connection.query("SELECT ? < 0", UInt64.max) as Bool)
        #expect(try connection.query("SELECT -1") as UInt == .max)
        #expect(try connection.query("SELECT ?", UInt64.max) as UInt64 == .max)
        #expect(try connection.query("SELECT ?", Double.infinity) as Double == .infinity)
        #expect(try sqliteError { try connection.run("SELECT ?", Double.nan) }.resultCode == .mismatch)
        #expect(throws: SQLiteError.self) { try connection.run("SELECT ?", Date(timeIntervalSince1970: 1e12)) }
        #expect(try connection.query("SELECT '10' < '9'") as Bool)
        for form in ["2026-11-21", "2026-11-21 20:00", "2026-11-21T20:00:00.5Z", "2026-11-21 20:00:00+02:00"] {
            let _: Date = try connection.query("SELECT ?", form)
        }
        let types: [(String, any Bindable)] = [
            ("integer", true), ("integer", Int8(1)), ("integer", UInt(1)), ("real", 1.0), ("real", Float(1)),
            ("text", URL(string: "a:b")!), ("text", Decimal(1)), ("text", Date()), ("integer", UnixTime(Date(timeIntervalSince1970: 1))),
            ("real", UnixTime(Date(timeIntervalSince1970: 0.5))), ("integer", UnixMilliseconds(Date())), ("real", JulianDay(Date())),
            ("blob", Data()), ("blob", [1] as [UInt8]), ("blob", UUID()), ("text", Fuel.petrol), ("text", JSONBinding([1])),
            ("blob", Settings()), ("blob", ["a"] as ArrayBinding<String>), ("null", BindingValue.null),
        ]
        for (type, value) in types {
            #expect(try connection.query("SELECT typeof(\(value))") as String == type, "\(value)")
        }
        let uuid = UUID()
        #expect(try connection.query("SELECT ?", uuid.uuidString) as UUID == uuid)
        #expect(try connection.query("SELECT ? = ?", uuid.uuidString, uuid) as Bool == false)
    }

    @Test func columnTypes() {
        func type<V: FunctionArgument & StatementParameter>(_ type: V.Type) -> String {
            let table = Schema("s") { Version(1) { CreateTable("t") { ColumnDef("c", type) } } }
            let connection = try! Connection(":memory:")
            try! table.migrate(connection)
            return try! connection.query("SELECT type FROM pragma_table_info('t')")
        }
        #expect(type(Bool.self) == "INTEGER" && type(UInt64.self) == "INTEGER" && type(Float.self) == "REAL")
        #expect(type(URL.self) == "TEXT" && type(Decimal.self) == "TEXT" && type(Date.self) == "TEXT")
        #expect(type(UnixTime.self) == "REAL" && type(UnixMilliseconds.self) == "INTEGER" && type(JulianDay.self) == "REAL")
        #expect(type(Data.self) == "BLOB" && type([UInt8].self) == "BLOB" && type(UUID.self) == "BLOB")
        #expect(type(Fuel.self) == "TEXT" && type(CarID.self) == "INTEGER" && type(JSONBinding<Address>.self) == "TEXT")
        #expect(type(Settings.self) == "BLOB" && type(BindingValue.self) == "" && type(String?.self) == "TEXT")
    }

    @Test func blocks() throws {
        let connection = try Connection(":memory:")
        try connection.execute("CREATE TABLE codes(code INTEGER)")
        try connection.run("INSERT INTO codes VALUES(?)", "007")
        let code: Int = try connection.query("SELECT code FROM codes")              // 7
        #expect(code == 7)
        try connection.execute("CREATE TABLE strict(code INTEGER) STRICT; INSERT INTO strict VALUES('007')")
        #expect(try connection.query("SELECT code FROM strict") == 7)
        #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO strict VALUES('seven')") }
        #expect(throws: EncodingError.self) { try connection.run("SELECT ?", JSONBinding(Double.infinity)) }

        try connection.execute("CREATE TABLE prices(amount TEXT, cents INTEGER)")
        let price = Decimal(string: "19.90")
        try connection.run("INSERT INTO prices VALUES(?, ?)", price, 19_90)
        let amount: Decimal = try connection.query("SELECT amount FROM prices")     // 19.9
        #expect("\(amount)" == "19.9")

        try connection.execute("CREATE TABLE visits(day TEXT, s REAL, ms INTEGER, jd REAL)")
        let day = Date(timeIntervalSince1970: 1_795_291_200.25)
        try connection.run(
            "INSERT INTO visits VALUES(?, ?, ?, ?)",
            day, UnixTime(day), UnixMilliseconds(day), JulianDay(day))
        let text: String = try connection.query("SELECT day FROM visits")
        print(text)                                             // 2026-11-21T20:00:00.250
        let read: UnixMilliseconds = try connection.query("SELECT ms FROM visits")
        print(read.date == day)                                 // true
        #expect(text == "2026-11-21T20:00:00.250" && read.date == day)
        #expect(try connection.query("SELECT jd FROM visits") as JulianDay == JulianDay(day))
        let now: String = try connection.query("SELECT strftime('%Y-%m-%dT%H:%M:%f', 'now')")
        #expect(now.count == text.count && bindingDateFormatter.string(from: bindingDateFormatter.date(from: now)!) == now)

        try connection.execute("CREATE TABLE tanks(car INTEGER, fuel TEXT)")
        let car = CarID(rawValue: 1)
        try connection.run("INSERT INTO tanks VALUES(?, ?)", car, Fuel.diesel)
        let fuel: Fuel = try connection.query("SELECT fuel FROM tanks WHERE car = \(car)")
        #expect(fuel == .diesel)

        try connection.execute("CREATE TABLE people(address TEXT)")
        let home = Address(street: "Storgata 1", city: "Oslo")
        try connection.run("INSERT INTO people VALUES(?)", JSONBinding(home))
        // {"city":"Oslo","street":"Storgata 1"}
        let sql: SQL = "SELECT json_extract(address, '$.city') FROM people"
        let city: String = try connection.query(sql)
        let all: [JSONBinding<Address>] = try connection.query("SELECT address FROM people")
        print(city, all[0].value == home)                       // Oslo true
        #expect(city == "Oslo" && all[0].value == home)
        #expect(try connection.query("SELECT address FROM people") as String == #"{"city":"Oslo","street":"Storgata 1"}"#)

        try connection.execute("CREATE TABLE images(bytes BLOB)")
        try connection.run("INSERT INTO images VALUES(?)", [0xFF, 0xD8] as [UInt8])
        let data: Data = try connection.query("SELECT bytes FROM images")
        let bytes: [UInt8]? = try connection.query("SELECT bytes FROM images") {
            try $0.get(0)
        }
        #expect(data == Data([0xFF, 0xD8]) && bytes == [0xFF, 0xD8])

        try connection.create(Trip.table)
        let trip = Trip(id: UUID(), start: day, price: Decimal(string: "9.5")!, stops: ["Oslo", "Bergen"])
        try connection.insert(trip)
        let row: Row? = try connection.query("SELECT typeof(id), start, price, stops FROM trips")
        #expect(row?.description == #"[typeof(id): 'text', start: 1795291200250, price: 950, stops: '["Oslo","Bergen"]']"#)
        #expect(try connection.find(Trip.self, trip.id)?.price == trip.price)
        #expect(try connection.count(Trip.self) { $0.start >= day } == 1)
        #expect(Trip.table.createSQL.text == """
            CREATE TABLE "trips"("id" TEXT PRIMARY KEY NOT NULL, "start" INTEGER NOT NULL, \
            "price" INTEGER NOT NULL, "stops" TEXT NOT NULL)
            """)
        #expect(throws: CocoaError.self) {
            try connection.insert(Trip(id: UUID(), start: day, price: Decimal(string: "0.001")!, stops: []))
        }
    }
}
