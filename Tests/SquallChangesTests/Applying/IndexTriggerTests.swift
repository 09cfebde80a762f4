import SquallChanges
import Squall
import SquallTestSupport
import Testing

/// Search tables and R*Trees beside changes that are written without the triggers of the program.
@Suite(.enabled(if: SQLiteFeatures.sessions && SQLiteFeatures.fullTextSearch && SQLiteFeatures.spatialTables))
struct IndexTriggerTests {
    /// A table with a search table, an R*Tree, and triggers of the program.
    private static let schema = """
        CREATE TABLE places(id INTEGER PRIMARY KEY, title TEXT, x REAL, code INTEGER);
        CREATE TABLE log(text);
        CREATE VIRTUAL TABLE boxes USING rtree(id, x1, x2);
        CREATE VIRTUAL TABLE words USING fts5(title, content = 'places', content_rowid = 'id');
        CREATE TRIGGER words_insert AFTER INSERT ON places BEGIN
            INSERT INTO words(rowid, title) VALUES(new.id, new.title);
        END;
        CREATE TRIGGER words_delete AFTER DELETE ON places BEGIN
            INSERT INTO words(words, rowid, title) VALUES('delete', old.id, old.title);
        END;
        CREATE TRIGGER words_update AFTER UPDATE ON "places" WHEN old.title IS NOT new.title OR old.id IS NOT new.id BEGIN
            INSERT INTO words(words, rowid, title) VALUES('delete', old.id, old.title);
            INSERT INTO words(rowid, title) VALUES(new.id, new.title);
        END;
        CREATE TRIGGER boxes_insert AFTER INSERT ON places WHEN new.x IS NOT NULL BEGIN
            INSERT OR REPLACE INTO boxes VALUES(new.id, new.x, new.x);
        END;
        CREATE TRIGGER boxes_delete AFTER DELETE ON places BEGIN DELETE FROM boxes WHERE id = old.id; END;
        CREATE TRIGGER boxes_update AFTER UPDATE OF id, x ON places BEGIN
            DELETE FROM boxes WHERE id = old.id;
            INSERT INTO boxes SELECT new.id, new.x, new.x WHERE new.x IS NOT NULL;
        END;
        CREATE TRIGGER counted AFTER INSERT ON places BEGIN INSERT INTO log VALUES('main'); END;
        """
    private static let temporary = """
        CREATE TEMP TRIGGER seen AFTER UPDATE ON places BEGIN INSERT INTO log VALUES('temp'); END;
        CREATE TEMP TRIGGER words_insert AFTER INSERT ON places BEGIN INSERT INTO log VALUES('temp'); END;
        """

    private static func statement(_ random: inout SeededGenerator) -> String {
        let id = Int.random(in: 1..<9, using: &random)
        let title = random.pick(["'one two'", "'two three'", "'three'", "'ÄÖ x'", "NULL", "''"])
        let x = random.pick(["1.5", "2.25", "-3", "NULL", "7"])
        let code = random.pick(["1", "2", "3", "NULL"])
        return switch Int.random(in: 0..<6, using: &random) {
        case 0, 1: "INSERT OR IGNORE INTO places VALUES(\(id), \(title), \(x), \(code))"
        case 2: "INSERT OR REPLACE INTO places VALUES(\(id), \(title), \(x), \(code))"
        case 3: "DELETE FROM places WHERE id = \(id)"
        case 4: "UPDATE OR IGNORE places SET title = \(title), code = \(code) WHERE id = \(id)"
        default: "UPDATE OR IGNORE places SET x = \(x), id = \(id) WHERE id = \(id % 8 + 1)"
        }
    }

    /// Throws, or records an issue, where an index differs from its table.
    private static func check(_ connection: Connection, _ comment: Comment) throws {
        try connection.run("INSERT INTO words(words, rank) VALUES('integrity-check', 1)")
        let tree: String? = try connection.query("SELECT rtreecheck('boxes')")
        #expect(tree == "ok", comment)
        let boxes: [String] = try connection.query("SELECT id || ' ' || x1 FROM boxes ORDER BY id")
        let places: [String] = try connection.query(
            "SELECT id || ' ' || x FROM places WHERE x IS NOT NULL ORDER BY id")
        #expect(boxes == places, comment)
    }

    private static func log(_ connection: Connection) throws -> [String] {
        try connection.query("SELECT text FROM log")
    }

    private static func rows(_ connection: Connection) throws -> [String] {
        try connection.query("SELECT format('%d %Q %s %s', id, title, x, code) FROM places ORDER BY id")
    }

