import Foundation
import GRDB
import Squall
import SquallSQLite

// Values in parts and where they are. GRDB has neither, so its side reads whole values.

extension Fixtures {
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

/// Keys of cars, in an order that is not theirs.
private let keys = (0..<10_000).map { Int64($0 * 7919 % 100_000 + 1) }

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
        // C selects each by its key, in one transaction.
        Benchmark(name: "blob-move", toC: 0.35) { fixtures in
            let path = try fixtures.cars()
            let c = try CDatabase(path)
            let statement = try c.prepare("SELECT name FROM cars WHERE id = ?")
            let squall = try Connection.toRead(path)
            let grdb = try DatabaseQueue.toRead(path)
            return [
                .c: Cell { () -> Int in
                    try c.execute("BEGIN")
                    defer { try? c.execute("COMMIT") }
                    var (total, buffer) = (0, [UInt8](repeating: 0, count: 64))
                    for key in keys {
                        sqlite3_bind_int64(statement.handle, 1, key)
                        try statement.forEachRow {
                            let count = Int(sqlite3_column_bytes(statement.handle, 0))
                            guard let bytes = sqlite3_column_blob(statement.handle, 0) else { return }
                            buffer.withUnsafeMutableBytes { $0.copyMemory(from: .init(start: bytes, count: count)) }
                            sum(buffer[..<count], &total)
                        }
                    }
                    return total
                },
                .squall: Cell { () -> Int in
                    try squall.withBlob(in: "cars", column: "name", row: 1) { blob in
                        var (total, buffer) = (0, [UInt8](repeating: 0, count: 64))
                        for key in keys {
                            try blob.move(to: key)
                            let count = blob.count
                            try buffer.withUnsafeMutableBytes { bytes in
                                var span = MutableRawSpan(_unsafeBytes: .init(rebasing: bytes[..<count]))
                                try blob.read(into: &span, at: 0)
                            }
                            sum(buffer[..<count], &total)
                        }
                        return total
                    }
                },
                .grdb: Cell { () -> Int in
                    try grdb.inDatabase { database in
                        let statement = try database.cachedStatement(sql: "SELECT name FROM cars WHERE id = ?")
                        var total = 0
                        for key in keys {
                            sum(try Data.fetchOne(statement, arguments: [key]) ?? Data(), &total)
                        }
                        return total
                    }
                },
            ]
        },
        // C makes a `String` of each text.
        Benchmark(name: "text-where-it-is", toC: 0.60) { fixtures in
            let path = try fixtures.cars()
            let sql = "SELECT name FROM cars"
            let statement = try CDatabase(path).prepare(sql)
            let squall = try Connection.toRead(path)
            let grdb = try DatabaseQueue.toRead(path)
            let (text, utf8) = ("Audi 5", Array("Audi 5".utf8))
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
        },
    ]
}
