import Foundation
import Squall
import Testing

/// What is exported comes back equal.
@Suite struct ExportRoundTripTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private static let hostile: SQL = """
        CREATE TABLE t(a, b TEXT, c REAL, d INTEGER DEFAULT (1 + 1) CHECK (d <> 7), e AS (d + 1), UNIQUE (a, b));
        CREATE INDEX t_b ON t(b COLLATE NOCASE) WHERE b IS NOT NULL;
        CREATE TRIGGER t_i AFTER INSERT ON t BEGIN UPDATE t SET d = 100 WHERE a = 'never; "x"'; END;
        INSERT INTO t VALUES(NULL, NULL, NULL, NULL), (9223372036854775807, '', 0.1, -9223372036854775808),
            (x'00ff27', 'it''s; "x"', 1e999, 0), (x'', char(0) || 'a' || char(0), -1e999, 1),
            ('a' || char(13, 10) || 'b', char(10) || '.quit' || char(10) || '/', 5e-324, 2),
            ('漢字 👨‍👩‍👧', 'e' || char(0x301), 1.7976931348623157e308, 3), (CAST(x'61ff62' AS TEXT), '1', 1e16, 4),
            (1.0, '1.0', 123456789012345678, 5), ('1', ' x ', -0.5, 6)
        """

    private static let query: SQL = "SELECT typeof(a), hex(a), a, typeof(b), hex(b), c, d, e FROM t ORDER BY rowid"

    private static let hasShell = FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")

    @Test(.enabled("needs SQLite's shell") { hasShell })
    func theShellReadsTheSameValuesFromSQL() async throws {
        let path = try directory.database(Self.hostile)
        try await expect(
            Tool.shell(
                "\"$SQUALL\" export \"$1\" t --format sql | /usr/bin/sqlite3 -bail \"$2\"",
                [path, directory.path("copy.db")]
            )
        )
        #expect(try directory.values(Self.query, in: "copy.db") == directory.values(Self.query))
        let schema: SQL = "SELECT type, name, sql FROM sqlite_schema ORDER BY rowid"
        #expect(try directory.values(schema, in: "copy.db") == directory.values(schema))
    }

    @Test(.enabled("needs SQLite's shell") { hasShell }, arguments: TestSeed.list(5, of: "everyRealComesBackFromSQL"))
    func everyRealComesBackFromSQL(seed: Int) async throws {
        var random = SeededGenerator(seed: seed)
        let path = try directory.database("CREATE TABLE t(a)")
        let connection = try Connection(path, mode: .existing, configuration: .sqlite)
        try connection.transaction {
            for _ in 0..<2000 {
                let value = Double(bitPattern: random.next())
                guard value.isFinite else { continue }
                try connection.run("INSERT INTO t VALUES(\(value))")
            }
        }
        connection.close()
        try await expect(
            Tool.shell(
                "\"$SQUALL\" export \"$1\" t --format sql | /usr/bin/sqlite3 -bail \"$2\"",
                [path, directory.path("copy.db")])
        )
        #expect(
            try directory.values("SELECT a FROM t", in: "copy.db") == directory.values("SELECT a FROM t"),
            "seed \(seed)")
    }

    @Test func aTextWithAllItsValuesComesBackFromEachFormat() async throws {
        let path = try directory.database(
            """
            CREATE TABLE t(i INTEGER, r REAL, s TEXT, b BLOB);
            INSERT INTO t VALUES(NULL, NULL, NULL, NULL), (1, 0.1, '', x'00ff'), (-9223372036854775808, 1e300, 'a"b' || char(9, 10, 13, 0), x''),
                (9223372036854775807, -2.0, '007', x'61'), (0, 0.0, '漢字, 👍', zeroblob(1000))
            """
        )
        let expected = try directory.values("SELECT * FROM t")
        for format in ["csv", "tsv", "json", "ndjson"] {
            let file = directory.path("t.\(format)")
            try await expect(Tool.run("export", path, "t", "--out", file))
            let table = "new_\(format)"
            try await expect(
                Tool.run("import", path, file, "--table", table, "--type", "b=blob", "--type", "s=text"),
                prints: "5 rows into \(table)\n"
            )
            #expect(try directory.values("SELECT * FROM \(name: table)") == expected, "\(format)")
        }
    }

    @Test func aChoiceOfColumnsIsATableWithoutConstraints() async throws {
        let path = try directory.database(Self.hostile)
        let outcome = try await Tool.run("export", path, "t", "--format", "sql", "--columns", "d,b", "--where", "d = 6")
        expect(
            outcome,
            prints: """
                PRAGMA foreign_keys = OFF;
                BEGIN TRANSACTION;
                CREATE TABLE "t"("d" INTEGER, "b" TEXT);
                INSERT INTO "t" VALUES(6,' x ');
                COMMIT;

                """
        )
    }

    @Test func aViewBecomesATable() async throws {
        let path = try directory.database("CREATE VIEW v AS SELECT 1 AS \"a b\", 'x' AS c")
        try await expect(
            Tool.run("export", path, "v", "--format", "sql"),
            prints: """
                PRAGMA foreign_keys = OFF;
                BEGIN TRANSACTION;
                CREATE TABLE "v"("a b", "c");
                INSERT INTO "v" VALUES(1,'x');
                COMMIT;

                """
        )
    }

    @Test func tablesOfEveryKindComeBackFromSQL() async throws {
        let path = try directory.database(
            """
            CREATE TABLE w(k TEXT PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO w VALUES('a', 1);
            CREATE TABLE s(k ANY, v INT) STRICT; INSERT INTO s VALUES('1', 1), (1, NULL);
            CREATE VIRTUAL TABLE f USING fts5(k, v); INSERT INTO f VALUES('one word', 'x')
            """
        )
        for table in ["w", "s", "f"] {
            let outcome = try await Tool.run("export", path, table, "--format", "sql")
            let copy = try Connection(storageLocation: .inMemory)
            try copy.execute(SQL(raw: outcome.output))
            let rows: [Row] = try copy.prepare("SELECT * FROM \(name: table)").query()
            #expect(
                rows.map { $0.columns.map(\.bindingValue) } == (try directory.values("SELECT * FROM \(name: table)")))
        }
    }
}
