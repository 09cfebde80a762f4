import GRDB
import Squall

// Queries of a file, whose Swift `squall-sql` has written, beside the rows for the same queries written by hand.
//
// Each database has one of the two tables of the file; the other one is temporary.

extension Lookups {
    static let file = Lookups(
        squall: { connection in
            try connection.execute("CREATE TEMP TABLE IF NOT EXISTS mixed(\(raw: Mixed.definition))")
            return try sumOfCars { key in
                try connection.filedCar(id: key).map { Car(id: $0.id, name: $0.name, price: $0.price) }
            }
        },
        grdb: parameters.grdb
    )
}

extension FiledMixed: Summable {
    func add(to sum: inout Checksum) {
        sum.add(id)
        sum.add(name)
        sum.add(note)
        sum.add(city)
        sum.add(price)
        sum.add(data)
    }
}

extension Benchmark {
    static let sqlFiles = [
        lookup("sql-file-lookup", toC: 1.42, toGRDB: 0.20, inTransaction: true, .file),
        Benchmark(name: "sql-file-rows", toC: 1.13, toGRDB: 0.95) { fixtures in
            let path = try fixtures.mixed()
            let c = try CDatabase(path).prepare(Mixed.sql)
            let squall = try Connection.toRead(path)
            try squall.execute(
                "CREATE TEMP TABLE cars(id INTEGER PRIMARY KEY, name TEXT NOT NULL, price INTEGER NOT NULL)")
            let grdb = try DatabaseQueue.toRead(path)
            return [
                .c: Cell { try c.mixed() },
                .squall: Cell { try squall.filedMixed() },
                .grdb: Cell { try grdb.inDatabase { try Mixed.fetchAll($0, sql: Mixed.sql) } },
            ]
        },
    ]
}
