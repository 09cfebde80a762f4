import SquallChanges
import Foundation
import Squall
import SquallTestSupport
import Testing

/// Changes of rows that actions of foreign keys have changed too: they are applied once, whatever the tables are called.
@Suite(.enabled(if: SQLiteFeatures.sessions))
struct ForeignKeyApplyTests {
    /// Three tables, each of which refers to the one before, and one that also refers to itself.
    private static func schema(_ names: [String], _ action: String) -> String {
        let (first, second, third) = (names[0], names[1], names[2])
        return """
            PRAGMA foreign_keys = ON;
            CREATE TABLE \(first)(id INTEGER PRIMARY KEY, code TEXT UNIQUE, v);
            CREATE TABLE \(second)(id INTEGER PRIMARY KEY, parent INTEGER REFERENCES \(first)(id) \(action),
                code TEXT REFERENCES \(first)(code) \(action), up INTEGER REFERENCES \(second)(id) \(action), v);
            CREATE TABLE \(third)(a INTEGER, b TEXT, parent INTEGER DEFAULT 1 REFERENCES \(second)(id) \(action), v UNIQUE,
                PRIMARY KEY(a, b)) WITHOUT ROWID;
            INSERT INTO \(first) VALUES(1, 'one', 1), (2, 'two', 2), (3, 'three', 3);
            INSERT INTO \(second) VALUES(1, 1, 'one', NULL, 1), (2, 1, 'two', 1, 2), (3, 2, NULL, 2, 3), (4, 3, 'three', 3, 4);
            INSERT INTO \(third) VALUES(1, 'a', 1, 1), (2, 'a', 2, 2), (3, 'b', 3, 3), (4, 'b', 4, 4), (5, 'c', 4, 5);
            """
    }

    private static let orders = [
        ["a", "b", "c"], ["a", "c", "b"], ["b", "a", "c"], ["b", "c", "a"], ["c", "a", "b"], ["c", "b", "a"],
    ]
    private static let actions = [
        "ON DELETE CASCADE ON UPDATE CASCADE", "ON DELETE SET NULL ON UPDATE CASCADE",
        "ON DELETE SET NULL ON UPDATE SET NULL",
        "ON DELETE CASCADE ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED", "DEFERRABLE INITIALLY DEFERRED",
        "ON DELETE SET DEFAULT ON UPDATE CASCADE",
    ]

    private static func connection(_ names: [String], _ action: String) throws -> Connection {
        let connection = try Connection()
        try connection.execute("\(raw: schema(names, action))")
        return connection
    }

    private static func rows(_ connection: Connection) throws -> [String] {
        try ["a", "b", "c"].flatMap { table in
            try connection.query("SELECT * FROM \(raw: table)", as: Row.self).map { "\(table) \($0.quotedText)" }
                .sorted()
        }
    }

    private static func statement(_ names: [String], _ random: inout SeededGenerator) -> String {
        func number() -> String { "\(Int.random(in: 1..<7, using: &random))" }
        let (first, second, third) = (names[0], names[1], names[2])
        let code = random.pick(["'one'", "'two'", "'three'", "'four'", "NULL"])
        switch Int.random(in: 0..<11, using: &random) {
        case 0: return "DELETE FROM \(first) WHERE id = \(number())"
        case 1: return "UPDATE \(first) SET id = id + 10 WHERE id = \(number())"
        case 2: return "UPDATE \(first) SET code = \(code) WHERE id = \(number())"
        case 3: return "INSERT OR REPLACE INTO \(first) VALUES(\(number()), \(code), \(number()))"
        case 4: return "DELETE FROM \(second) WHERE id = \(number())"
        case 5: return "UPDATE \(second) SET id = id + 10 WHERE id = \(number())"
        case 6:
            return
                "INSERT OR REPLACE INTO \(second) VALUES(\(number()), \(number()), \(code), \(number()), \(number()))"
        case 7: return "UPDATE \(second) SET up = \(number()), v = \(number()) WHERE id = \(number())"
        case 8: return "INSERT OR REPLACE INTO \(third) VALUES(\(number()), 'a', \(number()), \(number()))"
        case 9: return "DELETE FROM \(third) WHERE a = \(number())"
        default: return "UPDATE OR REPLACE \(third) SET v = \(number()) WHERE a = \(number())"
        }
    }

