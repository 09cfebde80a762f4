import Foundation
import GRDB
import Squall
import SquallSQLite

// Values in parts and where they are. GRDB has neither, so its side reads whole values.

extension Fixtures {
    /// 10,000 values of 100 bytes.
    fileprivate func smallValues() throws -> String {
        try file(
            "small-values",
            script: """
                CREATE TABLE files(id INTEGER PRIMARY KEY, body BLOB NOT NULL);
                WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10000)
                INSERT INTO files SELECT n, CAST(printf('%0100d', n) AS BLOB) FROM numbers
                """
        )
    }

    fileprivate func largeValue() throws -> String {
        try file(
            "large-value",
            script: """
                CREATE TABLE files(id INTEGER PRIMARY KEY, body BLOB NOT NULL);
                INSERT INTO files VALUES(1, CAST(printf('%08388608d', 42) AS BLOB))
                """
        )
    }
}

private let part = 65_536
private let lastPart = 8 * 1024 * 1024 - part

private func sum(_ bytes: some BidirectionalCollection<UInt8>, _ sum: inout Int) {
    sum = sum &* 31 &+ bytes.count &+ Int(bytes.last ?? 0)
}

extension Benchmark {
    static let largeValues = [
        Benchmark(name: "blob-parts", toC: 1.05) { fixtures in
            let path = try fixtures.largeValue()
            let c = try CDatabase(path)
            let squall = try Connection.toRead(path)
            let grdb = try DatabaseQueue.toRead(path)
            return [
                .c: Cell { () -> Int in
                    var blob: OpaquePointer?
                    guard sqlite3_blob_open(c.handle, "main", "files", "body", 1, 0, &blob) == SQLITE_OK else {
                        throw c.failure
                    }
                    defer { sqlite3_blob_close(blob) }
                    var (total, buffer) = (0, [UInt8](repeating: 0, count: part))
                    for offset in stride(from: 0, through: lastPart, by: part) {
                        guard sqlite3_blob_read(blob, &buffer, Int32(part), Int32(offset)) == SQLITE_OK else {
                            throw c.failure
                        }
                        sum(buffer, &total)
                    }
                    return total
                },
                .squall: Cell { () -> Int in
                    try squall.withBlob(in: "files", column: "body", row: 1) { blob in
                        var (total, buffer) = (0, [UInt8](repeating: 0, count: part))
                        for offset in stride(from: 0, through: lastPart, by: part) {
                            try blob.read(into: &buffer, at: offset)
                            sum(buffer, &total)
                        }
                        return total
                    }
                },
                .grdb: Cell { () -> Int in
                    try grdb.inDatabase { database in
                        let body = try Data.fetchOne(database, sql: "SELECT body FROM files WHERE id = 1") ?? Data()
                        var total = 0
                        for offset in stride(from: 0, through: lastPart, by: part) {
                            sum(body[offset..<(offset + part)], &total)
                        }
                        return total
                    }
                },
            ]
        },
        blobMove("blob-move", toC: 0.35, Array(1...10_000)),
        blobMove("blob-move-anywhere", (0..<10_000).map { Int64($0 * 7919 % 10_000 + 1) }),
        textInPlace("text-in-place", toC: 0.60, column: "long"),
        textInPlace("short-text-in-place", column: "name"),
    ]

    /// Reads the small values of rows with one open value. C selects each by its key, in one transaction.
    private static func blobMove(_ name: String, toC: Double? = nil, _ keys: [Int64]) -> Benchmark {
        Benchmark(name: name, toC: toC) { fixtures in
            let path = try fixtures.smallValues()
            let c = try CDatabase(path)
            let statement = try c.prepare("SELECT body FROM files WHERE id = ?")
            let squall = try Connection.toRead(path)
            let grdb = try DatabaseQueue.toRead(path)
            return [
                .c: Cell { () -> Int in
                    try c.execute("BEGIN")
                    defer { try? c.execute("COMMIT") }
                    var (total, buffer) = (0, [UInt8](repeating: 0, count: 100))
                    for key in keys {
                        sqlite3_bind_int64(statement.handle, 1, key)
                        try statement.forEachRow {
                            let count = Int(sqlite3_column_bytes(statement.handle, 0))
                            guard let bytes = sqlite3_column_blob(statement.handle, 0) else { return }
                            buffer.withUnsafeMutableBytes { $0.copyMemory(from: .init(start: bytes, count: count)) }
                            sum(buffer, &total)
                        }
                    }
                    return total
                },
                .squall: Cell { () -> Int in
                    try squall.withBlob(in: "files", column: "body", row: 1) { blob in
                        var (total, buffer) = (0, [UInt8](repeating: 0, count: 100))
                        for key in keys {
                            try blob.move(to: key)
                            try blob.read(into: &buffer, at: 0)
                            sum(buffer, &total)
                        }
                        return total
                    }
                },
                .grdb: Cell { () -> Int in
                    try grdb.inDatabase { database in
                        let statement = try database.cachedStatement(sql: "SELECT body FROM files WHERE id = ?")
                        var total = 0
                        for key in keys {
                            sum(try Data.fetchOne(statement, arguments: [key]) ?? Data(), &total)
                        }
                        return total
                    }
                },
            ]
        }
    }

    /// Compares the texts of 100,000 rows. C makes a `String` of each.
    private static func textInPlace(_ name: String, toC: Double? = nil, column: String) -> Benchmark {
        Benchmark(name: name, toC: toC) { fixtures in
            let path = try fixtures.names()
            let sql = "SELECT \(column) FROM names LIMIT \(scaled(100_000))"
            let statement = try CDatabase(path).prepare(sql)
            let squall = try Connection.toRead(path)
            let grdb = try DatabaseQueue.toRead(path)
            let text = "5 is the number of another car with a long name"
            let utf8 = Array(text.utf8)
            return [
                .c: Cell { () -> Int in
                    var count = 0
                    try statement.forEachRow { if statement.text(0) > text { count += 1 } }
                    return count
                },
                .squall: Cell { () -> Int in
                    var count = 0
                    try squall.forEach("\(raw: sql)") { row in
                        try row.withUTF8(0) { (name: Span<UInt8>) in
                            let order = name.withUnsafeBufferPointer { name in
                                name.baseAddress.map { memcmp($0, utf8, min(name.count, utf8.count)) } ?? -1
                            }
                            if order > 0 || order == 0 && name.count > utf8.count { count += 1 }
                        }
                    }
                    return count
                },
                .grdb: Cell { () -> Int in
                    try grdb.inDatabase { database in
                        var count = 0
                        let names = try String.fetchCursor(database, sql: sql)
                        while let name = try names.next() {
                            if name > text { count += 1 }
                        }
                        return count
                    }
                },
            ]
        }
    }
}
