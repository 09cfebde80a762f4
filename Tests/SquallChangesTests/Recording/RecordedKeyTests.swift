import SquallChanges
import Foundation
import Squall
import SquallTestSupport
import Testing

/// A session tells rows apart by the bytes of their keys: other keys are refused where recording begins.
@Suite(.enabled(if: SQLiteFeatures.sessions))
struct RecordedKeyTests {
    private static let inexact = [
        "id PRIMARY KEY, v", "id REAL PRIMARY KEY, v", "id DOUBLE PRIMARY KEY, v", "id FLOAT PRIMARY KEY, v",
        "id TEXT COLLATE NOCASE PRIMARY KEY, v", "id TEXT COLLATE rtrim PRIMARY KEY, v",
        "id TEXT COLLATE mine PRIMARY KEY, v", "id TEXT, v, PRIMARY KEY(id COLLATE NOCASE)",
        "id TEXT COLLATE NOCASE, v, PRIMARY KEY(id COLLATE BINARY)",
        "a TEXT, id TEXT COLLATE NOCASE, v, PRIMARY KEY(a, id)",
        "id REAL, a INTEGER, v, PRIMARY KEY(a, id)",
    ]
    private static let exact = [
        "id INTEGER PRIMARY KEY, v", "id INT PRIMARY KEY, v", "id BIGINT PRIMARY KEY DESC, v", "id TEXT PRIMARY KEY, v",
        "id VARCHAR(10) PRIMARY KEY, v", "id NUMERIC PRIMARY KEY, v", "id DATE PRIMARY KEY, v",
        "id TEXT COLLATE binary PRIMARY KEY, v", "id TEXT PRIMARY KEY, v TEXT COLLATE NOCASE UNIQUE",
    ]

    private static func connection(_ columns: String, _ options: String = "") throws -> Connection {
        let connection = try Connection()
        try connection.addCollation("mine") { $0.compare($1) }
        try connection.execute("CREATE TABLE t(\(raw: columns))\(raw: options)")
        return connection
    }

    private static let starts: [@Sendable (Connection) throws -> Void] = [
        { _ = try $0.recordChanges { _ in } }, { _ = try $0.recordPatchset(in: "T") { _ in } },
        { _ = try $0.startRecording(in: ["t"]) }, { _ = try $0.startRecording { $0 == "t" } },
        { _ = try SyncLog($0, origin: "one", role: .hub, tables: ["t": .hubWins]) },
        { connection in
            try connection.execute("ATTACH ':memory:' AS other; CREATE TABLE other.t(id, v)")
            _ = try connection.difference(fromAttached: "other")
        },
    ]

