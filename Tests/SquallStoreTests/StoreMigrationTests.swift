import SquallTestSupport
import Testing

import Squall

@testable import SquallStore

/// The migration of a database elsewhere, version by version.
struct StoreMigrationTests {
    private let directory: TemporaryDirectory
    private let database: Database
    /// The same file, with foreign keys off.
    private let unchecked: Database

    init() throws {
        directory = try TemporaryDirectory()
        let path = directory.file("app.db")
        database = try Database(path)
        unchecked = try Database(path) { try $0.execute("PRAGMA foreign_keys = OFF") }
    }

    private func next(_ schema: Schema, off: Bool = false) async throws -> MigrationStep {
        let store = PatientStore(database: off ? unchecked : database)
        return try await store.write { (connection: StoreConnection) in
            try await schema.migrateNextVersion(connection, withForeignKeysOff: off)
        }
    }

    private func names(_ type: String) async throws -> Set<String> {
        try await database.read { connection in
            try connection.query("SELECT name FROM sqlite_master WHERE type = \(type) AND name NOT LIKE 'sqlite_%'")
        }
    }

    private static let creation = Version(1) {
        Execute(
            """
            CREATE TABLE parents(id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE children(id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parents(id) ON DELETE CASCADE);
            INSERT INTO parents VALUES(7, 'x'), (9, 'y');
            INSERT INTO children VALUES(1, 7), (2, 9)
            """)
    }

    @Test func eachVersionHasTheForeignKeysItNeeds() async throws {
        let schema = Schema("s") {
            Self.creation
            Version(2) { AlterTable("parents") { ChangeColumn("name", to: String.self) } }
            Version(3) { Execute("DELETE FROM parents WHERE id = 7") }
        }
        #expect(try await next(schema) == .ran(version: 1))
        #expect(try await next(schema) == .needsForeignKeys(off: true))
        #expect(try await database.read { try schema.status(of: $0).version } == 1)
        #expect(try await next(schema, off: true) == .ran(version: 2))
        #expect(try await next(schema, off: true) == .needsForeignKeys(off: false))
        #expect(try await next(schema) == .ran(version: 3))
        #expect(try await next(schema) == .finished)
        let children: [Int] = try await database.read { try $0.query("SELECT id FROM children") }
        #expect(children == [2])
    }

    @Test func aFileIsMigratedAsAnyStoreIs() async throws {
        func migrate(_ store: some SQLStore) async throws -> Bool {
            try await store.migrate(Schema("s") { Self.creation })
        }
        #expect(try await migrate(database))
        #expect(try await !migrate(database))
        #expect(try await names("table") == ["children", "parents", "squall_versions"])
    }

    @Test func aFailedVersionKeepsTheEarlierOnes() async throws {
        let schema = Schema("s") {
            Self.creation
            Version(2) {
                AlterTable("parents") { ChangeColumn("name", to: String.self) }
                Execute("DELETE FROM parents WHERE id = 7")
            }
        }
        #expect(try await next(schema) == .ran(version: 1))
        let error = await #expect(throws: SchemaError.self) { try await next(schema, off: true) }
        guard case .foreignKeysViolated(let violations, "children", "parents") = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(violations.map(\.rowID) == [1])
        #expect(try await database.read { try schema.status(of: $0).version } == 1)
        let parents: [Int] = try await database.read { try $0.query("SELECT id FROM parents") }
        #expect(parents == [7, 9])
    }

