import Foundation
import Squall
import SquallChanges
import SquallTestSupport
import Testing

/// Replicas that have a part of the rows of a hub, and files that were restored.
@Suite(.enabled(if: SQLiteFeatures.sessions), .timeLimit(.minutes(1)))
struct SyncPartTests {
    private static let tables: [String: SyncLog.Policy] = ["notes": .hubWins]

    private static func replica(_ origin: String, _ role: SyncLog.Role) throws -> SyncReplica {
        try SyncReplica(
            origin, role: role, schema: "CREATE TABLE notes(id TEXT PRIMARY KEY, owner TEXT)", tables: tables)
    }

    private static func write(_ replica: SyncReplica, _ sql: SQL...) throws {
        for sql in sql { try replica.log.record(on: replica.connection) { try $0.run(sql) } }
    }

    @Test func aRowHasOneNetChange() throws {
        let hub = try Self.replica("hub", .hub)
        let start = try hub.log.end(on: hub.connection)
        try Self.write(
            hub, "INSERT INTO notes VALUES('a', 'x'), ('b', 'y'), ('c', 'z')",
            "UPDATE notes SET owner = 'w' WHERE id = 'a'",
            "DELETE FROM notes WHERE id = 'b'")
        let middle = try hub.log.end(on: hub.connection)
        try Self.write(
            hub, "UPDATE notes SET owner = 'v' WHERE id = 'c'", "UPDATE notes SET owner = 'z' WHERE id = 'c'",
            "DELETE FROM notes WHERE id = 'a'", "ALTER TABLE notes ADD COLUMN size DEFAULT 7",
            "UPDATE notes SET size = 8")
        let end = try hub.log.end(on: hub.connection)
        func net(_ from: SyncCursor, _ to: SyncCursor) throws -> [String] {
            try hub.log.netChanges(after: from, upTo: to, on: hub.connection).map { "\($0) \($0.old?.count ?? 0)" }
                .sorted()
        }
        #expect(
            try net(start, middle) == [
                "insert into notes: (id = 'a', owner = 'w', size = 7) 0",
                "insert into notes: (id = 'c', owner = 'z', size = 7) 0",
            ])
        #expect(
            try net(middle, end) == [
                "delete from notes: (id = 'a', owner = 'w', size = 7) 3",
                "update notes: (id = 'c', owner = 'z', size = 8) 3",
            ])
        #expect(try net(end, end) == [])
    }

    @Test func aRefusedChangeIsTriedAfterTheOthersOfItsTransaction() throws {
        let (hub, device) = (try Self.replica("hub", .hub), try Self.replica("d", .replica))
        // A row may only be made beside the row of its owner.
        try Self.write(device, "INSERT INTO notes VALUES('a', 'ada'), ('ada', 'ada'), ('b', 'bob')")
        let report = try hub.log.merge(device.log.changes(on: device.connection), on: hub.connection) { table, row in
            let isKnown: Bool = try hub.connection.query("SELECT EXISTS(SELECT 1 FROM notes WHERE id = \(row[1]))")
            return isKnown || row[0] == row[1] ? nil : "no owner in \(table)"
        }
        #expect(
            report.conflicts.map { "\($0)" } == [
                "insert into notes: (id = 'b', owner = 'bob') (no owner in notes): the hub wins"
            ])
        #expect(try hub.connection.query("SELECT id FROM notes ORDER BY id") == ["a", "ada"])
        // The replica is told of it, without the changes of the hub.
        let start = SyncCursor(log: try hub.log.end(on: hub.connection).log, sequence: 0)
        let end = try hub.log.end(on: hub.connection)
        let batch = try SyncBatch(
            hub.log.batch(of: [], after: start, upTo: end, for: "d", on: hub.connection).data)
        let received = try device.log.merge(batch, on: device.connection)
        #expect(received.conflicts.map(\.reason) == ["no owner in notes"])
        #expect(try device.connection.query("SELECT count(*) FROM notes") == 0)
    }

    @Test func aRowThatMayNotBeChangedStays() throws {
        let (hub, device) = (try Self.replica("hub", .hub), try Self.replica("d", .replica))
        try Self.write(hub, "INSERT INTO notes VALUES('a', 'eve'), ('b', 'ada')")
        try device.log.merge(hub.log.changes(on: hub.connection), on: device.connection)
        try Self.write(device, "UPDATE notes SET owner = 'ada' WHERE id = 'a'", "DELETE FROM notes")
        let report = try hub.log.merge(device.log.changes(on: device.connection), on: hub.connection) { _, row in
            row[1] == .text("ada") ? nil : "of another"
        }
        #expect(report.conflicts.count == 2)
        #expect(try hub.connection.query("SELECT id FROM notes") == ["a"])
    }

    @Test func compactionKeepsConflictsThatAReplicaHasNot() throws {
        let (hub, device) = (try Self.replica("hub", .hub), try Self.replica("d", .replica))
        func merge() throws {
            try hub.log.merge(device.log.changes(on: device.connection), on: hub.connection) { _, row in
                row[1] == .text("ada") ? nil : "of another"
            }
        }
        func compact() throws { try hub.log.compact(through: hub.log.end(on: hub.connection), on: hub.connection) }
        try Self.write(device, "INSERT INTO notes VALUES('a', 'eve')", "INSERT INTO notes VALUES('b', 'ada')")
        try merge()
        try Self.write(hub, "INSERT INTO notes VALUES('c', 'ada')")
        try compact()
        #expect(try hub.log.changes(on: hub.connection).count == 2)
        let (start, rows) = (
            try hub.log.start(of: "d", on: hub.connection),
            try hub.log.rows(of: "notes", byteLimit: 1_000, on: hub.connection)
        )
        let report = try device.log.begin(with: [rows], [start], on: device.connection)
        #expect(report.conflicts.map(\.reason) == ["of another"])
        // Its next batch tells the hub that it has them.
        try Self.write(device, "INSERT INTO notes VALUES('d', 'ada')")
        try merge()
        try compact()
        #expect(try hub.log.changes(on: hub.connection).count == 1)
        #expect(try device.connection.query("SELECT id FROM notes ORDER BY id") == ["b", "c", "d"])
    }

    @Test func aReplicaSendsAgainWhatItsHubHasLost() throws {
        let (hub, device) = (try Self.replica("hub", .hub), try Self.replica("d", .replica))
        func exchange(_ hub: SyncReplica) throws {
            try hub.log.merge(device.log.changes(on: device.connection), on: hub.connection)
            let cursor = try device.log.cursor(of: "hub", on: device.connection)
            try device.log.merge(hub.log.changes(since: cursor, on: hub.connection), on: device.connection)
        }
        try Self.write(device, "INSERT INTO notes VALUES('a', 'x')")
        try exchange(hub)
        let backup = try hub.connection.serialize()
        try Self.write(device, "INSERT INTO notes VALUES('b', 'x')")
        try Self.write(device, "INSERT INTO notes VALUES('c', 'x')")
        try exchange(hub)
        #expect(try device.log.changes(on: device.connection).isEmpty)
        try hub.connection.deserialize(backup)
        let error = #expect(throws: SQLiteError.self) {
            try hub.log.merge(device.log.changes(on: device.connection), on: hub.connection)
        }
        #expect(error?.problem(SyncProblem.self) == .missingEntries(after: 1, first: 3))
        #expect(try device.log.sendAgain(after: 1, on: device.connection))
        #expect(try device.log.changes(on: device.connection).count == 2)
        try hub.log.merge(device.log.changes(on: device.connection), on: hub.connection)
        #expect(try hub.connection.query("SELECT id FROM notes ORDER BY id") == ["a", "b", "c"])
        // It does not keep more than 1,000 transactions.
        for number in 0..<1_002 { try Self.write(device, "INSERT INTO notes VALUES(\(number), 'x')") }
        try hub.log.merge(device.log.changes(on: device.connection), on: hub.connection)
        let start = try hub.log.start(of: "d", on: hub.connection)
        let rows = try hub.log.rows(of: "notes", byteLimit: 1_000_000, on: hub.connection)
        try device.log.begin(with: [rows], [start], on: device.connection)
        #expect(try device.log.sendAgain(after: 2, on: device.connection) == false)
        #expect(try device.log.sendAgain(after: 900, on: device.connection))
        #expect(throws: SQLiteError.self) { try hub.log.sendAgain(after: 0, on: hub.connection) }
    }
}
