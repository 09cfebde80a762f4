import Foundation
import Squall
import SquallChanges
import SquallTestSupport
import Testing

/// A log that follows its database has the entries of one in which each transaction is recorded.
@Suite(.enabled(if: SQLiteFeatures.sessions), .timeLimit(.minutes(5)))
struct FollowedLogTests {
    private static let schema: SQL = """
        CREATE TABLE lists(id TEXT PRIMARY KEY, name TEXT UNIQUE, at INTEGER);
        CREATE TABLE items(
            id INTEGER PRIMARY KEY, list TEXT REFERENCES lists ON DELETE CASCADE ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED,
            text TEXT, at INTEGER);
        CREATE TABLE counts(list TEXT PRIMARY KEY, n INTEGER, at INTEGER);
        CREATE TRIGGER counting AFTER INSERT ON items BEGIN
            INSERT INTO counts VALUES(new.list, 1, 1) ON CONFLICT DO UPDATE SET n = n + 1;
        END
        """

    private static func tables(_ role: SyncLog.Role) -> [String: SyncLog.Policy] {
        let policy: SyncLog.Policy = role == .peer ? .lastWriter(by: "at") : .hubWins
        return ["lists": policy, "items": policy, "counts": policy]
    }

    private func makeDatabase(_ configuration: Configuration = .recommended) async throws -> Database {
        let database = try Database(":memory:", configuration: configuration)
        try await database.write { try $0.execute(Self.schema) }
        return database
    }

    private func follow(_ database: Database, _ role: SyncLog.Role = .replica) async throws -> FollowedLog {
        try await SyncLog.follow(database, origin: "device", role: role, tables: Self.tables(role))
    }

    /// The changes of all entries.
    private func entries(_ followed: FollowedLog) async throws -> [[String]] {
        try await entries(followed.log, followed.database)
    }

    private func entries(_ log: SyncLog, _ database: Database) async throws -> [[String]] {
        try await database.read { try log.changes(on: $0) }.changesets.map { changes in
            try changes.elements.map { "\($0)" }.sorted()
        }
    }

    // MARK: - Transactions

    /// A random statement, which may fail.
    private static func statement(_ random: inout some RandomNumberGenerator) -> SQL {
        let (list, item, at) = (
            "l\(Int.random(in: 0..<4, using: &random))", Int.random(in: 0..<8, using: &random),
            Int.random(in: 0..<100, using: &random)
        )
        return switch Int.random(in: 0..<9, using: &random) {
        case 0: "INSERT INTO lists VALUES(\(list), \(list) || \(at % 3), \(at))"
        case 1: "INSERT OR REPLACE INTO lists VALUES(\(list), 'l1', \(at))"
        case 2: "UPDATE lists SET id = \(list), at = \(at) WHERE name = 'l1'"
        case 3: "DELETE FROM lists WHERE id = \(list)"
        case 4, 5: "INSERT INTO items(list, text, at) VALUES(\(list), 'x' || \(at), \(at))"
        case 6: "UPDATE OR IGNORE items SET id = id + 1, at = \(at) WHERE id >= \(item)"
        case 7: "DELETE FROM items WHERE id = \(item)"
        default: "REPLACE INTO items VALUES(\(item), \(list), NULL, \(at))"
        }
    }

    /// Runs random statements and savepoints.
    private static func write(_ connection: Connection, _ random: inout SeededGenerator, depth: Int = 0) throws {
        for _ in 0..<Int.random(in: 1..<4, using: &random) {
            let (makesSavepoint, fails) = (Bool.random(using: &random), Int.random(in: 0..<3, using: &random) == 0)
            if makesSavepoint, depth < 3 {
                struct Failed: Error {}
                var copy = random
                try? connection.savepoint {
                    try write(connection, &copy, depth: depth + 1)
                    if fails { throw Failed() }
                }
                random = copy
            } else {
                try? connection.run(statement(&random))
            }
        }
    }

