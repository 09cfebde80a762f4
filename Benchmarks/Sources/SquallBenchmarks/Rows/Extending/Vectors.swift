import CExtensions
import Foundation
import GRDB
import Squall
import SquallSearch
import SquallSQLite

// The ten nearest of 1,000 and of 100,000 vectors of 384 components, by an exact search.

extension Fixtures {
    fileprivate static func vector(_ seed: Int) -> [Float] {
        var state = UInt64(bitPattern: Int64(seed)) &* 0x9E37_79B9_7F4A_7C15
        return (0..<384).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(Int32(truncatingIfNeeded: state >> 32)) / Float(Int32.max)
        }
    }

    fileprivate func vectors(_ count: Int) throws -> String {
        let path = folder.appending(path: "vectors-\(count)").path
        if FileManager.default.fileExists(atPath: path) { return path }
        let connection = try Connection(path)
        try connection.execute("CREATE TABLE vectors(id INTEGER PRIMARY KEY, v BLOB NOT NULL)")
        try connection.transaction {
            let insert = try connection.prepare("INSERT INTO vectors VALUES(?, ?)")
            for id in 1...count { try insert.bind(id, Self.vector(id)).run() }
        }
        return path
    }
}

private func search(_ function: String, of count: Int, toC: Double?) -> Benchmark {
    Benchmark(name: "\(function)-\(count)x384", toC: toC) { fixtures in
        let path = try fixtures.vectors(count > 1_000 ? scaled(count) : count)
        let sql = "SELECT id FROM vectors ORDER BY vec_distance_\(function)(v, ?) LIMIT 10"
        let query = Fixtures.vector(-1)
        let c = try CDatabase(path)
        guard cvectors_add(c.handle) == SQLITE_OK else { throw c.failure }
        let statement = try c.prepare(sql)
        let squall = try Connection.toRead(path)
        try squall.addVectorFunctions()
        let grdb = try DatabaseQueue.toRead(path)
        grdb.inDatabase { $0.add(function: distances(function)) }
        let data = query.withUnsafeBytes { Data($0) }
        return [
            .c: Cell {
                var ids: [Int] = []
                try query.withUnsafeBytes { bytes in
                    sqlite3_bind_blob(statement.handle, 1, bytes.baseAddress, Int32(bytes.count), nil)
                    try statement.forEachRow { ids.append(statement.integer(0)) }
                }
                return ids
            },
            .squall: Cell { try squall.query("\(raw: sql)", query) as [Int] },
            .grdb: Cell { try grdb.inDatabase { try Int.fetchAll($0, sql: sql, arguments: [data]) } },
        ]
    }
}

/// GRDB has no functions of vectors: this is the closure that its users write.
private func distances(_ name: String) -> GRDB.DatabaseFunction {
    GRDB.DatabaseFunction("vec_distance_\(name)", argumentCount: 2, pure: true) { values in
        guard let a = Data.fromDatabaseValue(values[0]), let b = Data.fromDatabaseValue(values[1]), a.count == b.count
        else { return nil }
        return a.withUnsafeBytes { a in
            b.withUnsafeBytes { b in
                let (a, b) = (a.bindMemory(to: Float.self), b.bindMemory(to: Float.self))
                var (square, product, left, right): (Float, Float, Float, Float) = (0, 0, 0, 0)
                for index in a.indices {
                    square += (a[index] - b[index]) * (a[index] - b[index])
                    product += a[index] * b[index]
                    left += a[index] * a[index]
                    right += b[index] * b[index]
                }
                return name == "l2"
                    ? Double(square).squareRoot() : 1 - Double(product) / Double(left * right).squareRoot()
            }
        }
    }
}

extension Benchmark {
    static let vectors = [
        search("l2", of: 1_000, toC: 1.25), search("l2", of: 100_000, toC: 1.25),
        search("cosine", of: 1_000, toC: nil), search("cosine", of: 100_000, toC: nil),
    ]
}
