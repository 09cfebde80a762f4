import Foundation
import Squall
import SquallChanges
import SquallTestSupport
import Testing

/// Random SQL beside a followed log, with savepoints, failed commits, statements outside transactions, and an undo history: the entries
/// give the rows of the tables.
@Suite(.enabled(if: SQLiteFeatures.sessions), .timeLimit(.minutes(3)))
struct HostileFollowPropertyTests {
    private static let tablesSQL = """
        CREATE TABLE lists(id TEXT PRIMARY KEY, name TEXT UNIQUE, at INTEGER, parent TEXT REFERENCES lists ON DELETE SET NULL ON UPDATE CASCADE);
        CREATE TABLE parts(
            b TEXT DEFAULT 'l0' REFERENCES lists ON DELETE SET DEFAULT ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED,
            a INTEGER, at INTEGER, value, PRIMARY KEY(a, b)) WITHOUT ROWID;
        CREATE TABLE notes(id INTEGER PRIMARY KEY, text BLOB, at INTEGER);
        """

    private static let triggersSQL = """
        CREATE TRIGGER t1 AFTER INSERT ON lists WHEN new.at % 3 = 0 BEGIN
            INSERT INTO notes(text, at) VALUES(new.name, new.at);
            UPDATE lists SET at = at + 1 WHERE id = new.id;
        END;
        CREATE TRIGGER t2 BEFORE DELETE ON notes WHEN old.at % 7 = 0 BEGIN SELECT RAISE(IGNORE); END;
        CREATE TRIGGER t3 AFTER DELETE ON lists BEGIN DELETE FROM notes WHERE at = old.at; END;
        CREATE TRIGGER t4 AFTER UPDATE OF text ON notes WHEN new.at % 11 = 0 BEGIN SELECT RAISE(ROLLBACK, 'no'); END;
        CREATE VIRTUAL TABLE found USING fts5(text, content=notes, content_rowid=id);
        CREATE TRIGGER f1 AFTER INSERT ON notes BEGIN INSERT INTO found(rowid, text) VALUES(new.id, new.text); END;
        """

    private static let names = ["lists", "parts", "notes"]

    private static func sql(_ random: inout SeededGenerator) -> SQL {
        let (x, y, n) = (
            "l\(Int.random(in: 0..<5, using: &random))", "l\(Int.random(in: 0..<5, using: &random))",
            Int.random(in: 0..<60, using: &random)
        )
        return switch Int.random(in: 0..<20, using: &random) {
        case 0: "INSERT INTO lists VALUES(\(x), \(y), \(n), NULL)"
        case 1: "REPLACE INTO lists VALUES(\(x), \(y), \(n), \(x))"
        case 2: "UPDATE OR REPLACE lists SET id = \(y), at = \(n) WHERE id = \(x)"
        case 3: "DELETE FROM lists WHERE id = \(x)"
        case 4: "INSERT INTO lists VALUES(NULL, 'null' || \(n), \(n), NULL)"
        case 5: "UPDATE OR IGNORE lists SET id = \(x) WHERE id IS NULL"
        case 6: "UPDATE lists SET id = NULL WHERE id = \(x)"
        case 7, 8: "INSERT INTO parts VALUES(\(x), \(n % 3), \(n), zeroblob(\(n)))"
        case 9:
            "INSERT INTO parts VALUES(\(x), \(n % 3), \(n), CAST(x'ff61' AS TEXT)) ON CONFLICT DO UPDATE SET value = at, at = excluded.at"
        case 10: "UPDATE OR REPLACE parts SET a = (a + 1) % 3"
        case 11: "DELETE FROM parts WHERE at % 4 = \(n % 4)"
        case 12: "INSERT INTO notes(text, at) VALUES(\(x), \(n)) RETURNING id"
        case 13: "UPDATE OR ROLLBACK notes SET id = \(n % 6) WHERE at < \(n) RETURNING *"
        case 14: "UPDATE notes SET text = text || 'x' WHERE at > \(n)"
        case 15: "DELETE FROM notes"
        case 16: "UPDATE lists SET parent = \(y), name = name WHERE id = \(x)"
        case 17: "INSERT OR FAIL INTO lists SELECT id || 'a', name || \(n), \(n), NULL FROM lists WHERE length(id) < 4"
        case 18: "DELETE FROM lists WHERE length(id) > 2"
        default: "UPDATE lists SET name = CASE id WHEN \(x) THEN name || '1' ELSE name END, at = NULL"
        }
    }

    @Test(arguments: [SyncLog.Role.replica, .peer], 0..<Rounds.of(200)) func theEntriesAreTheRows(
        _ role: SyncLog.Role, _ seed: Int
    ) async throws {
        let policy: SyncLog.Policy = role == .peer ? .lastWriter(by: "at") : .hubWins
        let tables = [String: SyncLog.Policy](uniqueKeysWithValues: Self.names.map { ($0, policy) })
        var configuration = Configuration.recommended
        configuration.foreignKeys = seed % 3 != 0
        let database = try Database(":memory:", configuration: configuration)
        try await database.write { connection in
            try connection.execute("\(raw: Self.tablesSQL) \(raw: Self.triggersSQL)")
            try connection.execute("INSERT INTO lists VALUES('l0', 'first', 1, NULL)")
        }
        let history = seed % 2 == 0 ? try await UndoHistory(database, tables: ["lists", "notes"]) : nil
        let followed = try await SyncLog.follow(database, origin: "device", role: role, tables: tables)
        var random = SeededGenerator(seed: seed &* 1000)
        for _ in 0..<40 {
            let start = random
            for _ in 0..<100 { _ = random.next() }
            if let history, random.chance(20) {
                if random.chance(60) { _ = try? await history.undo() } else { _ = try? await history.redo() }
                continue
            }
            try? await database.writeWithoutTransaction { connection in
                var random = start
                for _ in 0..<8 {
                    let statement: SQL =
                        switch Int.random(in: 0..<12, using: &random) {
                        case 0: "BEGIN"
                        case 1: "SAVEPOINT s"
                        case 2: "RELEASE s"
                        case 3: "ROLLBACK TO s"
                        case 4: "COMMIT"
                        case 5: "ROLLBACK"
                        default: Self.sql(&random)
                        }
                    do {
                        if random.chance(50) {
                            try connection.run(statement)
                        } else {
                            try connection.execute(statement)
                        }
                    } catch let error as SQLiteError {
                        if statement == "COMMIT", connection.isInTransaction, error.resultCode == .constraint {
                            try connection.run("ROLLBACK")
                        }
                    }
                }
                if connection.isInTransaction { try? connection.run("COMMIT") }
                if connection.isInTransaction { try connection.run("ROLLBACK") }
            }
        }
        try await followed.flush()
        let batch = try await database.read { try followed.log.changes(on: $0) }
        let other = try Connection()
        try other.execute("\(raw: Self.tablesSQL)")
        let log = try SyncLog(other, origin: "other", role: role == .peer ? .peer : .hub, tables: tables)
        let report = try log.merge(batch, on: other)
        #expect(report.conflicts.map { "\($0)" } == [] && report.pending.isEmpty)
        for table in Self.names {
            let sql: SQL = "SELECT * FROM \(name: table) WHERE \(raw: table == "lists" ? "id IS NOT NULL" : "true")"
            let expected = try await database.read { try $0.query(sql, as: Row.self).map(\.quotedText).sorted() }
            let found = try other.query(sql, as: Row.self).map(\.quotedText).sorted()
            #expect(found == expected, "seed \(seed), \(table)")
        }
    }
}
