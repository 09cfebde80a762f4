// swift-format-ignore-file
import Foundation
import Squall
import Testing

/// The cars of the article "Following changes".
enum FollowedCars {
    struct Car: TableRecord, Equatable {
        let id: Int64
        let name: String
        let price: Int

        static let table = Table("cars", Car.init) {
            Column("id", \Car.id, .primaryKey)
            Column("name", \Car.name)
            Column("price", \Car.price)
        }
    }

    static func database() throws -> Database {
        let database = try Database.temporary()
        try database.blocking.writeWithoutTransaction { connection in
            try connection.create(Car.table)
            try connection.execute("CREATE TABLE orders(id INTEGER PRIMARY KEY)")
            try connection.insert(Car(id: 1, name: "Audi", price: 50_000))
        }
        return database
    }
}

enum FollowedCarLists {
typealias Car = FollowedCars.Car

@MainActor final class CarList {
    let cars: Live<[Car]>

    init(_ database: Database) {
        cars = Live(database) { try $0.all(Car.self) }
    }

    var names: [String] { cars.value?.map(\.name) ?? [] }
}
}

/// The `swift` blocks of the page "Following changes", and of the README about observers.
@Suite(.timeLimit(.minutes(10)))
struct FollowingChangesSnippets {
    @Test func followingChanges() async throws {
        typealias Car = FollowedCars.Car
        let database = try FollowedCars.database()
        let writer = Task {
            // The loops below end with these writes, whichever they see.
            while !Task.isCancelled {
                try await database.write {
                    try $0.execute("DELETE FROM cars; INSERT INTO orders VALUES(NULL)")
                }
                await Task.yield()
            }
        }
        let dear = database.observe {
            try $0.query("SELECT name FROM cars WHERE price > 20000") as [String]
        }
        for try await names in dear {
            print(names)
            if names.isEmpty { break }
        }
        let counts = database.observe("SELECT count(*) FROM cars", as: Int.self)
        let recent = database.observe(
            coalescing: .milliseconds(50), removingDuplicates: true
        ) { connection in
            try connection.all(Car.self) { $0.price > 20_000 }
        }
        let differences = database.observeDifferences(keyedBy: \.id) { try $0.all(Car.self) }
        for try await difference in differences {
            print(difference.inserted, difference.removed, difference.updated)
            if difference.elements.isEmpty { break }
        }
        for await change in database.changes(
            in: .table("cars", columns: "price"), .table("orders")
        ) {
            print(change.tables, change.rowIDs("cars") ?? [], change.isExternal)
            if change.tables.contains("orders") { break }
        }
        writer.cancel()
        var iterator = counts.makeAsyncIterator()
        #expect(try await iterator.next() == 0)
        var others = recent.makeAsyncIterator()
        #expect(try await others.next() == [])
    }

    @Test func followingChangesInTheReadme() async throws {
        let database = try FollowedCars.database()
        try await database.write { try $0.execute("ALTER TABLE orders ADD COLUMN item") }
        let writer = Task {
            while !Task.isCancelled {
                try await database.write { try $0.execute("INSERT INTO orders(item) VALUES('oil')") }
                try await database.write { try $0.execute("DELETE FROM orders") }
            }
        }
        for try await count in database.observe("SELECT count(*) FROM orders", as: Int.self) {
            print(count)                                                        // now, and after each change of its rows
            if count == 0 { break }
        }
        for await change in database.changes(in: .table("orders", columns: "item")) {
            print(change.rowIDs("orders") ?? [])                                // those that were inserted, deleted or updated
            break
        }
        writer.cancel()
    }

    @Test @MainActor func live() async throws {
        let list = FollowedCarLists.CarList(try FollowedCars.database())
        while list.names != ["Audi"] { await Task.yield() }
    }
}
