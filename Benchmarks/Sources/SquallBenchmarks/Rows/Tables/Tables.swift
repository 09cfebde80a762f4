import SquallSQLite
import GRDB
import Squall

// Declared tables beside GRDB's records.

extension Mixed: PersistableRecord {
    static let databaseTableName = "mixed"

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["name"] = name
        container["note"] = note
        container["city"] = city
        container["price"] = price
        container["data"] = data
    }
}

extension Car: GRDB.TableRecord {
    static let databaseTableName = "cars"
}

extension Pair: FetchableRecord, PersistableRecord {
    static let databaseTableName = "pairs"

    init(row: GRDB.Row) {
        self.init(a: row[0], b: row[1])
    }

    func encode(to container: inout PersistenceContainer) {
        container["a"] = a
        container["b"] = b
    }
}

extension Benchmark {
    static let tables = tableReads + tableLookups + tableInserts + tableUpdates + tableUpserts + tableConditions

    private static let tableReads = [
        Benchmark(name: "tables-all-integers", toC: 1.30, toGRDB: 0.80) { fixtures in
            let path = try fixtures.integers()
            let c = try CDatabase(path).prepare(Integers.sql)
            let squall = try Connection.toRead(path)
            let grdb = try DatabaseQueue.toRead(path)
            return [
                .c: Cell { try c.integers() },
                .squall: Cell { try squall.all(Integers.self) },
                .grdb: Cell { try grdb.inDatabase { try Integers.fetchAll($0, sql: Integers.sql) } },
            ]
        },
        Benchmark(name: "tables-all-mixed", toC: 1.15, toGRDB: 0.90) { fixtures in
            let path = try fixtures.mixed()
            let c = try CDatabase(path).prepare(Mixed.sql)
            let squall = try Connection.toRead(path)
            let grdb = try DatabaseQueue.toRead(path)
            return [
                .c: Cell { try c.mixed() },
                .squall: Cell { try squall.all(Mixed.self) },
                .grdb: Cell { try grdb.inDatabase { try Mixed.fetchAll($0) } },
            ]
        },
    ]

    private static let carKeys = (0..<scaled(100_000)).map { $0 &* 7919 % 100_000 + 1 }

    private static func sumOfCars(_ car: (Int) throws -> Car?) throws -> Int {
        var sum = 0
        for key in carKeys { sum &+= try car(key)?.sum ?? 0 }
        return sum
    }

    private static func find(_ name: String, toC: Double, toGRDB: Double, inTransaction: Bool) -> Benchmark {
        Benchmark(name: name, toC: toC, toGRDB: toGRDB) { fixtures in
            let path = try fixtures.cars()
            let database = try CDatabase(path)
            let c = try database.prepare(Car.sql)
            let squall = try Connection.toRead(path)
            let grdb = try DatabaseQueue.toRead(path)
            let (begin, end) = inTransaction ? ("BEGIN", "COMMIT") : ("", "")
            return [
                .c: Cell { () -> Int in
                    try database.execute(begin)
                    let sum = try sumOfCars { try c.car($0) }
                    try database.execute(end)
                    return sum
                },
                .squall: Cell { () -> Int in
                    guard inTransaction else { return try sumOfCars { try squall.find(Car.self, $0) } }
                    return try squall.transaction { try sumOfCars { try squall.find(Car.self, $0) } }
                },
                .grdb: Cell { () -> Int in
                    guard inTransaction else {
                        return try grdb.inDatabase { database in
                            try sumOfCars { try Car.fetchOne(database, key: $0) }
                        }
                    }
                    return try grdb.read { database in try sumOfCars { try Car.fetchOne(database, key: $0) } }
                },
            ]
        }
    }

    private static let tableLookups = [
        find("tables-find-autocommit", toC: 1.12, toGRDB: 0.90, inTransaction: false),
        find("tables-find-transaction", toC: 1.50, toGRDB: 0.12, inTransaction: true),
    ]

    private static func insertMixed(
        _ name: String, toC: Double, toGRDB: Double, squall: @escaping @Sendable (Connection, [Mixed]) throws -> Void
    ) -> Benchmark {
        Benchmark(name: name, toC: toC, toGRDB: toGRDB) { fixtures in
            let rows = try CDatabase(fixtures.mixed()).prepare(Mixed.sql).mixed()
            let writing = Writing(row: name, create: "CREATE TABLE mixed(\(Mixed.definition))", check: Mixed.sql)
            return writing.cells(
                fixtures,
                c: { database in
                    let statement = try database.prepare("INSERT INTO mixed VALUES(?, ?, ?, ?, ?, ?)")
                    try database.execute("BEGIN")
                    for row in rows { try statement.insert(row) }
                    try database.execute("COMMIT")
                    sqlite3_finalize(statement.handle)
                },
                squall: { try squall($0, rows) },
                grdb: { queue in try queue.write { for row in rows { try row.insert($0) } } }
            )
        }
    }

