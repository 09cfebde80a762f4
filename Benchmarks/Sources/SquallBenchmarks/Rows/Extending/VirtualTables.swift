import CExtensions
import Foundation
import GRDB
import Squall
import SquallSQLite

// Arrays, records and functions as tables. On the C side they are virtual tables written in C; GRDB has none, so its side is what its
// users write instead.

private struct PricedCar: Squall.TableRecord, FetchableRecord, GRDB.TableRecord, Decodable, Summable {
    let id: Int64
    let name: String
    let price: Int

    static let databaseTableName = "cars"

    static let table = Squall.Table("cars", PricedCar.init) {
        Squall.Column("id", \PricedCar.id, .primaryKey)
        Squall.Column("name", \PricedCar.name)
        Squall.Column("price", \PricedCar.price)
    }

    func add(to sum: inout Checksum) {
        sum.add(Int(id))
        sum.add(name)
        sum.add(price)
    }
}

/// Keys of cars, in an order that is not theirs.
private func keys(_ count: Int) -> [Int64] { (0..<count).map { Int64($0 * 7919 % 100_000 + 1) } }

extension Benchmark {
    static let virtualTables = [
        Benchmark(name: "array-join", toC: 1.05) { fixtures in
            let path = try fixtures.cars()
            let keys = keys(10_000)
            let c = try CDatabase(path)
            guard cintegers_add(c.handle) == SQLITE_OK else { throw c.failure }
            let statement = try c.prepare(
                "SELECT sum(price) FROM integers(?) AS k CROSS JOIN cars ON cars.id = k.value")
            let squall = try Connection.toRead(path)
            let grdb = try DatabaseQueue.toRead(path)
            return [
                .c: Cell { () -> Int in
                    try keys.withUnsafeBufferPointer { keys in
                        var list = cintegers(values: keys.baseAddress, count: Int64(keys.count))
                        return try withUnsafeMutablePointer(to: &list) { list in
                            guard cintegers_bind(statement.handle, 1, list) == SQLITE_OK else { throw c.failure }
                            var sum = 0
                            try statement.forEachRow { sum = statement.integer(0) }
                            return sum
                        }
                    }
                },
                .squall: Cell { () -> Int in
                    try squall.query("SELECT sum(price) FROM \(array: keys) AS k CROSS JOIN cars ON cars.id = k.value")
                },
                .grdb: Cell { () -> Int in
                    try grdb.inDatabase {
                        try SQLRequest<Int>("SELECT sum(price) FROM cars WHERE id IN \(keys)").fetchOne($0) ?? 0
                    }
                },
            ]
        },
        Benchmark(name: "find-keys", toC: 0.25) { fixtures in
            let path = try fixtures.cars()
            let keys = keys(1_000)
            // Single look-ups, each a transaction.
            let statement = try CDatabase(path).prepare("SELECT id, name, price FROM cars WHERE id = ?")
            let squall = try Connection.toRead(path)
            let grdb = try DatabaseQueue.toRead(path)
            return [
                .c: Cell { () -> [PricedCar] in
                    var cars: [PricedCar] = []
                    for key in keys {
                        sqlite3_bind_int64(statement.handle, 1, key)
                        try statement.forEachRow {
                            cars.append(
                                PricedCar(
                                    id: Int64(statement.integer(0)), name: statement.text(1),
                                    price: statement.integer(2)))
                        }
                    }
                    return cars
                },
                .squall: Cell { () -> [PricedCar] in try squall.find(PricedCar.self, keys: keys) },
                .grdb: Cell { () -> [PricedCar] in
                    try grdb.inDatabase { database in
                        let cars = try PricedCar.fetchAll(database, keys: keys)
                        let byKey = Dictionary(uniqueKeysWithValues: cars.map { ($0.id, $0) })
                        return keys.compactMap { byKey[$0] }
                    }
                },
            ]
        },
        Benchmark(name: "records-as-table", toC: 1.30) { fixtures in
            let path = try fixtures.cars()
            let sql = "SELECT sum(price) + sum(length(name)) FROM incoming"
            let temporary = "CREATE TEMP TABLE incoming AS SELECT id, name, price FROM cars"
            let c = try CDatabase(path)
            try c.execute(temporary)
            let statement = try c.prepare(sql)
            let squall = try Connection.toRead(path)
            let records = try squall.all(PricedCar.self)
            let grdb = try DatabaseQueue(path: path)
            try grdb.inDatabase { try $0.execute(sql: temporary) }
            return [
                .c: Cell { () -> Int in
                    var sum = 0
                    try statement.forEachRow { sum = statement.integer(0) }
                    return sum
                },
                .squall: Cell { () -> Int in
                    try squall.withTable("incoming", records) { try $0.query("\(raw: sql)") }
                },
                .grdb: Cell { () -> Int in try grdb.inDatabase { try Int.fetchOne($0, sql: sql) ?? 0 } },
            ]
        },
        Benchmark(name: "table-function", toC: 1.50) { fixtures in
            let path = try fixtures.cars()
            let sql = "SELECT sum(n) + sum(half) FROM series(\(scaled(1_000_000)))"
            let c = try CDatabase(path)
            guard cseries_add(c.handle) == SQLITE_OK else { throw c.failure }
            let statement = try c.prepare(sql)
            let squall = try Connection.toRead(path)
            try squall.addTableFunction("series", columns: "n", "half") { (count: Int) in
                (1...count).lazy.map { ($0, Double($0) / 2) }
            }
            let grdb = try DatabaseQueue.toRead(path)
            let recursive = """
                WITH RECURSIVE series(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < \(scaled(1_000_000)))
                SELECT sum(n) + sum(n / 2.0) FROM series
                """
            return [
                .c: Cell { () -> Double in
                    var sum = 0.0
                    try statement.forEachRow { sum = statement.real(0) }
                    return sum
                },
                .squall: Cell { () -> Double in try squall.query("\(raw: sql)") },
                .grdb: Cell { () -> Double in try grdb.inDatabase { try Double.fetchOne($0, sql: recursive) ?? 0 } },
            ]
        },
    ]
}
