import Foundation
import Squall
import Testing

@Suite struct SchemaScriptTests {
    /// Schemas whose tables `t` have three rows each.
    private static let schemas: [SQL] = [
        "CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT)",
        "CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, extra INT NOT NULL DEFAULT 7); CREATE INDEX i ON t(name DESC)",
        """
        CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL COLLATE NOCASE UNIQUE, made DEFAULT CURRENT_TIMESTAMP);
        CREATE VIEW v AS SELECT * FROM t;
        CREATE TRIGGER r INSTEAD OF INSERT ON v BEGIN INSERT INTO t(name) VALUES(new.name); END
        """,
        """
        CREATE TABLE t(name TEXT PRIMARY KEY, id INT CHECK (id > 0), twice AS (id * 2) STORED) WITHOUT ROWID;
        CREATE UNIQUE INDEX i ON t(lower(name)) WHERE id IS NOT NULL; -- a comment
        CREATE TRIGGER r BEFORE DELETE ON t BEGIN SELECT raise(ABORT, 'no'); END
        """,
        """
        CREATE TABLE t(id INTEGER, name TEXT, other INT REFERENCES u(id) ON DELETE CASCADE, PRIMARY KEY(id, name)) STRICT;
        CREATE TABLE u(id INTEGER PRIMARY KEY, t INT, FOREIGN KEY (t) REFERENCES missing(x));
        CREATE INDEX i ON u(t)
        """,
        """
        CREATE TABLE "T"(name, "ID" INTEGER, CONSTRAINT c CHECK (length(name) < 100));
        CREATE TABLE u(a, b, c);
        CREATE TRIGGER r AFTER UPDATE OF name ON t WHEN new.name <> old.name BEGIN INSERT INTO u(a) VALUES('x;y'); END;
        CREATE VIEW v AS SELECT count(*) AS n FROM t
        """,
        """
        CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT);
        CREATE VIRTUAL TABLE search USING fts5(name, content = 't', content_rowid = 'id');
        CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO search(rowid, name) VALUES(new.id, new.name); END;
        CREATE VIEW broken AS SELECT * FROM nowhere
        """,
        """
        CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, rowid, "odd ""name"" ;-- 漢字" DEFAULT 'it''s');
        CREATE VIRTUAL TABLE search USING rtree(id, low, high);
        CREATE TABLE v(a);
        CREATE VIEW u AS SELECT 1;
        CREATE TABLE "squall_old_t"(a)
        """,
    ]

    private static let pairs = schemas.indices.flatMap { old in
        schemas.indices.filter { $0 != old }.map { (old, $0) }
    }

    @Test(arguments: pairs)
    func theScriptLeadsToTheSecondSchemaAndKeepsTheRows(old: Int, new: Int) async throws {
        let directory = try TemporaryDirectory()
        let (from, to) = (
            try directory.database(Self.schemas[old]), try directory.database(Self.schemas[new], name: "new.db")
        )
        let connection = try Connection(from, mode: .existing, configuration: .sqlite)
        try connection.execute("INSERT INTO t(id, name) VALUES(1, 'eins'), (5, 'zwei'), (3, 'Äß漢')")
        let script = try await Tool.run("diff", from, to, "--sql")
        #expect(script.error == "" && script.exitCode == 1)
        try connection.execute(SQL(raw: script.output))
        #expect(try connection.query("SELECT id || name FROM t ORDER BY id") == ["1eins", "3Äß漢", "5zwei"])
        #expect(try connection.integrityCheck() == [])
        connection.close()
        try await expect(Tool.run("diff", from, to))
        try await expect(Tool.run("diff", from, to, "--sql"))
    }

    @Test func aScriptAddsAColumnWithoutCreatingTheTableAgain() async throws {
        let directory = try TemporaryDirectory()
        let old = try directory.database("CREATE TABLE t(a)", name: "old.db")
        let new = try directory.database("CREATE TABLE t(a, b TEXT NOT NULL DEFAULT 'x')", name: "new.db")
        let outcome = try await Tool.run("diff", old, new, "--sql")
        #expect(outcome.exitCode == 1 && outcome.error == "")
        #expect(outcome.output.contains("\nALTER TABLE \"t\" ADD COLUMN \"b\" TEXT NOT NULL DEFAULT 'x';\n"))
        #expect(!outcome.output.contains("RENAME"))
    }

    @Test func theHighestKeyOfADeletedRowIsKept() async throws {
        let directory = try TemporaryDirectory()
        let old = try directory.database(
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, a);
            INSERT INTO t(id) VALUES(1), (100); DELETE FROM t WHERE id = 100
            """
        )
        let new = try directory.database(
            "CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, a NOT NULL DEFAULT 0)", name: "new.db")
        let script = try await Tool.run("diff", old, new, "--sql")
        let connection = try Connection(old, mode: .existing, configuration: .sqlite)
        try connection.execute("UPDATE t SET a = 0")
        try connection.execute(SQL(raw: script.output))
        try connection.run("INSERT INTO t(a) VALUES(1)")
        #expect(connection.lastInsertRowID == 101)
    }

    @Test func aColumnThatTheRowsHaveNoValueForIsNamed() async throws {
        let directory = try TemporaryDirectory()
        let old = try directory.database("CREATE TABLE t(a, gone); INSERT INTO t VALUES(1, 2)")
        let new = try directory.database("CREATE TABLE t(a, b NOT NULL)", name: "new.db")
        let script = try await Tool.run("diff", old, new, "--sql")
        for line in [
            "-- Drops the column t.gone with its values.",
            "-- Fails if the table t has rows: its column b must not be NULL, and has no default.",
        ] {
            #expect(script.output.contains("\n\(line)\n"))
        }
        let connection = try Connection(old, mode: .existing, configuration: .sqlite)
        #expect(throws: SQLiteError.self) { try connection.execute(SQL(raw: script.output)) }
        try connection.execute("ROLLBACK")
        #expect(try connection.query("SELECT gone FROM t") == 2)
    }

    @Test func aForeignKeyThatCannotBeCheckedDoesNotStopTheScript() async throws {
        let directory = try TemporaryDirectory()
        let keys: SQL = "CREATE TABLE p(a); CREATE TABLE c(x REFERENCES p(a));"
        let old = try directory.database(keys + "CREATE TABLE o(z)", name: "a.db")
        let new = try directory.database(keys + "CREATE TABLE o(z, y)", name: "b.db")
        let script = try await Tool.run("diff", old, new, "--sql")
        #expect(script.exitCode == 1 && script.output.contains("-- Foreign keys are not checked"), "\(script)")
        try Connection(old, configuration: .sqlite).execute(SQL(raw: script.output))
        try await expect(Tool.run("diff", old, new), prints: "")
    }

    @Test func sqlitesShellIsNotNamedForLineEndsThatItChanges() async throws {
        let directory = try TemporaryDirectory()
        let old = try directory.database("CREATE TABLE o(z)", name: "a.db")
        let plain = try directory.database("CREATE TABLE o(z, y)", name: "b.db")
        let other = try directory.database("CREATE TABLE o(z, y DEFAULT 'a\r\nb')", name: "c.db")
        #expect(try await Tool.run("diff", old, plain, "--sql").output.contains("sqlite3 -bail"))
        #expect(try await !Tool.run("diff", old, other, "--sql").output.contains("sqlite3 -bail"))
    }
}
