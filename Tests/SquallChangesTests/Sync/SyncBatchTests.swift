import SquallChanges
import Foundation
import Squall
import SquallTestSupport
import Testing

@Suite(.enabled(if: SQLiteFeatures.sessions))
struct SyncBatchTests {
    private static func peer(_ origin: String = "one") throws -> SyncReplica {
        try SyncReplica(
            origin,
            schema: """
                CREATE TABLE notes(id INTEGER PRIMARY KEY, a TEXT, b BLOB, at REAL);
                CREATE TABLE secrets(id INTEGER PRIMARY KEY, a);
                INSERT INTO secrets VALUES(1, 'secret');
                """,
            tables: ["notes": .lastWriter(by: "at")])
    }

    private static func batch() throws -> SyncBatch {
        let one = try peer()
        try one.record(
            "INSERT INTO notes VALUES(1, 'a', x'00ff', 1.5), (2, NULL, NULL, NULL); DELETE FROM notes WHERE id = 2")
        try one.record("INSERT INTO notes VALUES(3, 'c', NULL, 2); ")
        try one.record("DELETE FROM notes WHERE id = 3")
        return try one.log.changes(on: one.connection)
    }

    @Test func aBatchIsTheSameAfterItsBytesAndItsCodableForm() throws {
        let batch = try Self.batch()
        #expect(try SyncBatch(batch.data) == batch)
        let json = try JSONEncoder().encode([batch])
        #expect(try JSONDecoder().decode([SyncBatch].self, from: json) == [batch])
        #expect(batch.description == "2 entries of the peer one, after 0 to 3")
        let cursor = try JSONEncoder().encode(batch.cursor)
        #expect(try JSONDecoder().decode(SyncCursor.self, from: cursor) == batch.cursor)
    }

    @Test func changesAreChangesetsOfSQLite() throws {
        let elements = try Self.batch().changesets.flatMap { try $0.elements }
        #expect(elements.map(\.operation) == [.insert, .delete])
        #expect(elements[0].new[1] == .text("a") && elements[0].new[2] == .blob(Data([0, 255])))
    }

    @Test func damagedBytesAreRefused() throws {
        let data = Array(try Self.batch().data)
        for index in data.indices {
            var damaged = data
            damaged[index] ^= 0x21
            #expect(throws: SQLiteError.self) { try SyncBatch(Data(damaged)) }
            #expect(throws: SQLiteError.self) { try SyncBatch(Data(data.prefix(index))) }
        }
        #expect(try errorKind { _ = try SyncBatch(Data()) } == .problem(SyncProblem.damaged))
    }

    /// FNV-1a, as a stranger would compute it.
    private static func signed(_ bytes: some Sequence<UInt8>) -> Data {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return Data(bytes) + withUnsafeBytes(of: hash.bigEndian) { Data($0) }
    }

    @Test(arguments: 0..<4) func hostileBytesChangeNothingOrOnlyTheTablesOfTheLog(_ seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let body = Array(try Self.batch().data.dropLast(8))
        let two = try Self.peer("two")
        for _ in 0..<800 {
            var bytes = body
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 8..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes[index] = [0, 0x7f, 0x80, 0xff][Int.random(in: 0..<4, using: &random)]
                case 2: bytes.remove(at: index)
                default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
                }
            }
            let before = try two.rows("notes")
            do { try two.merge(SyncBatch(Self.signed(bytes))) } catch is SQLiteError {
                #expect(try two.rows("notes") == before, "seed \(seed)")
            }
        }
        #expect(try two.rows("secrets") == ["1, 'secret'"])
        #expect(try two.connection.query("PRAGMA integrity_check") == "ok")
    }

    @Test func changesOfOtherTablesAreRefused() throws {
        let schema = "CREATE TABLE secrets(id INTEGER PRIMARY KEY, a);"
        let stranger = try SyncReplica("x", schema: schema, tables: ["secrets": .lastWriter(by: "a")])
        try stranger.record("INSERT INTO secrets VALUES(1, 'stolen')")
        let one = try Self.peer()
        #expect(
            try errorKind { try one.pull(stranger) } == .problem(SyncProblem.unknownTable, of: .table("secrets")))
        #expect(try one.rows("secrets") == ["1, 'secret'"])
    }

    @Test func changesOfATableThatTheBatchDoesNotNameAreDamaged() throws {
        let schema = "CREATE TABLE lists(id INTEGER PRIMARY KEY, at); CREATE TABLE notes(id INTEGER PRIMARY KEY, at);"
        let tables: [String: SyncLog.Policy] = ["lists": .lastWriter(by: "at"), "notes": .lastWriter(by: "at")]
        let one = try SyncReplica("one", schema: schema, tables: tables)
        let two = try SyncReplica("two", schema: schema, tables: tables)
        try one.record("INSERT INTO lists VALUES(1, 1)")
        var bytes = try one.log.changes(on: one.connection).data.dropLast(8)
        // The first name is that of the list of tables, which then has notes twice.
        let name = try #require(bytes.firstRange(of: Data("lists".utf8)))
        bytes.replaceSubrange(name, with: Data("notes".utf8))
        #expect(try errorKind { try two.merge(SyncBatch(Self.signed(bytes))) } == .problem(SyncProblem.damaged))
        #expect(try two.rows("lists").isEmpty)
    }
}
