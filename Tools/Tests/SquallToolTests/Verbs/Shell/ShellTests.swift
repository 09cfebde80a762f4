import Foundation
import Squall
import Testing

@Suite struct ShellTests {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = try directory.database(
            "CREATE TABLE t(a INTEGER PRIMARY KEY, \"b c\" TEXT NOT NULL DEFAULT 'x'); CREATE VIEW v AS SELECT a FROM t; INSERT INTO t(a) VALUES(1)"
        )
    }

    private func shell(_ script: String, _ flags: String...) async throws -> Outcome {
        try await run(["shell", path] + flags, input: script)
    }

    private func run(_ arguments: [String], input: String) async throws -> Outcome {
        let script = try directory.file("script.sql", input)
        return try await Tool.shell("script=$1; shift; \"$SQUALL\" \"$@\" < \"$script\"", [script] + arguments)
    }

    @Test func aScriptRunsStatementsAndCommands() async throws {
        try await expect(
            shell(
                "select a from t; -- first;\n.mode csv\nselect 'x;y' as \"a;b\",\n  2 as c /* ; */;\n.mode\n.tables\nselect 3"
            ),
            prints: " a\n───\n 1\n1 row\na;b,c\nx;y,2\ncsv\nt\nv\n3\n3\n"
        )
    }

    @Test func foreignKeysAreEnforcedWhereTheShellWrites() async throws {
        let script = "CREATE TABLE c(t REFERENCES t(a)); INSERT INTO c VALUES(1);\nDELETE FROM t;"
        let outcome = try await shell(script, "--write")
        #expect(outcome.exitCode != 0)
        #expect(outcome.error.contains("line 2") && outcome.error.contains("FOREIGN KEY constraint failed"))
        try await expect(
            shell("PRAGMA foreign_keys = OFF; DELETE FROM t; SELECT count(*) FROM c", "--write", "--format", "csv"),
            prints: "count(*)\n1\n")
    }

    /// The line is that of the statement, or the one of it that SQLite names.
    @Test func anErrorHasTheLineOfItsStatement() async throws {
        let start = "error: \(path): standard input, line"
        for (script, line) in [
            ("-- one\n\nINSERT INTO t(a) VALUES(1);\n", 3), ("SELECT 1;\n/* two\n*/ INSERT INTO t(a)\nVALUES(1);", 3),
            (".mode csv\n\n-- c\nINSERT INTO t(a) VALUES(7); INSERT INTO t(a) VALUES(7);", 4),
            ("SELECT 1;\nSELECT\n  none;", 3), ("SELECT 1; SELECT none", 1),
        ] {
            let outcome = try await shell(script, "--write")
            #expect(outcome.error.hasPrefix("\(start) \(line): ") && outcome.exitCode == 2, "\(script): \(outcome)")
        }
        let read = try directory.file("read.sql", "\nSELECT none;\n")
        let outcome = try await shell(".read \(read)\n")
        #expect(outcome.error.hasPrefix("error: \(read), line 2: no such column: none"))
    }

    @Test func aStatementThatRollsBackSaysSo() async throws {
        let outcome = try await shell(
            "BEGIN;\nCREATE TABLE u(a UNIQUE ON CONFLICT ROLLBACK);\nINSERT INTO u VALUES(1);\nINSERT INTO u VALUES(1);",
            "--write")
        expect(
            outcome,
            fails: """
                error: \(path): standard input, line 4: UNIQUE constraint failed: u.a (SQLITE_CONSTRAINT_UNIQUE)
                hint: the statement itself rolled the transaction back: ON CONFLICT ROLLBACK, or RAISE(ROLLBACK) in a trigger

                """, exitCode: 2)
    }

    @Test func aByteOrderMarkIsNotSQL() async throws {
        try await expect(shell("\u{FEFF}select 1 as a;\n", "--format", "csv"), prints: "a\n1\n")
    }

    @Test func aTriggerIsOneStatement() async throws {
        try await expect(
            shell(
                "CREATE TRIGGER r AFTER INSERT ON t BEGIN\n  DELETE FROM t WHERE a = 5;\n  SELECT 1;\nEND;\nINSERT INTO t(a) VALUES(5), (6);\nselect a from t;",
                "--write", "--format", "csv"
            ), prints: "a\n1\n6\n"
        )
    }

    @Test func theFirstErrorEndsAScript() async throws {
        try await expect(
            shell("select 1 as a;\nselect none from t;\nselect 2;", "--format", "csv"), prints: "a\n1\n",
            fails:
                "error: \(path): standard input, line 2: no such column: none (SQLITE_ERROR)\n  select none from t;\n         ^\n",
            exitCode: 2
        )
        let formats = try await formats
        for (script, error) in [
            (
                "select 'open",
                "error: \(path): standard input, line 1: unrecognized token: \"'open\" (SQLITE_ERROR)\n  select 'open\n         ^\n"
            ),
            (".nothing\n", "error: there is no command .nothing\nhint: .help lists the commands\n"),
            (".mode x\n", "error: there is no format 'x', only \(formats)\n"),
            (".schema none\n", "error: there is no table or view 'none'\nhint: .tables lists them\n"),
        ] {
            try await expect(shell(script), fails: error, exitCode: 2)
        }
    }

    private var formats: String {
        get async throws {
            let help = try await shell(".help\n").output
            let line = try #require(help.split(separator: "\n").first { $0.hasPrefix(".mode") })
            return String(line.split(separator: ": ")[1])
        }
    }

    @Test func itIsReadOnlyWithoutWrite() async throws {
        let refused = """
            error: \(path): the SQL writes, and the database is opened read-only (SQLITE_READONLY)
            hint: start the shell with --write

            """
        for sql in ["DELETE FROM t;", "VACUUM INTO 'copy.db';", "BEGIN IMMEDIATE;"] {
            try await expect(shell(sql), fails: refused, exitCode: 77)
        }
        try await expect(shell("UPDATE t SET a = 2;", "--write"))
        try await expect(shell("select a from t", "--format", "csv"), prints: "a\n2\n")
        #expect(try directory.files() == ["script.sql", "test.db"])
    }

    @Test func onlyWriteCreatesADatabase() async throws {
        let new = directory.path("new.db")
        try await expect(
            run(["shell", new], input: "select 1"), fails: "error: cannot open '\(new)': No such file or directory\n",
            exitCode: 66
        )
        try await expect(run(["shell", new, "--write"], input: "create table t(a)"))
        #expect(try directory.files() == ["new.db", "script.sql", "test.db"])
    }

    @Test(arguments: ["BEGIN; DELETE FROM t;", "BEGIN; DELETE FROM t; .quit\n", "SAVEPOINT s; DELETE FROM t"])
    func anOpenTransactionIsRolledBack(script: String) async throws {
        let outcome = try await shell(script.replacing("; .quit", with: ";\n.quit"), "--write")
        expect(outcome, fails: "note: the open transaction was rolled back\n")
        try await expect(shell("select a from t", "--format", "csv"), prints: "a\n1\n")
    }

    @Test func commandsShowTheSchema() async throws {
        try await expect(
            shell(".schema\n.schema v\n.mode csv\n.describe t\n.describe \"v\"\n"),
            prints: """
                CREATE TABLE t(a INTEGER PRIMARY KEY, "b c" TEXT NOT NULL DEFAULT 'x');
                CREATE VIEW v AS SELECT a FROM t;
                CREATE VIEW v AS SELECT a FROM t;
                column,type,not null,default,key
                a,INTEGER,"",,1
                b c,TEXT,not null,'x',
                column,type,not null,default,key
                a,INTEGER,"",,

                """
        )
    }

    @Test func aFileIsRead() async throws {
        let file = try directory.file("it's a \"file\".sql", "select 1 as a;\nselect none;\n")
        let quoted = "'\(file.replacing("'", with: "''"))'"
        let outcome = try await shell(".mode csv\n.read \(quoted)\n")
        #expect(outcome.output == "a\n1\n" && outcome.exitCode == 2)
        #expect(outcome.error.hasPrefix("error: \(file), line 2: no such column: none (SQLITE_ERROR)\n"))
        let missing = directory.path("none.sql")
        try await expect(
            shell(".read \(missing)\n"), fails: "error: cannot open '\(missing)': No such file or directory\n",
            exitCode: 66
        )
    }

    @Test func invalidTextIsBadInput() async throws {
        let script = directory.path("bytes.sql")
        try Data([0x73, 0xFF, 0x0A]).write(to: URL(fileURLWithPath: script))
        let outcome = try await Tool.shell("\"$SQUALL\" shell \"$1\" < \"$2\"", [path, script])
        expect(
            outcome,
            fails: """
                error: \(path): standard input, line 1: the script is not valid UTF-8
                hint: convert the file, for instance with iconv -f ISO-8859-1 -t UTF-8

                """, exitCode: 65)
    }

    @Test func aFullDiskAndAClosedPipeEndIt() async throws {
        let script = try directory.file("script.sql", "select 1; select 2;")
        try await expect(
            Tool.shell("\"$SQUALL\" shell \"$1\" < \"$2\" > /dev/full", [path, script]),
            fails: "error: cannot write to standard output: No space left on device\n", exitCode: 74
        )
        let endless = try directory.file(
            "endless.sql", "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n) SELECT i FROM n")
        try await expect(
            Tool.shell("\"$SQUALL\" shell \"$1\" --format csv < \"$2\" | head -2", [path, endless]), prints: "i\n1\n"
        )
    }

    @Test func aLongScriptRunsWhole() async throws {
        let rows = (2...20_000).map { "INSERT INTO t(a) VALUES(\($0));\n" }.joined()
        try await expect(
            shell("BEGIN;\n\(rows)COMMIT;\nselect count(*) as n from t;", "--write", "--format", "csv"),
            prints: "n\n20000\n")
    }
}
