import SquallChanges
import Foundation
import Squall
import SquallTestSupport
import Testing

/// Five replicas write at random, and exchange at random. At the end all are equal, and equal to a model.
@Suite(.enabled(if: SQLiteFeatures.sessions))
struct SyncPeerPropertyTests {
    private static let schema = """
        CREATE TABLE notes(id INTEGER PRIMARY KEY, a TEXT, b BLOB, c REAL, at);
        CREATE TABLE tags(x TEXT, y INTEGER, n, at, PRIMARY KEY(x, y)) WITHOUT ROWID;
        """

    /// The clock of all replicas, which the test sets. It is used by one thread.
    private final class Clock: @unchecked Sendable { var value = 0 }

    /// A version in the model, with its place in the order of versions.
    private struct Version {
        var stamp: Int
        var revision: Int
        var origin: String
        /// `nil` if the row was deleted.
        var row: String?
        var sequence = 0

        init(stamp: Int, over previous: Version?, origin: String, row: String?) {
            let isBehind = previous.map { stamp <= $0.stamp } ?? false
            self.stamp = isBehind ? previous?.stamp ?? stamp : stamp
            revision = isBehind ? (previous?.revision ?? 0) + 1 : 0
            self.origin = origin
            self.row = row
        }

        func isLess(_ other: Version) -> Bool {
            (stamp, revision, origin) < (other.stamp, other.revision, other.origin)
        }
    }

    /// A replica of the model, written independently of the library: dictionaries, and the maximum.
    private struct Model {
        var versions: [String: Version] = [:]
        var sequence = 0

        mutating func store(_ key: String, _ version: Version) {
            sequence += 1
            versions[key] = version
            versions[key]?.sequence = sequence
        }

        mutating func merge(_ part: [(String, Version)]) {
            // Rows are deleted after all others were written, which gives them later numbers.
            for (key, version) in part.filter({ $0.1.row != nil }) + part.filter({ $0.1.row == nil })
            where versions[key]?.isLess(version) ?? true { store(key, version) }
        }

        func part(_ batch: SyncBatch) -> [(String, Version)] {
            versions.map { ($0.key, $0.value) }
                .filter { $0.1.sequence > batch.start.sequence && $0.1.sequence <= batch.cursor.sequence }
                .sorted { $0.1.sequence < $1.1.sequence }
        }
    }

    private static func peers(_ clock: Clock) throws -> [SyncReplica] {
        try ["ann", "bob", "cat", "dan", "eve"].map {
            let policy = SyncLog.Policy.lastWriter(by: "at", deletedAt: { clock.value })
            return try SyncReplica($0, schema: schema, tables: ["notes": policy, "tags": policy])
        }
    }

    private struct Write {
        let key: String
        let sql: SQL
        /// Reads the row of the key.
        let row: SQL
    }

    private static func write(at stamp: Int, _ random: inout SeededGenerator) -> Write {
        let values: [BindingValue] = [
            .null, .integer(Int64.random(in: 0...9, using: &random)), .text(random.pick(["", "é", "a'b"])),
            .blob(Data([1, 0, UInt8.random(in: 0...9, using: &random)])), .blob(Data()), .real(1.5),
        ]
        let value = values[Int.random(in: values.indices, using: &random)]
        let isNote = random.chance(60)
        let (x, y) = (random.pick(["a", "A"]), Int.random(in: 0..<3, using: &random))
        let id = Int.random(in: 0..<6, using: &random)
        let table: SQL = isNote ? "notes" : "tags"
        let condition: SQL = isNote ? "id = \(id)" : "x = \(x) AND y = \(y)"
        let sql: SQL =
            switch (Int.random(in: 0..<10, using: &random), isNote) {
            case (0..<3, _): "DELETE FROM \(table) WHERE \(condition)"
            case (3..<5, true): "UPDATE notes SET a = \(value), at = \(stamp) WHERE \(condition)"
            case (5..<6, true): "UPDATE notes SET b = \(value), c = 0.5, at = \(stamp) WHERE \(condition)"
            case (_, true): "INSERT OR REPLACE INTO notes VALUES(\(id), \(value), \(value), 2, \(stamp))"
            case (3..<6, false): "UPDATE tags SET n = \(value), at = \(stamp) WHERE \(condition)"
            case (_, false): "INSERT OR REPLACE INTO tags VALUES(\(x), \(y), \(value), \(stamp))"
            }
        return Write(
            key: isNote ? "notes \(id)" : "tags \(x) \(y)", sql: sql,
            row: "SELECT * FROM \(table) WHERE \(condition)")
    }

    private static func row(_ write: Write, _ peer: SyncReplica) throws -> String? {
        try peer.connection.query(write.row).map { $0.quotedText }
    }

    private static func rows(_ peer: SyncReplica) throws -> [String] {
        try (peer.rows("notes") + peer.rows("tags")).sorted()
    }

    private static func exchangeEverything(_ peers: [SyncReplica]) throws {
        for _ in 0..<2 {
            for one in peers { for two in peers where one !== two { try one.pull(two) } }
        }
    }

