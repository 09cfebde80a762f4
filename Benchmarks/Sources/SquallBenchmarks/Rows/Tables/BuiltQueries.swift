import SquallSQLite
import GRDB
import Squall

// 20 rows of a query that is built each time and whose statement is cached, 10,000 times.

extension Benchmark {
    private static func sumOfPages(_ rows: (Int) throws -> [Mixed]) throws -> Int {
        var sum = 0
        for start in 1...scaled(10_000) {
            sum &+= try rows(start &* 7919 % scaled(90_000) + 1).reduce(0) { $0 &+ $1.id &+ $1.name.utf8.count }
        }
        return sum
    }

    static let builtQueries = [
        Benchmark(name: "built-query-cached", toC: 1.20, toGRDB: 0.50) { fixtures in
            let path = try fixtures.mixed()
            let database = try CDatabase(path)
            let c = try database.prepare(Mixed.sql + " WHERE id >= ? AND city <> ? ORDER BY id LIMIT ?")
            let squall = try Connection.toRead(path)
            let grdb = try DatabaseQueue.toRead(path)
            return [
                .c: Cell { () -> Int in
                    try database.execute("BEGIN")
                    let sum = try sumOfPages { start in
                        sqlite3_bind_int64(c.handle, 1, Int64(start))
                        sqlite3_bind_text(c.handle, 2, "Narvik", 6, nil)
                        sqlite3_bind_int64(c.handle, 3, 20)
                        return try c.mixed()
                    }
                    try database.execute("COMMIT")
                    return sum
                },
                .squall: Cell { () -> Int in
                    try squall.transaction {
                        try sumOfPages { start in
                            try squall.all(
                                Mixed.where { $0.id >= start && $0.city != "Narvik" }.order { $0.id.ascending }.limit(
                                    20))
                        }
                    }
                },
                .grdb: Cell { () -> Int in
                    try grdb.read { database in
                        let (id, city) = (GRDB.Column("id"), GRDB.Column("city"))
                        return try sumOfPages { start in
                            try Mixed.filter(id >= start && city != "Narvik").order(id).limit(20).fetchAll(database)
                        }
                    }
                },
            ]
        }
    ]
}
