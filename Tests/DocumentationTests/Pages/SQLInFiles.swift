// swift-format-ignore-file
import Foundation
import Squall
import Testing

/// The article "SQL in files". The functions are those of the files in the folder `SQL`, written as Swift in `Generated`.
struct SQLInFilesPage {
    private let database: Database
    private let connection: Connection

    init() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let path = directory.appending(path: "app.db").path
        database = try Database(path)
        connection = try Connection(path)
    }

    private static let schema = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "SQL/schema")

    @Test func queriesAreFunctions() async throws {
        let folder = Self.schema
        try await database.migrate(Schema(files: folder))
        #expect(try connection.carCount() == 0)
        let id: Int64 = try connection.addCar(name: "Saab", price: 9_000)
        try connection.sell(owner: 7, name: "Ada", car: id)
        _ = try connection.addCar(name: "Audi", price: 52_642)
        _ = try connection.addCar(name: "Fiat", price: nil)
        #expect(try connection.car(id: 2)?.price == 52_642)
        #expect(try connection.car(id: 4)?.name == nil)
        #expect(try connection.discount(percent: 10) == 2)
        #expect(try connection.carsUpTo(limit: 50_000) == ["Saab", "Audi"])
        #expect(try await database.averagePrices().map(\.mean) == [47_377, 9_000])
    }

    private static func history(index: IndexedColumn = "price") -> Schema {
        Schema("cars") {
            Version(1) {
                CreateTable("owners") {
                    ColumnDef("id", Int64.self, .primaryKey)
                    ColumnDef("name", String.self)
                }
                CreateTable("cars") {
                    ColumnDef("id", Int64.self, .primaryKey)
                    ColumnDef("name", String.self)
                    ColumnDef("price", Int?.self)
                    ColumnDef("isSold", Bool.self, .default(false), .check("isSold IN (0, 1)"))
                    ColumnDef("bought", Int?.self)
                    ColumnDef("tags", String.self, .default("[]"))
                    ColumnDef("owner", Int64?.self, .references("owners", "id"))
                }
                CreateIndex("cars_price", on: "cars", index)
            }
        }
    }

    func tables(of schema: Schema) throws -> [TableDefinition] {
        let connection = try Connection(":memory:")
        try schema.migrate(connection)
        return try connection.schemaDefinition().tables
            .filter { $0.name != "squall_versions" }
    }

    @Test func aSchemaInSwiftIsComparedWithTheFiles() throws {
        let (folder, history) = (Self.schema, Self.history())
        let files = try Schema(files: folder)
        #expect(try files.drift(from: tables(of: history)).isEmpty)
        #expect(try history.drift(from: tables(of: files)).isEmpty)
        let other = Self.history(index: "name")
        #expect(try !files.drift(from: tables(of: other)).isEmpty)
        #expect(try !other.drift(from: tables(of: files)).isEmpty)
        let more = Schema("more") {
            Version(1) { CreateTable("cars") { ColumnDef("id", Int64.self, .primaryKey) } }
        }
        #expect(try !files.drift(from: tables(of: more)).isEmpty)
        #expect(try !more.drift(from: tables(of: files)).isEmpty)
    }

    @Test func rowsAreStructures() async throws {
        let folder = Self.schema
        try await database.migrate(Schema(files: folder))
        let id = try connection.addCar(name: "Saab", price: 9_000)
        try connection.sell(owner: 7, name: "Ada", car: id)
        _ = try connection.addCar(name: "Audi", price: 52_642)

        let cars: [CheapCars] = try connection.cheapCars(limit: 20_000)
        try connection.cheapCars(limit: 20_000) { car in
            print(car.name, car.price ?? 0)
        }
        let names = try await database.carNames()
        #expect(cars == [CheapCars(id: 1, name: "Saab", price: 9_000)])
        #expect(names == ["Audi", "Saab"])

        let owners = try connection.carsWithOwners().map(\.owner?.name)
        let found: [ListedCar] = try connection.carsNamed(names: ["Audi", "Saab"])
        #expect(owners == [nil, "Ada"])
        #expect(found.map(\.name) == ["Saab", "Audi"])
        #expect(found.map(\.tags) == [[], []])
    }

    private func print(_ name: String, _ price: Int) {
        #expect(name == "Saab" && price == 9_000)
    }
}