    @Test(arguments: orders, actions) func aTwinIsEqualAndBack(_ names: [String], _ action: String) throws {
        let seed = TestSeed.of()
        var refusals = 0
        for part in 0..<8 {
            var random = seed.generator(part)
            let (connection, twin) = (try Self.connection(names, action), try Self.connection(names, action))
            let before = try Self.rows(connection)
            let changes = try connection.recordChanges { connection in
                for _ in 0..<Int.random(in: 1..<8, using: &random) {
                    // Some violate a foreign key or a UNIQUE constraint.
                    let sql = Self.statement(names, &random)
                    try? connection.transaction { try connection.execute("\(raw: sql)") }
                }
            }
            let after = try Self.rows(connection)
            do {
                try twin.apply(changes)
                try #require(try Self.rows(twin) == after, "seed \(seed), part \(part)")
                if random.chance(50) {
                    try twin.apply(changes.inverted())
                } else {
                    try twin.apply(changes, options: .inverted)
                }
                try #require(try Self.rows(twin) == before, "seed \(seed), part \(part)")
            } catch let error as SQLiteError where error.kind == Self.violation {
                // A parent has taken over the key of another one, whose children the changes do not name.
                refusals += 1
                try #require(try [before, after].contains(Self.rows(twin)), "seed \(seed), part \(part)")
            }
            #expect(try twin.query("PRAGMA foreign_key_check", as: Row.self).isEmpty)
        }
        #expect(refusals <= 2, "seed \(seed)")
    }

    @Test(arguments: orders) func aRecordedCascadeIsAppliedOnce(_ names: [String]) throws {
        let (connection, twin, patched) = (
            try Self.connection(names, Self.actions[0]), try Self.connection(names, Self.actions[0]),
            try Self.connection(names, Self.actions[0])
        )
        let recorder = try connection.startRecording()
        try connection.run("DELETE FROM \(name: names[0])")
        let changes = try recorder.changeset()
        #expect(try changes.elements.count == 12)
        try twin.apply(changes)
        try patched.apply(recorder.patchset()) { $0.kind == .notFound ? .omit : .abort }
        #expect(try Self.rows(twin) == [] && Self.rows(patched) == [])
    }

    /// Rows that the recorded database did not have, and rows of a table that was not recorded.
    @Test func otherChildren() throws {
        let (connection, twin) = (
            try Self.connection(["a", "b", "c"], Self.actions[0]),
            try Self.connection(["a", "b", "c"], Self.actions[0])
        )
        try twin.execute("INSERT INTO b VALUES(9, 3, NULL, NULL, 9); INSERT INTO c VALUES(9, 'z', 9, 9)")
        let before = try Self.rows(twin)
        let changes = try connection.recordChanges { try $0.run("DELETE FROM a WHERE id = 3") }
        #expect(try errorKind { try twin.apply(changes) } == Self.violation)
        #expect(try Self.rows(twin) == before)
        // The closure may delete them.
        try twin.apply(changes) { conflict in
            guard conflict.kind == .foreignKey else { return .abort }
            #expect(try twin.query("PRAGMA foreign_keys") == 1)
            try twin.run("DELETE FROM b WHERE id = 9")
            return .omit
        }
        #expect(try Self.rows(twin) == Self.rows(connection))
        #expect(try twin.query("PRAGMA foreign_key_check", as: Row.self).isEmpty)
        // The table of the children was not recorded: SQLite runs the action.
        let parents = try connection.recordChanges(in: "a") { try $0.run("DELETE FROM a WHERE id = 2") }
        try twin.apply(parents)
        #expect(try Self.rows(twin) == Self.rows(connection))
    }

    private static let violation = SQLiteError.Kind.problem(ChangesetProblem.aborted(conflict: "foreignKey"))

