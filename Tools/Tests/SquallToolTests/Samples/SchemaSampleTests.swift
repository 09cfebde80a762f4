import Foundation
import Squall
import Testing

/// A small schema with one kind of trouble.
struct SchemaSample: CustomTestStringConvertible, Sendable {
    let trouble: String
    let sql: String
    let table: String

    var testDescription: String { trouble }
}

/// Schemas of our own that stand for public sample databases and for the migrations of applications. The table of
/// `Tools/README.md` lists them.
@Suite struct SchemaSampleTests {
    private static let samples = [
        SchemaSample(
            trouble: "names with spaces and keywords as names",
            sql: """
                CREATE TABLE "Order Details"("Order" INTEGER, [group] TEXT, `Unit Price` REAL);
                CREATE INDEX "by group" ON "Order Details"([group] DESC);
                INSERT INTO "Order Details" VALUES(1, 'it''s', 1.5)
                """, table: "Order Details"),
        SchemaSample(
            trouble: "a composite key without rowid, and defaults that are expressions",
            sql: """
                CREATE TABLE lines(doc INTEGER NOT NULL, line INT, n SMALLINT DEFAULT (1 + 1), at TEXT DEFAULT CURRENT_TIMESTAMP,
                    PRIMARY KEY(doc, line)) WITHOUT ROWID;
                INSERT INTO lines(doc, line, at) VALUES(1, 1, 'now'), (1, 2, 'then')
                """, table: "lines"),
        SchemaSample(
            trouble: "a reference to the same table, and BLOBs",
            sql: """
                CREATE TABLE employees(id INTEGER PRIMARY KEY, boss INTEGER REFERENCES employees(id) ON DELETE SET NULL, photo BLOB);
                INSERT INTO employees VALUES(1, 2, x'00ff'), (2, NULL, NULL)
                """, table: "employees"),
        SchemaSample(
            trouble: "generated columns, stored and virtual",
            sql: """
                CREATE TABLE items(id INTEGER PRIMARY KEY, price NUMERIC(10, 2), tax AS (price * 2) STORED,
                    total GENERATED ALWAYS AS (price + tax) VIRTUAL);
                INSERT INTO items(price) VALUES(2.5), (NULL)
                """, table: "items"),
        SchemaSample(
            trouble: "triggers with BEGIN … END, CASE and semicolons in texts",
            sql: """
                CREATE TABLE films(id INTEGER PRIMARY KEY, title VARCHAR(255), updated TEXT);
                CREATE TRIGGER film_update AFTER UPDATE OF title ON films WHEN CASE WHEN new.id > 0 THEN 1 ELSE 0 END BEGIN
                    UPDATE films SET updated = CASE WHEN old.title = 'END;' THEN 'a;b' ELSE 'now' END WHERE id = new.id;
                    SELECT 1;
                END;
                INSERT INTO films VALUES(1, 'one', NULL)
                """, table: "films"),
        SchemaSample(
            trouble: "AUTOINCREMENT, a partial index and an index of an expression",
            sql: """
                CREATE TABLE users(id INTEGER PRIMARY KEY AUTOINCREMENT, mail TEXT COLLATE NOCASE UNIQUE, gone INTEGER);
                CREATE UNIQUE INDEX live ON users(lower(mail)) WHERE gone IS NULL;
                INSERT INTO users VALUES(7, 'a@b', NULL); DELETE FROM users; INSERT INTO users(mail) VALUES('c@d')
                """, table: "users"),
        SchemaSample(
            trouble: "a STRICT table, and checks of a table",
            sql: """
                CREATE TABLE prices(a INTEGER, b ANY, CONSTRAINT positive CHECK (a > 0 AND typeof(b) <> 'null')) STRICT;
                INSERT INTO prices VALUES(1, 'x'), (2, 3.5)
                """, table: "prices"),
        SchemaSample(
            trouble: "a full-text table with triggers",
            sql: """
                CREATE TABLE notes(id INTEGER PRIMARY KEY, body TEXT);
                CREATE VIRTUAL TABLE words USING fts5(body, content = 'notes', content_rowid = 'id');
                CREATE TRIGGER added AFTER INSERT ON notes BEGIN INSERT INTO words(rowid, body) VALUES(new.id, new.body); END;
                INSERT INTO notes VALUES(1, 'garden')
                """, table: "notes"),
    ]

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test(arguments: samples) func aScriptLeadsFromNothingToTheSchema(sample: SchemaSample) async throws {
        let path = try directory.database(SQL(raw: sample.sql), name: "a.db")
        let empty = try directory.database("VACUUM", name: "b.db")
        _ = try await Tool.shell(
            "\"$SQUALL\" diff \"$1\" \"$2\" --sql | \"$SQUALL\" shell \"$1\" --write", [empty, path])
        try await expect(Tool.run("diff", empty, path))
        // As do the statements in their order.
        let other = directory.path("c.db")
        try await expect(
            Tool.shell("\"$SQUALL\" schema \"$1\" | \"$SQUALL\" shell \"$2\" --write", [path, other]))
        try await expect(Tool.run("diff", other, path))
    }

