import GRDB
import Squall

// One column of all rows: 200,000 integers, and 100,000 texts of 12 to 17 bytes.

extension Benchmark {
    static let columns = [
        Benchmark(name: "column-ints", toC: 1.25, toGRDB: 0.90) { fixtures in
            let path = try fixtures.integers()
            let c = try CDatabase(path).prepare("SELECT i4 FROM integers")
            let squall = try Connection.toRead(path)
            let grdb = try DatabaseQueue.toRead(path)
            return [
                .c: Cell { () -> [Int] in
                    var values: [Int] = []
                    try c.forEachRow { values.append(c.integer(0)) }
                    return values
                },
                .squall: Cell { () -> [Int] in try squall.query("SELECT i4 FROM integers") },
                .grdb: Cell { () -> [Int] in
                    try grdb.inDatabase { try Int.fetchAll($0, sql: "SELECT i4 FROM integers") }
                },
            ]
        },
        Benchmark(name: "column-strings", toC: 1.10, toGRDB: 0.90) { fixtures in
            let path = try fixtures.mixed()
            let c = try CDatabase(path).prepare("SELECT name FROM mixed")
            let squall = try Connection.toRead(path)
            let grdb = try DatabaseQueue.toRead(path)
            return [
                .c: Cell { () -> [String] in
                    var values: [String] = []
                    try c.forEachRow { values.append(c.text(0)) }
                    return values
                },
                .squall: Cell { () -> [String] in try squall.query("SELECT name FROM mixed") },
                .grdb: Cell { () -> [String] in
                    try grdb.inDatabase { try String.fetchAll($0, sql: "SELECT name FROM mixed") }
                },
            ]
        },
    ]
}