    /// The children of a table that is not recorded follow, as if the statements had run here, unless recorded tables have actions too: they
    /// are refused then.
    @Test(arguments: orders, actions) func theActionsOfATableThatIsNotRecorded(_ names: [String], _ action: String)
        throws
    {
        let seed = TestSeed.of()
        let more = """
            CREATE TABLE rest(id INTEGER PRIMARY KEY, first INTEGER REFERENCES \(names[0]) \(action),
                code TEXT DEFAULT 'one' REFERENCES \(names[0])(code) \(action), second INTEGER DEFAULT 1 REFERENCES \(names[1]) \(action));
            CREATE TABLE leaf(id INTEGER PRIMARY KEY, rest INTEGER REFERENCES rest ON DELETE CASCADE);
            INSERT INTO rest VALUES(1, 1, NULL, NULL), (2, NULL, 'one', NULL), (3, 2, 'two', 2), (4, NULL, NULL, 4), (5, 3, 'three', 3);
            INSERT INTO leaf VALUES(1, 1), (2, 2), (3, 3), (4, 4), (5, NULL);
            """
        let all: SQL = "SELECT 'rest', * FROM rest UNION ALL SELECT 'leaf', *, NULL, NULL FROM leaf ORDER BY 1, 2"
        for part in 0..<6 {
            var random = seed.generator(part)
            let id = Int.random(in: 1..<5, using: &random)
            let statement = random.pick([
                "DELETE FROM \(names[0]) WHERE id = \(id)", "DELETE FROM \(names[1]) WHERE id = \(id)",
                "DELETE FROM \(names[0])",
                "UPDATE \(names[0]) SET code = code || '!' WHERE id = \(id)", "UPDATE \(names[0]) SET code = NULL",
            ])
            let (source, twin) = (try Self.connection(names, action), try Self.connection(names, action))
            for connection in [source, twin] { try connection.execute("\(raw: more)") }
            let changes = try source.recordChanges(in: names[0], names[1], names[2]) { connection in
                try? connection.transaction { try connection.execute("\(raw: statement)") }
            }
            func rest(_ connection: Connection) throws -> [String] {
                try connection.query(all, as: Row.self).map(\.quotedText)
            }
            let before = try rest(twin) + Self.rows(twin)
            do {
                try twin.apply(changes)
                #expect(try rest(twin) == rest(source), "seed \(seed), part \(part): \(statement)")
            } catch let error as SQLiteError where error.kind == Self.violation {
                #expect(try rest(twin) + Self.rows(twin) == before)
                #expect(try rest(twin) != rest(source), "seed \(seed), part \(part): \(statement)")
            }
        }
    }

