import SquallChanges
import Foundation
import Squall
import SquallTestSupport
import Testing

/// Rows that are older than a column with a default. SQLite 3.40 reports NULL for it where they are changed.
@Suite(.enabled(if: SQLiteFeatures.sessions))
struct ShortRowTests {
    /// Tables with rows, and then columns of every affinity, with and without a default.
    private static let schema = """
        CREATE TABLE notes(id INTEGER PRIMARY KEY, text TEXT, kind INTEGER DEFAULT 3);
        CREATE TABLE tags(note INTEGER, tag TEXT, weight, PRIMARY KEY(tag, note)) WITHOUT ROWID;
        WITH n(i) AS (VALUES(1), (2), (3), (4), (5), (6), (7), (8)) INSERT INTO notes SELECT i, 'text ' || i, i FROM n;
        INSERT INTO tags SELECT id, 'tag' || id % 3, id FROM notes;
        ALTER TABLE notes ADD COLUMN stars INTEGER NOT NULL DEFAULT 7;
        ALTER TABLE notes ADD COLUMN price REAL DEFAULT '12';
        ALTER TABLE notes ADD COLUMN plain TEXT;
        INSERT INTO notes(id, text) VALUES(9, 'newer');
        ALTER TABLE notes ADD COLUMN name TEXT DEFAULT 1.5;
        ALTER TABLE tags ADD COLUMN data DEFAULT x'00ff';
        ALTER TABLE tags ADD COLUMN number NUMERIC DEFAULT -1;
        """

    private static func made() throws -> Connection {
        let connection = try Connection()
        try connection.execute("\(raw: schema)")
        return connection
    }

    private static func rows(_ connection: Connection) throws -> [String] {
        try ["notes", "tags"].flatMap {
            try connection.query("SELECT * FROM \(raw: $0) ORDER BY 1, 2", as: Row.self).map(\.quotedText)
        }
    }

    private static func statement(_ random: inout SeededGenerator) -> String {
        let id = Int.random(in: 1..<12, using: &random)
        let value = random.pick(["NULL", "7", "'12'", "12", "1.5", "'x'", "x'00ff'", "-1"])
        let column = random.pick(["price", "plain", "name", "kind", "text"])
        let tagColumn = random.pick(["data", "number", "weight"])
        switch Int.random(in: 0..<9, using: &random) {
        case 0: return "UPDATE OR IGNORE notes SET \(column) = \(value) WHERE id = \(id)"
        case 1: return "UPDATE notes SET stars = \(id) WHERE id = \(id)"
        case 2: return "UPDATE OR REPLACE notes SET id = id + \(random.pick(["0", "1", "5"])) WHERE id = \(id)"
        case 3: return "DELETE FROM notes WHERE id = \(id)"
        case 4: return "INSERT OR REPLACE INTO notes(id, text, plain) VALUES(\(id), \(value), \(value))"
        case 5: return "UPDATE tags SET \(tagColumn) = \(value) WHERE note = \(id)"
        case 6: return "UPDATE OR REPLACE tags SET note = note + 1 WHERE note = \(id)"
        case 7: return "DELETE FROM tags WHERE note = \(id)"
        default: return "INSERT OR REPLACE INTO tags(note, tag) VALUES(\(id), 'tag\(id % 3)')"
        }
    }

    /// Calls a closure that makes random changes, some of which are rolled back.
    private static func change(_ connection: Connection, _ random: inout SeededGenerator) throws {
        for _ in 0..<Int.random(in: 1..<5, using: &random) {
            let (sql, isRolledBack) = (statement(&random), random.chance(20))
            try? connection.savepoint {
                try connection.execute("\(raw: sql)")
                if isRolledBack { throw CancellationError() }
            }
        }
    }

    @Test func whatIsRecordedMakesATwinEqualAndBack() throws {
        let seed = TestSeed.of()
        for part in 0..<250 {
            var random = seed.generator(part)
            let (connection, twin, patched) = (try Self.made(), try Self.made(), try Self.made())
            let before = try Self.rows(connection)
            let recorder =
                random.chance(50)
                ? try connection.startRecording() : try connection.startRecording { _ in true }
            let bounded = try connection.startRecording(memoryLimit: 1_000_000)
            if random.chance(30) { try Self.change(connection, &random) }
            try Self.change(connection, &random)
            let after = try Self.rows(connection)
            let (changes, patchset) = (try recorder.changeset(), try recorder.patchset())
            #expect(try Set(bounded.changeset().elements) == Set(changes.elements), "seed \(seed), part \(part)")
            var (stream, patchStream) = (Data(), Data())
            try recorder.writeChangeset { stream += $0 }
            try recorder.writePatchset { patchStream += $0 }
            #expect(stream == changes.data && patchStream == patchset.data, "seed \(seed), part \(part)")
            try twin.apply(changes)
            try patched.apply(patchset)
            #expect(try Self.rows(twin) == after && Self.rows(patched) == after, "seed \(seed), part \(part)")
            try twin.apply(changes.inverted())
            #expect(try Self.rows(twin) == before, "seed \(seed), part \(part)")
            #expect(changes.isEmpty == (before == after), "seed \(seed), part \(part)")
        }
    }

