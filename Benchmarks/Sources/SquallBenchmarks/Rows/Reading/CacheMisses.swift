import SquallSQLite
import GRDB
import Squall

// 1,000 SELECTs of which no two have the same text, ten times over: more texts than any cache keeps, so that each of the
// 10,000 is prepared, run once and finalised. SQL that is made at run time is a `String`, in Squall a `SQL(raw:)`.

extension Benchmark {
    static let cacheMisses = [
        Benchmark(name: "cache-misses", toC: 1.10, toGRDB: 1.0) { fixtures in
            let path = try fixtures.cars()
            let texts = (1...1000).map { "SELECT id, name, price FROM cars WHERE id = \($0 * 97)" }
            let c = try CDatabase(path)
            let squall = try Connection.toRead(path)
            let grdb = try DatabaseQueue.toRead(path)
            func sum(_ car: (String) throws -> Car?) throws -> Int {
                var sum = 0
                for _ in 1...scaled(10) {
                    for text in texts { sum &+= try car(text)?.sum ?? 0 }
                }
                return sum
            }
            return [
                .c: Cell { try sum { try c.car($0) } },
                .squall: Cell { try sum { try squall.query(SQL(raw: $0)) } },
                .grdb: Cell { try grdb.inDatabase { db in try sum { try Car.fetchOne(db, sql: $0) } } },
            ]
        }
    ]
}

extension CDatabase {
    fileprivate func car(_ sql: String) throws -> Car? {
        var handle: OpaquePointer?
        guard sqlite3_prepare_v2(self.handle, sql, -1, &handle, nil) == SQLITE_OK, let handle else { throw failure }
        let statement = CStatement(database: self, handle: handle)
        let code = sqlite3_step(handle)
        defer { sqlite3_finalize(handle) }
        guard code == SQLITE_ROW else {
            if code == SQLITE_DONE { return nil }
            throw failure
        }
        return Car(id: statement.integer(0), name: statement.text(1), price: statement.integer(2))
    }
}
