import SquallChanges
import Foundation
import Squall
import Testing

@Suite struct SchemaDiffTests {
    let directory: TemporaryDirectory

    /// A key that is declared with the table, and a change of one of its columns.
    @Test(arguments: [
        ("a INT, b, PRIMARY KEY(a)", "a TEXT, b, PRIMARY KEY(a)"),
        ("a, b, PRIMARY KEY(a, b)", "a NOT NULL, b, PRIMARY KEY(a, b)"),
        ("a, b TEXT, PRIMARY KEY(a DESC, b)", "a, B TEXT DEFAULT 'x', PRIMARY KEY(\"a\" DESC, b)"),
        ("a TEXT, CONSTRAINT k PRIMARY KEY(a COLLATE NOCASE)", "a INT, PRIMARY KEY(a COLLATE NOCASE)"),
    ])
    func aKeyThatStaysIsNotADifference(tables: (String, String)) async throws {
        let old = try directory.database("CREATE TABLE t(\(raw: tables.0))", name: "a.db")
        let new = try directory.database("CREATE TABLE t(\(raw: tables.1))", name: "b.db")
        for (first, second) in [(old, new), (new, old)] {
            let outcome = try await Tool.run("diff", first, second, "--format", "csv")
            let kinds = outcome.output.split(separator: "\n").dropFirst().map { $0.split(separator: ",")[1] }
            #expect(kinds == ["table", "column"] && outcome.exitCode == 1, "\(outcome)")
            let script = try await Tool.run("diff", first, second, "--sql")
            #expect(script.error == "" && script.exitCode == 1)
        }
    }

    /// The tables that Squall keeps for itself.
    @Test func tablesOfTheLibraryAreLeftAlone() async throws {
        let table: SQL = "CREATE TABLE t(id INTEGER PRIMARY KEY, a)"
        let old = directory.path("a.db")
        let database = try Database(old)
        try await database.migrate(Schema("main") { Version(1) { Execute(table) } })
        try await database.write { (connection: Connection) in
            _ = try SyncLog(connection, origin: "a", tables: ["t": .lastWriter(by: "a")])
        }
        try await database.write(idempotencyKey: "key", deadline: nil) { _ in 1 }
        let new = try directory.database(table, name: "b.db")
        let connection = try Connection(old, mode: .readOnly)
        let names: [String] = try connection.query(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'squall%' ORDER BY name")
        #expect(names.count > 5 && names.contains("squall_writes"))
        let note = "note: Squall's own tables are left out: \(names.joined(separator: ", "))\n"
        for option in ["--sql", "--summary", "--data"] {
            let outcome = try await Tool.run("diff", old, new, option)
            #expect(
                !outcome.output.contains("squall_versions") && outcome.error == note && outcome.exitCode == 0,
                "\(outcome)")
        }
        let named = try await Tool.run("diff", old, new, "--tables", "squall_versions")
        #expect(named.exitCode == 1 && named.error == "" && named.output.contains("squall_versions"))
        let source = try await Tool.run("generate", old)
        #expect(source.output.contains("struct T: TableRecord") && !source.output.contains("struct Squall"))
        #expect(source.output.contains("// The table squall_versions is Squall's own, and is not declared.\n"))
    }

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func diff(_ old: SQL, _ new: SQL, _ flags: String...) async throws -> Outcome {
        _ = (try directory.database(old, name: "a.db"), try directory.database(new, name: "b.db"))
        let command = "cd \"$1\" && shift && \"$SQUALL\" diff a.db b.db \"$@\"; code=$?; rm a.db b.db; exit $code"
        return try await Tool.shell(command, [directory.url.path] + flags)
    }

    @Test func aDifferenceIsShownAsWhatLeadsToTheSecondFile() async throws {
        try await expect(
            diff(
                """
                CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT, mail TEXT);
                CREATE INDEX users_name ON users(name);
                CREATE TABLE old(a);
                CREATE VIEW names AS SELECT name FROM users;
                CREATE TRIGGER gone AFTER INSERT ON users BEGIN SELECT 1; END
                """,
                """
                CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INT, CHECK (age > 0)) STRICT;
                CREATE UNIQUE INDEX users_name ON users(name);
                CREATE TABLE "new"(a);
                CREATE VIEW names AS SELECT name, age FROM users;
                CREATE VIRTUAL TABLE search USING fts5(text)
                """
            ),
            prints: """
                - table old
                ~ table users
                    - column "mail" TEXT
                    ~ column "name" TEXT → "name" TEXT NOT NULL
                    + column "age" INT
                    + constraint CHECK (age > 0)
                    ~ options STRICT, with rowid
                    ~ index users_name
                        - CREATE INDEX users_name ON users(name)
                        + CREATE UNIQUE INDEX users_name ON users(name)
                    - trigger gone
                + table new
                + virtual table search
                ~ view names
                    - CREATE VIEW names AS SELECT name FROM users
                    + CREATE VIEW names AS SELECT name, age FROM users

                """, exitCode: 1
        )
    }

