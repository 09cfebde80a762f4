// This target is built with MainActor default isolation, as many applications are.
import Foundation
import Squall
import Testing

struct Car: ExpressibleByRow {
    let name: String
    let price: Int?

    init(row: Row) throws {
        name = try row.get("name")
        price = try row.get("price")
    }
}

struct Plain: Decodable, Equatable {
    let name: String
    let price: Int?
}

enum Fuel: String, Binding {
    case petrol, diesel
}

struct Employee: CodableBinding, Equatable {
    let name: String
}

struct Level: Binding, Equatable {
    typealias BindingType = Int64
    let number: Int

    var bindingValue: BindingValue { .integer(Int64(number)) }

    static func fromBindingValue(_ value: Any) -> Level? {
        (value as? Int64).map { Level(number: Int($0)) }
    }
}

struct Owner {
    let name: String
}

// A conformance in an extension has to say that it belongs to no actor; one on the declaration itself need not.
nonisolated extension Owner: ExpressibleByRow {
    init(row: Row) throws {
        name = try row.get("name")
    }
}

extension Size: Binding {}

enum Size: Int {
    case small, large
}

/// Runs a closure outside the main actor.
@concurrent private func elsewhere<Value: Sendable>(
    _ body: @Sendable () async throws -> Value
) async rethrows -> Value {
    try await body()
}

struct MainActorTests {
    @Test func recordsEnumsAndBindingsWork() throws {
        let connection = try Connection()
        try connection.execute("CREATE TABLE cars(name, price, fuel, owner, level)")
        let owner = Employee(name: "Ada")
        try connection.run("INSERT INTO cars VALUES(?, ?, ?, ?, ?)", "Audi", 5, Fuel.diesel, owner, Level(number: 3))
        let cars: [Car] = try connection.query("SELECT * FROM cars")
        #expect(cars.map(\.name) == ["Audi"])
        #expect(try connection.query("SELECT name, price FROM cars") == Plain(name: "Audi", price: 5))
        #expect(try connection.query("SELECT fuel FROM cars") == Fuel.diesel)
        #expect(try connection.query("SELECT owner FROM cars") == owner)
        #expect(try connection.query("SELECT level FROM cars") == Level(number: 3))
        let prices: [String: Int] = try connection.query("SELECT name, price FROM cars") { ($0[0], $0[1]) }
        #expect(prices == ["Audi": 5])
        let owners: [Owner] = try connection.query("SELECT name FROM cars")
        #expect(owners.map(\.name) == ["Audi"])
        #expect(try connection.query("SELECT ?", Size.large) == Size.large)
    }

    @Test func functionsAndCollationsMayBeOfTheActor() throws {
        let connection = try Connection()
        var calls = 0
        try connection.addFunction("is_small") { (size: Size?, fuel: Fuel) in
            calls += 1
            return size == .small && fuel == .diesel
        }
        #expect(try connection.query("SELECT is_small(0, 'diesel')") == true)
        try connection.addAggregate("sizes", initial: []) { (sizes: inout [Size], size: Size) in
            sizes.append(size)
        } final: { sizes in
            sizes.last
        }
        #expect(try connection.query("SELECT sizes(column1) FROM (VALUES(0), (1))") == Size.large)
        try connection.addCollation("c") { lhs, rhs in
            calls += 1
            return rhs.compare(lhs)
        }
        #expect(try connection.query("SELECT 'a' > 'b' COLLATE c") == true)
        #expect(calls == 2)
    }

    @Test func otherActorsCanUseThem() async throws {
        let name = try await elsewhere {
            let connection = try Connection()
            let car: Car = try connection.query("SELECT 'Saab' AS name, NULL AS price")
            return car.name
        }
        #expect(name == "Saab")
    }

    @Test func blockingClosuresChangeWhatTheActorHas() throws {
        let database = try Database()
        var price = 0
        try database.blocking.writeWithoutTransaction { try $0.execute("CREATE TABLE cars(price); INSERT INTO cars VALUES(5)") }
        try database.blocking.write { price += try $0.query("SELECT price FROM cars") as Int }
        try database.blocking.read { price += try $0.query("SELECT price FROM cars") as Int }
        #expect(price == 10)
    }

    @Test func databasesAreUsedFromTheActorAndFromOthers() async throws {
        let database = try Database()
        try await database.write { try $0.execute("CREATE TABLE cars(name, price)") }
        try await database.write { try $0.run("INSERT INTO cars VALUES('Audi', 5)") }
        let car: Car = try await database.read { try $0.query("SELECT name, price FROM cars") }
        #expect(car.name == "Audi")
        let names = try await elsewhere {
            try await database.read { try $0.query("SELECT name FROM cars") as [String] }
        }
        #expect(names == ["Audi"])
        let queue = try ConnectionQueue(connection: Connection())
        #expect(try queue.execute { try $0.query("SELECT 1") } == 1)
        // The actor is not left: nothing else can have run between.
        MainActor.assertIsolated()
    }
}
