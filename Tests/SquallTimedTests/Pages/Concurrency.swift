// swift-format-ignore-file
import Foundation
import Squall
import SquallTestSupport
import Testing

/// The `swift` blocks of the page "Concurrency".
private enum Garages {
    struct Car: TableRecord, Equatable {
        let id: Int64?
        let name: String
        let price: Int

        static let table = Table("cars", Car.init) {
            Column("id", \Car.id, .primaryKey)
            Column("name", \Car.name, .unique)
            Column("price", \Car.price)
        }
    }

    static func database() throws -> Database {
        let database = try Database.temporary()
        try database.blocking.write { connection in
            try connection.create(Car.table)
            try connection.insert(contentsOf: [
                Car(id: 1, name: "Audi", price: 52_642), Car(id: 2, name: "Saab", price: 21_000),
            ])
        }
        return database
    }

    actor Garage {
        private let database: Database

        init(_ database: Database) { self.database = database }

        func add(_ car: Car) async throws -> Int64 {
            try await database.write { connection in
                let known = try connection.first(Car.self) { $0.name == car.name }
                if let id = known?.id { return id }
                return try connection.insert(car)
            }
        }
    }
}

private struct Application {
    typealias Car = Garages.Car
    @MainActor func rename(
        _ id: Int64, to name: String, in database: Database
    ) async throws {
        try await database.write {
            try $0.update(Car.self) { $0.name.set(to: name) } where: { $0.id == id }
        }
        // UPDATE "cars" SET "name" = 'Saab 900' WHERE "cars"."id" = 2
    }
    func didEnterBackground(_ database: Database) async throws {
        try await database.suspend(
            interruptingAfter: .milliseconds(500), deadline: .seconds(3)
        )
    }

    func willEnterForeground(_ database: Database) async throws {
        try await database.resume()
    }
}

@Suite(.timeLimit(.minutes(10)))
struct ConcurrencySnippets {
    fileprivate typealias Car = Garages.Car

    @Test func verbsInTasks() async throws {
        let database = try Garages.database()
        let floor = 20_000
        let cars = try await database.read { try $0.all(Car.self) }
        try await database.write { try $0.delete(Car.self) { $0.price < floor } }
        try await database.writeWithoutTransaction { try $0.vacuum() }
        #expect(cars.map(\.name) == ["Audi", "Saab"])
    }

    @Test func verbsInSynchronousCode() throws {
        let database = try Garages.database()
        let floor = 30_000
        let cars = try database.blocking.read { try $0.all(Car.self) }
        try database.blocking.write { _ = try $0.delete(Car.self) { $0.price < floor } }
        try database.blocking.writeWithoutTransaction { try $0.vacuum() }
        #expect(cars.count == 2)
        #expect(try database.blocking.read { try $0.count(Car.self) } == 1)
    }

    @Test func results() async throws {
        let database = try Garages.database()
        let count = try await database.read { try $0.count(Car.self) }          // Int
        let saab = try await database.read { try $0.find(Car.self, 2) }         // Car?
        let pairs: [(String, Int)] = try await database.read {
            try $0.query("SELECT name, price FROM cars", as: (String, Int).self)
        }
        let rows: [[Row.Column]] = try await database.read {
            try $0.query("SELECT * FROM cars") { $0.columns }       // names and values
        }
        #expect(count == 2 && saab?.name == "Saab" && pairs.map(\.1) == [52_642, 21_000])
        #expect(rows[1].map(\.name) == ["id", "name", "price"])
    }

    @Test func cancellation() async throws {
        let database = try Garages.database()
        let report = Task {
            try await database.read { connection in
                try connection.forEach(Car.self) { car in
                    try Task.checkCancellation()           // between two rows, for slow work
                    print(car.name)
                }
            }
        }
        report.cancel()
        let result = await report.result
        if case .failure(let error) = result { #expect(error is CancellationError) }
    }

    @Test func deadlines() async throws {
        let database = try Garages.database()
        do {
            try await database.write(deadline: .seconds(10)) { connection in
                try connection.delete(Car.self) { $0.price > 50_000 }
            }
        } catch let error as SQLiteError where error.kind == .interrupted(.deadline) {
            print("not within ten seconds: nothing was written")
        }
        #expect(try await database.read { try $0.count(Car.self) } == 1)
        let error = await #expect(throws: SQLiteError.self) {
            try await database.write(deadline: .zero) { try $0.run("DELETE FROM cars") }
        }
        #expect(error?.kind == .interrupted(.deadline))
    }

    @Test func actors() async throws {
        let database = try Garages.database()
        let garage = Garages.Garage(database)
        #expect(try await garage.add(Car(id: nil, name: "Saab", price: 1)) == 2)
        #expect(try await garage.add(Car(id: nil, name: "Fiat", price: 1)) == 3)
        try await Application().rename(2, to: "Saab 900", in: database)
        #expect(try await database.read { try $0.find(Car.self, 2)?.name } == "Saab 900")
        let names = Task { @MainActor in try await database.read { try $0.count(Car.self) } }
        #expect(try await names.value == 3)
    }

    @Test func taskGroups() async throws {
        let database = try Garages.database()
        let newCars = (3...8).map { Car(id: Int64($0), name: "car \($0)", price: $0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for car in newCars {
                group.addTask { _ = try await database.write { try $0.insert(car) } }
            }
            try await group.waitForAll()
        }
        #expect(try await database.read { try $0.count(Car.self) } == 8)
        try await database.write { try $0.delete(Car.self) { $0.id > 2 } }
        try await database.write { try $0.insert(contentsOf: newCars) }
        #expect(try await database.read { try $0.count(Car.self) } == 8)
    }

    @Test func nested() throws {
        let database = try Garages.database()
        try database.blocking.write { connection in
            try connection.insert(Car(id: 3, name: "Fiat", price: 9_000))
            let count = try database.blocking.read { try $0.count(Car.self) }     // 3
            print(count)
        }
        #expect(try database.blocking.read { try $0.count(Car.self) } == 3)
        let count = try database.blocking.write { connection in
            try connection.insert(Car(id: 4, name: "Opel", price: 9_000))
            return try database.blocking.read { try $0.count(Car.self) }
        }
        #expect(count == 4)
        let error = try sqliteError {
            try database.blocking.read { _ in try database.blocking.writeWithoutTransaction { try $0.run("DELETE FROM cars") } }
        }
        #expect(error.kind == .insideRead(.write))
    }

    @Test func suspension() async throws {
        let database = try Garages.database()
        try await Application().didEnterBackground(database)
        let error = await #expect(throws: SQLiteError.self) {
            try await database.read { try $0.count(Car.self) }
        }
        #expect(error?.kind == .problem(DatabaseProblem.suspended))
        try await Application().willEnterForeground(database)
        #expect(try await database.read { try $0.count(Car.self) } == 2)
    }

    @Test func snapshots() async throws {
        let database = try Garages.database()
        let snapshot = try await database.snapshot()
        try await database.write { try $0.delete(Car.self) { _ in "TRUE" } }
        let before = try await snapshot.read { try $0.count(Car.self) }         // 2
        let now = try await database.read { try $0.count(Car.self) }            // 0
        #expect(before == 2 && now == 0)
    }
}