    @Test(arguments: 0..<6) func allReplicasBecomeTheModelWithTiesAndWrongClocks(_ seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let clock = Clock()
        let peers = try Self.peers(clock)
        var models = Array(repeating: Model(), count: 5)
        var sent: [(batch: SyncBatch, part: [(String, Version)])] = []
        for step in 0..<300 {
            let index = Int.random(in: 0..<5, using: &random)
            let peer = peers[index]
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6:
                // Clocks are wrong in both directions, and often have the same value.
                let stamp = step / 10 + Int.random(in: -3...3, using: &random)
                clock.value = stamp
                let write = Self.write(at: stamp, &random)
                try peer.record(write.sql)
                let row = try Self.row(write, peer)
                let previous = models[index].versions[write.key]
                if previous?.row == row { continue }
                models[index].store(
                    write.key, Version(stamp: stamp, over: previous, origin: peer.log.origin, row: row))
            case 6..<8:
                let receiver = peers[Int.random(in: 0..<5, using: &random)]
                let cursor = try receiver.log.cursor(of: peer.log.origin, on: receiver.connection)
                let batch = try peer.log.changes(
                    since: random.chance(50) ? cursor : nil,
                    limit: random.chance(50) ? nil : Int.random(in: 0...5, using: &random), on: peer.connection)
                sent.append((batch, models[index].part(batch)))
            default:
                // Delivered late, again, in parts, and to anyone; many are lost.
                guard let (batch, part) = sent.randomElement(using: &random) else { continue }
                try peer.merge(batch)
                models[index].merge(part)
            }
            #expect(
                try Self.rows(peer) == models[index].versions.values.compactMap(\.row).sorted(),
                "seed \(seed), step \(step)")
        }
        try Self.exchangeEverything(peers)
        var model = Model()
        for one in models { model.merge(one.versions.map { ($0.key, $0.value) }) }
        for peer in peers {
            #expect(
                try Self.rows(peer) == model.versions.values.compactMap(\.row).sorted(),
                "seed \(seed), \(peer.log.origin)")
            #expect(try peer.log.pending(on: peer.connection).isEmpty)
        }
    }

    /// With one right clock, the model is a dictionary: the last write.
    @Test(arguments: 100..<104) func withOneClockTheLastWriteOfEachRowWins(_ seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let clock = Clock()
        let peers = try Self.peers(clock)
        var last: [String: String?] = [:]
        for step in 1..<300 {
            let peer = peers[Int.random(in: 0..<5, using: &random)]
            if random.chance(60) {
                clock.value = step
                let write = Self.write(at: step, &random)
                let before = try Self.row(write, peer)
                try peer.record(write.sql)
                let after = try Self.row(write, peer)
                if before != after { last[write.key] = .some(after) }
            } else {
                let other = peers[Int.random(in: 0..<5, using: &random)]
                if other !== peer { try peer.pull(other, limit: random.chance(50) ? 3 : nil) }
            }
        }
        try Self.exchangeEverything(peers)
        for peer in peers {
            #expect(try Self.rows(peer) == last.values.compactMap(\.self).sorted(), "seed \(seed)")
        }
    }

    /// Uniqueness and foreign keys can keep replicas apart, and still no row is lost: each is in its table or pending, or has lost
    /// against a later writer, or was deleted.
    @Test(arguments: 200..<205) func everyNewestRowIsStoredOrPendingInEveryReplica(_ seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let peers = try ["ann", "bob", "cat"].map {
            try SyncReplica(
                $0,
                schema: """
                    CREATE TABLE lists(id INTEGER PRIMARY KEY, name TEXT UNIQUE, at INTEGER);
                    CREATE TABLE items(id INTEGER PRIMARY KEY, list INTEGER NOT NULL REFERENCES lists, at INTEGER);
                    """,
                tables: ["lists": .lastWriter(by: "at"), "items": .lastWriter(by: "at")])
        }
        for step in 1..<200 {
            let peer = peers[Int.random(in: 0..<3, using: &random)]
            let (id, list) = (Int.random(in: 0..<5, using: &random), Int.random(in: 0..<4, using: &random))
            let sql: SQL =
                switch Int.random(in: 0..<4, using: &random) {
                case 0: "INSERT INTO lists VALUES(\(list), \(random.pick(["a", "b", "c"])), \(step))"
                case 1: "INSERT OR REPLACE INTO items VALUES(\(id), \(list), \(step))"
                case 2: "DELETE FROM items WHERE id = \(id)"
                default: "DELETE FROM lists WHERE id = \(list)"
                }
            // Writes that the constraints forbid change nothing.
            do { try peer.record(sql) } catch ResultCode.constraint {}
            if random.chance(40) { try peer.pull(peers[Int.random(in: 0..<3, using: &random)]) }
        }
        try Self.exchangeEverything(peers)
        var newest: [[String]] = []
        for peer in peers {
            #expect(try peer.connection.query("SELECT count(*) FROM pragma_foreign_key_check") == 0)
            let pending = try peer.log.pending(on: peer.connection).map(\.change)
            var rows: [String: String] = [:]
            for table in ["lists", "items"] {
                for row in try peer.connection.query("SELECT * FROM \(name: table)", as: Row.self) {
                    let id: Int = row[0]
                    rows["\(table) \(id)"] = row.quotedText
                }
            }
            for change in pending {
                guard case .integer(let id)? = change["id"] else { continue }
                rows["\(change.table) \(id)"] = change.new.map { row in
                    row.map { value in
                        switch value {
                        case .integer(let number): "\(number)"
                        case .text(let text): "'\(text)'"
                        default: "\(value)"
                        }
                    }.joined(separator: ", ")
                }
            }
            newest.append(rows.map { "\($0.key): \($0.value)" }.sorted())
        }
        #expect(newest[0] == newest[1] && newest[1] == newest[2], "seed \(seed)")
    }
}
