import Foundation
import GRDB
import Squall

// 100,000 rows of six columns: an integer, three texts of which one may be NULL, a real and a blob of 32 bytes.

struct Mixed: Summable {
    var id: Int
    var name: String
    var note: String?
    var city: String
    var price: Double
    var data: Data

    static let sql = "SELECT id, name, note, city, price, data FROM mixed"
    static let definition = """
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, note TEXT, city TEXT NOT NULL, price REAL NOT NULL, data BLOB NOT NULL
        """

    func add(to sum: inout Checksum) {
        sum.add(id)
        sum.add(name)
        sum.add(note)
        sum.add(city)
        sum.add(price)
        sum.add(data)
    }
}

extension Mixed: FetchableRecord {
    init(row: GRDB.Row) {
        self.init(id: row[0], name: row[1], note: row[2], city: row[3], price: row[4], data: row[5])
    }
}

extension Mixed: ExpressibleByRow {
    init(row: Squall.Row) throws {
        self.init(id: row[0], name: row[1], note: row[2], city: row[3], price: row[4], data: row[5])
    }
}

extension Mixed {
    init(getting row: Squall.Row) throws {
        self.init(
            id: try row.get(0), name: try row.get(1), note: try row.get(2), city: try row.get(3),
            price: try row.get(4), data: try row.get(5)
        )
    }
}

extension CStatement {
    func mixed() throws -> [Mixed] {
        var rows: [Mixed] = []
        try forEachRow {
            rows.append(
                Mixed(
                    id: integer(0), name: text(1), note: optionalText(2), city: text(3), price: real(4), data: blob(5)
                )
            )
        }
        return rows
    }
}

extension Benchmark {
    static let mixed = [
        Benchmark(name: "mixed-positional", toC: 1.08, toGRDB: 0.90) { fixtures in
            let path = try fixtures.mixed()
            let c = try CDatabase(path).prepare(Mixed.sql)
            let squall = try Connection.toRead(path)
            let grdb = try DatabaseQueue.toRead(path)
            return [
                .c: Cell { try c.mixed() },
                .squall: Cell { () -> [Mixed] in try squall.query("\(raw: Mixed.sql)") },
                .grdb: Cell { try grdb.inDatabase { try Mixed.fetchAll($0, sql: Mixed.sql) } },
            ]
        },
        Benchmark(name: "mixed-positional-get", toC: 1.08, toGRDB: 0.90, isVariant: true) { fixtures in
            let path = try fixtures.mixed()
            let c = try CDatabase(path).prepare(Mixed.sql)
            let squall = try Connection.toRead(path)
            let grdb = try DatabaseQueue.toRead(path)
            return [
                .c: Cell { try c.mixed() },
                .squall: Cell { () -> [Mixed] in
                    try squall.query("\(raw: Mixed.sql)") { try Mixed(getting: $0) }
                },
                .grdb: Cell { try grdb.inDatabase { try Mixed.fetchAll($0, sql: Mixed.sql) } },
            ]
        },
    ]
}