    @Test func whatIsWrittenDifferentlyIsTheSame() async throws {
        try await expect(
            diff(
                """
                CREATE TABLE t(a INTEGER PRIMARY KEY, "b" text DEFAULT 'X' NOT NULL UNIQUE, c);
                CREATE INDEX i ON t(c) WHERE b <> 'x';
                CREATE VIEW v AS SELECT a, 'Text' FROM t;
                CREATE TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM t; END
                """,
                """
                CREATE TABLE "T"(-- a comment
                    c, [A] integer /* the key */ primary key, b TEXT NOT NULL DEFAULT ('X'), UNIQUE (b));
                CREATE INDEX "I" ON T ( C ) WHERE "B"<>'x';
                CREATE VIEW "V" AS select A, 'Text' from t;
                CREATE TRIGGER r after insert on "t" begin delete from T; end
                """
            )
        )
    }

    @Test func textKeepsItsCase() async throws {
        let outcome = try await diff("CREATE VIEW v AS SELECT 'a'", "CREATE VIEW v AS SELECT 'A'")
        #expect(outcome.exitCode == 1 && outcome.output.hasPrefix("~ view v\n"))
    }

    @Test func namesThatOnlyUnicodeFoldsAreDifferent() async throws {
        try await expect(
            diff("CREATE TABLE ä(a); CREATE TABLE \"e\u{301}\"(a)", "CREATE TABLE Ä(a); CREATE TABLE \"\u{e9}\"(a)"),
            prints: "- table ä\n- table e\u{301}\n+ table Ä\n+ table \u{e9}\n", exitCode: 1
        )
    }

    @Test func someTablesCanBeChosen() async throws {
        let (old, new): (SQL, SQL) = (
            "CREATE TABLE a(x); CREATE TABLE b(x)", "CREATE TABLE a(x, y); CREATE TABLE b(x, y)"
        )
        try await expect(diff(old, new, "--tables", "A"), prints: "~ table a\n    + column \"y\"\n", exitCode: 1)
        try await expect(
            diff(old, new, "--tables", "a,none"), fails: "error: neither file has a table or a view 'none'\n",
            exitCode: 2
        )
    }

    @Test func aSummaryCounts() async throws {
        try await expect(
            diff("CREATE TABLE a(x)", "CREATE TABLE a(x, y, z); CREATE TABLE b(x)", "--summary", "--format", "csv"),
            prints: "kind,added,removed,changed\ntable,1,0,1\ncolumn,2,0,0\n", exitCode: 1
        )
        try await expect(diff("", "", "--summary", "--format", "json"), prints: "[]\n")
    }

    @Test func programsGetRows() async throws {
        try await expect(
            diff("CREATE TABLE a(x)", "CREATE TABLE a(y)", "--format", "json"),
            prints: """
                [{"change": "changed", "kind": "table", "table": null, "name": "a", "from": null, "to": null},
                 {"change": "removed", "kind": "column", "table": "a", "name": "x", "from": "\\"x\\"", "to": null},
                 {"change": "added", "kind": "column", "table": "a", "name": "y", "from": null, "to": "\\"y\\""}]

                """, exitCode: 1
        )
    }

    @Test func namesCannotMoveTheCursor() async throws {
        try await expect(
            diff("", "CREATE TABLE \"a\n\u{1B}[31m\"(x)"), prints: "+ table a\\n\\u{1B}[31m\n", exitCode: 1
        )
    }

    @Test func troubleIsNotADifference() async throws {
        let path = try directory.database("CREATE TABLE t(a)")
        let text = try directory.file("text.db", String(repeating: "no database ", count: 100))
        let missing = directory.path("none.db")
        try await expect(
            Tool.run("diff", path, missing), fails: "error: cannot open '\(missing)': No such file or directory\n",
            exitCode: 66
        )
        for arguments in [[path, text], [text, path]] {
            let outcome = try await Tool.shell("\"$SQUALL\" diff \"$@\"", arguments)
            #expect(outcome.output == "" && outcome.exitCode == 65)
            #expect(outcome.error.hasPrefix("error: \(text): file is not a database"))
        }
        let connection = try Connection(path, mode: .existing, configuration: .sqlite)
        try connection.execute("BEGIN EXCLUSIVE")
        try await expect(
            Tool.run("diff", missing, path, "--timeout", "0"),
            fails: "error: cannot open '\(missing)': No such file or directory\n", exitCode: 66
        )
        let other = try directory.database("", name: "other.db")
        try await expect(
            Tool.run("diff", other, path, "--timeout", "0"),
            fails: "error: \(path): database is locked (SQLITE_BUSY)\n",
            exitCode: 75
        )
        try connection.execute("ROLLBACK")
        try await expect(
            Tool.shell("\"$SQUALL\" diff \"$1\" \"$2\" > /dev/full", [other, path]),
            fails: "error: cannot write to standard output: No space left on device\n", exitCode: 74
        )
        let usage = try await Tool.run("diff", path, other, "--sql", "--summary")
        #expect(usage.exitCode == 64)
    }
}
