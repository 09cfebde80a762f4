import Foundation
import Squall
import Testing

/// What happens with rows that are there already, and with bad rows.
@Suite struct ImportRowTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func load(_ text: String, _ options: String...) async throws -> Outcome {
        let path = try directory.file("t.csv", text)
        return try await Tool.shell("\"$SQUALL\" import \"$@\"", [directory.path("test.db"), path] + options)
    }

    @Test func aPrimaryKeyMayHaveSeveralColumns() async throws {
        try await expect(load("a,b,c\n1,x,2\n", "--primary-key", "b,A"), prints: "1 row into t\n")
        #expect(
            try directory.literals("SELECT sql FROM sqlite_schema WHERE type = 'table'") == [
                "'CREATE TABLE \"t\"(\n  \"a\" INTEGER,\n  \"b\" TEXT,\n  \"c\" INTEGER,\n  PRIMARY KEY (\"b\", \"A\")\n)'"
            ]
        )
        try await expect(load("id\n7\n", "--primary-key", "id", "--table", "u"), prints: "1 row into u\n")
        #expect(try directory.literals("SELECT rowid FROM u") == ["7"])
        try await expect(
            load("a\n1\n", "--primary-key", "b", "--table", "v"),
            fails: "error: \(directory.path("t.csv")): the primary key 'b' is not a column\nhint: the columns are a\n",
            exitCode: 65
        )
    }

    @Test func aKeyThatIsThereIsAnErrorUnlessOptionsSayOtherwise() async throws {
        let table: SQL = "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b); INSERT INTO t VALUES(1, 'old', 'kept')"
        _ = try directory.database(table)
        let text = "id,a\n2,new\n1,new\n"
        let path = directory.path("t.csv")
        try await expect(
            load(text), fails: "error: \(path), line 3: UNIQUE constraint failed: t.id\n", exitCode: 65
        )
        #expect(try directory.literals("SELECT * FROM t") == ["1 'old' 'kept'"])
        try await expect(load(text, "--ignore"), prints: "1 row into t, 1 ignored\n")
        #expect(try directory.literals("SELECT * FROM t") == ["1 'old' 'kept'", "2 'new' NULL"])
        try await expect(load(text, "--upsert"), prints: "2 rows into t\n")
        #expect(try directory.literals("SELECT * FROM t") == ["1 'new' 'kept'", "2 'new' NULL"])
        try await expect(
            load("id\n1\n", "--upsert"),
            prints: "0 rows into t, 1 left out: they exist already, or by a rule of the table\n")
        try await expect(load(text, "--replace"), prints: "2 rows into t\n")
        #expect(try directory.literals("SELECT * FROM t") == ["1 'new' NULL", "2 'new' NULL"])
    }

    /// The number is that of the rows that are in the table.
    @Test(arguments: [
        "CREATE TABLE t(id INTEGER PRIMARY KEY, a UNIQUE ON CONFLICT IGNORE)",
        "CREATE TABLE t(id INTEGER PRIMARY KEY, a NOT NULL CHECK(a <> 'x' OR id < 2) ); CREATE TRIGGER r BEFORE INSERT ON t WHEN new.id > 1 BEGIN SELECT RAISE(IGNORE); END",
    ])
    func rowsThatTheTableLeavesOutAreCountedApart(schema: String) async throws {
        for (number, option) in ["--replace", "--upsert", "--ignore", "--reject=bad.csv"].enumerated() {
            let path = try directory.database(SQL(raw: schema), name: "\(number).db")
            let csv = try directory.file("t.csv", "id,a\n1,x\n2,x\n3,x\n")
            let outcome = try await Tool.run("import", path, csv, option, in: directory.url)
            let count: Int = try Connection(path, mode: .readOnly).query("SELECT count(*) FROM t")
            // REPLACE of the statement replaces the rows of this import too, whatever the table says.
            if option == "--replace", schema.contains("UNIQUE") { continue }
            let rows = count == 1 ? "1 row into t" : "\(count) rows into t"
            #expect(outcome.exitCode == 0 && outcome.output.hasPrefix(rows), "\(option): \(outcome)")
            #expect(outcome.output.contains("2 left out") || outcome.output.contains("2 ignored"), "\(outcome)")
        }
    }

    @Test(arguments: [nil, "--reject=bad.csv"])
    func aRowThatRollsBackEndsTheImportWithItsLine(option: String?) async throws {
        let path = try directory.database("CREATE TABLE t(a UNIQUE ON CONFLICT ROLLBACK)")
        let csv = try directory.file("t.csv", "a\n1\n2\n1\n3\n")
        let outcome = try await Tool.shell(
            "cd \"$1\" && shift && \"$SQUALL\" import \"$@\"",
            [directory.url.path, path, csv] + [option].compactMap(\.self))
        expect(
            outcome,
            fails: """
                error: \(csv), line 4: UNIQUE constraint failed: t.a
                hint: the table or a trigger rolls the whole import back for such a row: ON CONFLICT ROLLBACK, or RAISE(ROLLBACK)

                """, exitCode: 65)
        #expect(try directory.literals("SELECT count(*) FROM t") == ["0"])
    }

    /// REPLACE deletes the row that is there, and its trigger takes the words of that row out of the search table.
    @Test func replacedRowsLeaveSearchTables() async throws {
        _ = try directory.database(
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT);
            CREATE VIRTUAL TABLE s USING fts5(a, content = 't', content_rowid = 'id');
            CREATE TRIGGER i AFTER INSERT ON t BEGIN INSERT INTO s(rowid, a) VALUES(new.id, new.a); END;
            CREATE TRIGGER d AFTER DELETE ON t BEGIN INSERT INTO s(s, rowid, a) VALUES('delete', old.id, old.a); END;
            INSERT INTO t VALUES(1, 'old');
            """)
        try await expect(load("id,a\n1,new\n", "--replace"), prints: "1 row into t\n")
        #expect(try directory.literals("SELECT count(*) FROM s('old')") == ["0"])
        #expect(try directory.literals("SELECT rowid FROM s('new')") == ["1"])
    }

    @Test func anUpsertNeedsAKey() async throws {
        _ = try directory.database("CREATE TABLE t(a); CREATE TABLE u(id PRIMARY KEY, a)")
        try await expect(
            load("a\n1\n", "--upsert"),
            fails: "error: \(directory.path("test.db")): --upsert needs a primary key, and 't' has none\n", exitCode: 2
        )
        try await expect(
            load("a\n1\n", "--upsert", "--table", "u"),
            fails: "error: \(directory.path("t.csv")), line 2: it has no 'id', which is in the primary key\n",
            exitCode: 65
        )
    }

    @Test func columnsAreFoundByName() async throws {
        _ = try directory.database("CREATE TABLE t(a, b DEFAULT 5, \"c d\", g AS (a + 1))")
        try await expect(load("C D,A\nx,1\n"), prints: "1 row into t\n")
        #expect(try directory.literals("SELECT * FROM t") == ["1 5 'x' 2"])
        try await expect(
            load("a,z\n1,2\n"),
            fails:
                "error: \(directory.path("t.csv")): the table 't' has no column 'z'\nhint: the columns are a, b, c d, g\n",
            exitCode: 65
        )
        try await expect(
            load("a,g\n1,2\n"),
            fails: "error: \(directory.path("t.csv")): the column 'g' of 't' is generated, and cannot be imported\n",
            exitCode: 65
        )
    }

    @Test func badRowsAreRejectedWithLineAndReason() async throws {
        _ = try directory.database("CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT NOT NULL CHECK (a <> 'no'))")
        let reject = directory.path("bad.csv")
        try await expect(
            load("id,a\n1,x\n2\n3,\n4,no\n1,y\nz,y\n5,\"1\n2\",\"\"\"\"\n6,\"x\"y\n7,ok\n", "--reject", reject),
            prints: "2 rows into t, 7 rejected into \(reject)\n"
        )
        #expect(try directory.literals("SELECT * FROM t") == ["1 'x'", "7 'ok'"])
        let expected = #"""
            line,reason,record
            3,1 field instead of 2,2
            4,NOT NULL constraint failed: t.a,"3,"
            5,CHECK constraint failed: a <> 'no',"4,no"
            6,UNIQUE constraint failed: t.id,"1,y"
            7,"'z' is not a whole number of 64 bits, which column 'id' requires","z,y"
            8,3 fields instead of 2,"5,""1
            2"",QUOTES
            10,field 2 has text after its closing quote,"6,""x""y"

            """#
        // Four quotes, each doubled, and the one that ends the record.
        let quotes = String(repeating: "\"", count: 9)
        #expect(try String(contentsOfFile: reject, encoding: .utf8) == expected.replacing("QUOTES", with: quotes))
    }

    @Test func aFileOfRejectsIsWrittenAlsoIfThereAreNone() async throws {
        let reject = try directory.file("bad.csv", "an old one")
        try await expect(load("a\n1\n", "--reject", reject), prints: "1 row into t\n")
        #expect(try String(contentsOfFile: reject, encoding: .utf8) == "line,reason,record\n")
    }

    @Test func badRowsDoNotDecideTheTypes() async throws {
        let reject = directory.path("bad.csv")
        try await expect(
            load("a,b\n1,2\nx,y,z\n3,4\n", "--reject", reject), prints: "2 rows into t, 1 rejected into \(reject)\n"
        )
        #expect(try directory.literals("SELECT a, b FROM t") == ["1 2", "3 4"])
    }

    @Test func tablesOfEveryKindAreFilled() async throws {
        _ = try directory.database(
            """
            CREATE TABLE w(k TEXT PRIMARY KEY, v INT) WITHOUT ROWID;
            CREATE TABLE s(k TEXT, v INT) STRICT;
            CREATE VIRTUAL TABLE f USING fts5(k, v);
            CREATE VIEW v AS SELECT 1 AS k
            """
        )
        for table in ["w", "s", "f"] {
            try await expect(load("k,v\nx,1\n", "--table", table), prints: "1 row into \(table)\n")
            #expect(try directory.literals("SELECT k, v + 0 FROM \(name: table)") == ["'x' 1"])
        }
        try await expect(
            load("k\nx\n", "--table", "v"), fails: "error: \(directory.path("test.db")): 'v' is a view\n", exitCode: 2
        )
    }

    @Test func aDryRunWritesNothing() async throws {
        let text = "a,b\n1,x\n"
        try await expect(
            load(text, "--dry-run", "--primary-key", "a", "--strict"),
            prints:
                "CREATE TABLE \"t\"(\n  \"a\" INTEGER PRIMARY KEY,\n  \"b\" TEXT\n) STRICT;\n1 row for t; nothing is written\n"
        )
        try await expect(
            load("a\n1\n2,3\n", "--dry-run", "--reject", directory.path("bad.csv")),
            prints: "CREATE TABLE \"t\"(\n  \"a\" INTEGER\n);\n1 row for t, 1 rejected; nothing is written\n"
        )
        #expect(try directory.files() == ["t.csv"])
        _ = try directory.database("CREATE TABLE t(a, b)")
        try await expect(load(text, "--dry-run"), prints: "1 row for t; nothing is written\n")
        try await expect(
            load("a,b\n1\n", "--dry-run"), fails: "error: \(directory.path("t.csv")), line 2: 1 field instead of 2\n",
            exitCode: 65)
        #expect(try directory.literals("SELECT * FROM t") == [])
    }

    @Test func anExistingTableKeepsItsKey() async throws {
        _ = try directory.database("CREATE TABLE t(a PRIMARY KEY, b)")
        try await expect(load("a,b\n1,x\n", "--primary-key", "A", "--upsert"), prints: "1 row into t\n")
        try await expect(
            load("a,b\n1,x\n", "--primary-key", "b"),
            fails: "error: \(directory.path("test.db")): the table 't' exists with another primary key: a\n",
            exitCode: 2
        )
    }
}