    @Test func anUpdateHasOnlyTheColumnsThatItHasChanged() throws {
        let connection = try Self.made()
        let recorder = try connection.startRecording(in: ["notes"])
        try connection.run("UPDATE notes SET text = 'new' WHERE id = 1")
        try connection.run("UPDATE notes SET price = NULL WHERE id = 2")
        try connection.run("UPDATE notes SET stars = 7 WHERE id = 3")
        try connection.run("DELETE FROM notes WHERE id = 4")
        #expect(
            // Newer versions report the default of a REAL column as an integer, where it is one.
            try recorder.changeset().elements.map { $0.description.replacing("12.0", with: "12") }.sorted() == [
                "delete from notes: (id = 4, text = 'text 4', kind = 4, stars = 7, price = 12, plain = NULL, name = '1.5')",
                "update notes: (id = 1, text = 'text 1') to (text = 'new')",
                "update notes: (id = 2, price = 12) to (price = NULL)",
            ])
        #expect(recorder.memoryUsed > 0)
    }

    /// SQLite 3.40 records NULL as the value before, and so no change.
    @Test func theOnlyAddedColumnIsSetToNull() throws {
        let (connection, twin) = (try Connection(), try Connection())
        for connection in [connection, twin] {
            try connection.execute(
                """
                CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES(1, 1), (2, 2), (3, 3);
                ALTER TABLE t ADD COLUMN w DEFAULT 5
                """)
        }
        let recorder = try connection.startRecording()
        try connection.execute(
            "UPDATE t SET w = NULL WHERE id = 1; UPDATE t SET w = NULL, v = 7 WHERE id = 2; UPDATE t SET w = 5 WHERE id = 3"
        )
        let changes = try recorder.changeset()
        #expect(
            try changes.elements.map(\.description).sorted() == [
                "update t: (id = 1, w = 5) to (w = NULL)", "update t: (id = 2, v = 2, w = 5) to (v = 7, w = NULL)",
            ])
        let rows: SQL = "SELECT group_concat(id || ' ' || v || ' ' || ifnull(w, '-')) FROM t"
        try twin.apply(recorder.patchset())
        #expect(try twin.query(rows) == "1 1 -,2 7 -,3 3 5")
        try twin.apply(changes, options: .inverted)
        #expect(try twin.query(rows) == "1 1 5,2 2 5,3 3 5")
    }

    @Test func changesOfTriggersAreIndirect() throws {
        let connection = try Self.made()
        try connection.execute(
            """
            CREATE TABLE log(id INTEGER PRIMARY KEY);
            CREATE TRIGGER more AFTER INSERT ON log BEGIN UPDATE notes SET price = NULL WHERE id = new.id; END
            """)
        let changes = try connection.recordChanges(in: "notes") {
            try $0.execute("INSERT INTO log VALUES(1); UPDATE notes SET price = NULL WHERE id = 2")
        }
        let isIndirect = try changes.elements.map { ($0.old["id"], $0.isIndirect) }.sorted { "\($0)" < "\($1)" }
        #expect(isIndirect.map(\.1) == [true, false])
    }

    /// The table is altered while it is recorded, before its first change.
    @Test func aColumnThatIsAddedWhileRecording() throws {
        let (connection, twin) = (try Self.made(), try Self.made())
        let recorder = try connection.startRecording()
        for connection in [connection, twin] {
            try connection.execute("ALTER TABLE notes ADD COLUMN late DEFAULT 'late'")
        }
        try connection.run("UPDATE notes SET text = 'new', late = NULL WHERE id IN (1, 9)")
        try twin.apply(recorder.changeset())
        #expect(try Self.rows(twin) == Self.rows(connection))
    }

    @Test func nothingIsNotedWhilePausedNorOfOtherTablesAndDatabases() throws {
        let connection = try Self.made()
        try connection.execute(
            """
            ATTACH ':memory:' AS other; CREATE TABLE other.notes(id INTEGER PRIMARY KEY, text);
            INSERT INTO other.notes VALUES(1, 'a'); ALTER TABLE other.notes ADD COLUMN stars DEFAULT 7
            """)
        let recorder = try connection.startRecording(in: ["notes"])
        recorder.isPaused = true
        try connection.run("UPDATE notes SET text = 'new' WHERE id = 1")
        recorder.isPaused = false
        try connection.run("UPDATE other.notes SET text = 'new' WHERE id = 1")
        try connection.run("UPDATE tags SET weight = NULL")
        #expect(try recorder.changeset().isEmpty)
    }

    // MARK: Undo, hub and replica, observers

    @Test func undoRestoresTheDefault() throws {
        let database = try Database(":memory:")
        try database.blocking.writeWithoutTransaction { try $0.execute("\(raw: Self.schema)") }
        let history = try UndoHistory(database)
        let seed = TestSeed.of()
        var random = seed.generator(0)
        var dumps = [try database.blocking.read { try Self.rows($0) }]
        for _ in 0..<500 {
            try database.blocking.write { try Self.change($0, &random) }
            let rows = try database.blocking.read { try Self.rows($0) }
            if rows != dumps.last { dumps.append(rows) }
            guard random.chance(30) else { continue }
            while try history.blocking.undo() {
                dumps.removeLast()
                try #require(try database.blocking.read { try Self.rows($0) } == dumps.last, "seed \(seed)")
                if random.chance(30) { break }
            }
        }
    }

    @Test func aHubAndAReplicaAgree() throws {
        let tables: [String: SyncLog.Policy] = ["notes": .hubWins, "tags": .hubWins]
        let hub = try SyncReplica("hub", role: .hub, schema: Self.schema, tables: tables)
        let replica = try SyncReplica("replica", role: .replica, schema: Self.schema, tables: tables)
        let seed = TestSeed.of()
        var random = seed.generator(0)
        for step in 0..<120 {
            for side in [hub, replica] {
                try side.log.record(on: side.connection) { try Self.change($0, &random) }
            }
            try hub.pull(replica)
            try replica.pull(hub)
            #expect(try Self.rows(hub.connection) == Self.rows(replica.connection), "seed \(seed), step \(step)")
        }
    }

    @Test func anObserverOfRowsSeesTheDefault() throws {
        let connection = try Self.made()
        let before = try connection.query("SELECT * FROM notes ORDER BY id", as: Row.self).map {
            $0.columns.map(\.bindingValue)
        }
        let seen = Shared<[[BindingValue]]>([])
        try connection.addPreUpdateObserver { change in seen.update { $0.append(change.oldValues) } }
        try connection.run("UPDATE notes SET text = text")
        // Newer versions report the default of a REAL column as an integer, where it is one.
        let same = zip(seen.value, before).map { seen, before in
            zip(seen, before).allSatisfy { $0 == $1 || $0 == .integer(12) && $1 == .real(12) }
        }
        #expect(same == before.map { _ in true })
    }

    /// As `PRAGMA table_xinfo` has them: without the parentheses of an expression, and words as they are.
    @Test(arguments: [
        ("w DEFAULT (CAST('5' AS INTEGER))", "5"), ("w DEFAULT (- - 5)", "5"), ("w DEFAULT hello", "'hello'"),
        ("w TEXT DEFAULT 7", "'7'"), ("w INTEGER DEFAULT '12'", "12"), ("w REAL DEFAULT 2", "2.0"),
        ("w DEFAULT x'00ff'", "x'00ff'"),
        ("w DEFAULT TRUE", "1"), ("w DEFAULT 'it''s'", "'it''s'"), ("w DEFAULT -1.5", "-1.5"),
    ]) func defaultsOfEveryForm(_ column: String, _ value: String) throws {
        let connection = try Connection()
        try connection.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES(1, 1), (2, 2)")
        try connection.execute("ALTER TABLE t ADD COLUMN \(raw: column)")
        let changes = try connection.recordChanges {
            try $0.execute("UPDATE t SET v = 9 WHERE id = 1; DELETE FROM t WHERE id = 2")
        }
        try connection.apply(changes, options: .inverted)
        let rows: SQL = "SELECT lower(id || ' ' || v || ' ' || quote(w)) FROM t ORDER BY id"
        #expect(try connection.query(rows, as: [String].self) == ["1 1 \(value)", "2 2 \(value)"])
        // A peer that has no such column yet.
        let tables: [String: SyncLog.Policy] = ["t": .lastWriter(by: "v")]
        let schema = "CREATE TABLE t(id INTEGER PRIMARY KEY, v);"
        let old = try SyncReplica("old", schema: schema, tables: tables)
        let new = try SyncReplica("new", schema: schema + "ALTER TABLE t ADD COLUMN \(column);", tables: tables)
        try old.record("INSERT INTO t VALUES(1, 1)")
        try new.pull(old)
        #expect(try new.value(rows) == "1 1 \(value)")
    }
}