    @Test(arguments: [SyncLog.Role.replica, .hub, .peer], 0..<20) func theEntriesAreThoseOfRecord(
        _ role: SyncLog.Role, _ seed: UInt64
    ) async throws {
        var configuration = Configuration.recommended
        configuration.foreignKeys = seed % 2 == 0
        let (one, two) = (try await makeDatabase(configuration), try await makeDatabase(configuration))
        let followed = try await follow(one, role)
        let log = try await two.write { try SyncLog($0, origin: "device", role: role, tables: Self.tables(role)) }
        for step in 0..<25 {
            let start = SeededGenerator(seed: seed << 32 + UInt64(step))
            func write(
                _ database: Database,
                _ body: @escaping @Sendable (Connection, (Connection) throws -> Void) throws -> Void
            ) async throws {
                try? await database.write { connection in
                    var random = start
                    try body(connection) { try Self.write($0, &random) }
                    if Int.random(in: 0..<5, using: &random) == 0 { throw CancellationError() }
                }
            }
            // Beside a followed log, `record` changes nothing.
            try await write(one) { connection, body in
                if step % 3 == 0 { try followed.log.record(on: connection, body) } else { try body(connection) }
            }
            try await write(two) { connection, body in try log.record(on: connection, body) }
        }
        let entries = try await entries(followed)
        #expect(try await entries == self.entries(log, two))
        #expect(entries.count > 1)
        try await followed.flush()
    }

    @Test func aStatementThatCommitsByItselfWaitsForATransaction() async throws {
        let database = try await makeDatabase()
        let followed = try await follow(database)
        let rowID = try await database.writeWithoutTransaction { connection in
            try connection.run("INSERT INTO lists VALUES('a', 'a', 1), ('b', 'b', 1)")
            #expect(connection.changes == 2)
            try connection.run("INSERT INTO items VALUES(7, 'a', 'x', 1)")
            try connection.execute("SAVEPOINT a; UPDATE lists SET at = 2 WHERE id = 'a'; RELEASE a")
            return connection.lastInsertRowID
        }
        #expect(rowID == 7)
        #expect(try await entries(followed).isEmpty)
        try await followed.flush()
        try await followed.flush()
        let expected = try await entries(followed)
        #expect(expected.map(\.count) == [2, 2, 1])
        // They are before those of the transaction.
        try await database.writeWithoutTransaction { connection in
            try connection.run("DELETE FROM items")
            try connection.transaction {
                try connection.run("INSERT INTO items VALUES(9, 'b', 'y', 1)")
                #expect(connection.lastInsertRowID == 9)
            }
            #expect(connection.lastInsertRowID == 9)
        }
        #expect(try await entries(followed).map(\.count) == [2, 2, 1, 1, 2])
    }

    /// The entry is written before the commit, which fails, and is repaired.
    @Test func aCommitThatFailsAndIsRepairedHasOneEntry() async throws {
        let database = try await makeDatabase()
        let followed = try await follow(database)
        try await database.writeWithoutTransaction { connection in
            try connection.execute("PRAGMA foreign_keys = ON; BEGIN; INSERT INTO items VALUES(1, 'none', 'x', 1)")
            #expect(throws: SQLiteError.self) { try connection.run("COMMIT") }
            try connection.execute("INSERT INTO lists VALUES('none', 'n', 1); COMMIT")
        }
        #expect(try await entries(followed).map(\.count) == [3])
        try await database.writeWithoutTransaction { connection in
            try connection.execute("BEGIN; INSERT INTO items VALUES(2, 'other', 'x', 1)")
            #expect(throws: SQLiteError.self) { try connection.run("COMMIT") }
            try connection.run("ROLLBACK")
        }
        #expect(try await entries(followed).map(\.count) == [3])
    }

