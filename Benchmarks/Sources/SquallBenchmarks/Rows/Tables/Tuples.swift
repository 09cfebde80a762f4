import SquallSQLite
import GRDB
import Squall

// 100,000 rows of four columns into tuples: an integer, a text, a text that may be NULL, and a real.

private func checksum(_ rows: [(Int, String, String?, Double)]) -> Checksum {
    var sum = Checksum([Int]())
    for (id, name, note, price) in rows {
        sum.add(id)
        sum.add(name)
        sum.add(note)
        sum.add(price)
    }
    return sum
}

extension Benchmark {
    private static let fourColumns = "SELECT id, name, note, price FROM mixed"

    /// All rows, in the way of Squall that is given.
    private static func allTuples(
        _ name: String, isVariant: Bool = false,
        _ squall: @escaping @Sendable (Connection) throws -> [(Int, String, String?, Double)]
    ) -> Benchmark {
        Benchmark(name: name, toC: 1.10, toGRDB: 0.80, isVariant: isVariant) { fixtures in
            let path = try fixtures.mixed()
            let c = try CDatabase(path).prepare(fourColumns)
            let connection = try Connection.toRead(path)
            let grdb = try DatabaseQueue.toRead(path)
            return [
                .c: Cell(
                    { () -> [(Int, String, String?, Double)] in
                        var rows: [(Int, String, String?, Double)] = []
                        try c.forEachRow { rows.append((c.integer(0), c.text(1), c.optionalText(2), c.real(3))) }
                        return rows
                    }, check: checksum),
                .squall: Cell({ try squall(connection) }, check: checksum),
                .grdb: Cell(
                    { () -> [(Int, String, String?, Double)] in
                        try grdb.inDatabase { database in
                            var rows: [(Int, String, String?, Double)] = []
                            let cursor = try GRDB.Row.fetchCursor(database, sql: fourColumns)
                            while let row = try cursor.next() { rows.append((row[0], row[1], row[2], row[3])) }
                            return rows
                        }
                    }, check: checksum),
            ]
        }
    }

    static let tuples = [
        allTuples("tuples") {
            try $0.query("SELECT id, name, note, price FROM mixed", as: (Int, String, String?, Double).self)
        },
        allTuples("tuples-cursor", isVariant: true) {
            var all: [(Int, String, String?, Double)] = []
            var rows = try $0.rows(
                "SELECT id, name, note, price FROM mixed", as: (Int, String, String?, Double).self)
            while let row = try rows.next() { all.append(row) }
            return all
        },
        allTuples("tuples-select", isVariant: true) {
            try $0.all(Mixed.table.select { ($0.id, $0.name, $0.note, $0.price) })
        },
        Benchmark(name: "tuples-first", toC: 1.50, toGRDB: 0.50, isVariant: true) { fixtures in
            let path = try fixtures.cars()
            let database = try CDatabase(path)
            let c = try database.prepare("SELECT name, price FROM cars WHERE id = ?")
            let squall = try Connection.toRead(path)
            let grdb = try DatabaseQueue.toRead(path)
            return [
                .c: Cell { () -> Int in
                    try database.execute("BEGIN")
                    let sum = try sumOfFirst { key in
                        sqlite3_bind_int64(c.handle, 1, Int64(key))
                        var car: (String, Int)?
                        try c.forEachRow { car = (c.text(0), c.integer(1)) }
                        return car
                    }
                    try database.execute("COMMIT")
                    return sum
                },
                .squall: Cell { () -> Int in
                    try squall.transaction {
                        try sumOfFirst {
                            try squall.first("SELECT name, price FROM cars WHERE id = \($0)", as: (String, Int).self)
                        }
                    }
                },
                .grdb: Cell { () -> Int in
                    try grdb.read { database in
                        try sumOfFirst { key in
                            try GRDB.Row.fetchOne(
                                database, sql: "SELECT name, price FROM cars WHERE id = ?", arguments: [key]
                            ).map { ($0[0], $0[1]) }
                        }
                    }
                },
            ]
        },
    ]

    private static func sumOfFirst(_ car: (Int) throws -> (String, Int)?) throws -> Int {
        var sum = 0
        for key in 1...scaled(100_000) {
            guard let (name, price) = try car(key &* 7919 % 100_000 + 1) else { continue }
            sum &+= name.utf8.count &+ price
        }
        return sum
    }
}
