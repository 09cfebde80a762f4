import Foundation
import SampleQueries
import Squall
import Testing

/// Runs the Swift that the queries of the sample become.
struct SampleQueriesTests {
    private let connection: Connection

    init() throws {
        connection = try Connection(storageLocation: .inMemory)
        try connection.execute(Self.schema)
    }

    private static let schema: SQL = """
        CREATE TABLE owners(id INTEGER PRIMARY KEY, "first name" TEXT NOT NULL);
        CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT NOT NULL, price INTEGER, owner INTEGER REFERENCES owners);
        CREATE TABLE orders(id INTEGER PRIMARY KEY, placed INTEGER, status TEXT NOT NULL, address TEXT);
        INSERT INTO owners VALUES(7, 'Ada');
        INSERT INTO cars VALUES(1, 'Audi', 52642, 7), (2, 'Skoda', 9000, NULL), (3, 'Volvo', NULL, NULL);
        """

    @Test func recordsAreReadByTheirColumns() throws {
        #expect(try connection.cheapCars(limit: 10_000) == [CheapCars(id: 2, name: "Skoda", price: 9000)])
        #expect(try connection.car(id: 3) == Car(id: 3, name: "Volvo", price: nil))
        #expect(try connection.car(id: 9) == nil)
        #expect(try connection.firstCar().name == "Audi")
    }

    @Test func rowsAreReadOneAtATime() throws {
        var names: [String] = []
        try connection.cheapCars(limit: 100_000) { names.append($0.name) }
        #expect(names == ["Skoda", "Audi"])
    }

    @Test func valuesAreReadByTheirNumber() throws {
        #expect(try connection.carNames() == ["Audi", "Skoda", "Volvo"])
        #expect(try connection.prices() == [52642, 9000, nil])
        #expect(try connection.countCars() == 3)
        #expect(try connection.highestPrice() == 52642)
        #expect(try connection.priceOf(in: "Volvo") == nil)
        #expect(try connection.priceOf(in: "Fiat") == nil)
        #expect(try connection.idOf(body: "Skoda") == 2)
        try connection.forgetPrices()
        #expect(try connection.highestPrice() == nil)
    }

    @Test func aNestedRecordIsNilWhereItsTableHasNoRow() throws {
        let cars = try connection.carWithOwner()
        #expect(cars.map(\.owner?.firstName) == ["Ada", nil, nil])
    }

    @Test func aListIsAnArray() throws {
        #expect(try connection.carsIn(ids: [1, 2, 3], limit: 60_000) == ["Audi", "Skoda"])
        #expect(try connection.carsIn(ids: [], limit: 60_000) == [])
    }

    @Test func writingReturnsTheNumberOfRows() throws {
        #expect(try connection.addCar(name: "Fiat", price: nil) == 4)
        #expect(try connection.deleteCars(limit: 5000) == 2)
    }

    @Test func statementsOfOneQueryAreOneTransaction() throws {
        #expect(try connection.sellCar(owner: 8, name: "Bob", car: 2) == 1)
        // The second statement is not run, and the first is undone: 8 is the key of a row.
        #expect(throws: SQLiteError.self) { try connection.sellCar(owner: 8, name: "Eve", car: 3) }
        try connection.transaction { _ = try connection.sellCar(owner: 9, name: "Eve", car: 3) }
        #expect(try connection.carWithOwner().map(\.owner?.firstName) == ["Ada", "Bob", "Eve"])
        #expect(try connection.countAll() == 3)
    }

    @Test func datesAndJSONHaveTheirForms() throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000.5)
        try connection.placeOrder(placed: date, address: Address(city: "Bergen"))
        try connection.placeOrder(placed: nil, address: Address(city: "Oslo"))
        let placed: Int64 = try connection.query("SELECT placed FROM orders WHERE id = 1")
        #expect(placed == 1_700_000_000_500)
        #expect(try connection.lastOrder() == date)
        #expect(try connection.addresses().map(\.city) == ["Bergen", "Oslo"])
        let orders = try connection.orders(status: .new, since: date)
        #expect(orders.map(\.id) == [1] && orders.first?.placed == date && orders.first?.address.city == "Bergen")
    }

    @Test func aNullThatAQueryPromisesNotToReturnIsAnError() throws {
        try connection.run("INSERT INTO orders(status) VALUES('new')")
        #expect(throws: ConversionError.self) { try connection.addresses() }
    }

    @Test func aDatabaseReadsAndWrites() async throws {
        let database = try Database.temporary()
        try await database.write { try $0.execute(Self.schema) }
        #expect(try await database.addCar(name: "Fiat", price: 100) == 4)
        #expect(try await database.cheapCars(limit: 1000).map(\.id) == [4])
        #expect(try await database.sellCar(owner: 8, name: "Bob", car: 4) == 1)
    }
}