    @Test func indexesFollowEachStepOfAnUndoHistory() throws {
        let seed = TestSeed.of()
        var random = seed.generator(0)
        let database = try Database(":memory:")
        try database.blocking.writeWithoutTransaction {
            try $0.execute("\(raw: Self.schema + Self.temporary) CREATE UNIQUE INDEX codes ON places(code)")
        }
        let history = try UndoHistory(database, tables: ["places"], limit: 10_000)
        for step in 0..<500 {
            let comment: Comment = "seed \(seed), step \(step)"
            let sql = Self.statement(&random)
            let choice = Int.random(in: 0..<10, using: &random)
            let before = try database.blocking.read { try Self.log($0) }
            switch choice {
            case 0..<3: try history.blocking.undo()
            case 3..<5: try history.blocking.redo()
            default: try database.blocking.writeWithoutTransaction { try $0.execute("\(raw: sql)") }
            }
            try database.blocking.writeWithoutTransaction {
                if choice < 5 { #expect(try Self.log($0) == before, comment) }
                try Self.check($0, comment)
            }
        }
        let triggers: [String] = try database.blocking.writeWithoutTransaction {
            try $0.query("SELECT name FROM temp.sqlite_master WHERE type = 'trigger' ORDER BY rowid")
        }
        #expect(triggers == ["seen", "words_insert"])
    }

    @Test(arguments: [true, false]) func indexesFollowAppliedChanges(_ runsTriggers: Bool) throws {
        let seed = TestSeed.of()
        var random = seed.generator(1)
        let (one, other) = (try Connection(), try Connection())
        for connection in [one, other] {
            try connection.execute("PRAGMA recursive_triggers = ON; \(raw: Self.schema + Self.temporary)")
        }
        for step in 0..<500 {
            let comment: Comment = "seed \(seed), step \(step)"
            let sql = Self.statement(&random)
            let changes = try one.recordChanges(in: "places") { try $0.execute("\(raw: sql)") }
            let before = try Self.log(other)
            try other.apply(changes, options: runsTriggers ? [] : .withoutTriggers)
            if !runsTriggers { #expect(try Self.log(other) == before, comment) }
            #expect(try Self.rows(other) == Self.rows(one), comment)
            try Self.check(other, comment)
        }
        #expect(try Self.log(other).isEmpty != runsTriggers)
    }

    @Test(arguments: [true, false]) func indexesFollowMergedChanges(_ runsTriggers: Bool) throws {
        let seed = TestSeed.of()
        var random = seed.generator(2)
        func replica(_ origin: String, _ role: SyncLog.Role) throws -> SyncReplica {
            try SyncReplica(
                origin, role: role, schema: "PRAGMA recursive_triggers = ON; " + Self.schema + Self.temporary,
                tables: ["places": .hubWins], runsTriggers: runsTriggers)
        }
        let peers = [try replica("hub", .hub), try replica("replica", .replica)]
        for step in 0..<500 {
            let comment: Comment = "seed \(seed), step \(step)"
            let writer = Int.random(in: 0..<2, using: &random)
            try peers[writer].record("\(raw: Self.statement(&random))")
            if random.chance(40) {
                let reader = peers[1 - writer]
                let before = try Self.log(reader.connection)
                try reader.pull(peers[writer])
                if !runsTriggers { #expect(try Self.log(reader.connection) == before, comment) }
            }
            for peer in peers { try Self.check(peer.connection, comment) }
        }
    }

    @Test func aValueThatAnIndexIsDerivedFromIsNotOpenedForWriting() throws {
        let connection = try Connection()
        try connection.execute("\(raw: Self.schema) ALTER TABLE places ADD COLUMN photo BLOB")
        try connection.run("INSERT INTO places VALUES(1, 'one', 2, 3, x'0000')")
        let error = #expect(throws: SQLiteError.self) {
            try connection.withBlob(in: "Places", column: "TITLE", row: 1, mode: .readWrite) { _ in }
        }
        #expect(error?.kind == .problem(BlobProblem.derivedIndex, of: .value(in: "Places", column: "TITLE", row: 1)))
        try connection.withBlob(in: "places", column: "title", row: 1) { #expect($0.count == 3) }
        try connection.withBlob(in: "places", column: "photo", row: 1, mode: .readWrite) { _ in }
        try Self.check(connection, "after values were opened")
    }

    @Test(arguments: [
        """
        CREATE TRIGGER both AFTER INSERT ON notes BEGIN
            INSERT INTO words(rowid, text) VALUES(new.id, new.text);
            INSERT INTO log VALUES(new.text);
        END;
        """,
        """
        CREATE VIEW found AS SELECT 1 AS id, 2 AS text;
        CREATE TRIGGER into_words INSTEAD OF INSERT ON found BEGIN
            INSERT INTO words(rowid, text) VALUES(new.id, new.text);
        END;
        CREATE TRIGGER both AFTER INSERT ON notes BEGIN INSERT INTO found VALUES(new.id, new.text); END;
        """,
    ]) func aTriggerThatAlsoWritesElsewhereIsRefused(_ triggers: String) throws {
        let database = try Database(":memory:")
        try database.blocking.writeWithoutTransaction {
            try $0.execute(
                """
                CREATE TABLE notes(id INTEGER PRIMARY KEY, text);
                CREATE TABLE log(text);
                CREATE VIRTUAL TABLE words USING fts5(text);
                \(raw: triggers)
                """)
        }
        let history = try UndoHistory(database, tables: ["notes"])
        try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO notes VALUES(1, 'a')") }
        let error = #expect(throws: SQLiteError.self) { try history.blocking.undo() }
        #expect(error?.kind == .problem(TriggerProblem.inseparable("both")))
        #expect(try database.blocking.read { try $0.query("SELECT count(*) FROM notes") } == 1)
    }

    /// Triggers of one event run in one order, whatever runs them.
    @Test(arguments: [true, false]) func triggersKeepTheirOrder(_ hasProgramTrigger: Bool) throws {
        let connection = try Connection()
        try connection.execute(
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, x TEXT); CREATE TABLE log(text);
            CREATE VIRTUAL TABLE f USING fts5(x, content = 't', content_rowid = 'id');
            CREATE TRIGGER i AFTER INSERT ON t BEGIN INSERT INTO f(rowid, x) VALUES(new.id, new.x); END;
            CREATE TRIGGER u_insert AFTER UPDATE ON t BEGIN INSERT INTO f(rowid, x) VALUES(new.id, new.x); END;
            CREATE TRIGGER u_delete AFTER UPDATE ON t BEGIN INSERT INTO f(f, rowid, x) VALUES('delete', old.id, old.x); END;
            INSERT INTO t VALUES(1, 'one');
            """)
        if hasProgramTrigger {
            try connection.execute("CREATE TRIGGER p AFTER UPDATE ON t BEGIN INSERT INTO log VALUES('p'); END")
        }
        let changes = try connection.recordChanges(in: "t") { try $0.run("UPDATE t SET x = 'two'") }
        try connection.apply(changes, options: [.inverted, .withoutTriggers])
        try connection.run("INSERT INTO f(f, rank) VALUES('integrity-check', 1)")
        #expect(try connection.query("SELECT count(*) FROM f('one')") == 1)
        #expect(try connection.query("SELECT count(*) FROM log") == (hasProgramTrigger ? 1 : 0))
    }

    /// The clauses in triggers are those of the triggers.
    @Test(arguments: [SyncLog.Role.peer, .replica]) func conflictClausesOfTriggers(_ role: SyncLog.Role) throws {
        let policy: SyncLog.Policy = role == .peer ? .lastWriter(by: "id") : .hubWins
        let schema = """
            CREATE TABLE t(id INTEGER PRIMARY KEY, x REAL); CREATE VIRTUAL TABLE r USING rtree(id, a, b);
            CREATE TRIGGER i AFTER INSERT ON t BEGIN INSERT OR REPLACE INTO r VALUES(new.id, new.x, new.x); END;
            CREATE TRIGGER u AFTER UPDATE OF x ON t BEGIN INSERT OR REPLACE INTO r VALUES(new.id, new.x, new.x); END;
            """
        let tables = ["t": role == .peer ? .lastWriter(by: "x") : policy]
        let one = try SyncReplica("one", role: role == .peer ? .peer : .hub, schema: schema, tables: tables)
        let two = try SyncReplica("two", role: role, schema: schema, tables: tables)
        try one.record("INSERT INTO t VALUES(1, 2)")
        try two.pull(one)
        try one.record("UPDATE t SET x = 5")
        try two.pull(one)
        #expect(try two.rows("t") == ["1, 5.0"])
        #expect(try two.connection.query("SELECT a FROM r") == 5.0)
    }

    /// A TEMP table has the name of a column, or of the table of a trigger, which is qualified.
    @Test func namesOfTemporaryTables() throws {
        let connection = try Connection()
        try connection.execute("\(raw: Self.schema)")
        try connection.execute(
            "INSERT INTO places VALUES(1, 'one', 1.5, 1); CREATE TEMP TABLE title(x); CREATE TEMP TABLE code(x)")
        let changes = try connection.recordChanges(in: "places") { try $0.run("UPDATE places SET title = 'two'") }
        try connection.apply(changes, options: [.inverted, .withoutTriggers])
        try Self.check(connection, "")
    }

    /// The trigger reads the column through a view.
    @Test func aColumnThatATriggerSelects() throws {
        let connection = try Connection()
        try connection.execute(
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, x TEXT); CREATE VIEW v AS SELECT id, x AS y FROM t;
            CREATE VIRTUAL TABLE f USING fts5(y);
            CREATE TRIGGER i AFTER INSERT ON t BEGIN INSERT INTO f(rowid, y) SELECT id, y FROM v WHERE id = new.id; END;
            INSERT INTO t VALUES(1, 'one');
            """)
        #expect(throws: SQLiteError.self) {
            try connection.withBlob(in: "t", column: "x", row: 1, mode: .readWrite) { _ in }
        }
    }
}
