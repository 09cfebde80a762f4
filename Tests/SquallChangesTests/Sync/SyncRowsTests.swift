import Foundation
import Squall
import SquallChanges
import SquallTestSupport
import Testing

/// A replica that begins with the rows of the hub, and not with its log.
@Suite(.enabled(if: SQLiteFeatures.sessions), .timeLimit(.minutes(1)))
struct SyncRowsTests {
    private static let schema = """
        CREATE TABLE lists(id TEXT PRIMARY KEY, name TEXT UNIQUE, note TEXT);
        CREATE TABLE items(list TEXT REFERENCES lists ON DELETE CASCADE, n BLOB, text TEXT, PRIMARY KEY(n, list)) WITHOUT ROWID;
        """
    private static let tables: [String: SyncLog.Policy] = ["lists": .hubWins, "items": .hubWins]

    private static func replica(_ origin: String, _ role: SyncLog.Role) throws -> SyncReplica {
        try SyncReplica(origin, role: role, schema: schema, tables: tables)
    }

    private static func write(_ replica: SyncReplica, _ random: inout SeededGenerator) throws {
        let (list, other) = ("l\(Int.random(in: 0..<9, using: &random))", "l\(Int.random(in: 0..<9, using: &random))")
        let n = Int.random(in: 0..<40, using: &random)
        let sql: SQL =
            switch Int.random(in: 0..<7, using: &random) {
            case 0, 1: "INSERT OR IGNORE INTO lists VALUES(\(list), \(other), \(n))"
            case 2: "UPDATE lists SET note = \(n) WHERE id = \(list)"
            case 3: "DELETE FROM lists WHERE id = \(list) AND \(n) < 10"
            case 4: "INSERT OR IGNORE INTO items VALUES(\(list), CAST(\(n) AS TEXT), \(other))"
            case 5:
                "INSERT OR IGNORE INTO items VALUES(\(list), CAST(\(n) AS BLOB), \(other)), (\(list), 't' || \(n), '')"
            default: "UPDATE items SET text = \(n) WHERE list = \(list)"
            }
        try? replica.log.record(on: replica.connection) { try $0.run(sql) }
    }

    /// Begins with all rows of the hub, in pages of random sizes, while the hub is written.
    @discardableResult
    private static func begin(
        _ replica: SyncReplica, _ hub: SyncReplica, _ random: inout SeededGenerator
    ) throws -> SyncReport {
        let start = try SyncBatch(hub.log.start(of: replica.log.origin, on: hub.connection).data)
        var pages: [SyncRows] = []
        for table in ["items", "lists"] {
            repeat {
                let next = pages.last?.table == table ? pages.last?.next : nil
                let limit = Int.random(in: 0..<300, using: &random)
                let rows = try hub.log.rows(of: table, after: next, byteLimit: limit, on: hub.connection)
                pages.append(try JSONDecoder().decode(SyncRows.self, from: JSONEncoder().encode(rows)))
                if Bool.random(using: &random) { try write(hub, &random) }
                if Int.random(in: 0..<4, using: &random) == 0 { try write(replica, &random) }
                if Int.random(in: 0..<6, using: &random) == 0 { try hub.merge(replica.batch()) }
            } while pages.last?.next != nil
        }
        var batches = [start]
        repeat {
            batches.append(try hub.batch(since: batches.last?.cursor, limit: 2))
        } while batches.last?.isEmpty == false
        return try replica.log.begin(with: pages, batches, on: replica.connection)
    }

    @Test(arguments: 0..<60) func aReplicaThatBeginsIsEqualInTheEnd(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let (hub, replica) = (try Self.replica("hub", .hub), try Self.replica("one", .replica))
        if seed % 2 == 0 {
            // The replica has known the hub before.
            for _ in 0..<20 { try Self.write(hub, &random) }
            try replica.pull(hub)
            for _ in 0..<5 { try Self.write(replica, &random) }
            try hub.merge(replica.batch())
        }
        for _ in 0..<40 { try Self.write(hub, &random) }
        for _ in 0..<5 { try Self.write(replica, &random) }
        if Bool.random(using: &random) {
            try hub.log.compact(through: hub.log.end(on: hub.connection), on: hub.connection)
        }
        if Bool.random(using: &random) { try hub.merge(replica.batch()) }
        try Self.begin(replica, hub, &random)
        try replica.pull(hub)
        try hub.merge(replica.batch())
        try replica.pull(hub)
        #expect(try replica.batch().isEmpty)
        for table in ["lists", "items"] {
            let (there, here) = (try Set(hub.rows(table)), try Set(replica.rows(table)))
            #expect(there.subtracting(here) == [] && here.subtracting(there) == [])
        }
        #expect(try replica.connection.query("PRAGMA foreign_key_check") as [String] == [])
    }

    @Test func rowsOfOthersAreRemovedAndUnsentOnesStay() throws {
        let (hub, replica) = (try Self.replica("hub", .hub), try Self.replica("one", .replica))
        try hub.record("INSERT INTO lists VALUES('a', 'A', 1), ('b', 'B', 1), ('c', 'C', 1)")
        try replica.pull(hub)
        try hub.record("DELETE FROM lists WHERE id = 'b'; UPDATE lists SET note = 2")
        try hub.log.compact(through: hub.log.end(on: hub.connection), on: hub.connection)
        try replica.record("UPDATE lists SET name = 'mine' WHERE id = 'a'; INSERT INTO lists VALUES('d', 'D', 3)")
        var random = SeededGenerator(seed: 1)
        let report = try Self.begin(replica, hub, &random)
        #expect(report.applied.contains { $0.operation == .delete && $0["id"] == .text("b") })
        #expect(report.conflicts.isEmpty)
        #expect(try replica.batch().changesets.flatMap { try $0.elements }.count == 2)
    }

    @Test func rowsThatDoNotFitAreRefused() throws {
        let (hub, replica) = (try Self.replica("hub", .hub), try Self.replica("one", .replica))
        try hub.record("INSERT INTO lists VALUES('a', 'A', 1)")
        let rows = try hub.log.rows(of: "lists", byteLimit: 1, on: hub.connection)
        let news = try hub.batch()
        func kind(_ body: () throws -> Void) throws -> SyncProblem? {
            try sqliteError(body).problem(SyncProblem.self)
        }
        #expect(try kind { try hub.log.begin(with: [rows], [news], on: hub.connection) } == .wrongRole("hub"))
        #expect(try kind { _ = try hub.log.rows(of: "none", byteLimit: 1, on: hub.connection) } == .unknownTable)
        #expect(
            try kind { _ = try hub.log.rows(of: "lists", after: Data([9]), byteLimit: 1, on: hub.connection) }
                == .damaged)
        for batches in [[], [news, news]] {
            #expect(try kind { try replica.log.begin(with: [rows], batches, on: replica.connection) } == .damaged)
        }
        try replica.connection.execute("ALTER TABLE lists DROP COLUMN note")
        #expect(throws: SQLiteError.self) { try replica.log.begin(with: [rows], [news], on: replica.connection) }
        #expect(try replica.rows("lists").isEmpty)
    }
}