    /// Without its entry, nothing is committed.
    @Test func aCommitWhoseEntryCannotBeWrittenFails() async throws {
        let database = try await makeDatabase()
        let followed = try await follow(database)
        try await database.write { try $0.execute("ALTER TABLE squall_sync_log RENAME TO elsewhere") }
        let error = await #expect(throws: SQLiteError.self) {
            try await database.write { try $0.run("INSERT INTO lists VALUES('a', 'a', 1)") }
        }
        #expect(error?.message.contains("squall_sync_log") == true)
        #expect(try await database.read { try $0.query("SELECT count(*) FROM lists") } == 0)
        try await database.write { try $0.execute("ALTER TABLE elsewhere RENAME TO squall_sync_log") }
        try await database.write { try $0.run("INSERT INTO lists VALUES('a', 'a', 1)") }
        #expect(try await entries(followed).map(\.count) == [1])
    }

    // MARK: - Beside others

    @Test func mergesAreNotRecorded() async throws {
        let (office, van) = (try await makeDatabase(), try await makeDatabase())
        let hub = try await SyncLog.follow(office, origin: "hub", role: .hub, tables: Self.tables(.hub))
        let device = try await follow(van)
        try await office.write { try $0.run("INSERT INTO lists VALUES('a', 'a', 1), ('b', 'b', 1)") }
        try await van.write { try $0.run("INSERT INTO lists VALUES('c', 'c', 1)") }
        func exchange() async throws {
            let sent = try await van.read { try device.log.changes(on: $0) }
            try await office.write(isolated: true) { try hub.log.merge(sent, on: $0) }
            let cursor = try await van.read { try device.log.cursor(of: "hub", on: $0) }
            let news = try await office.read { try hub.log.changes(since: cursor, on: $0) }
            try await van.write { try $0.run("UPDATE lists SET at = at + 1 WHERE id = 'c'") }
            try await van.write(isolated: true) { connection in
                try device.log.merge(news, on: connection)
                try connection.run("UPDATE lists SET at = at + 1 WHERE id = 'b'")
            }
        }
        for round in 1...3 {
            try await exchange()
            #expect(try await entries(device).count == 2)
            let rows: [String] = try await van.read { try $0.query("SELECT id || at FROM lists ORDER BY id") }
            #expect(rows == ["a1", "b\(1 + round)", "c\(1 + round)"])
        }
        let sent = try await van.read { try device.log.changes(on: $0) }
        try await office.write(isolated: true) { try hub.log.merge(sent, on: $0) }
        #expect(try await office.read { try $0.query("SELECT id || at FROM lists ORDER BY id") } == ["a1", "b4", "c4"])
    }

    @Test func anUndoIsAChange() async throws {
        let database = try await makeDatabase()
        let history = try await UndoHistory(database, tables: ["lists"])
        let followed = try await follow(database)
        try await database.write { try $0.run("INSERT INTO lists VALUES('a', 'a', 1)") }
        try await history.undo()
        try await history.redo()
        #expect(try await entries(followed).map(\.count) == [1, 1, 1])
        #expect(try await database.read { try $0.query("SELECT id FROM lists") } == "a")
    }

    @Test func theTablesMayChange() async throws {
        let database = try await makeDatabase()
        let followed = try await follow(database)
        try await database.write { try $0.run("ALTER TABLE lists ADD COLUMN mark TEXT DEFAULT 'm'") }
        try await database.write { try $0.run("INSERT INTO lists VALUES('a', 'a', 1, 'n')") }
        #expect(try await entries(followed).joined().contains { $0.contains("'n'") })
        try await followed.flush()
        // Where SQLite cannot report both, the commit is refused.
        do {
            try await database.write { connection in
                try connection.run("UPDATE lists SET at = 2")
                try connection.run("ALTER TABLE lists ADD COLUMN more TEXT")
            }
            #expect(try await entries(followed).joined().contains { $0.contains("2") })
        } catch let error as SQLiteError {
            #expect(error.problem(RecordingProblem.self) == .altered)
            #expect(try await database.read { try $0.query("SELECT at FROM lists") } == 1)
        }
        // Without a migration of the log, nothing is committed that it would not have.
        try await database.write { try $0.execute("DROP TABLE counts") }
        let error = await #expect(throws: SQLiteError.self) {
            try await database.write { try $0.run("DELETE FROM lists") }
        }
        #expect(error?.problem(RecordingProblem.self) == .unknownTable)
        followed.stop()
        try await database.write { try $0.run("DELETE FROM lists") }
        #expect(try await database.read { try $0.query("SELECT count(*) FROM lists") } == 0)
    }

    @Test func itEnds() async throws {
        let database = try await makeDatabase()
        var followed: FollowedLog? = try await follow(database)
        let log = try #require(followed?.log)
        try await database.write { try $0.run("INSERT INTO lists VALUES('a', 'a', 1)") }
        followed = nil
        try await database.write { try $0.run("INSERT INTO lists VALUES('b', 'b', 1)") }
        #expect(try await entries(log, database).count == 1)
        await #expect(throws: SQLiteError.self) {
            try await SyncLog.follow(database, origin: "device", role: .replica, tables: ["nothing": .hubWins])
        }
    }
}
