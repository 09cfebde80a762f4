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
        "ON DELETE CASCADE ON UPDATE CASCADE", "ON DELETE SET NULL ON UPDATE CASCADE", "ON DELETE SET NULL ON UPDATE SET NULL",
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
            try connection.query("SELECT * FROM \(raw: table)", as: Row.self).map { "\(table) \($0.quotedText)" }.sorted()
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
        case 6: return "INSERT OR REPLACE INTO \(second) VALUES(\(number()), \(number()), \(code), \(number()), \(number()))"
        case 7: return "UPDATE \(second) SET up = \(number()), v = \(number()) WHERE id = \(number())"
        case 8: return "INSERT OR REPLACE INTO \(third) VALUES(\(number()), 'a', \(number()), \(number()))"
        case 9: return "DELETE FROM \(third) WHERE a = \(number())"
        default: return "UPDATE OR REPLACE \(third) SET v = \(number()) WHERE a = \(number())"
        }
    }

    @Test(arguments: orders, actions) func aTwinIsEqualAndBack(_ names: [String], _ action: String) throws {
        let seed = TestSeed.of()
        for part in 0..<25 {
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
            try twin.apply(changes)
            try #require(try Self.rows(twin) == after, "seed \(seed), part \(part)")
            if random.chance(50) {
                try twin.apply(changes.inverted())
            } else {
                try twin.apply(changes, options: .inverted)
            }
            try #require(try Self.rows(twin) == before, "seed \(seed), part \(part)")
            #expect(try connection.query("PRAGMA foreign_key_check", as: Row.self).isEmpty)
        }
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

    /// Rows that the recorded database did not have are deleted with their parent, as the action says.
    @Test func otherChildrenFollowTheirParent() throws {
        let (connection, twin) = (
            try Self.connection(["a", "b", "c"], Self.actions[0]), try Self.connection(["a", "b", "c"], Self.actions[0])
        )
        try twin.execute("INSERT INTO b VALUES(9, 3, NULL, NULL, 9); INSERT INTO c VALUES(9, 'z', 9, 9)")
        try twin.apply(connection.recordChanges { try $0.run("DELETE FROM a WHERE id = 3") })
        #expect(try twin.query("SELECT count(*) FROM b WHERE id = 9") == 0)
        #expect(try twin.query("SELECT count(*) FROM c WHERE a = 9") == 0)
        // The table of the children was not recorded.
        let parents = try connection.recordChanges(in: "a") { try $0.run("DELETE FROM a WHERE id = 2") }
        try twin.apply(parents)
        #expect(try Self.rows(twin) == Self.rows(connection))
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
}
