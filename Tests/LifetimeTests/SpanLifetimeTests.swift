import SquallChanges
import Foundation
import Squall
import Testing

/// Bytes of rows and values that their closures are the last to use. They prove something when they are built for release under the
/// address sanitizer, like ``LifetimeTests``: the bytes are SQLite's, and whatever the closure does must leave them in place.
struct SpanLifetimeTests {
    private static let rounds = 50

    /// The sum of the bytes of `printf('%05000d', 1)`: 4,999 zeros and a one.
    private static let sumOfName = 240_001

    private static func files() throws -> Connection {
        let connection = try Connection()
        try connection.execute(
            """
            CREATE TABLE files(id INTEGER PRIMARY KEY, name TEXT, body BLOB);
            INSERT INTO files VALUES(1, printf('%05000d', 1), zeroblob(100000)), (2, printf('%05000d', 2), zeroblob(100000));
            """)
        return connection
    }

    @inline(never)
    private static func sum(_ bytes: RawSpan) -> Int { bytes.withUnsafeBytes { $0.reduce(0) { $0 + Int($1) } } }

    @inline(never)
    private static func sum(_ text: Span<UInt8>) -> Int {
        text.withUnsafeBufferPointer { $0.reduce(0) { $0 + Int($1) } }
    }

    private static let ends: [@Sendable (Connection) throws -> Void] = [
        { connection in
            try? connection.transaction {
                try connection.run("DELETE FROM files")
                throw CancellationError()
            }
        },
        { try $0.run("DELETE FROM files") },
        { try? $0.execute("DROP TABLE files") },
        { $0.close() },
        { try $0.run("UPDATE files SET name = NULL, body = NULL") },
        { $0.interrupt() },
    ]

    @Test(arguments: ends.indices) func rowsOfALoop(_ end: Int) throws {
        for _ in 0..<Self.rounds {
            let connection = try Self.files()
            var sums: [Int] = []
            try? connection.forEach("SELECT name, body FROM files") { row in
                try row.withUTF8(0) { (name: Span<UInt8>) in
                    try row.withBytes("body") { bytes in
                        try Self.ends[end](connection)
                        sums.append(Self.sum(name) + Self.sum(bytes))
                    }
                }
            }
            #expect(sums.first == Self.sumOfName)
        }
    }

    @Test func rowsOfAStatementThatIsReleased() throws {
        for round in 0..<Self.rounds {
            let connection = try Self.files()
            var statement: Statement? = try connection.prepare("SELECT name FROM files")
            try statement?.step()
            let row = try #require(statement?.row)
            try row.withUTF8(0) { (name: Span<UInt8>) in
                if round.isMultiple(of: 2) { try statement?.step() } else { try statement?.reset() }
                statement = nil
                #expect(Self.sum(name) == Self.sumOfName)
            }
        }
    }

    @Test func rowsOfACursorThatIsReleased() throws {
        for _ in 0..<Self.rounds {
            let connection = try Self.files()
            var cursor: RowCursor<Row>? = try connection.rows("SELECT name FROM files", as: Row.self)
            let row = try #require(try cursor?.next())
            try row.withUTF8(0) { (name: Span<UInt8>) in
                _ = try cursor?.next()
                cursor = nil
                connection.close()
                #expect(Self.sum(name) == Self.sumOfName)
            }
        }
    }

    @Test(arguments: ends.indices) func valuesInParts(_ end: Int) throws {
        for mode in [Blob.Mode.readOnly, .readWrite] {
            for _ in 0..<Self.rounds {
                let connection = try Self.files()
                try? connection.withBlob(in: "files", column: "body", row: 1, mode: mode) { blob in
                    _ = try blob.data()
                    try? Self.ends[end](connection)
                    _ = try? blob.data()
                    if mode == .readWrite { try? blob.write([1, 2, 3], at: 7) }
                    try? blob.move(to: 2)
                    _ = try? blob.data()
                }
                try? connection.run("SELECT 1")
            }
        }
    }

    @Test(.enabled(if: SQLiteLibrary.has("ENABLE_SESSION"))) func recordersAndHooksInAnyOrder() throws {
        for round in 0..<Self.rounds {
            let connection = try Self.files()
            var seen = 0
            var first: ChangeRecorder? = try connection.startRecording()
            let token = try connection.addPreUpdateObserver { _ in seen += 1 }
            var second: ChangeRecorder? = try connection.startRecording(in: ["files"], memoryLimit: 1 << 20)
            try connection.run("UPDATE files SET name = 'x'")
            if round.isMultiple(of: 2) { first = nil } else { second = nil }
            try connection.run("UPDATE files SET name = 'y'")
            token.cancel()
            try connection.run("DELETE FROM files")
            let left = first ?? second
            #expect(try left?.changeset().elements.count == 2)
            #expect(seen == 4)
            if round.isMultiple(of: 3) { connection.close() }
        }
    }

    @Test(.enabled(if: SQLiteLibrary.has("ENABLE_SESSION"))) func changesThatAreKept() throws {
        var kept: [Changeset.Change] = []
        for _ in 0..<Self.rounds {
            let connection = try Self.files()
            let changes = try connection.recordChanges { try $0.run("DELETE FROM files") }
            let other = try Self.files()
            try other.run("UPDATE files SET name = 'x'")
            _ = try? other.apply(changes) { conflict in
                kept += [conflict.change].compactMap { $0 }
                if kept.count.isMultiple(of: 7) { other.close() }
                return .replace
            }
            try changes.forEach { kept.append($0) }
        }
        #expect(kept.allSatisfy { $0.old["name"] != nil && $0.old[2] == .blob(Data(count: 100_000)) })
    }
}
