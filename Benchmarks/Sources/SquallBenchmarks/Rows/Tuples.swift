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

    static let tuples = [
        Benchmark(name: "tuples", toC: 1.10, toGRDB: 0.80) { fixtures in
            let path = try fixtures.mixed()
            let c = try CDatabase(path).prepare(fourColumns)
            let squall = try Connection.toRead(path)
            let grdb = try DatabaseQueue.toRead(path)
            return [
                .c: Cell(
                    { () -> [(Int, String, String?, Double)] in
                        var rows: [(Int, String, String?, Double)] = []
                        try c.forEachRow { rows.append((c.integer(0), c.text(1), c.optionalText(2), c.real(3))) }
                        return rows
                    }, check: checksum),
                .squall: Cell(
                    {
                        try squall.query(
                            "SELECT id, name, note, price FROM mixed", as: (Int, String, String?, Double).self)
                    }, check: checksum),
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
    ]
}