    @Test(arguments: inexact, ["", " WITHOUT ROWID"])
    func aKeyThatIsEqualWithOtherBytesIsRefused(columns: String, options: String) throws {
        for start in Self.starts {
            let connection = try Self.connection(columns, options)
            #expect(
                try errorKind { try start(connection) }
                    == .problem(RecordingProblem.inexactKey(column: "id"), of: .table("t")))
        }
        let database = try Database(":memory:")
        try database.blocking.writeWithoutTransaction { connection in
            try connection.addCollation("mine") { $0.compare($1) }
            try connection.execute("CREATE TABLE t(\(raw: columns))\(raw: options)")
        }
        #expect(
            try errorKind { _ = try UndoHistory(database) }
                == .problem(RecordingProblem.inexactKey(column: "id"), of: .table("t")))
    }

    @Test func theErrorSaysWhatToDo() throws {
        let connection = try Self.connection("id REAL PRIMARY KEY")
        let error = try sqliteError { _ = try connection.startRecording() }
        #expect(
            error.message == """
                changes of t cannot be recorded: values of its primary key, id, can be equal and have other bytes; declare it INTEGER, \
                TEXT or BLOB, with the collation BINARY
                """)
    }

    @Test(arguments: exact, ["", " WITHOUT ROWID"])
    func changesOfOtherKeysMakeATwinEqualAndBack(columns: String, options: String) throws {
        let seed = TestSeed.of()
        let values = [
            "1", "1.0", "'1'", "'1.0'", "1.5", "'a'", "'A'", "'a '", "''", "x'61'", "x''", "1e300", "-0.0", "0",
            "9007199254740993", "9223372036854775807", "9223372036854775808.0", "-1",
        ]
        for part in 0..<25 {
            var random = seed.generator(part)
            let (connection, twin) = (try Self.connection(columns, options), try Self.connection(columns, options))
            func change() {
                let (one, two) = (random.pick(values), random.pick(values))
                let sql = random.pick([
                    "INSERT OR REPLACE INTO t VALUES(\(one), \(two))",
                    "UPDATE OR REPLACE t SET id = \(one) WHERE id = \(two)",
                    "DELETE FROM t WHERE id = \(one)", "UPDATE OR REPLACE t SET v = \(one) WHERE id = \(two)",
                    "INSERT OR IGNORE INTO t VALUES(\(one), \(two))",
                ])
                // A key that is no integer is refused by some.
                try? connection.execute("\(raw: sql)")
            }
            for _ in 0..<10 { change() }
            let start = try connection.recordChanges { _ in }
            #expect(start.isEmpty)
            let rows = try connection.query("SELECT * FROM t", as: Row.self).map(\.columns)
            for row in rows {
                try twin.run("INSERT INTO t VALUES(\(row[0].bindingValue), \(row[1].bindingValue))")
            }
            func dump(_ connection: Connection) throws -> [String] {
                try connection.query("SELECT * FROM t", as: Row.self).map(\.quotedText).sorted()
            }
            let before = try dump(connection)
            try #require(try dump(twin) == before)
            let changes = try connection.recordChanges { _ in for _ in 0..<15 { change() } }
            try twin.apply(changes)
            #expect(try dump(twin) == dump(connection), "seed \(seed), part \(part)")
            try twin.apply(changes.inverted())
            #expect(try dump(twin) == before, "seed \(seed), part \(part)")
        }
    }

    // MARK: Migrations beside a history

    @Test(arguments: [
        ("ALTER TABLE t ADD COLUMN g AS (id + 1)", RecordingProblem.generatedColumns),
        ("DROP TABLE t; CREATE TABLE t(id, v)", .noPrimaryKey),
        ("DROP TABLE t; CREATE TABLE t(id TEXT COLLATE NOCASE PRIMARY KEY, v)", .inexactKey(column: "id")),
        ("DROP TABLE t; CREATE VIEW t AS SELECT 1 AS id, 2 AS v", .notATable),
    ])
    func aMigrationAfterWhichChangesCannotBeRecorded(sql: String, problem: RecordingProblem) throws {
        let database = try Database(":memory:")
        try database.blocking.writeWithoutTransaction {
            try $0.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES(1, 1)")
        }
        let history = try UndoHistory(database)
        try database.blocking.writeWithoutTransaction { try $0.execute("UPDATE t SET v = 2") }
        #expect(history.canUndo)
        try database.blocking.writeWithoutTransaction { try $0.execute("\(raw: sql)") }
        for _ in 0..<2 {
            #expect(try errorKind { try history.blocking.undo() } == .problem(problem, of: .table("t")))
        }
        // Migrated back, the history goes on.
        history.removeAll()
        try database.blocking.writeWithoutTransaction {
            try $0.execute("\(raw: problem == .notATable ? "DROP VIEW t" : "DROP TABLE t")")
            try $0.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES(1, 1)")
        }
        try database.blocking.writeWithoutTransaction { try $0.execute("UPDATE t SET v = 2") }
        #expect(try history.blocking.undo())
        #expect(try database.blocking.read { try $0.query("SELECT v FROM t") } == 1)
    }

    @Test func aTableThatIsDroppedDoesNotEndTheHistoryOfOthers() throws {
        let database = try Database(":memory:")
        try database.blocking.writeWithoutTransaction {
            try $0.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, v); CREATE TABLE u(id INTEGER PRIMARY KEY)")
        }
        let history = try UndoHistory(database)
        try database.blocking.writeWithoutTransaction { try $0.execute("DROP TABLE u") }
        try database.blocking.writeWithoutTransaction { try $0.execute("INSERT INTO t VALUES(1, 1)") }
        #expect(try history.blocking.undo())
        #expect(try database.blocking.read { try $0.query("SELECT count(*) FROM t") } == 0)
    }
}
