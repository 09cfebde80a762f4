// swift-format-ignore-file
import Foundation
import Squall
import SquallTestSupport
import Testing

// The `swift` blocks of the overview.

struct Overview {
    struct Car: TableRecord {
        let id: Int64?
        let name: String
        let price: Int

        static let table = Table("cars", Car.init) {
            Column("id", \Car.id, .primaryKey)
            Column("name", \Car.name)
            Column("price", \Car.price)
        }
    }

    @Test func theOverview() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            #expect(FileManager.default.changeCurrentDirectoryPath(directory.path))
            let database = try Database("cars.db")
            try await database.write { connection in
                try connection.create(Car.table, ifNotExists: true)
                try connection.insert(Car(id: nil, name: "Audi", price: 52_642))
            }
            let limit = 60_000
            let cheap = try await database.read { connection in
                try connection.all(Car.self) { $0.price < limit }
            }
            // SELECT "cars"."id", "cars"."name", "cars"."price" FROM "cars"
            // WHERE "cars"."price" < 60000
            let names: [String] = try await database.read {
                try $0.query("SELECT name FROM cars WHERE price < \(limit)")    // price < ?
            }
            #expect(cheap.map(\.name) == ["Audi"] && names == ["Audi"])
            #expect(
                Car.where { $0.price < limit }.sql.debugDescription
                    == #"SELECT "cars"."id", "cars"."name", "cars"."price" FROM "cars" WHERE "cars"."price" < 60000"#)
        }
    }
}
