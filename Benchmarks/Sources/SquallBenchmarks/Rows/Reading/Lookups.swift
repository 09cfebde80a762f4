import SquallSQLite
import GRDB
import Squall

// 100,000 cars by their primary key, in random order, with the SQL text given each time.
//
// The C side keeps one prepared statement for all of them. GRDB's plain call prepares the text each time; the rows that end
// with `-cached` show its `cachedStatement` and `cached: true`, the fastest public way that takes the text.

struct Car {
    var id: Int
    var name: String
    var price: Int

    static let sql = "SELECT id, name, price FROM cars WHERE id = ?"

    var sum: Int { id &* 31 &+ price &+ name.utf8.count }
}

extension Car: FetchableRecord {
    init(row: GRDB.Row) {
        id = row[0]
        name = row[1]
        price = row[2]
    }
}

extension Car: ExpressibleByRow {
    init(row: Squall.Row) throws {
        id = row[0]
        name = row[1]
        price = row[2]
    }
}

extension CStatement {
    @inline(__always)
    func car(_ id: Int) throws -> Car? {
        sqlite3_bind_int64(handle, 1, Int64(id))
        let code = sqlite3_step(handle)
        defer { sqlite3_reset(handle) }
        guard code == SQLITE_ROW else {
            if code == SQLITE_DONE { return nil }
            throw database.failure
        }
        return Car(id: integer(0), name: text(1), price: integer(2))
    }
}

/// The keys, in an order that repeats itself in every run.
private let keys: [Int] = {
    var state: UInt64 = 42
    return (0..<scaled(100_000)).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % 100_000) + 1
    }
}()

@inline(__always)
func sumOfCars(_ car: (Int) throws -> Car?) throws -> Int {
    var sum = 0
    for key in keys { sum &+= try car(key)?.sum ?? 0 }
    return sum
}

/// All look-ups on each library.
struct Lookups: Sendable {
    let squall: @Sendable (Connection) throws -> Int
    let grdb: @Sendable (GRDB.Database) throws -> Int

    static let parameters = Lookups(
        squall: { connection in
            try sumOfCars { try connection.query("SELECT id, name, price FROM cars WHERE id = ?", $0) }
        },
        grdb: { database in
            try sumOfCars {
                try Car.fetchOne(database, sql: "SELECT id, name, price FROM cars WHERE id = ?", arguments: [$0])
            }
        }
    )

    static let interpolated = Lookups(
        squall: { connection in
            try sumOfCars { try connection.query("SELECT id, name, price FROM cars WHERE id = \($0)") }
        },
        grdb: { database in
            try sumOfCars {
                try Car.fetchOne(
                    database, SQLRequest(literal: "SELECT id, name, price FROM cars WHERE id = \($0)")
                )
            }
        }
    )

    static let parametersCached = Lookups(
        squall: parameters.squall,
        grdb: { database in
            try sumOfCars {
                let statement = try database.cachedStatement(sql: "SELECT id, name, price FROM cars WHERE id = ?")
                return try Car.fetchOne(statement, arguments: [$0])
            }
        }
    )

    static let interpolatedCached = Lookups(
        squall: interpolated.squall,
        grdb: { database in
            try sumOfCars {
                try Car.fetchOne(
                    database, SQLRequest(literal: "SELECT id, name, price FROM cars WHERE id = \($0)", cached: true)
                )
            }
        }
    )

    /// A closure in place of a type.
    static let closure = Lookups(
        squall: { connection in
            try sumOfCars { key in
                try connection.query("SELECT id, name, price FROM cars WHERE id = ?", key) {
                    Car(id: $0[0], name: $0[1], price: $0[2])
                }
            }
        },
        grdb: parameters.grdb
    )
}

extension Benchmark {
    static func lookup(
        _ name: String, toC: Double, toGRDB: Double?, isVariant: Bool = false, inTransaction: Bool, _ lookups: Lookups
    ) -> Benchmark {
        Benchmark(name: name, toC: toC, toGRDB: toGRDB, isVariant: isVariant) { fixtures in
            let path = try fixtures.cars()
            let database = try CDatabase(path)
            let c = try database.prepare(Car.sql)
            let squall = try Connection.toRead(path)
            let grdb = try DatabaseQueue.toRead(path)
            guard inTransaction else {
                return [
                    .c: Cell { try sumOfCars { try c.car($0) } },
                    .squall: Cell { try lookups.squall(squall) },
                    .grdb: Cell { try grdb.inDatabase { try lookups.grdb($0) } },
                ]
            }
            return [
                .c: Cell { () -> Int in
                    try database.execute("BEGIN")
                    let sum = try sumOfCars { try c.car($0) }
                    try database.execute("COMMIT")
                    return sum
                },
                .squall: Cell { try squall.transaction { try lookups.squall(squall) } },
                .grdb: Cell { try grdb.read { try lookups.grdb($0) } },
            ]
        }
    }

    static let lookups = [
        lookup("lookup-autocommit-parameters", toC: 1.10, toGRDB: 0.90, inTransaction: false, .parameters),
        lookup("lookup-autocommit-interpolated", toC: 1.20, toGRDB: 0.90, inTransaction: false, .interpolated),
        lookup("lookup-transaction-parameters", toC: 1.35, toGRDB: 0.20, inTransaction: true, .parameters),
        lookup("lookup-transaction-interpolated", toC: 1.70, toGRDB: 0.25, inTransaction: true, .interpolated),
        lookup("lookup-autocommit-parameters-cached", toC: 1.10, toGRDB: nil, inTransaction: false, .parametersCached),
        lookup("lookup-transaction-parameters-cached", toC: 1.35, toGRDB: nil, inTransaction: true, .parametersCached),
        lookup(
            "lookup-transaction-interpolated-cached", toC: 1.70, toGRDB: nil, inTransaction: true, .interpolatedCached
        ),
        lookup("lookup-transaction-closure", toC: 1.35, toGRDB: 0.20, isVariant: true, inTransaction: true, .closure),
    ]
}
