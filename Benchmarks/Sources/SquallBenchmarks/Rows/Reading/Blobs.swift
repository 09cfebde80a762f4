import SquallSQLite
import Foundation
import GRDB
import Squall

// A blob of 1 MB, read 200 times into a `Data`, and written 200 times in one transaction.

extension Fixtures {
    fileprivate func blob() throws -> String {
        try file(
            "blob",
            script: """
                CREATE TABLE blobs(id INTEGER PRIMARY KEY, data BLOB NOT NULL);
                INSERT INTO blobs VALUES(1, CAST(printf('%01048576d', 42) AS BLOB))
                """
        )
    }
}

private func sumOfBlobs(_ blob: () throws -> Data?) throws -> Int {
    var sum = 0
    for _ in 1...200 {
        guard let data = try blob() else { throw Failure("no blob") }
        sum = sum &* 31 &+ data.count &+ Int(data[data.count - 1])
    }
    return sum
}

extension Benchmark {
    static let blobs = [
        Benchmark(name: "blob-read", toC: 1.05, toGRDB: 1.0) { fixtures in
            let path = try fixtures.blob()
            let c = try CDatabase(path).prepare("SELECT data FROM blobs WHERE id = ?")
            let squall = try Connection.toRead(path)
            let grdb = try DatabaseQueue.toRead(path)
            return [
                .c: Cell {
                    try sumOfBlobs {
                        sqlite3_bind_int64(c.handle, 1, 1)
                        var data: Data?
                        try c.forEachRow { data = c.blob(0) }
                        return data
                    }
                },
                .squall: Cell { try sumOfBlobs { try squall.query("SELECT data FROM blobs WHERE id = ?", 1) } },
                .grdb: Cell {
                    try grdb.inDatabase { database in
                        try sumOfBlobs {
                            try Data.fetchOne(database, sql: "SELECT data FROM blobs WHERE id = ?", arguments: [1])
                        }
                    }
                },
            ]
        },
        Benchmark(name: "blob-write", toC: 1.05, toGRDB: 1.0) { fixtures in
            let blobs = (1...200).map { Data(repeating: UInt8($0), count: 1 << 20) }
            let writing = Writing(
                row: "blob-write",
                create: "CREATE TABLE blobs(id INTEGER PRIMARY KEY, data BLOB); INSERT INTO blobs VALUES(1, NULL)",
                check: "SELECT id, data FROM blobs"
            )
            return writing.cells(
                fixtures,
                c: { database in
                    let statement = try database.prepare("UPDATE blobs SET data = ? WHERE id = 1")
                    try database.execute("BEGIN")
                    for blob in blobs {
                        try blob.withUnsafeBytes { bytes in
                            sqlite3_bind_blob(statement.handle, 1, bytes.baseAddress, Int32(bytes.count), nil)
                            try statement.run()
                        }
                    }
                    try database.execute("COMMIT")
                    sqlite3_finalize(statement.handle)
                },
                squall: { connection in
                    try connection.transaction {
                        for blob in blobs { try connection.run("UPDATE blobs SET data = ? WHERE id = 1", blob) }
                    }
                },
                grdb: { queue in
                    try queue.write { database in
                        for blob in blobs {
                            try database.execute(sql: "UPDATE blobs SET data = ? WHERE id = 1", arguments: [blob])
                        }
                    }
                }
            )
        },
    ]
}
