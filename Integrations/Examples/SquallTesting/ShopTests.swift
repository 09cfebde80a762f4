import Foundation
import Squall
import SquallTesting
import Testing

// Run with `swift test --filter SquallTestingExample`.

/// A program: orders, and the lines of each.
enum Shop {
    static let history = Schema("shop") {
        Version(1) {
            CreateTable("orders") {
                ColumnDef("id", Int64.self, .primaryKey)
                ColumnDef("at", String.self, .default(sql: "CURRENT_TIMESTAMP"))
            }
            CreateTable("lines") {
                ColumnDef("order_id", Int64.self)
                ColumnDef("item", String.self)
            }
        }
    }

    static func order(_ items: [String], in database: Database) async throws -> Int64 {
        try await database.write { connection in
            try connection.run("INSERT INTO orders DEFAULT VALUES")
            let id = connection.lastInsertRowID
            for item in items { try connection.run("INSERT INTO lines VALUES(\(id), \(item))") }
            return id
        }
    }

    /// Reads the items of all orders by one query, not by one for each order.
    static func items(in database: Database) async throws -> [Int64: [String]] {
        let lines = try await database.read { connection in
            try connection.query("SELECT order_id, item FROM lines ORDER BY rowid") {
                (try $0.get(0) as Int64, try $0.get(1) as String)
            } as [(Int64, String)]
        }
        return Dictionary(grouping: lines, by: \.0).mapValues { $0.map(\.1) }
    }

    static func forgetOldOrders(in database: Database) async throws {
        try await database.write { try $0.run("DELETE FROM orders WHERE at < datetime('now', '-30 days')") }
    }
}

private let noon = Date(timeIntervalSince1970: 1_800_014_400)

extension Trait where Self == DatabaseTrait {
    /// A shop at noon.
    fileprivate static func shop(_ place: DatabaseTrait.Place = .memory) -> DatabaseTrait {
        .database(place, migratedBy: Shop.history, clockAt: noon)
    }
}

@Suite(.shop())
struct ShopTests {
    @Test func anOrderIsStored() async throws {
        let id = try await Shop.order(["tea", "cups"], in: TestDatabase.current)
        try await expectRows("SELECT * FROM orders", [[id, "2027-01-15 12:00:00"]])
        try await expectRows("SELECT * FROM lines", [[id, "cups"], [id, "tea"]], inAnyOrder: true)
    }

    @Test(arguments: [1, 10, 100])
    func oneQueryReadsAllOrders(count: Int) async throws {
        let database = try TestDatabase.current
        for number in 1...count { _ = try await Shop.order(["item \(number)"], in: database) }
        let items = try await expectQueries(1) { try await Shop.items(in: database) }
        #expect(items.count == count)
    }

    @Test func ordersAreForgottenAfterAMonth() async throws {
        let (database, clock) = (try TestDatabase.current, try TestDatabase.clock)
        _ = try await Shop.order([], in: database)
        clock.advance(by: .seconds(30 * 86_400))
        try await Shop.forgetOldOrders(in: database)
        try await expectRows("SELECT count(*) FROM orders", [[1]])
        clock.advance(by: .seconds(1))
        try await Shop.forgetOldOrders(in: database)
        try await expectRows("SELECT count(*) FROM orders", [[0]])
    }

    /// Orders of yesterday, for tests that need older ones.
    private func orderYesterday(_ clock: TestClock, in database: Database) async throws {
        clock.advance(by: .seconds(-86_400))
        _ = try await Shop.order(["rice"], in: database)
        clock.advance(by: .seconds(86_400))
    }

    /// The second database of a test has the same time when the clock is installed on its connections.
    @Test func anArchiveHasTheSameClock() async throws {
        let (database, clock) = (try TestDatabase.current, try TestDatabase.clock)
        let archive = try Database(":memory:") { try clock.install(on: $0) }
        try await archive.migrate(Shop.history)
        try await orderYesterday(clock, in: archive)
        _ = try await Shop.order(["tea"], in: database)
        try await expectRows("SELECT at FROM orders", on: archive, [["2027-01-14 12:00:00"]])
        try await expectRows("SELECT at FROM orders", [["2027-01-15 12:00:00"]])
        try await archive.close()
    }

    /// A detached task has no values of the test: it is given the database.
    @Test func aDetachedTaskIsGivenTheDatabase() async throws {
        let database = try TestDatabase.current
        try await Task.detached {
            #expect(throws: TestDatabaseError.missingTrait) { try TestDatabase.current }
            _ = try await Shop.order(["tea"], in: database)
        }.value
        try await expectRows("SELECT count(*) FROM orders", [[1]])
    }

    /// Returns the time of the test, also where it has no clock.
    private static func now() throws -> Date {
        do {
            return try TestDatabase.clock.now
        } catch .missingClock {
            return Date()
        }
    }

    @Test(.database(migratedBy: Shop.history))
    func withoutAClockItIsThePresent() throws {
        #expect(try Self.now() > noon.addingTimeInterval(-365 * 86_400))
    }

    @Test func withAClockItIsNoon() throws {
        #expect(try Self.now() == noon)
    }

    @Test(.shop(.file))
    func aReadDoesNotWaitForAWrite() async throws {
        let database = try TestDatabase.current
        try await expectSQL(["INSERT INTO orders DEFAULT VALUES", "SELECT count(*) FROM orders"]) {
            try await database.write { connection in
                try connection.run("INSERT INTO orders DEFAULT VALUES")
                // Another connection, which does not see what is not committed.
                let reader = try Connection(database.fileName, mode: .readOnly)
                try expectRows("SELECT count(*) FROM orders", on: reader, [[0]])
            }
            let count: Int = try await database.read { try $0.query("SELECT count(*) FROM orders") }
            #expect(count == 1)
        }
    }
}
