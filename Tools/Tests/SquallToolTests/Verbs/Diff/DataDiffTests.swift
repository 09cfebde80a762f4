import Foundation
import Squall
import Testing

@Suite struct DataDiffTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func databases(_ schema: SQL, _ old: SQL, _ new: SQL) throws -> (String, String) {
        (
            try directory.database(schema + ";" + old, name: "a.db"),
            try directory.database(schema + ";" + new, name: "b.db")
        )
    }

    @Test func rowsAreMatchedByTheKey() async throws {
        let (old, new) = try databases(
            "CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, n)",
            "INSERT INTO t VALUES(1, 'a', 1), (2, 'b', 2), (4, NULL, 4)",
            "INSERT INTO t VALUES(2, 'c', 2.0), (3, 'it''s', x'00'), (4, '', 4)"
        )
        try await expect(
            Tool.run("diff", old, new, "--data"),
            prints: """
                ~ rows of t by id
                    - 1: name 'a', n 1
                    ~ 2: name 'b' → 'c', n 2 → 2.0
                    + 3: name 'it''s', n x'00'
                    ~ 4: name NULL → ''

                """, exitCode: 1
        )
        try await expect(
            Tool.run("diff", old, new, "--data", "--sql"),
            prints: """
                -- Makes the rows of \(old) those of \(new).
                -- Actions such as ON DELETE CASCADE would change more rows than these.
                PRAGMA foreign_keys = OFF;
                BEGIN IMMEDIATE;
                -- For a transaction that was begun before:
                PRAGMA defer_foreign_keys = ON;
                -- t
                DELETE FROM "t" WHERE "id" = 1;
                UPDATE "t" SET "name" = 'c', "n" = 2.0 WHERE "id" = 2;
                INSERT INTO "t"("id", "name", "n") VALUES(3, 'it''s', x'00');
                UPDATE "t" SET "name" = '' WHERE "id" = 4;
                COMMIT;

                """, exitCode: 1
        )
        try await expect(
            Tool.run("diff", old, new, "--data", "--summary", "--format", "csv"),
            prints: "table,key,inserted,deleted,changed,same\nt,id,1,1,2,0\n", exitCode: 1
        )
        try await expect(
            Tool.run("diff", old, new, "--data", "--format", "csv"),
            prints: """
                table,key,change,column,from,to
                t,1,removed,id,1,
                t,1,removed,name,a,
                t,1,removed,n,1,
                t,2,changed,name,b,c
                t,2,changed,n,2,2.0
                t,3,added,id,,3
                t,3,added,name,,it's
                t,3,added,n,,x'00'
                t,4,changed,name,,""

                """, exitCode: 1
        )
        try await expect(Tool.run("diff", old, old, "--data"))
    }

    @Test func rowsWithoutAKeyAreMatchedByTheirRowID() async throws {
        let (old, new) = try databases(
            "CREATE TABLE t(rowid, a); CREATE TABLE k(a TEXT PRIMARY KEY)",
            "INSERT INTO t VALUES(7, 1); INSERT INTO k VALUES('x'), (NULL)",
            "INSERT INTO t VALUES(8, 1); INSERT INTO k VALUES('x'), (NULL), (NULL)"
        )
        try await expect(
            Tool.run("diff", old, new, "--data"),
            prints: """
                ~ rows of t by rowid
                    ~ 1: rowid 7 → 8
                ~ rows of k by rowid
                    + 3: a NULL

                """, exitCode: 1
        )
    }

    @Test func longValuesAreCutInTheList() async throws {
        let text = String(repeating: "漢", count: 100)
        let (old, new) = try databases(
            "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b)", "INSERT INTO t VALUES(1, zeroblob(100), '')",
            "INSERT INTO t VALUES(1, x'00\u{30}1', '\(raw: text)')"
        )
        try await expect(
            Tool.run("diff", old, new, "--data"),
            prints: """
                ~ rows of t by id
                    ~ 1: a x'0000000000000000…' (100 bytes) → x'0001', b '' → '\(text.prefix(59))…' (302 bytes)

                """, exitCode: 1
        )
    }

    @Test func whatIsNotComparedIsSaid() async throws {
        let old = try directory.database(
            "CREATE TABLE t(a PRIMARY KEY, b); CREATE TABLE u(a); CREATE VIRTUAL TABLE f USING fts5(x)", name: "a.db")
        let new = try directory.database(
            "CREATE TABLE t(a PRIMARY KEY, c); CREATE VIRTUAL TABLE f USING fts5(x)", name: "b.db")
        try await expect(
            Tool.run("diff", old, new, "--data"),
            fails: """
                note: only \(old) has the table 'u'
                note: the rows of the virtual table 'f' are not compared
                note: columns that only one table 't' has: b, c

                """, exitCode: 1
        )
        let outcome = try await Tool.run("diff", old, new, "--data", "--sql")
        #expect(outcome.exitCode == 2 && outcome.output == "" && outcome.error.contains("tables or columns of"))
        let other = try directory.database("CREATE TABLE t(a, b PRIMARY KEY) WITHOUT ROWID", name: "c.db")
        try await expect(
            Tool.run("diff", old, other, "--data", "--tables", "t"),
            fails:
                "error: the rows of the table 't' cannot be compared: the tables have different primary keys\n",
            exitCode: 2
        )
    }

    @Test func filesWithOtherTextEncodingsAreCompared() async throws {
        let rows: SQL =
            "CREATE TABLE t(a TEXT PRIMARY KEY, b); INSERT INTO t VALUES('\u{FFFD}', 1), ('😀', 2), ('a', 3), ('ÿ', 4)"
        let (old, new) = (
            try directory.database("PRAGMA encoding = 'UTF-16le'; " + rows, name: "a.db"),
            try directory.database(
                "PRAGMA encoding = 'UTF-16le'; " + rows + "; UPDATE t SET b = 0 WHERE a = '😀'", name: "b.db")
        )
        try await expect(
            Tool.run("diff", old, new, "--data"), prints: "~ rows of t by a\n    ~ '😀': b 2 → 0\n", exitCode: 1
        )
        let outcome = try await Tool.run("diff", old, directory.database(rows, name: "c.db"), "--data")
        #expect(
            outcome.exitCode == 2 && outcome.error.contains("the text of one file is UTF-16le, that of the other UTF-8")
        )
    }

    @Test func triggersAndActionsDoNotChangeMore() async throws {
        let (old, new) = try databases(
            """
            CREATE TABLE p(id INTEGER PRIMARY KEY);
            CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p ON DELETE CASCADE);
            CREATE TABLE log(text);
            CREATE VIRTUAL TABLE f USING fts5(text, content = 'log')
            """,
            """
            INSERT INTO p VALUES(1), (2); INSERT INTO c VALUES(1, 1);
            CREATE TRIGGER r AFTER DELETE ON p BEGIN INSERT INTO log VALUES('deleted'); END
            """,
            """
            INSERT INTO p VALUES(2); INSERT INTO c VALUES(1, 2); INSERT INTO log VALUES('text');
            CREATE TRIGGER r AFTER DELETE ON p BEGIN INSERT INTO log VALUES('deleted'); END
            """
        )
        let script = try await Tool.run("diff", old, new, "--data", "--sql")
        #expect(script.error == "note: the rows of the virtual table 'f' are not compared\n" && script.exitCode == 1)
        let connection = try Connection(old, mode: .existing, configuration: .recommended)
        try connection.execute(SQL(raw: script.output))
        #expect(try connection.query("SELECT p FROM c") == [2])
        #expect(try connection.query("SELECT text FROM log") == ["text"])
        #expect(try connection.query("SELECT rowid FROM f('text')") == [1])
        connection.close()
        #expect(try await Tool.run("diff", old, new).exitCode == 0)
        #expect(try await Tool.run("diff", old, new, "--data").exitCode == 0)
    }

    /// Tables with keys of all kinds. Each has the columns `a` and `b`.
    private static let tables: [(schema: SQL, hasUnique: Bool)] = [
        ("CREATE TABLE t(a INTEGER PRIMARY KEY, b)", false),
        ("CREATE TABLE t(a PRIMARY KEY, b) WITHOUT ROWID", false),
        ("CREATE TABLE t(a TEXT COLLATE NOCASE PRIMARY KEY, b)", false),
        ("CREATE TABLE t(a TEXT, b, PRIMARY KEY(a COLLATE RTRIM)) WITHOUT ROWID", false),
        ("CREATE TABLE t(a, b, c AS (a || b), PRIMARY KEY(a DESC, b)) WITHOUT ROWID", false),
        ("CREATE TABLE t(a, b)", false),
        ("CREATE TABLE t(a PRIMARY KEY, b)", false),
        ("CREATE TABLE t(a INTEGER PRIMARY KEY, b UNIQUE)", true),
        ("CREATE TABLE t(a REAL PRIMARY KEY, b ANY) STRICT", false),
    ]

    @Test(arguments: tables.indices, [1, 2, 3])
    func aScriptMakesTheRowsThoseOfTheSecondFile(table: Int, seed: Int) async throws {
        var random = SeededGenerator(seed: seed + table * 1000)
        let (schema, hasUnique) = Self.tables[table]
        let paths = [try directory.database(schema, name: "a.db"), try directory.database(schema, name: "b.db")]
        let values: [SQL] = [
            "NULL", "1", "1.0", "2.5", "'a'", "'A'", "'a '", "''", "'it''s'", "x''", "x'61'", "9223372036854775807",
            "9223372036854775808.0", "-9223372036854775808", "1e999", "-1e999", "0.1", "1e-300", "'漢字'", "'\u{FFFD}'",
            "'😀'",
            "'e\u{301}'", "'\u{e9}'", "'''\u{301}'", "'a' || char(0) || 'b'", "CAST(x'61ff' AS TEXT)", "' '", "'-- \n'",
            "0.30000000000000004",
            "123456789.123456789", "5e-324", "1.7976931348623157e308",
        ]
        for path in paths {
            let connection = try Connection(path, mode: .existing, configuration: .sqlite)
            for number in 0..<40 {
                let key: SQL =
                    [0, 7].contains(table) ? "\(raw: "\(number)")" : values.randomElement(using: &random) ?? "1"
                let value = values.randomElement(using: &random) ?? "1"
                if Bool.random(using: &random) { continue }
                // Values that the table refuses are left out.
                try? connection.execute("INSERT OR IGNORE INTO t(a, b) VALUES(\(key), \(value))")
            }
            connection.close()
        }
        let script = try await Tool.run("diff", paths[0], paths[1], "--data", "--sql")
        #expect(script.error == "" && script.exitCode == 1, "seed \(seed)")
        let (old, new) = (
            try Connection(paths[0], mode: .existing, configuration: .sqlite),
            try Connection(paths[1], mode: .existing, configuration: .sqlite)
        )
        try old.execute(SQL(raw: script.output))
        let dump: SQL = """
            SELECT typeof(a) || hex(a) || iif(typeof(a) = 'real', quote(a), '')
                || typeof(b) || hex(b) || iif(typeof(b) = 'real', quote(b), '') AS x
            FROM t ORDER BY x
            """
        #expect(try old.query(dump) as [String] == new.query(dump), "seed \(seed), unique \(hasUnique)")
        try await expect(Tool.run("diff", paths[0], paths[1], "--data"))
    }

    /// Names of the rowid that are all columns, and no key.
    @Test func aTableThatCannotBeComparedDoesNotEndTheOthers() async throws {
        let (old, new) = try databases(
            "CREATE TABLE odd(rowid, oid, _rowid_); CREATE TABLE t(id INTEGER PRIMARY KEY)", "",
            "INSERT INTO t VALUES(1)")
        let error =
            "error: the rows of the table 'odd' cannot be compared: without a key, rows are matched by the rowid, and all its names are columns\n"
        try await expect(
            Tool.run("diff", old, new, "--data"), prints: "~ rows of t by id\n    + 1\n", fails: error, exitCode: 2)
        let script = try await Tool.run("diff", old, new, "--data", "--sql")
        #expect(script.error == error && script.exitCode == 2)
        #expect(script.output.contains("-- The rows of odd are left as they are: they cannot be compared.\n"))
        #expect(script.output.contains("INSERT INTO \"t\"(\"id\") VALUES(1);\n"))
    }

    /// Triggers that keep an R*Tree and a full-text table run, those of the program do not.
    @Test func derivedTablesFollowAScript() async throws {
        let (old, new) = try databases(
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT UNIQUE, x REAL);
            CREATE TABLE log(a);
            CREATE VIRTUAL TABLE place USING rtree(id, low, high);
            CREATE VIRTUAL TABLE words USING fts5(a, content = 't', content_rowid = 'id');
            CREATE TRIGGER pi AFTER INSERT ON t BEGIN INSERT INTO place VALUES(new.id, new.x, new.x); END;
            CREATE TRIGGER pd AFTER DELETE ON t BEGIN DELETE FROM place WHERE id = old.id; END;
            CREATE TRIGGER pu AFTER UPDATE ON t BEGIN
                DELETE FROM place WHERE id = old.id; INSERT OR REPLACE INTO place VALUES(new.id, new.x, new.x); END;
            CREATE TRIGGER wi AFTER INSERT ON t BEGIN INSERT INTO words(rowid, a) VALUES(new.id, new.a); END;
            CREATE TRIGGER logged AFTER INSERT ON t BEGIN INSERT INTO log VALUES(new.a); END
            """,
            "INSERT INTO t VALUES(1, 'one', 1), (2, 'two', 2), (3, 'three', 3); DELETE FROM log",
            "INSERT INTO t VALUES(1, 'one', 10), (3, 'tres', 3), (4, 'four', 4); DELETE FROM log")
        try await expect(
            Tool.shell(
                "\"$SQUALL\" diff \"$1\" \"$2\" --data --sql 2> /dev/null | \"$SQUALL\" shell \"$1\" --write",
                [old, new]))
        let connection = try Connection(storageLocation: .onDisk(old))
        let places: [String] = try connection.query("SELECT id || ' ' || low FROM place ORDER BY id")
        #expect(places == ["1 10.0", "3 3.0", "4 4.0"])
        #expect(try connection.query("SELECT rtreecheck('place')") == "ok")
        #expect(try connection.query("SELECT rowid FROM words('tres')") == 3)
        #expect(try connection.query("SELECT count(*) FROM log") == 0)
        #expect(try connection.query("SELECT count(*) FROM sqlite_master WHERE type = 'trigger'") == 5)
    }

    @Test func aScriptCanBeRunAsItIsWritten() async throws {
        // More than a pipe holds: the reader writes to a file that must not be locked by then.
        let (old, new) = try databases(
            "CREATE TABLE t(id INTEGER PRIMARY KEY, a)", "",
            """
            WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
            INSERT INTO t SELECT i, hex(randomblob(20)) FROM n
            """
        )
        let pipeline = "\"$SQUALL\" diff \"$1\" \"$2\" --data --sql | \"$SQUALL\" shell \"$1\" --write"
        try await expect(Tool.shell(pipeline, [old, new]), prints: "")
        try await expect(Tool.run("diff", old, new, "--data"), prints: "")
    }

    @Test func valuesWithCarriageReturnsSurviveEveryShell() async throws {
        let (old, new) = try databases(
            "CREATE TABLE t(k TEXT PRIMARY KEY, a)", "INSERT INTO t VALUES('r' || char(13, 10) || 'n', 1)",
            "INSERT INTO t VALUES('r' || char(13, 10) || 'n', 'one' || char(13, 10) || 'two')"
        )
        let outcome = try await Tool.run("diff", old, new, "--data", "--sql")
        #expect(
            outcome.output.contains(
                """
                UPDATE "t" SET "a" = CAST(x'6f6e650d0a74776f' AS TEXT) WHERE "k" = CAST(x'720d0a6e' AS TEXT);
                """))
        #expect(!outcome.output.utf8.contains(UInt8(ascii: "\r")))
    }

    @Test func theHighestKeyOfAutoincrementIsKept() async throws {
        let (old, new) = try databases(
            "CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, a)", "INSERT INTO t VALUES(3, 'a')",
            "INSERT INTO t VALUES(100, 'b'); DELETE FROM t; INSERT INTO t VALUES(3, 'a')"
        )
        try await expect(
            Tool.run("diff", old, new, "--data"),
            fails: "note: the highest key that 't' has used differs: 3 and 100\n")
        let script = try await Tool.run("diff", old, new, "--data", "--sql")
        #expect(script.exitCode == 1)
        let connection = try Connection(old)
        try connection.execute(SQL(raw: script.output))
        #expect(try connection.query("SELECT seq FROM sqlite_sequence WHERE name = 't'") == 100)
        try await expect(Tool.run("diff", old, new, "--data"), prints: "")
    }

    @Test func anErrorNamesTheFileThatHasIt() async throws {
        let (good, bad) = try databases(
            "CREATE TABLE t(id INTEGER PRIMARY KEY, a)", "INSERT INTO t VALUES(1, 2)",
            """
            WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
            INSERT INTO t SELECT i, hex(randomblob(20)) FROM n
            """
        )
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: bad))
        try handle.seek(toOffset: 4096)
        try handle.write(contentsOf: Data(repeating: 0xFF, count: 4096))
        try handle.close()
        for (first, second) in [(bad, good), (good, bad)] {
            let outcome = try await Tool.run("diff", first, second, "--data")
            #expect(outcome.exitCode == 65 && outcome.error.contains("cannot be compared: \(bad): "), "\(outcome)")
        }
    }
}