    private static let tableInserts = [
        insertMixed("tables-insert", toC: 1.15, toGRDB: 0.35) { connection, rows in
            try connection.transaction { for row in rows { try connection.insert(row) } }
        },
        insertMixed("tables-insert-contents", toC: 0.95, toGRDB: 0.25) { connection, rows in
            try connection.insert(contentsOf: rows)
        },
        Benchmark(name: "tables-insert-contents-integers", toC: 0.65, toGRDB: 0.25) { fixtures in
            let rows = (0..<scaled(100_000)).map { Pair(a: $0, b: $0 &* 7919 % 100_003) }
            let writing = Writing(
                row: "tables-insert-contents-integers", create: "CREATE TABLE pairs(a INTEGER, b INTEGER)",
                check: "SELECT a, b FROM pairs"
            )
            return writing.cells(
                fixtures,
                c: { database in
                    let statement = try database.prepare("INSERT INTO pairs VALUES(?, ?)")
                    try database.execute("BEGIN")
                    for row in rows {
                        sqlite3_bind_int64(statement.handle, 1, Int64(row.a))
                        sqlite3_bind_int64(statement.handle, 2, Int64(row.b))
                        try statement.run()
                    }
                    try database.execute("COMMIT")
                    sqlite3_finalize(statement.handle)
                },
                squall: { try $0.insert(contentsOf: rows) },
                grdb: { queue in try queue.write { for row in rows { try row.insert($0) } } }
            )
        },
    ]

    /// 100,000 rows of six columns, each by its key.
    private static let tableUpdates = [
        Benchmark(name: "tables-update", toC: 1.15, toGRDB: 0.35) { fixtures in
            let rows = try CDatabase(fixtures.mixed()).prepare(Mixed.sql).mixed()
            let writing = Writing(
                row: "tables-update",
                create: """
                    CREATE TABLE mixed(\(Mixed.definition));
                    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(scaled(100_000)))
                    INSERT INTO mixed SELECT n, 'old', NULL, 'old', 1.5, x'00' FROM numbers
                    """,
                check: Mixed.sql
            )
            return writing.cells(
                fixtures,
                c: { database in
                    let statement = try database.prepare(
                        "UPDATE mixed SET name = ?2, note = ?3, city = ?4, price = ?5, data = ?6 WHERE id = ?1")
                    try database.execute("BEGIN")
                    for row in rows { try statement.insert(row) }
                    try database.execute("COMMIT")
                    sqlite3_finalize(statement.handle)
                },
                squall: { connection in
                    try connection.transaction { for row in rows { try connection.update(row) } }
                },
                grdb: { queue in try queue.write { for row in rows { try row.update($0) } } }
            )
        }
    ]

    /// 100,000 rows into a table that has every second of them.
    private static let tableUpserts = [
        Benchmark(name: "tables-upsert-contents", toC: 1.05, toGRDB: 0.35) { fixtures in
            let rows = try CDatabase(fixtures.mixed()).prepare(Mixed.sql).mixed()
            let writing = Writing(
                row: "tables-upsert-contents",
                create: """
                    CREATE TABLE mixed(\(Mixed.definition));
                    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 2 FROM numbers WHERE n < \(scaled(100_000) - 1))
                    INSERT INTO mixed SELECT n, 'old', NULL, 'old', 1.5, x'00' FROM numbers
                    """,
                check: Mixed.sql
            )
            return writing.cells(
                fixtures,
                c: { database in
                    let statement = try database.prepare(
                        """
                        INSERT INTO mixed VALUES(?, ?, ?, ?, ?, ?) ON CONFLICT(id) DO UPDATE SET name = excluded.name, \
                        note = excluded.note, city = excluded.city, price = excluded.price, data = excluded.data
                        """)
                    try database.execute("BEGIN")
                    for row in rows { try statement.insert(row) }
                    try database.execute("COMMIT")
                    sqlite3_finalize(statement.handle)
                },
                squall: { try $0.insert(contentsOf: rows, onConflict: \Mixed.id) },
                grdb: { queue in try queue.write { for row in rows { try row.upsert($0) } } }
            )
        }
    ]

    /// 20 rows of six columns by three terms, 10,000 times.
    private static let tableConditions = [
        Benchmark(name: "tables-condition", toC: 1.5, toGRDB: 0.35) { fixtures in
            let path = try fixtures.mixed()
            let database = try CDatabase(path)
            let c = try database.prepare(Mixed.sql + " WHERE id >= ? AND id < ? AND city <> ?")
            let squall = try Connection.toRead(path)
            let grdb = try DatabaseQueue.toRead(path)
            return [
                .c: Cell { () -> Int in
                    try database.execute("BEGIN")
                    let sum = try sumOfIntervals { start in
                        sqlite3_bind_int64(c.handle, 1, Int64(start))
                        sqlite3_bind_int64(c.handle, 2, Int64(start + 20))
                        sqlite3_bind_text(c.handle, 3, "Narvik", 6, nil)
                        return try c.mixed()
                    }
                    try database.execute("COMMIT")
                    return sum
                },
                .squall: Cell { () -> Int in
                    try squall.transaction {
                        try sumOfIntervals { start in
                            try squall.all(Mixed.self) { $0.id >= start && $0.id < start + 20 && $0.city != "Narvik" }
                        }
                    }
                },
                .grdb: Cell { () -> Int in
                    try grdb.read { database in
                        let (id, city) = (GRDB.Column("id"), GRDB.Column("city"))
                        return try sumOfIntervals { start in
                            try Mixed.filter(id >= start && id < start + 20 && city != "Narvik").fetchAll(database)
                        }
                    }
                },
            ]
        }
    ]

    private static func sumOfIntervals(_ rows: (Int) throws -> [Mixed]) throws -> Int {
        var sum = 0
        for start in 1...scaled(10_000) {
            sum &+= try rows(start &* 7919 % scaled(90_000) + 1).reduce(0) { $0 &+ $1.id &+ $1.name.utf8.count }
        }
        return sum
    }
}
