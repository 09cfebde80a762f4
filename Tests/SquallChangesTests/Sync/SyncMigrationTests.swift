import SquallChanges
import Squall
import SquallTestSupport
import Testing

@Suite(.enabled(if: SQLiteFeatures.sessions))
struct SyncMigrationTests {
    private static let schema = "CREATE TABLE notes(id TEXT PRIMARY KEY, text TEXT, at INTEGER)"
    private static let policies: [String: SyncLog.Policy] = ["notes": .lastWriter(by: "at")]

    private static func kind(_ body: () throws -> Void) -> SQLiteError.Kind? {
        do {
            try body()
        } catch let error as SQLiteError {
            return error.kind
        } catch {}
        return nil
    }

    @Test func aVersionOfASchemaTakesTheLogAlong() throws {
        let first = Version(1) {
            Execute(SQL(raw: Self.schema))
        }
        let second = Version(2) {
            AlterTable("notes") {
                RenameColumn("text", to: "body")
                RenameColumn("at", to: "changed_at")
                AddColumn("size", Int.self, fillingWith: "length(text)")
            }
            Execute { connection in
                try SyncLog.migrate(
                    "notes", to: 2, columns: ["body": "text", "changed_at": "\"at\"", "size": "length(text)"],
                    on: connection)
            }
        }
        let connection = try Connection()
        try Schema("notes") { first }.migrate(connection)
        var log = try SyncLog(connection, origin: "a", tables: Self.policies)
        try log.record(on: connection) { try $0.run("INSERT INTO notes VALUES('1', 'one', 5)") }
        try log.record(on: connection) { try $0.run("INSERT INTO notes VALUES('2', 'two', 6)") }
        try log.record(on: connection) { try $0.run("DELETE FROM notes WHERE id = '2'") }
        let cursor = try log.changes(on: connection).cursor
        try Schema("notes") {
            first
            second
        }.migrate(connection)
        log = try SyncLog(connection, origin: "a", tables: ["notes": .lastWriter(by: "changed_at")], version: 2)
        let changes = try log.changes(on: connection)
        #expect(changes.cursor == cursor)
        // A new file has all versions, and no log.
        let other = try Connection()
        try Schema("notes") {
            first
            second
        }.migrate(other)
        let otherLog = try SyncLog(other, origin: "b", tables: ["notes": .lastWriter(by: "changed_at")], version: 2)
        let report = try otherLog.merge(changes, on: other)
        #expect(
            report.applied.map(\.description) == [
                "insert into notes: (id = '1', body = 'one', changed_at = 5, size = 3)"
            ])
        // The deletion is known too.
        try otherLog.record(on: other) { try $0.run("INSERT INTO notes VALUES('2', 'again', 1, 5)") }
        #expect(try log.merge(otherLog.changes(on: other), on: connection).superseded.isEmpty)
        #expect(try connection.query("SELECT body FROM notes WHERE id = '2'") == "again")
    }

    @Test func aDatabaseThatHasNotMigratedIsRefused() throws {
        let (one, two) = (
            try SyncReplica("a", schema: Self.schema, tables: Self.policies),
            try SyncReplica("b", schema: Self.schema, tables: Self.policies)
        )
        try one.record("INSERT INTO notes VALUES('1', 'one', 5)")
        let early = try one.batch()
        try one.connection.execute("ALTER TABLE notes RENAME COLUMN text TO body")
        let old = ["id", "text", "at"]
        let columns = SQLiteError.Kind.problem(
            SyncProblem.otherColumns(expected: old, found: ["id", "body", "at"]), of: .table("notes"))
        #expect(Self.kind { _ = try one.batch() } == columns)
        for _ in 1...2 {
            // The second time nothing is done.
            try SyncLog.migrate("notes", to: 1, columns: ["body": "text"], on: one.connection)
        }
        // The log of before.
        #expect(Self.kind { _ = try one.batch() } == .problem(SyncProblem.otherVersion(expected: 0, found: 1)))
        try one.open(Self.policies, version: 1)
        #expect(Self.kind { try two.pull(one) } == .problem(SyncProblem.otherVersion(expected: 0, found: 1)))
        #expect(Self.kind { try one.pull(two) } == .problem(SyncProblem.otherVersion(expected: 1, found: 0)))
        #expect(
            Self.kind { try two.open(Self.policies, version: 1) }
                == .problem(SyncProblem.otherVersion(expected: 1, found: 0)))
        try two.connection.execute("ALTER TABLE notes RENAME COLUMN text TO body")
        try SyncLog.migrate("notes", to: 1, columns: ["body": "text"], on: two.connection)
        try two.open(Self.policies, version: 1)
        #expect(Self.kind { try two.merge(early) } == .problem(SyncProblem.otherVersion(expected: 1, found: 0)))
        try two.pull(one)
        #expect(try two.rows("notes") == ["'1', 'one', 5"])
    }

    @Test func theStampsOfTheLogAreConverted() throws {
        let (one, two) = (
            try SyncReplica("a", schema: Self.schema, tables: Self.policies),
            try SyncReplica("b", schema: Self.schema, tables: Self.policies)
        )
        try one.record("INSERT INTO notes VALUES('1', 'one', 5)")
        try one.connection.execute("UPDATE notes SET text = upper(text), at = at * 1000")
        let columns: [String: SQL] = ["text": "upper(text)", "at": "\"at\" * 1000"]
        for peer in [one, two] {
            try SyncLog.migrate("notes", to: 1, columns: columns, on: peer.connection)
            try peer.open(Self.policies, version: 1)
        }
        // The stamps of the log have the new unit as well.
        try two.record("INSERT INTO notes VALUES('1', 'two', 4999)")
        #expect(try one.pull(two).superseded.count == 1)
        try two.pull(one)
        #expect(try one.rows("notes") == ["'1', 'ONE', 5000"])
        #expect(try two.rows("notes") == ["'1', 'ONE', 5000"])
    }

    /// Two peers that fill a new column with other values have those of one of them.
    @Test func whatOnlyTheTableHasIsSentAgain() throws {
        let (one, two) = (
            try SyncReplica("a", schema: Self.schema, tables: Self.policies),
            try SyncReplica("b", schema: Self.schema, tables: Self.policies)
        )
        try one.record("INSERT INTO notes VALUES('1', 'one', 5), ('2', 'two', 6)")
        try two.pull(one)
        for (peer, mark) in [(one, "x"), (two, "y")] {
            try peer.connection.execute(
                "ALTER TABLE notes ADD COLUMN mark; UPDATE notes SET mark = '\(raw: mark)' WHERE id = '1'")
            try SyncLog.migrate("notes", to: 1, on: peer.connection)
            try peer.open(Self.policies, version: 1)
        }
        #expect(try one.batch().count == 2)
        try one.pull(two)
        try two.pull(one)
        #expect(try one.rows("notes") == two.rows("notes"))
        #expect(try one.rows("notes") == ["'1', 'one', 5, 'y'", "'2', 'two', 6, NULL"])
    }

    @Test func aPendingRowIsTakenAlong() throws {
        let schema = "CREATE TABLE notes(id TEXT PRIMARY KEY, text TEXT UNIQUE, at INTEGER)"
        let (one, two) = (
            try SyncReplica("a", schema: schema, tables: Self.policies),
            try SyncReplica("b", schema: schema, tables: Self.policies)
        )
        try one.record("INSERT INTO notes VALUES('1', 'same', 5)")
        try two.record("INSERT INTO notes VALUES('2', 'same', 6)")
        try two.pull(one)
        #expect(try two.pending().count == 1)
        for peer in [one, two] {
            try peer.connection.execute("ALTER TABLE notes RENAME TO pages; ALTER TABLE pages RENAME text TO body")
            try SyncLog.migrate("pages", to: 1, from: "notes", columns: ["body": "text"], on: peer.connection)
            try peer.open(["pages": .lastWriter(by: "at")], version: 1)
        }
        #expect(try two.pending().map(\.change.description) == ["insert into pages: (id = '1', body = 'same', at = 5)"])
        try two.record("UPDATE pages SET body = 'other', at = 7")
        try two.pull(one)
        #expect(try two.rows("pages") == ["'1', 'same', 5", "'2', 'other', 7"])
        #expect(try two.pending().isEmpty)
    }

    @Test func aNewColumnThatMustHaveAValueIsToBeNamed() throws {
        let peer = try SyncReplica("a", schema: Self.schema, tables: Self.policies)
        try peer.record("INSERT INTO notes VALUES('1', 'one', 5)")
        try peer.connection.execute(
            """
            CREATE TABLE new(id TEXT PRIMARY KEY, text TEXT, at INTEGER, size INTEGER NOT NULL);
            INSERT INTO new SELECT *, length(text) FROM notes; DROP TABLE notes; ALTER TABLE new RENAME TO notes
            """)
        let unfilled = SQLiteError.Kind.problem(SyncProblem.unfilledColumn(column: "size"), of: .table("notes"))
        #expect(Self.kind { try SyncLog.migrate("notes", to: 1, on: peer.connection) } == unfilled)
        let unknown = SQLiteError.Kind.problem(SyncProblem.unknownColumn(column: "length"), of: .table("notes"))
        #expect(
            Self.kind { try SyncLog.migrate("notes", to: 1, columns: ["length": "1"], on: peer.connection) }
                == unknown)
        #expect(throws: SQLiteError.self) {
            try SyncLog.migrate("notes", to: 1, columns: ["size": "missing(text)"], on: peer.connection)
        }
        // Not a text, though it is in double quotes.
        #expect(throws: SQLiteError.self) {
            try SyncLog.migrate("notes", to: 1, columns: ["size": "length(\"text_\")"], on: peer.connection)
        }
        try SyncLog.migrate("notes", to: 1, columns: ["SIZE": "length(text)"], on: peer.connection)
        try peer.open(Self.policies, version: 1)
        #expect(try peer.batch().changesets.count == 1)
    }

    @Test func aTableIsTakenOutOfTheLog() throws {
        let schema = "\(Self.schema); CREATE TABLE tags(name TEXT PRIMARY KEY, at INTEGER)"
        let policies: [String: SyncLog.Policy] = ["notes": .lastWriter(by: "at"), "tags": .lastWriter(by: "at")]
        let peer = try SyncReplica("a", schema: schema, tables: policies)
        try peer.record("INSERT INTO notes VALUES('1', 'one', 5); INSERT INTO tags VALUES('red', 1)")
        try peer.connection.execute("DROP TABLE tags")
        #expect(Self.kind { try peer.open(Self.policies) } == .problem(SyncProblem.unnamedTable, of: .table("tags")))
        try SyncLog.remove("TAGS", on: peer.connection)
        try peer.open(Self.policies)
        #expect(try peer.batch().count == 1)
        // A table that the log does not have.
        try SyncLog.remove("tags", on: peer.connection)
        try SyncLog.migrate("tags", to: 0, on: peer.connection)
    }

    @Test func aReplicaKeepsWhatItHasNotSent() throws {
        let schema = "\(Self.schema); CREATE TABLE tags(name TEXT PRIMARY KEY)"
        let policies: [String: SyncLog.Policy] = ["notes": .hubWins, "tags": .hubWins]
        let hub = try SyncReplica("hub", role: .hub, schema: schema, tables: policies)
        let replica = try SyncReplica("r", role: .replica, schema: schema, tables: policies)
        try hub.record("INSERT INTO notes VALUES('1', 'one', 5), ('2', 'two', 6); INSERT INTO tags VALUES('red')")
        try replica.pull(hub)
        try replica.record("UPDATE notes SET text = 'ONE' WHERE id = '1'")
        try replica.record("UPDATE notes SET at = 60 WHERE id = '2'; INSERT INTO tags VALUES('blue')")
        try replica.record("DELETE FROM notes WHERE id = '2'; INSERT INTO notes VALUES('3', 'three', 7)")
        for database in [hub, replica] {
            try database.connection.execute(
                """
                ALTER TABLE notes RENAME TO pages; ALTER TABLE pages RENAME COLUMN text TO body; ALTER TABLE pages DROP COLUMN at;
                ALTER TABLE pages ADD COLUMN size INTEGER; UPDATE pages SET size = length(body); DROP TABLE tags
                """)
            try SyncLog.migrate(
                "pages", to: 1, from: "notes", columns: ["body": "text", "size": "length(text)"],
                on: database.connection)
            try SyncLog.remove("tags", on: database.connection)
            try database.open(["pages": .hubWins], version: 1)
        }
        let report = try hub.pull(replica)
        #expect(report.conflicts.isEmpty)
        #expect(try hub.rows("pages") == ["'1', 'ONE', 3", "'3', 'three', 5"])
        try replica.pull(hub)
        #expect(try replica.rows("pages") == hub.rows("pages"))
        // A new replica begins with the migrated entries.
        let late = try SyncReplica(
            "late", role: .replica, schema: "CREATE TABLE pages(id TEXT PRIMARY KEY, body TEXT, size INTEGER)",
            tables: ["pages": .hubWins], version: 1)
        try late.merge(hub.batch(limit: 1))
        try late.merge(hub.batch())
        #expect(try late.rows("pages") == hub.rows("pages"))
    }

    /// A filling that the log is not told of.
    @Test func whatAReplicaHasNotSentIsSentAsTheTableHasIt() throws {
        let policies: [String: SyncLog.Policy] = ["notes": .replicaWins]
        let hub = try SyncReplica("hub", role: .hub, schema: Self.schema, tables: policies)
        let replica = try SyncReplica("r", role: .replica, schema: Self.schema, tables: policies)
        try hub.record("INSERT INTO notes VALUES('1', 'one', 5), ('2', 'two', 5)")
        try replica.pull(hub)
        try replica.record("UPDATE notes SET at = 6 WHERE id = '1'; INSERT INTO notes VALUES('3', 'three', 7)")
        try replica.record("UPDATE notes SET text = 'TWO' WHERE id = '2'")
        for (database, mark) in [(hub, "h"), (replica, "r")] {
            try database.connection.execute(
                """
                UPDATE notes SET at = at * 1000; ALTER TABLE notes ADD COLUMN mark; UPDATE notes SET mark = '\(raw: mark)'
                """)
            try SyncLog.migrate("notes", to: 1, on: database.connection)
            try database.open(policies, version: 1)
        }
        try hub.pull(replica)
        #expect(try hub.rows("notes") == ["'1', 'one', 6000, 'h'", "'2', 'TWO', 5000, 'h'", "'3', 'three', 7000, 'r'"])
        try replica.pull(hub)
        #expect(try replica.rows("notes") == hub.rows("notes"))
    }

    @Test func aLogIsNotMigratedInsideARecording() throws {
        let peer = try SyncReplica("a", schema: Self.schema, tables: Self.policies)
        #expect(
            Self.kind {
                try peer.log.record(on: peer.connection) { try SyncLog.migrate("notes", to: 1, on: $0) }
            } == .problem(SyncProblem.nested))
    }

    /// Rows that the migration itself deletes, inserts and changes.
    @Test func whatTheMigrationDoesToRowsTravels() throws {
        let (one, two) = (
            try SyncReplica("a", schema: Self.schema, tables: Self.policies),
            try SyncReplica("b", schema: Self.schema, tables: Self.policies)
        )
        try one.record("INSERT INTO notes VALUES('1', 'one', 5), ('2', NULL, 5)")
        try two.pull(one)
        try one.record("INSERT INTO notes VALUES('3', NULL, 6)")
        for peer in [one, two] {
            try peer.connection.execute(
                "DELETE FROM notes WHERE text IS NULL; INSERT INTO notes VALUES('9', 'nine', 1)")
            try SyncLog.migrate("notes", to: 1, on: peer.connection)
            try peer.open(Self.policies, version: 1)
        }
        try two.pull(one)
        try one.pull(two)
        let late = try SyncReplica("c", schema: Self.schema, tables: Self.policies, version: 1)
        try late.pull(one)
        for peer in [one, two, late] { #expect(try peer.rows("notes") == ["'1', 'one', 5", "'9', 'nine', 1"]) }
    }

    @Test func aReplicaWhoseRowTheMigrationHasDeleted() throws {
        let policies: [String: SyncLog.Policy] = ["notes": .hubWins]
        let hub = try SyncReplica("hub", role: .hub, schema: Self.schema, tables: policies)
        let replica = try SyncReplica("r", role: .replica, schema: Self.schema, tables: policies)
        try hub.record("INSERT INTO notes VALUES('1', 'one', 5), ('7', 'seven', 5)")
        try replica.pull(hub)
        try replica.record("UPDATE notes SET at = 6 WHERE id = '7'")
        for database in [hub, replica] {
            try database.connection.run("DELETE FROM notes WHERE id = '7'")
            try SyncLog.migrate("notes", to: 1, on: database.connection)
            try database.open(policies, version: 1)
        }
        let report = try hub.pull(replica)
        #expect(report.conflicts.map(\.kind) == [.notFound])
        try replica.pull(hub)
        #expect(try hub.rows("notes") == ["'1', 'one', 5"])
        #expect(try replica.rows("notes") == ["'1', 'one', 5"])
    }

    /// The key is the value of another column from now on.
    @Test func aKeyOfOtherValues() throws {
        let schema = "CREATE TABLE notes(id INTEGER PRIMARY KEY, code TEXT UNIQUE)"
        let policies: [String: SyncLog.Policy] = ["notes": .hubWins]
        let hub = try SyncReplica("hub", role: .hub, schema: schema, tables: policies)
        let replica = try SyncReplica("r", role: .replica, schema: schema, tables: policies)
        try hub.record("INSERT INTO notes VALUES(1, 'a'), (2, NULL)")
        try hub.record("UPDATE notes SET code = 'b' WHERE id = 1; UPDATE notes SET code = 'two' WHERE id = 2")
        try replica.pull(hub)
        try replica.record("UPDATE notes SET code = 'c' WHERE id = 1")
        for database in [hub, replica] {
            try database.connection.execute(
                """
                CREATE TABLE new(id INTEGER, code TEXT PRIMARY KEY); INSERT INTO new SELECT * FROM notes; DROP TABLE notes;
                ALTER TABLE new RENAME TO notes
                """)
            try SyncLog.migrate("notes", to: 1, on: database.connection)
            try database.open(policies, version: 1)
        }
        #expect(try hub.pull(replica).conflicts.isEmpty)
        let late = try SyncReplica(
            "late", role: .replica, schema: "CREATE TABLE notes(id INTEGER, code TEXT PRIMARY KEY)", tables: policies,
            version: 1)
        for database in [replica, late] {
            try database.pull(hub, limit: 1)
            try database.pull(hub)
            #expect(try database.rows("notes") == ["1, 'c'", "2, 'two'"])
        }
        #expect(try hub.rows("notes") == ["1, 'c'", "2, 'two'"])
    }

    /// Two keys become one: the row that the table has is the newest.
    @Test func keysThatBecomeEqual() throws {
        let (one, two) = (
            try SyncReplica("a", schema: Self.schema, tables: Self.policies),
            try SyncReplica("b", schema: Self.schema, tables: Self.policies)
        )
        try one.record("INSERT INTO notes VALUES('a', 'lower', 9), ('A', 'upper', 5)")
        try one.record("DELETE FROM notes WHERE id = 'a'")
        for peer in [one, two] {
            try peer.connection.run("UPDATE notes SET id = lower(id)")
            try SyncLog.migrate("notes", to: 1, columns: ["id": "lower(id)"], on: peer.connection)
            try peer.open(Self.policies, version: 1)
        }
        try two.pull(one)
        try one.pull(two)
        #expect(try one.rows("notes") == ["'a', 'upper', 5"])
        #expect(try two.rows("notes") == ["'a', 'upper', 5"])
    }

    @Test func theColumnOfTheLastWriterIsConverted() throws {
        let (one, two) = (
            try SyncReplica("a", schema: Self.schema, tables: Self.policies),
            try SyncReplica("b", schema: Self.schema, tables: Self.policies)
        )
        try one.record("INSERT INTO notes VALUES('1', 'one', 9), ('2', 'two', 9)")
        try one.record("DELETE FROM notes WHERE id = '2'")
        let policies: [String: SyncLog.Policy] = ["notes": .lastWriter(by: "ms")]
        for peer in [one, two] {
            try peer.connection.execute("UPDATE notes SET at = at * 1000; ALTER TABLE notes RENAME COLUMN at TO ms")
            let columns: [String: SQL] = ["ms": "\"at\" * 1000"]
            #expect(
                Self.kind { try SyncLog.migrate("notes", to: 1, columns: columns, on: peer.connection) }
                    == .problem(SyncProblem.stampColumn(column: "at"), of: .table("notes")))
            try SyncLog.migrate("notes", to: 1, columns: columns, lastWriter: "ms", on: peer.connection)
            #expect(Self.kind { try peer.open(Self.policies, version: 1) } != nil)
            try peer.open(policies, version: 1)
        }
        try two.record("INSERT INTO notes VALUES('1', 'older', 5000), ('2', 'older', 5000)")
        #expect(try one.pull(two).superseded.count == 2)
        try two.pull(one)
        #expect(try two.rows("notes") == ["'1', 'one', 9000"])
    }

    /// Columns that the log has not seen: added and renamed in versions between, or recorded without opening the log again.
    @Test func columnsThatTheLogHasNotSeen() throws {
        let peer = try SyncReplica("a", schema: Self.schema, tables: Self.policies)
        try peer.record("INSERT INTO notes VALUES('1', 'one', 5)")
        try peer.connection.execute("ALTER TABLE notes ADD COLUMN x DEFAULT 1; ALTER TABLE notes RENAME COLUMN x TO y")
        try SyncLog.migrate("notes", to: 3, columns: ["y": "x"], on: peer.connection)
        try peer.open(Self.policies, version: 3)
        try peer.connection.execute("ALTER TABLE notes ADD COLUMN z DEFAULT 2")
        try peer.record("INSERT INTO notes VALUES('2', 'two', 6, 7, 8)")
        try peer.connection.execute("ALTER TABLE notes RENAME COLUMN z TO last")
        try SyncLog.migrate("notes", to: 4, columns: ["last": "z"], on: peer.connection)
        try peer.open(Self.policies, version: 4)
        let schema = "CREATE TABLE notes(id TEXT PRIMARY KEY, text TEXT, at INTEGER, y, last)"
        let other = try SyncReplica("b", schema: schema, tables: Self.policies, version: 4)
        try other.pull(peer)
        #expect(try other.rows("notes") == ["'1', 'one', 5, 1, 2", "'2', 'two', 6, 7, 8"])
    }

    /// A peer with a column more has the rows of others with its default. A migration does not make them its own changes.
    @Test(arguments: [("x", ["text": "text"]), ("y", ["y": "x"])])
    func rowsOfAPeerWithFewerColumns(column: String, columns: [String: SQL]) throws {
        let one = try SyncReplica("a", schema: Self.schema, tables: Self.policies)
        let two = try SyncReplica(
            "b", schema: "\(Self.schema); ALTER TABLE notes ADD COLUMN x REAL DEFAULT 7", tables: Self.policies)
        try one.record("INSERT INTO notes VALUES('1', 'one', 5)")
        try two.pull(one)
        try one.record("UPDATE notes SET text = 'new'")
        if column == "y" { try two.connection.execute("ALTER TABLE notes RENAME COLUMN x TO y") }
        try SyncLog.migrate("notes", to: 1, columns: columns, on: two.connection)
        try SyncLog.migrate("notes", to: 1, on: one.connection)
        for peer in [one, two] { try peer.open(Self.policies, version: 1) }
        try two.pull(one)
        #expect(try two.rows("notes") == ["'1', 'new', 5, 7.0"])
    }

    @Test func theNameOfAnotherTableOfTheLog() throws {
        let schema = "\(Self.schema); CREATE TABLE tags(name TEXT PRIMARY KEY, at INTEGER)"
        let policies: [String: SyncLog.Policy] = ["notes": .lastWriter(by: "at"), "tags": .lastWriter(by: "at")]
        let peer = try SyncReplica("a", schema: schema, tables: policies)
        try peer.connection.execute("DROP TABLE tags; ALTER TABLE notes RENAME TO tags")
        #expect(
            Self.kind { try SyncLog.migrate("tags", to: 1, from: "notes", on: peer.connection) }
                == .problem(SyncProblem.tableInLog, of: .table("tags")))
        try SyncLog.remove("tags", on: peer.connection)
        try SyncLog.migrate("tags", to: 1, from: "notes", on: peer.connection)
        try peer.open(["tags": .lastWriter(by: "at")], version: 1)
    }
}
