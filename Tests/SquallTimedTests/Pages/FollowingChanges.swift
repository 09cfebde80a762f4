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

struct ListedCars {
    private(set) var sections: [(initial: String, cars: [Car])] = []

    mutating func apply(_ difference: SectionDifference<String, Car>) {
        let new = difference.sections
        // Positions of the old value, the last one first.
        let removed = difference.removed + difference.moved.map(\.from)
        for place in removed.sorted().reversed() {
            sections[place[0]].cars.remove(at: place[1])
        }
        for index in difference.removedSections.reversed() {
            sections.remove(at: index)
        }
        // Positions of the new value, the first one first.
        for index in difference.insertedSections {
            sections.insert((new[index].id, new[index].items), at: index)
        }
        let inserted = difference.inserted + difference.moved.map(\.to)
        for place in inserted.sorted() {
            let car = new[place[0]].items[place[1]]
            sections[place[0]].cars.insert(car, at: place[1])
        }
        for place in difference.updated {
            sections[place[0]].cars[place[1]] = new[place[0]].items[place[1]]
        }
    }
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
        for try await car in database.observe(Car.self, 1) {
            print(car?.name ?? "sold")
            if car == nil { break }
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

    @Test func sections() async throws {
        typealias Car = FollowedCars.Car
        typealias ListedCars = FollowedCarLists.ListedCars
        let database = try FollowedCars.database()
        let writer = Task {
            while !Task.isCancelled {
                try await database.write {
                    try $0.execute("INSERT INTO cars(name, price) VALUES('Alfa', 1), ('Fiat', 2)")
                }
                try await database.write { try $0.execute("DELETE FROM cars") }
            }
        }
        func title(_ section: Sections<Substring, Car>.Section) -> String {
            "\(section.id): \(section.items.map(\.name))"
        }
        let byInitial = database.observe {
            try $0.all(Car.order { $0.name }).sectioned { $0.name.prefix(1) }
        }
        for try await sections in byInitial {
            print(sections.map { title($0) })
            if sections.isEmpty { break }
        }
        let changes = database.observeDifferences(
            keyedBy: \.id, sectionedBy: { String($0.name.prefix(1)) }
        ) {
            try $0.all(Car.order { $0.name })
        }
        var list = ListedCars()
        for try await difference in changes {
            list.apply(difference)
            if difference.sections.isEmpty { break }
        }
        writer.cancel()
        #expect(list.sections.isEmpty)
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
