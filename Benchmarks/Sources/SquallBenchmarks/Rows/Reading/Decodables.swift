import Foundation
import GRDB
import Squall

// The tables of `Integers` and `Mixed` into structs that are only `Decodable`. The C side is that of the positional rows.

struct DecodableIntegers: Decodable, FetchableRecord, Summable {
    var i0: Int, i1: Int, i2: Int, i3: Int, i4: Int, i5: Int, i6: Int, i7: Int, i8: Int, i9: Int

    func add(to sum: inout Checksum) {
        for value in [i0, i1, i2, i3, i4, i5, i6, i7, i8, i9] { sum.add(value) }
    }
}

struct DecodableMixed: Decodable, FetchableRecord, Summable {
    var id: Int
    var name: String
    var note: String?
    var city: String
    var price: Double
    var data: Data

    func add(to sum: inout Checksum) {
        Mixed(id: id, name: name, note: note, city: city, price: price, data: data).add(to: &sum)
    }
}

extension Benchmark {
    static let decodables = [
        Benchmark(name: "decodable-ints", toC: 1.8, toGRDB: 0.60) { fixtures in
            let path = try fixtures.integers()
            let c = try CDatabase(path).prepare(Integers.sql)
            let squall = try Connection.toRead(path)
            let grdb = try DatabaseQueue.toRead(path)
            return [
                .c: Cell { try c.integers() },
                .squall: Cell { () -> [DecodableIntegers] in try squall.query("\(raw: Integers.sql)") },
                .grdb: Cell { try grdb.inDatabase { try DecodableIntegers.fetchAll($0, sql: Integers.sql) } },
            ]
        },
        Benchmark(name: "decodable-mixed", toC: 1.6, toGRDB: 0.60) { fixtures in
            let path = try fixtures.mixed()
            let c = try CDatabase(path).prepare(Mixed.sql)
            let squall = try Connection.toRead(path)
            let grdb = try DatabaseQueue.toRead(path)
            return [
                .c: Cell { try c.mixed() },
                .squall: Cell { () -> [DecodableMixed] in try squall.query("\(raw: Mixed.sql)") },
                .grdb: Cell { try grdb.inDatabase { try DecodableMixed.fetchAll($0, sql: Mixed.sql) } },
            ]
        },
    ]
}