    @Test(arguments: samples) func itsRowsSurviveAScriptAndABackup(sample: SchemaSample) async throws {
        let path = try directory.database(SQL(raw: sample.sql), name: "a.db")
        let copy = directory.path("copy.db")
        #expect(try await Tool.run("backup", path, copy, "--vacuum").exitCode == 0)
        let compared = try await Tool.run("diff", path, copy, "--data")
        #expect(compared.exitCode == 0 && compared.output == "", "\(compared)")
        guard sample.table != "notes" else { return }
        let other = directory.path("b.db")
        try await expect(
            Tool.shell(
                "\"$SQUALL\" export \"$1\" \"$3\" --format sql | \"$SQUALL\" shell \"$2\" --write",
                [path, other, sample.table]))
        for option in [[], ["--data"]] {
            let outcome = try await Tool.shell(
                "\"$SQUALL\" diff \"$@\"", [path, other, "--tables", sample.table] + option)
            expect(outcome)
        }
    }

    @Test(arguments: samples) func everyVerbThatReadsWorks(sample: SchemaSample) async throws {
        let path = try directory.database(SQL(raw: sample.sql), name: "a.db")
        try await expect(Tool.run("check", path), prints: "ok  no problems found\n")
        for verb in ["tables", "describe", "size", "generate"] {
            let outcome = try await Tool.run(verb, path)
            #expect(outcome.exitCode == 0 && outcome.error == "", "\(verb): \(outcome)")
        }
        let doctor = try await Tool.run("doctor", path)
        #expect(doctor.error == "" && !doctor.output.contains("problem"), "\(doctor)")
    }

    // MARK: - Migrations and queries

    @Test(arguments: [
        (
            "timestamps and CRLF",
            ["20240101120000_a.sql": "CREATE TABLE a(x);\r\n", "20240102120000_b.sql": "CREATE TABLE b(x);\r\n"],
            20_240_102_120_000
        ),
        (
            "a table that is made again",
            [
                "1_a.sql": "CREATE TABLE a(x); INSERT INTO a VALUES(1);",
                "2_a.sql":
                    "CREATE TABLE n(x NOT NULL);\nINSERT INTO n SELECT x FROM a; -- rows;\nDROP TABLE a;\nALTER TABLE n RENAME TO a;",
            ], 2
        ),
        (
            "a trigger, and semicolons in comments",
            [
                "001.sql":
                    "/* a; */ CREATE TABLE a(x);\nCREATE TRIGGER t AFTER INSERT ON a BEGIN\n  DELETE FROM a WHERE x = 'END;'; -- ;\nEND;"
            ], 1
        ),
    ])
    func migrationsRunAndVerify(trouble: String, files: [String: String], version: Int) async throws {
        let folder = directory.path("Migrations")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, text) in files { _ = try directory.file("Migrations/\(name)", text) }
        let path = directory.path("app.db")
        try await expect(Tool.run("migrate", "up", path, folder), prints: "\(path): version 0 → \(version)\n")
        try await expect(
            Tool.run("migrate", "verify", path, folder), prints: "\(path) has the schema of \(folder)\n")
    }

    @Test(arguments: [
        ("-- name: pets :many\nSELECT * FROM pets WHERE owner = :owner;", nil),
        ("-- name: addPet :one\nINSERT INTO pets(name, owner) VALUES(:name, :owner) RETURNING *;", nil),
        ("-- name: removePet :execute\nDELETE FROM pets WHERE id = :id;", nil),
        ("-- name: removePet :exec\nDELETE FROM pets WHERE id = :id;", " error: ':exec' is not the number of rows"),
        (
            "-- name: pet\nSELECT * FROM pets WHERE id = ?;",
            ":2:31: error: a parameter has a name: write :limit in place of ?"
        ),
        ("-- name: pet\nSELECT * FROM pets WHERE id IN (sqlc.slice('ids'));", ":2:43: error: near \"(\": syntax error"),
    ])
    func queriesOfOtherGeneratorsAreReadOrRefused(sql: String, refusal: String?) async throws {
        let folder = try SQLFolder(
            schema: "CREATE TABLE pets(id INTEGER PRIMARY KEY, name TEXT NOT NULL, owner INTEGER);", queries: sql + "\n"
        )
        let outcome = try await folder.run("check")
        if let refusal {
            #expect(outcome.exitCode == 1 && outcome.error.contains(refusal), "\(outcome)")
        } else {
            #expect(outcome.exitCode == 0 && outcome.output.hasPrefix("1 query checked by SQLite"), "\(outcome)")
        }
    }
}
