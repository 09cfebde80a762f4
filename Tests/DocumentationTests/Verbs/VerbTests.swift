import Foundation
import Squall
import SquallTestSupport
import Testing

/// The page "Every verb": each line of its tables is run, and its SQL is that of the page.
@Suite(.serialized)
struct VerbTests {
    struct Car: TableRecord, Codable, Equatable {
        let id: Int64?
        let name: String
        let price: Int

        static let wheels = Wheel.car.inverse()
        static let table = Table("cars", Car.init) {
            Column("id", \Car.id, .primaryKey)
            Column("name", \Car.name, .unique)
            Column("price", \Car.price)
        }
    }

    struct Wheel: TableRecord {
        let id: Int64?
        let owner: Int64

        static let car = Relation(\Wheel.owner, to: \Car.id)
        static let table = Table("wheels", Wheel.init) {
            Column("id", \Wheel.id, .primaryKey)
            Column("owner", \Wheel.owner)
        }
    }

    /// A car that was sold, with the columns of a car.
    struct Sold: TableRecord {
        let id: Int64?
        let name: String
        let price: Int

        static let table = Table("sold", Sold.init) {
            Column("id", \Sold.id, .primaryKey)
            Column("name", \Sold.name, .unique)
            Column("price", \Sold.price)
        }
    }

    static let cars = Table("cars", Car.init) {
        Column("id", \Car.id, .primaryKey)
        Column("name", \Car.name, .unique)
        Column("price", \Car.price)
    }

    static let audi = Car(id: 1, name: "Audi", price: 52)
    static let fiat = Car(id: 2, name: "Fiat", price: 9)

    static let rows: @Sendable (Connection) throws -> Void = { connection in
        try connection.create(Car.table)
        try connection.create(Wheel.table)
        try connection.create(Sold.table)
        try connection.insert(contentsOf: [audi, fiat])
        try connection.insert(contentsOf: [Wheel(id: 1, owner: 1), Wheel(id: 2, owner: 1)])
    }

    /// Returns a table of verbs, and a connection that it follows.
    static func begin(file: String) throws -> (verb: VerbTable, connection: Connection) {
        let connection = try Connection(":memory:")
        try rows(connection)
        let verb = try VerbTable(file: file)
        verb.trace(connection)
        return (verb, connection)
    }
}
