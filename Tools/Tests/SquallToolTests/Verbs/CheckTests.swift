import Foundation
import Squall
import Testing

@Suite struct CheckTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private static let header = "check,table,message,cure\n"

    @Test(arguments: SampleSchema.allCases)
    func aSoundDatabaseHasNoProblems(schema: SampleSchema) async throws {
        let path = try directory.database(schema)
        let before = try directory.bytes("\(schema).db")
        try await expect(Tool.run("check", path), prints: "ok  no problems found\n")
        try await expect(Tool.run("check", path, "--quick", "--types", "--format", "json"), prints: "[]\n")
        #expect(try directory.bytes("\(schema).db") == before && directory.files() == ["\(schema).db"])
    }

    @Test func rowsWithoutTheirParentAreNamed() async throws {
        let path = try directory.database(
            """
            CREATE TABLE parents(id INTEGER PRIMARY KEY, code UNIQUE);
            CREATE TABLE "a child"(p INTEGER REFERENCES parents, c REFERENCES parents(code));
            CREATE TABLE w(k PRIMARY KEY, p REFERENCES parents) WITHOUT ROWID;
            CREATE TABLE wrong(p REFERENCES parents(missing));
            INSERT INTO parents VALUES(1, 'x');
            INSERT INTO "a child" VALUES(1, 'x'), (NULL, NULL), (2, 'y');
            INSERT INTO w VALUES('k', 3);
            INSERT INTO wrong VALUES(1)
            """
        )
        try await expect(
            Tool.run("check", path, "--format", "csv"),
            prints: Self.header
                + #"""
                foreign key,a child,row 3 refers to a row that does not exist (c → parents(code)),
                foreign key,a child,row 3 refers to a row that does not exist (p → parents),
                foreign key,w,a row refers to a row that does not exist (p → parents),
                foreign key,wrong,"foreign key mismatch - ""wrong"" referencing ""parents""",

                """#,
            exitCode: 1
        )
    }

    @Test func aFullTextIndexThatDiffersIsAProblemWithACure() async throws {
        let path = try directory.database(
            """
            CREATE TABLE t(a);
            CREATE VIRTUAL TABLE f USING fts5(a, content='t');
            CREATE VIRTUAL TABLE own USING fts5(a);
            INSERT INTO own VALUES('sound');
            INSERT INTO t VALUES('not in the index')
            """
        )
        let before = try directory.bytes("test.db")
        try await expect(
            Tool.run("check", path),
            prints: """
                problem  full text  f: the full-text index differs from its content
                         cure: INSERT INTO f(f) VALUES('rebuild')
                1 problem

                """,
            exitCode: 1
        )
        try await expect(Tool.run("check", path, "--quick"), prints: "ok  no problems found\n")
        #expect(try directory.bytes("test.db") == before && directory.files() == ["test.db"])
        let connection = try Connection(storageLocation: .onDisk(path))
        try connection.run("INSERT INTO f(f) VALUES('rebuild')")
        connection.close()
        try await expect(Tool.run("check", path), prints: "ok  no problems found\n")
    }

    @Test func valuesThatDoNotFitTheirTypeAreReportedOnRequest() async throws {
        let path = try directory.database(
            """
            CREATE TABLE t(rowid TEXT, i INT, r REAL, n NUMERIC, b BLOB, x, d DATETIME, g AS (i) STORED);
            INSERT INTO t VALUES('a', 1, 1, 1, 1, 'x', '2027-01-01'), (x'00', 'two', x'', 'n', 'b', x'', 5);
            CREATE TABLE w(k TEXT PRIMARY KEY, i INTEGER) WITHOUT ROWID;
            INSERT INTO w VALUES('k', 2.5);
            CREATE TABLE s(i INTEGER, a ANY) STRICT;
            INSERT INTO s VALUES(1, x'00')
            """
        )
        try await expect(Tool.run("check", path, "--format", "csv"), prints: Self.header)
        try await expect(
            Tool.run("check", path, "--types", "--format", "csv"),
            prints: Self.header
                + """
                type,t,"rowid TEXT: 1 value of type blob, the first in row 2",
                type,t,"i INT: 1 value of type text, the first in row 2",
                type,t,"r REAL: 1 value of type blob, the first in row 2",
                type,t,"n NUMERIC: 1 value of type text, the first in row 2",
                type,w,i INTEGER: 1 value of type real,

                """,
            exitCode: 1
        )
    }

    @Test func damageIsAProblem() async throws {
        let path = try directory.database(
            """
            CREATE TABLE t(a);
            WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
            INSERT INTO t SELECT zeroblob(100) FROM n
            """
        )
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try handle.seek(toOffset: 4096)
        try handle.write(contentsOf: Data(repeating: 0xFF, count: 8192))
        try handle.close()
        for arguments in [["check", path], ["check", path, "--quick"]] {
            let outcome = try await Tool.shell("\"$SQUALL\" \"$@\"", arguments)
            #expect(outcome.exitCode == 1 && outcome.output.hasPrefix("problem  "))
        }
    }

    /// A full-text index is checked last, and by a write.
    @Test func aLockDoesNotTakeBackWhatWasFound() async throws {
        let path = try directory.database(
            """
            CREATE TABLE p(id INTEGER PRIMARY KEY);
            CREATE TABLE c(p REFERENCES p);
            CREATE VIRTUAL TABLE f USING fts5(a);
            INSERT INTO c VALUES(1)
            """)
        let connection = try Connection(storageLocation: .onDisk(path))
        try connection.execute("BEGIN IMMEDIATE")
        try await expect(
            Tool.run("check", path, "--timeout", "0", "--format", "csv"),
            prints: Self.header + "foreign key,c,row 1 refers to a row that does not exist (p → p),\n",
            fails: "error: \(path): database is locked (SQLITE_BUSY)\n", exitCode: 75)
        // The number of problems is not known.
        try await expect(
            Tool.run("check", path, "--timeout", "0"),
            prints: "problem  foreign key  c: row 1 refers to a row that does not exist (p → p)\n",
            fails: "error: \(path): database is locked (SQLITE_BUSY)\n", exitCode: 75)
        try connection.execute("ROLLBACK")
    }

    @Test func aTransactionThatDidNotFinishIsAProblem() async throws {
        let path = try directory.database("CREATE TABLE t(a); INSERT INTO t VALUES(1)")
        // A copy of the files in the middle of a transaction is what a crash leaves.
        let connection = try Connection(storageLocation: .onDisk(path))
        try connection.execute(
            """
            PRAGMA cache_size = 1;
            BEGIN;
            WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
            INSERT INTO t SELECT zeroblob(1000) FROM n
            """
        )
        for end in ["", "-journal"] {
            try FileManager.default.copyItem(atPath: path + end, toPath: directory.path("crashed.db" + end))
        }
        try connection.execute("ROLLBACK")
        let outcome = try await Tool.run("check", directory.path("crashed.db"), "--format", "csv")
        #expect(outcome.exitCode == 1 && outcome.error == "")
        #expect(outcome.output.contains("the file -journal has the changes of a transaction that did not finish"))
    }

    @Test func aLogOfAnotherDatabaseIsAProblem() async throws {
        let path = try directory.database("CREATE TABLE t(a); INSERT INTO t VALUES(1)")
        let other = try directory.database("PRAGMA journal_mode = WAL; CREATE TABLE o(a)", name: "other.db")
        let connection = try Connection(storageLocation: .onDisk(other))
        try connection.run("INSERT INTO o VALUES(2)")
        try FileManager.default.copyItem(atPath: other + "-wal", toPath: path + "-wal")
        connection.close()
        let outcome = try await Tool.run("check", path, "--format", "csv")
        #expect(outcome.exitCode == 1)
        #expect(outcome.output.contains("the database is not in WAL mode, but a log with changes is beside it"))
    }

    @Test func aLogWithoutItsDatabaseIsAHint() async throws {
        let path = directory.path("gone.db")
        _ = try directory.file("gone.db-wal", "a log")
        try await expect(
            Tool.run("check", path),
            fails: """
                error: cannot open '\(path)': No such file or directory
                hint: '\(path)-wal' is still there: the database was moved or deleted without it, and it may have committed changes

                """,
            exitCode: 66
        )
    }

    @Test(arguments: ["check", "doctor", "size"])
    func aPipeIsNotWaitedFor(verb: String) async throws {
        let path = directory.path("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        try await expect(
            Tool.run(verb, path), fails: "error: '\(path)' is not a regular file\n", exitCode: 65)
    }
}