    @Test func whatForbidsAnActionIsAConflict() throws {
        for action in ["", "ON DELETE RESTRICT", "ON DELETE NO ACTION", "ON DELETE SET NULL", "ON DELETE SET DEFAULT"] {
            let schema: SQL = """
                PRAGMA foreign_keys = ON; CREATE TABLE a(id INTEGER PRIMARY KEY); INSERT INTO a VALUES(1), (2);
                CREATE TABLE b(id INTEGER PRIMARY KEY, a INTEGER NOT NULL DEFAULT 7 REFERENCES a \(raw: action)); 
                """
            let (connection, twin) = (try Connection(), try Connection())
            for connection in [connection, twin] { try connection.execute(schema) }
            try twin.run("INSERT INTO b VALUES(5, 2)")
            let changes = try connection.recordChanges { try $0.run("DELETE FROM a WHERE id = 2") }
            var kinds: [Changeset.Conflict.Kind] = []
            #expect(throws: SQLiteError.self) {
                try twin.apply(changes) {
                    kinds.append($0.kind)
                    return .abort
                }
            }
            #expect(kinds == [action.contains("NULL") ? .constraint : .foreignKey], "\(action)")
            #expect(try twin.query("SELECT count(*) FROM a") == 2)
            #expect(try twin.query("PRAGMA foreign_keys") == 1 && twin.query("PRAGMA defer_foreign_keys") == 0)
            #expect(throws: SQLiteError.self) { try twin.run("INSERT INTO b VALUES(6, 9)") }
        }
    }

    /// Collations, affinities, keys of several columns, and text that is not UTF-8.
    @Test func theValuesOfKeys() throws {
        let schema: SQL = """
            PRAGMA foreign_keys = ON;
            CREATE TABLE p(id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, n, UNIQUE(name, n));
            CREATE TABLE c(id INTEGER PRIMARY KEY, name, n, FOREIGN KEY(name, n) REFERENCES p(name, n) ON DELETE CASCADE);
            INSERT INTO p VALUES(1, 'ada', 1), (2, 'ada', 2), (3, CAST(x'ff' AS TEXT), 3), (4, 'x', x'00');
            INSERT INTO c VALUES(1, 'ADA', 1), (2, 'Ada', 1.0), (3, 'ADA', 2), (4, CAST(x'ff' AS TEXT), 3), (5, 'X', x'00'), (6, NULL, 1);
            """
        let twin = try Connection()
        let other = try Connection()
        try twin.execute(schema)
        try other.execute(schema)
        let changes = try other.recordChanges(in: "p") { try $0.run("DELETE FROM p WHERE id != 2") }
        try twin.apply(changes)
        let left: [Int] = try twin.query("SELECT id FROM c ORDER BY id")
        #expect(try left == [3, 6] && left == other.query("SELECT id FROM c ORDER BY id"))
    }

    @Test(arguments: orders) func aDifferenceIsApplied(_ names: [String]) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("other.db")
        let (main, other) = (try Connection(directory.file("main.db")), try Connection(path))
        for connection in [main, other] { try connection.execute("\(raw: Self.schema(names, Self.actions[0]))") }
        try main.run("DELETE FROM \(name: names[0]) WHERE id = 1")
        let difference = try main.difference(from: path)
        try other.apply(difference)
        #expect(try Self.rows(other) == Self.rows(main))
    }

    /// A chain of rows that is longer than the stack.
    @Test func aLongChainOfRows() throws {
        let schema: SQL = """
            PRAGMA foreign_keys = ON; CREATE TABLE t(id INTEGER PRIMARY KEY, up INTEGER REFERENCES t ON DELETE SET NULL);
            WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
            INSERT INTO t SELECT i, nullif(i - 1, 0) FROM n
            """
        let (connection, twin) = (try Connection(), try Connection())
        for connection in [connection, twin] { try connection.execute(schema) }
        try twin.apply(connection.recordChanges { try $0.run("DELETE FROM t") })
        #expect(try twin.query("SELECT count(*) FROM t") == 0)
    }

    /// An action runs into a foreign key that forbids it, beside others that do not.
    @Test(arguments: ["RESTRICT", "NO ACTION"]) func anActionThatAnotherKeyForbids(_ action: String) throws {
        let (connection, twin) = (try Connection(), try Connection())
        for connection in [connection, twin] {
            try connection.execute(
                """
                PRAGMA foreign_keys = ON; CREATE TABLE p(id INTEGER PRIMARY KEY); INSERT INTO p VALUES(1), (2), (3);
                CREATE TABLE c(k INTEGER PRIMARY KEY, a INTEGER REFERENCES p ON DELETE CASCADE);
                CREATE TABLE d(k INTEGER PRIMARY KEY, c INTEGER REFERENCES c ON DELETE \(raw: action))
                """)
        }
        try twin.execute("INSERT INTO c VALUES(1, 1), (2, 2), (3, 3); INSERT INTO d VALUES(1, 1)")
        let changes = try connection.recordChanges(in: "p") { try $0.run("DELETE FROM p WHERE id <= 2") }
        #expect(throws: SQLiteError.self) { try twin.apply(changes) }
        #expect(try twin.query("SELECT count(*) FROM p") == 3 && twin.query("SELECT count(*) FROM c") == 3)
        try twin.run("DELETE FROM d")
        try twin.apply(changes)
        #expect(try twin.query("SELECT k FROM c", as: Int.self) == 3)
    }

    /// A child that the changes do not name could belong to either parent.
    @Test(
        arguments: [
            "UPDATE p SET u = u + 1 WHERE id = 2; UPDATE p SET u = u + 1 WHERE id = 1", "UPDATE p SET u = u - 1",
            "DELETE FROM p WHERE u = 1; UPDATE p SET u = 1 WHERE u = 2",
        ], ["INTEGER", "TEXT"]) func aKeyThatHasChangedHands(_ sql: String, _ type: String) throws
    {
        let schema: SQL = """
            PRAGMA foreign_keys = ON; CREATE TABLE p(id INTEGER PRIMARY KEY, u \(raw: type) UNIQUE); INSERT INTO p VALUES(1, 1), (2, 2);
            CREATE TABLE c(k INTEGER PRIMARY KEY, a \(raw: type) REFERENCES p(u) ON DELETE CASCADE ON UPDATE CASCADE);
            INSERT INTO c VALUES(1, 1), (2, 2)
            """
        let (connection, twin, whole, more) = (
            try Connection(), try Connection(), try Connection(), try Connection()
        )
        for connection in [connection, twin, whole, more] { try connection.execute(schema) }
        let recorder = try connection.startRecording(in: ["p"])
        let all = try connection.recordChanges { try $0.execute("\(raw: sql)") }
        let rows: SQL = "SELECT group_concat(k || ' ' || a) FROM c"
        let expected: String? = try connection.query(rows)
        #expect(try errorKind { try twin.apply(recorder.changeset()) } == Self.violation)
        #expect(try twin.query(rows) == "1 1,2 2")
        try whole.apply(all)
        #expect(try whole.query(rows) == expected)
        try more.execute("INSERT INTO c VALUES(8, 1), (9, 2)")
        #expect(try errorKind { try more.apply(all) } == Self.violation)
        #expect(try more.query(rows) == "1 1,2 2,8 1,9 2")
    }

    /// A violation that was there before is the program's.
    @Test func aPendingViolation() throws {
        let schema: SQL = """
            PRAGMA foreign_keys = ON; CREATE TABLE a(id INTEGER PRIMARY KEY); CREATE TABLE x(id INTEGER PRIMARY KEY, a REFERENCES a);
            CREATE TABLE b(id INTEGER PRIMARY KEY, a REFERENCES a DEFERRABLE INITIALLY DEFERRED);
            """
        let (connection, twin) = (try Connection(), try Connection())
        for connection in [connection, twin] { try connection.execute(schema) }
        let changes = try connection.recordChanges {
            try $0.execute("INSERT INTO a VALUES(1); INSERT INTO x VALUES(1, 1)")
        }
        for begin in ["INSERT INTO b VALUES(1, 7)", "PRAGMA defer_foreign_keys = ON; INSERT INTO x VALUES(5, 7)"] {
            try twin.execute("BEGIN; \(raw: begin)")
            #expect(try errorKind { try twin.apply(changes) } == .problem(ChangesetProblem.pendingForeignKeys))
            #expect(throws: SQLiteError.self) { try twin.run("COMMIT") }
            try twin.execute("DELETE FROM b; DELETE FROM x")
            try twin.apply(changes)
            try twin.run("COMMIT")
            #expect(try twin.query("SELECT count(*) FROM x") == 1)
            try twin.execute("DELETE FROM x; DELETE FROM a")
        }
    }

    /// A primary key that is changed, and a key that is given to another row and back: the children stay, though they have actions.
    @Test(arguments: [
        "UPDATE p SET id = 5 WHERE id = 1", "INSERT OR REPLACE INTO p VALUES(2, 1)",
        "UPDATE p SET u = NULL WHERE id = 1; UPDATE p SET u = 1 WHERE id = 2",
    ]) func aKeyThatMovesWithoutItsChildren(_ sql: String) throws {
        let schema: SQL = """
            CREATE TABLE p(id INTEGER PRIMARY KEY, u UNIQUE); INSERT INTO p VALUES(1, 1), (2, 2);
            CREATE TABLE c(k INTEGER PRIMARY KEY, a REFERENCES p(u) ON DELETE SET NULL ON UPDATE CASCADE); INSERT INTO c VALUES(1, 1)
            """
        let (connection, twin) = (try Connection(), try Connection())
        for connection in [connection, twin] { try connection.execute(schema) }
        // Recorded while foreign keys were off.
        let changes = try connection.recordChanges { try $0.execute("\(raw: sql)") }
        try twin.run("PRAGMA foreign_keys = ON")
        #expect(try errorKind { try twin.apply(changes) } == Self.violation)
        #expect(try twin.query("SELECT a FROM c") == 1)
        try twin.run("PRAGMA foreign_keys = OFF")
        try twin.apply(changes)
        try twin.run("PRAGMA foreign_keys = ON")
        #expect(try errorKind { try twin.apply(changes, options: .inverted) } == Self.violation)
        #expect(try twin.query("SELECT a FROM c") == 1)
    }

    /// Generated columns and columns that are newer than rows, between tables that are recorded and others.
    @Test func childrenOfEveryKind() throws {
        let schema: SQL = """
            PRAGMA foreign_keys = ON; CREATE TABLE p(id INTEGER PRIMARY KEY); INSERT INTO p VALUES(1), (2);
            ALTER TABLE p ADD COLUMN tenant INTEGER NOT NULL DEFAULT 5; CREATE UNIQUE INDEX i ON p(tenant, id);
            CREATE TABLE c(k INTEGER PRIMARY KEY, tenant, p, FOREIGN KEY(tenant, p) REFERENCES p(tenant, id) ON DELETE CASCADE);
            CREATE TABLE m(g AS (7), id INTEGER PRIMARY KEY, p REFERENCES p ON DELETE CASCADE, u AS (id + 1) UNIQUE);
            CREATE TABLE d(k INTEGER PRIMARY KEY, m INTEGER REFERENCES m(id) ON DELETE CASCADE);
            CREATE TABLE e(k INTEGER PRIMARY KEY, m REFERENCES m(u) ON DELETE CASCADE);
            INSERT INTO c VALUES(1, 5, 1), (2, 5, 2); INSERT INTO m(id, p) VALUES(10, 1), (20, 2);
            INSERT INTO d VALUES(1, 10), (2, 20); INSERT INTO e VALUES(1, 11), (2, 21)
            """
        let all: SQL = """
            SELECT 'p', id FROM p UNION ALL SELECT 'c', k FROM c UNION ALL SELECT 'm', id FROM m UNION ALL SELECT 'd', k FROM d
            UNION ALL SELECT 'e', k FROM e ORDER BY 1, 2
            """
        for tables in [["p"], ["p", "c"], ["p", "d"], ["p", "c", "d", "e"]] {
            let (connection, twin) = (try Connection(), try Connection())
            for connection in [connection, twin] { try connection.execute(schema) }
            let recorder = try connection.startRecording(in: tables)
            try connection.run("DELETE FROM p WHERE id = 1")
            func rows(_ connection: Connection) throws -> [String] {
                try connection.query(all, as: Row.self).map(\.quotedText)
            }
            let before = try rows(twin)
            do {
                try twin.apply(recorder.changeset())
                #expect(try rows(twin) == rows(connection), "\(tables)")
            } catch let error as SQLiteError {
                // A table between them cannot be recorded, and its action changes the rows of another one.
                guard case .aborted? = error.problem(ChangesetProblem.self) else { throw error }
                #expect(try tables.count > 1 && rows(twin) == before)
            }
            #expect(try twin.query("PRAGMA foreign_key_check", as: Row.self).isEmpty, "\(tables)")
        }
    }

    /// The closure of a conflict writes with foreign keys, also what is rolled back.
    @Test func whatAClosureWrites() throws {
        let schema: SQL = """
            PRAGMA foreign_keys = ON; CREATE TABLE a0(id INTEGER PRIMARY KEY, v); INSERT INTO a0 VALUES(1, 1);
            CREATE TABLE p(id INTEGER PRIMARY KEY, u UNIQUE); INSERT INTO p VALUES(1, 1), (2, 2), (4, 4);
            CREATE TABLE c(k INTEGER PRIMARY KEY, a REFERENCES p(u) ON DELETE CASCADE ON UPDATE CASCADE); INSERT INTO c VALUES(1, 1), (2, 2);
            CREATE TABLE r(k INTEGER PRIMARY KEY, c REFERENCES c ON DELETE RESTRICT)
            """
        let (connection, twin) = (try Connection(), try Connection())
        for connection in [connection, twin] { try connection.execute(schema) }
        try twin.execute("UPDATE a0 SET v = 2; INSERT INTO r VALUES(1, 2)")
        let changes = try connection.recordChanges {
            try $0.execute("UPDATE a0 SET v = 5; UPDATE p SET u = 30 WHERE id = 1")
        }
        func answer(_ conflict: Changeset.Conflict, _ more: SQL) throws -> Changeset.Answer {
            guard conflict.kind == .data else { return .abort }
            struct Undone: Error {}
            #expect(throws: Undone.self) {
                try twin.savepoint {
                    try twin.execute("UPDATE p SET u = 44 WHERE id = 4; UPDATE p SET u = 4 WHERE id = 1")
                    throw Undone()
                }
            }
            try twin.execute(more)
            return .omit
        }
        // SQLite defers foreign keys, and checks them at the end.
        for more: SQL in ["DELETE FROM c WHERE k = 2", "INSERT INTO c VALUES(5, 99)"] {
            #expect(try errorKind { try twin.apply(changes) { try answer($0, more) } } == Self.violation)
            #expect(try twin.query("SELECT group_concat(k || ' ' || a) FROM c") == "1 1,2 2")
        }
        try twin.apply(changes) { try answer($0, "DELETE FROM p WHERE id = 4; INSERT INTO c VALUES(5, 2)") }
        #expect(try twin.query("SELECT group_concat(k || ' ' || a) FROM c") == "1 30,2 2,5 2")
        #expect(try twin.query("PRAGMA foreign_keys") == 1)
    }
}
