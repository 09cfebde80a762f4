import SquallChanges
import Foundation
import Squall
import SquallTestSupport
import Testing

/// A hub and four replicas write and exchange at random. At the end all are equal to the hub, under each policy.
@Suite(.enabled(if: SQLiteFeatures.sessions))
struct SyncHubPropertyTests {
    private static let schema = """
        CREATE TABLE lists(id INTEGER PRIMARY KEY, name TEXT UNIQUE);
        CREATE TABLE items(
            x TEXT, y INTEGER, list INTEGER REFERENCES lists ON DELETE CASCADE ON UPDATE CASCADE, n, b BLOB,
            PRIMARY KEY(x, y)) WITHOUT ROWID;
        """

    private static func policy(_ number: Int) -> SyncLog.Policy {
        switch number {
        case 0: .hubWins
        case 1: .replicaWins
        default: .resolve { $0.change.description.utf8.count.isMultiple(of: 2) ? .hub : .replica }
        }
    }

    private static func write(_ random: inout SeededGenerator) -> SQL {
        let list = Int.random(in: 0..<4, using: &random)
        let (x, y) = (random.pick(["a", "b"]), Int.random(in: 0..<3, using: &random))
        let name = random.pick(["one", "two", "three"])
        let values: [BindingValue] = [.null, .integer(Int64(list)), .blob(Data([0, 1])), .text("é"), .real(0.5)]
        let value = values[Int.random(in: values.indices, using: &random)]
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return "INSERT INTO lists VALUES(\(list), \(name))"
        case 1: return "UPDATE lists SET name = \(name) WHERE id = \(list)"
        case 2: return "DELETE FROM lists WHERE id = \(list)"
        case 3: return "UPDATE lists SET id = \(y) WHERE id = \(list)"
        case 4: return "INSERT OR REPLACE INTO items VALUES(\(x), \(y), \(list), \(value), \(value))"
        case 5: return "UPDATE items SET n = \(value) WHERE x = \(x) AND y = \(y)"
        case 6: return "UPDATE items SET b = \(value), list = NULL WHERE y = \(y)"
        default: return "DELETE FROM items WHERE x = \(x) AND y = \(y)"
        }
    }

    private static func rows(_ replica: SyncReplica) throws -> [String] {
        try replica.rows("lists") + ["-"] + replica.rows("items")
    }

    @Test(arguments: 0..<3, 0..<4) func allReplicasBecomeTheHub(_ number: Int, _ seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let tables = ["lists": Self.policy(number), "items": Self.policy(number)]
        let hub = try SyncReplica("hub", role: .hub, schema: Self.schema, tables: tables)
        let replicas = try (1...4).map {
            try SyncReplica("r\($0)", role: .replica, schema: Self.schema, tables: tables)
        }
        var sent: [SyncBatch] = []
        for _ in 0..<200 {
            let replica = replicas[Int.random(in: 0..<4, using: &random)]
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<7:
                let writer = random.chance(20) ? hub : replica
                do {
                    try writer.log.record(on: writer.connection) { connection in
                        for _ in 0..<Int.random(in: 1...3, using: &random) {
                            try connection.run(Self.write(&random))
                        }
                    }
                } catch ResultCode.constraint {}
            case 7: sent.append(try replica.log.changes(on: replica.connection))
            case 8:
                // Late, and again.
                guard let batch = sent.randomElement(using: &random) else { continue }
                do { try hub.merge(batch) } catch let error as SQLiteError {
                    guard case .missingEntries? = error.problem(SyncProblem.self) else { throw error }
                }
            case 9: try hub.pull(replica, limit: random.chance(50) ? 1 : nil)
            case 10 where random.chance(10):
                let cursors = try replicas.map { try $0.log.cursor(of: "hub", on: $0.connection) }
                if let cursor = cursors.compactMap(\.self).min(by: { $0.sequence < $1.sequence }),
                    !cursors.contains(nil)
                {
                    try hub.log.compact(through: cursor, on: hub.connection)
                }
            default: try replica.pull(hub, limit: random.chance(50) ? 2 : nil)
            }
        }
        for replica in replicas { try hub.pull(replica) }
        for replica in replicas {
            try replica.pull(hub)
            #expect(try Self.rows(replica) == Self.rows(hub), "policy \(number), seed \(seed), \(replica.log.origin)")
            #expect(try replica.log.changes(on: replica.connection).isEmpty)
        }
        #expect(try hub.connection.query("SELECT count(*) FROM pragma_foreign_key_check") == 0)
        let late = try SyncReplica("late", role: .replica, schema: Self.schema, tables: tables)
        try late.pull(hub)
        #expect(try Self.rows(late) == Self.rows(hub))
    }
}
