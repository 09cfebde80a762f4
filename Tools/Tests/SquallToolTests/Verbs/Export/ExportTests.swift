import Foundation
import Squall
import Testing

@Suite struct ExportTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private static let cars: SQL = """
        CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, price REAL, photo BLOB);
        INSERT INTO cars VALUES(1, 'Audi "A" | x_y', 52642, NULL), (2, '', NULL, x'01ff'), (3, 'a' || char(10) || 'b', -1e999, x'')
        """

    private func export(_ arguments: String...) async throws -> Outcome {
        try await Tool.shell("\"$SQUALL\" export \"$@\"", [directory.path("test.db")] + arguments)
    }

    @Test func rowsAreWrittenInEveryFormat() async throws {
        _ = try directory.database(Self.cars)
        try await expect(
            export("cars"),
            prints: "id,name,price,photo\n1,\"Audi \"\"A\"\" | x_y\",52642.0,\n2,\"\",,x'01ff'\n3,\"a\nb\",-Inf,x''\n"
        )
        try await expect(
            export("cars", "--format", "tsv"),
            prints:
                "id\tname\tprice\tphoto\n1\t\"Audi \"\"A\"\" | x_y\"\t52642.0\t\n2\t\"\"\t\tx'01ff'\n3\t\"a\nb\"\t-Inf\tx''\n"
        )
        let objects = [
            #"{"id": 1, "name": "Audi \"A\" | x_y", "price": 52642.0, "photo": null}"#,
            #"{"id": 2, "name": "", "price": null, "photo": {"$base64": true, "encoded": "Af8="}}"#,
            #"{"id": 3, "name": "a\nb", "price": null, "photo": {"$base64": true, "encoded": ""}}"#,
        ]
        try await expect(export("cars", "--format", "ndjson"), prints: objects.map { $0 + "\n" }.joined())
        try await expect(export("cars", "--format", "json"), prints: "[\(objects.joined(separator: ",\n "))]\n")
        try await expect(
            export("cars", "--format", "markdown"),
            prints: """
                | id | name | price | photo |
                | --- | --- | --- | --- |
                | 1 | Audi "A" \\| x_y | 52642.0 | *NULL* |
                | 2 |  | *NULL* | x'01ff' |
                | 3 | a<br>b | -Inf | x'' |

                """
        )
        try await expect(
            export("cars", "--format", "sql"),
            prints: """
                PRAGMA foreign_keys = OFF;
                BEGIN TRANSACTION;
                CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, price REAL, photo BLOB);
                INSERT INTO "cars" VALUES(1,'Audi "A" | x_y',52642.0,NULL);
                INSERT INTO "cars" VALUES(2,'',NULL,x'01ff');
                INSERT INTO "cars" VALUES(3,'a
                b',-9e999,x'');
                COMMIT;

                """
        )
    }

    @Test(arguments: [
        ("csv", "id\n"), ("tsv", "id\n"), ("json", "[]\n"), ("ndjson", ""), ("markdown", "| id |\n| --- |\n"),
    ])
    func anEmptyTableIsAHeader(format: String, expected: String) async throws {
        _ = try directory.database("CREATE TABLE t(id)")
        try await expect(export("t", "--format", format), prints: expected)
    }

    @Test func partsOfATableAreWritten() async throws {
        _ = try directory.database(Self.cars)
        try await expect(
            export("CARS", "--columns", "price,ID", "--where", "id < 3 -- comment", "--order", "id DESC"),
            prints: "price,id\n,2\n52642.0,1\n"
        )
        let unknown = try await export("cars", "--columns", "prize")
        #expect(unknown.output == "" && unknown.exitCode == 2)
        #expect(
            unknown.error.hasPrefix("error: \(directory.path("test.db")): no such column: cars.prize (SQLITE_ERROR)\n"))
        let condition = try await export("cars", "--where", "id = ")
        #expect(condition.output == "" && condition.exitCode == 2 && condition.error.contains("SQLITE_ERROR"))
        let two = try await export("cars", "--where", "1); DELETE FROM cars; SELECT (1")
        #expect(two.output == "" && two.exitCode == 2)
        #expect(try directory.literals("SELECT count(*) FROM cars") == ["3"])
    }

    @Test func viewsAndTablesOfEveryKindAreWritten() async throws {
        _ = try directory.database(
            """
            CREATE TABLE "a ""b"" 👍"(x, y AS (x + 1)); INSERT INTO "a ""b"" 👍" VALUES(1);
            CREATE VIEW v AS SELECT x * 2 AS "double" FROM "a ""b"" 👍";
            CREATE VIRTUAL TABLE f USING fts5(k); INSERT INTO f VALUES('word')
            """
        )
        try await expect(export("a \"b\" 👍"), prints: "x,y\n1,2\n")
        try await expect(export("v"), prints: "double\n2\n")
        try await expect(export("f"), prints: "k\nword\n")
        try await expect(export("sqlite_schema", "--columns", "type", "--where", "name = 'v'"), prints: "type\nview\n")
    }

    @Test func aTableThatDoesNotExistIsAnError() async throws {
        _ = try directory.database(Self.cars)
        for format in ["csv", "sql"] {
            let outcome = try await export("none", "--format", format)
            #expect(outcome.output == "" && outcome.exitCode == 2)
            #expect(
                outcome.error.hasPrefix("error: \(directory.path("test.db")): no such table: none (SQLITE_ERROR)\n"))
        }
    }

    // MARK: - Files

    @Test func theExtensionOfTheFileIsItsFormat() async throws {
        _ = try directory.database("CREATE TABLE t(a); INSERT INTO t VALUES(1)")
        for (name, expected) in [
            ("t.csv", "a\n1\n"), ("t.json", "[{\"a\": 1}]\n"), ("t.jsonl", "{\"a\": 1}\n"),
            ("t.md", "| a |\n| --- |\n| 1 |\n"),
            ("t", "a\n1\n"),
        ] {
            try await expect(export("t", "--out", directory.path(name)))
            #expect(try String(contentsOfFile: directory.path(name), encoding: .utf8) == expected)
        }
    }

    @Test func aFailureLeavesTheFileAsItWas() async throws {
        _ = try directory.database(
            """
            CREATE TABLE t(a);
            WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 100000) INSERT INTO t SELECT i FROM n;
            CREATE VIEW v AS SELECT a, abs(CASE a WHEN 90000 THEN -9223372036854775807 - 1 ELSE a END) FROM t
            """
        )
        let file = try directory.file("v.csv", "before")
        try await expect(
            export("v", "--out", file),
            fails: "error: \(directory.path("test.db")): integer overflow (SQLITE_ERROR)\n", exitCode: 2
        )
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "before")
        #expect(try directory.files() == ["test.db", "v.csv"])
        try await expect(export("v", "--out", file, "--where", "a < 3"))
        #expect(try String(contentsOfFile: file, encoding: .utf8).hasSuffix("\n1,1\n2,2\n"))
    }

    @Test func aLinkStaysALinkAndPermissionsAreKept() async throws {
        _ = try directory.database("CREATE TABLE t(a)")
        let file = try directory.file("real.csv", "before")
        #expect(chmod(file, 0o640) == 0)
        try FileManager.default.createSymbolicLink(atPath: directory.path("link.csv"), withDestinationPath: "real.csv")
        try await expect(export("t", "--out", directory.path("link.csv")))
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "a\n")
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o640)
        #expect(try directory.files() == ["link.csv", "real.csv", "test.db"])
    }

    @Test func theFileBehindALinkIsCreated() async throws {
        _ = try directory.database("CREATE TABLE t(a)")
        let link = directory.path("link.csv")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "new.csv")
        try await expect(export("t", "--out", link))
        #expect(try String(contentsOfFile: directory.path("new.csv"), encoding: .utf8) == "a\n")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "new.csv")
    }

    @Test func theDatabaseIsNotOverwritten() async throws {
        let path = try directory.database("CREATE TABLE t(a)")
        let outcome = try await export("t", "--out", path)
        #expect(outcome.output == "" && outcome.exitCode == 64)
        #expect(outcome.error.hasPrefix("Error: --out would overwrite the database.\n"))
        #expect(try directory.literals("SELECT count(*) FROM t") == ["0"])
    }

    @Test func aFileThatCannotBeMadeIsAnError() async throws {
        _ = try directory.database("CREATE TABLE t(a)")
        let path = directory.path("none/t.csv")
        try await expect(
            export("t", "--out", path), fails: "error: cannot create '\(path)': No such file or directory\n",
            exitCode: 73
        )
        let folder = directory.url.path
        try await expect(
            export("t", "--out", folder), fails: "error: cannot create '\(folder)': Is a directory\n", exitCode: 73
        )
    }

    #if os(Linux)
        @Test func aFullDiskIsAnInputOutputError() async throws {
            _ = try directory.database("CREATE TABLE t(a)")
            try await expect(
                export("t", "--out", "/dev/full"),
                fails: "error: cannot write to '/dev/full': No space left on device\n", exitCode: 74
            )
            try await expect(
                Tool.shell("\"$SQUALL\" export \"$1\" t > /dev/full", [directory.path("test.db")]),
                fails: "error: cannot write to standard output: No space left on device\n", exitCode: 74
            )
        }
    #endif

    @Test func aReaderThatHasSeenEnoughEndsTheToolQuietly() async throws {
        _ = try directory.database(
            "CREATE VIEW v AS WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
        )
        try await expect(
            Tool.shell("\"$SQUALL\" export \"$1\" v | head -2", [directory.path("test.db")]), prints: "i\n1\n"
        )
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func aSignalRemovesTheTemporaryFile(signal: Int32) async throws {
        let path = try directory.database(
            "CREATE VIEW v AS WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
        )
        let process = Tool.process(Tool.executable, ["export", path, "v", "--out", directory.path("v.csv")], [:])
        let (ends, end) = AsyncStream.makeStream(of: Process.TerminationReason.self)
        process.terminationHandler = { end.yield($0.terminationReason) }
        try Tool.start(process)
        // Once the temporary file is there, the tool watches for the signal.
        while try directory.files().count < 2 { await Task.yield() }
        kill(process.processIdentifier, signal)
        #expect(await ends.first { _ in true } == .uncaughtSignal && process.terminationStatus == signal)
        #expect(try directory.files() == ["test.db"])
    }

    @Test func rowsOfAFullTextTableKeepTheirRowids() async throws {
        _ = try directory.database(
            "CREATE VIRTUAL TABLE f USING fts5(t, u); INSERT INTO f(rowid, t) VALUES(1, 'a'), (50, 'gap')")
        let script = try await export("f", "--format", "sql").output
        let copy = try Connection(":memory:", configuration: .sqlite)
        try copy.execute(SQL(raw: script))
        #expect(try copy.query("SELECT rowid FROM f WHERE f MATCH 'gap'") == 50)
        #expect(try copy.query("SELECT count(*) FROM f WHERE u IS NULL") == 2)
    }

    @Test func theHighestKeyOfAutoincrementIsKept() async throws {
        _ = try directory.database(
            """
            CREATE TABLE "t'" (id INTEGER PRIMARY KEY AUTOINCREMENT);
            INSERT INTO "t'" VALUES(3), (100); DELETE FROM "t'" WHERE id = 100
            """)
        let script = try await export("t'", "--format", "sql").output
        let copy = try Connection(":memory:", configuration: .sqlite)
        try copy.execute(SQL(raw: script))
        #expect(try copy.query("SELECT seq FROM sqlite_sequence") == [100])
        #expect(try copy.query("INSERT INTO \"t'\" DEFAULT VALUES RETURNING id") == 101)
    }
}