    @Test func aClosureInAnyVersionIsRefusedBeforeAnythingRuns() async throws {
        let schema = Schema("s") {
            Self.creation
            Version(2) { Execute { _ in } }
        }
        let error = await #expect(throws: SchemaError.self) { try await next(schema) }
        #expect(
            error
                == .invalid(["version 2, Execute: a closure cannot run where the database is on another machine"]))
        #expect(try await names("table") == [])
    }

    /// The copy on which steps are tried has no rows, so the SQL of a user is not tried there.
    @Test func scriptsMayDependOnRows() async throws {
        let schema = Schema("s") {
            Self.creation
            Version(2) {
                Execute("-- a comment\nINSERT INTO children VALUES(3, (SELECT id FROM parents WHERE name = 'y'))")
                Execute(
                    """
                    CREATE TABLE needed(id INTEGER PRIMARY KEY AUTOINCREMENT, parent NOT NULL REFERENCES parents(id));
                    INSERT INTO needed(id, parent) VALUES(8, (SELECT min(id) FROM parents));
                    DELETE FROM needed
                    """)
            }
            Version(3) {
                Execute(
                    "INSERT INTO needed(id, parent) SELECT 20, max(id) FROM parents; DELETE FROM needed WHERE id = 20")
                AlterTable("needed") { ChangeColumn("parent", to: Int.self) }
                Execute("INSERT INTO needed(parent) VALUES(7)")
            }
        }
        #expect(try await next(schema) == .ran(version: 1))
        #expect(try await next(schema) == .ran(version: 2))
        #expect(try await next(schema, off: true) == .ran(version: 3))
        let children: [Int] = try await database.read { try $0.query("SELECT parent FROM children WHERE id = 3") }
        #expect(children == [9])
        let needed: [Int] = try await database.read { try $0.query("SELECT id FROM needed") }
        #expect(needed == [21])
    }

    @Test func whatWasWrongBeforeIsTolerated() async throws {
        let schema = { (count: Int) in
            Schema("s") {
                Version(1) {
                    Execute(
                        """
                        CREATE TABLE parents(id INTEGER PRIMARY KEY);
                        CREATE TABLE children(id INTEGER PRIMARY KEY, parent REFERENCES parents(id), name TEXT);
                        CREATE TABLE plain(a);
                        CREATE TABLE mismatched(a REFERENCES plain(a))
                        """)
                }
                if count > 1 {
                    Version(2) {
                        RenameTable("children", to: "others")
                        AlterTable("others") { ChangeColumn("name", to: Int.self) }
                    }
                }
                if count > 2 {
                    Version(3) {
                        AlterTable("others") { ChangeColumn("name", to: String.self) }
                        Execute("CREATE TABLE wrong(a REFERENCES plain(a))")
                    }
                }
            }
        }
        #expect(try await next(schema(1)) == .ran(version: 1))
        try await unchecked.write { try $0.run("INSERT INTO children VALUES(1, 99, '5')") }
        #expect(try await next(schema(2), off: true) == .ran(version: 2))
        let error = await #expect(throws: SchemaError.self) { try await next(schema(3), off: true) }
        #expect(error == .inUse("foreign key mismatch - \"wrong\" referencing \"plain\" (version 3)"))
    }

    /// A row that refers to a missing row by one key newly does so by a second one.
    @Test func aSecondViolationOfARowIsNew() async throws {
        let schema = Schema("s") {
            Version(1) {
                Execute(
                    """
                    CREATE TABLE parents(id INTEGER PRIMARY KEY);
                    CREATE TABLE children(id INTEGER PRIMARY KEY, a REFERENCES parents(id), b REFERENCES parents(id), c)
                    """)
            }
            Version(2) {
                Execute("UPDATE children SET b = 98")
                AlterTable("children") { ChangeColumn("c", to: Int.self) }
            }
        }
        #expect(try await next(schema) == .ran(version: 1))
        try await unchecked.write { try $0.run("INSERT INTO children VALUES(1, 99, NULL, '5')") }
        let error = await #expect(throws: SchemaError.self) { try await next(schema, off: true) }
        guard case .foreignKeysViolated(let violations, "children", "parents") = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(violations.map(\.rowID) == [1])
    }

    @Test func anErrorNamesVersionAndStep() async throws {
        let schema = Schema("s") {
            Version(1) { Execute("CREATE TABLE t(a); INSERT INTO t VALUES(1), (1)") }
            Version(2) { CreateIndex("u", on: "t", "a", unique: true) }
        }
        #expect(try await next(schema) == .ran(version: 1))
        let error = await #expect(throws: SQLiteError.self) { try await next(schema) }
        #expect(error?.message == "UNIQUE constraint failed: t.a (version 2, CreateIndex u)")
    }

    @Test(.enabled(if: SQLiteFeatures.fullTextSearch)) func everyDefinitionIsCopied() async throws {
        let definitions = [
            "CREATE TABLE \"a (b\" /* ( */ (x, \"y)\" AS (x + 1), CHECK(x <> '('))",
            "CREATE TABLE [AS](x PRIMARY KEY) WITHOUT ROWID",
            "CREATE TABLE copied AS SELECT 1 AS x, 'two' AS y",
            "CREATE TABLE counted(id INTEGER PRIMARY KEY AUTOINCREMENT)",
            "CREATE VIRTUAL TABLE texts USING fts5(content)",
            "CREATE INDEX i ON copied(x)",
            "CREATE UNIQUE INDEX IF NOT EXISTS u ON copied(x, y) WHERE x > 0",
            "CREATE VIEW v(x) AS SELECT x FROM copied",
            "CREATE TRIGGER t AFTER INSERT ON copied BEGIN DELETE FROM copied WHERE x = 0; END",
            "ANALYZE",
        ]
        let steps = { (count: Int) in
            Schema("s") {
                Version(1) { for sql in definitions { Execute(SQL(raw: sql)) } }
                if count > 1 { Version(2) { RenameTable("copied", to: "renamed") } }
            }
        }
        #expect(try await next(steps(1)) == .ran(version: 1))
        #expect(try await next(steps(2)) == .ran(version: 2))
        let view: String = try await database.read { try $0.query("SELECT sql FROM sqlite_master WHERE name = 'v'") }
        #expect(view == "CREATE VIEW v(x) AS SELECT x FROM \"renamed\"")
    }

    @Test(arguments: [
        ("t", "CREATE TABLE t AS SELECT 1 AS a"), ("t", "ATTACH ':memory:' AS t"), ("t", "DROP TABLE t"),
        ("i", "CREATE TABLE i(a)"), ("v", "CREATE TRIGGER v AFTER INSERT ON t BEGIN SELECT 1; END"), ("t", ""),
    ])
    func whatSQLiteWouldNotStoreIsNotRun(name: String, sql: String) async throws {
        let memory = PatientStore(database: try Database())
        let schema = Schema("s") { Version(1) { Execute("CREATE TABLE other(a)") } }
        let error = await #expect(throws: SchemaError.self) {
            try await memory.write { (connection: StoreConnection) in
                try await connection.execute(
                    """
                    CREATE TABLE t(a); CREATE INDEX i ON t(a); CREATE VIEW v AS SELECT 1; PRAGMA writable_schema = ON;
                    UPDATE sqlite_master SET sql = \(sql) WHERE name = \(name)
                    """)
                _ = try await schema.migrateNextVersion(connection, withForeignKeysOff: false)
            }
        }
        let type = ["t": "table", "i": "index", "v": "view"][name]!
        #expect(error == .damagedSchema("the definition of \(type) \"\(name)\" is: \(sql)"))
    }
}
