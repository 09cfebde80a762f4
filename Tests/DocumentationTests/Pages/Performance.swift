// swift-format-ignore-file
import Foundation
import Squall
import SquallTestSupport
import Testing

/// The `swift` blocks of the page "Performance".
private struct Car: TableRecord, Equatable {
    let id: Int64?
    let name: String
    let maker: String
    let price: Double
    let year: Int

    static let table = Table("cars", Car.init) {
        Column("id", \Car.id, .primaryKey)
        Column("name", \Car.name)
        Column("maker", \Car.maker)
        Column("price", \Car.price)
        Column("year", \Car.year)
    }
}

struct PerformanceSnippets {
    private static let cars = (0..<100).map {
        Car(id: nil, name: "car \($0)", maker: "maker \($0 % 5)", price: Double($0), year: 2000 + $0 % 20)
    }

    private static func database() throws -> Database {
        let database = try Database.temporary()
        try database.blocking.write { connection in
            try connection.create(Car.table)
            try connection.insert(contentsOf: cars)
        }
        return database
    }

    @Test func heldReads() throws {
        let database = try Self.database()
        print(database.statistics.continuedReads, "of", database.statistics.reads)
    }

    /// Another connection has been opened before.
    @Test func severalThreads() throws {
        _ = try Self.database()
        #expect(throws: SQLiteError.self) {
            try SQLiteLibrary.configure(.withoutMemoryStatistics)
        }
    }

    @Test func writing() throws {
        let database = try Self.database()
        let cars = Self.cars
        try database.blocking.write { connection in
            for car in cars { try connection.insert(car) }
        }
        try database.blocking.write { try $0.insert(contentsOf: cars) }
        #expect(try database.blocking.read { try $0.count(Car.self) } == 300)
        try database.blocking.write { connection in
            let insertCar = try connection.prepareInsert(Car.self)
            for car in cars { try insertCar.run(car) }
        }
        #expect(try database.blocking.read { try $0.count(Car.self) } == 400)
    }

    @Test func reading() throws {
        let database = try Self.database()
        var total = 0.0
        let connection = try Connection(":memory:")
        try connection.create(Car.table)
        try connection.insert(contentsOf: Self.cars)
        try connection.forEach("SELECT price FROM cars") { total += try $0.get(0) as Double }
        let sum: Double = try connection.query("SELECT sum(price) FROM cars")
        #expect(total == sum)
        let cars = try connection.all(Car.self)
        let pairs = try connection.query(
            "SELECT name, price FROM cars", as: (String, Double).self)
        let prices: [Double] = try connection.query("SELECT price FROM cars")
        #expect(cars.count == 100 && pairs.count == 100 && prices.count == 100)
        let (count, newest) = try database.blocking.read { connection in
            (try connection.count(Car.self), try connection.max(\Car.year))
        }
        #expect(count == 100 && newest == 2019)
    }

    @Test func indexes() throws {
        let connection = try Connection(":memory:")
        try connection.create(Car.table)
        try connection.insert(contentsOf: Self.cars)
        let query: SQL = "SELECT * FROM cars WHERE maker = \("maker 3") ORDER BY year"
        print(try connection.explainQueryPlan(query))
        // QUERY PLAN
        // |--SCAN cars
        // `--USE TEMP B-TREE FOR ORDER BY

        try connection.createIndex("cars_maker", on: "cars", "maker", "year")
        print(try connection.explainQueryPlan(query))
        // QUERY PLAN
        // `--SEARCH cars USING INDEX cars_maker (maker=?)
        #expect(try connection.explainQueryPlan(query).description == """
            QUERY PLAN
            `--SEARCH cars USING INDEX cars_maker (maker=?)
            """)
        try connection.dropIndex("cars_maker")
        #expect(try connection.explainQueryPlan(query).description == """
            QUERY PLAN
            |--SCAN cars
            `--USE TEMP B-TREE FOR ORDER BY
            """)
        let slow = Car.where { $0.maker == "maker 3" }.order { $0.year }
        let plan = try connection.explainQueryPlan(slow.sql)
        #expect(plan.all.map(\.detail) == ["SCAN cars", "USE TEMP B-TREE FOR ORDER BY"])
    }

    @Test func measuring() async throws {
        let database = try Self.database()
        database.addProfileObserver { statement in
            if statement.duration > .milliseconds(50) || statement.fullScanSteps > 1000 {
                print(statement.duration, statement.rows, statement.sql)
            }
        }
        let connection = try Connection(":memory:")
        try connection.create(Car.table)
        try connection.insert(contentsOf: Self.cars)
        let statement = try connection.prepare("SELECT * FROM cars WHERE name = ?", "car 7")
        let found: [Row] = try statement.query()
        print(statement.status.fullScanSteps)               // 99
        print(connection.statementCache.hits, connection.statementCache.misses)
        print(connection.status.cacheUsed)                  // bytes
        #expect(found.count == 1 && statement.status.fullScanSteps == 99)
        let statistics = database.statistics
        print(statistics.waits, statistics.openedReaders, statistics.walSize)
        #expect(statistics.walSize > 0)
        let events = database.addEventObserver { event in
            guard case .connectionWaitEnded(let wait) = event else { return }
            print(wait.access, wait.duration)
        }
        let slow = database.addSlowStatementObserver(from: .milliseconds(100)) { statement in
            print(statement.duration, statement.sql)
        }
        defer { for token in [events, slow] { token.cancel() } }
        try await database.write { try $0.createIndex("cars_maker", on: "cars", "maker") }
        let analyzed = try await database.optimize()       // ANALYZE "main"."cars"
        try await database.write { try $0.execute("ANALYZE") }
        var manual = Configuration.recommended
        manual.autoOptimize = false
        #expect(analyzed == [#"ANALYZE "main"."cars""#] && manual != .recommended)
    }

    @Test func log() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("app.db")
        var configuration = Configuration.recommended
        configuration.logLimit = 64 << 20                   // 64 MiB
        let database = try Database(path, configuration: configuration)
        try await database.checkpoint(.truncate)
        #expect(database.statistics.walSize == 0)
        try await database.close()
        let other = directory.file("other.db")
        let tuned = try Database(other, preparation: { connection in
            try connection.execute("PRAGMA cache_size = -16000")      // KiB, per connection
            try connection.execute("PRAGMA temp_store = MEMORY")
        })
        #expect(try await tuned.read { try $0.query("PRAGMA cache_size") } == -16000)
        try await tuned.close()
    }
}
