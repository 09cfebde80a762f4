import Foundation
import Squall

/// Large values that are read and written in parts.
struct BlobScenario: Scenario {
    var name: String { "blobs" }

    private static let bytes = [UInt8]((0..<6_000).map { UInt8($0 % 251) })

    func prepare(_ connection: Connection) throws {
        try connection.execute("CREATE TABLE files(id INTEGER PRIMARY KEY, name TEXT, body BLOB)")
        try connection.run("INSERT INTO files VALUES(1, 'a', ?)", Data(Self.bytes))
        try connection.run("INSERT INTO files VALUES(2, 'b', zeroblob(9000))")
    }

    var steps: [Step<Database>] {
        [
            Step { database in
                let read = try await database.read { connection in
                    try connection.withBlob(in: "files", column: "body", row: 1) { blob in
                        var part = [UInt8](repeating: 0, count: 5_000)
                        try blob.read(into: &part, at: 500)
                        return part
                    }
                }
                try expect(read, [UInt8](Self.bytes[500..<5_500]), "part of the value")
            },
            Step { database in
                try await database.write { connection in
                    try connection.withBlob(in: "files", column: "body", row: 2, mode: .readWrite) { blob in
                        try blob.write(Self.bytes.span, at: 1_000)
                        try blob.move(to: 1)
                        try blob.write(Self.bytes.span, at: 0)
                    }
                }
            },
            Step { database in
                var count = 0
                for try await chunk in database.blob(in: "files", column: "body", row: 2) { count += chunk.count }
                try expect(count, 9_000)
            },
            Step { database in
                let chunks = AsyncStream<Data> { continuation in
                    for start in stride(from: 0, to: 9_000, by: 3_000) {
                        continuation.yield(Data(repeating: UInt8(start / 3_000), count: 3_000))
                    }
                    continuation.finish()
                }
                try await database.writeBlob(in: "files", column: "body", row: 2, from: chunks)
            },
            Step { database in
                let id = try await database.write { connection in
                    try connection.run("INSERT INTO files(name, body) VALUES('c', \(ZeroBlob(count: 7_000)))")
                    return connection.lastInsertRowID
                }
                try expect(id, 3)
            },
        ]
    }
}
