import Squall
import SquallEncryption
import SquallTestSupport
import Testing

@Suite(.enabled(if: EncryptedFolder.hasCipher), .timeLimit(.minutes(1))) struct HostileCopyTests {
    private let folder: EncryptedFolder
    private let configuration = EncryptedFolder.configuration(1)

    init() throws {
        folder = try EncryptedFolder()
    }

    /// A schema with rows, and queries that return one text of them.
    struct Source: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var sql: SQL
        var queries: [SQL]

        init(_ name: String, _ sql: SQL, _ queries: SQL...) {
            (testDescription, self.sql, self.queries) = (name, sql, queries)
        }
    }

    private static func wide(_ count: Int, _ end: String = "", _ key: String = "") -> SQL {
        let columns = (1...count).map { "c\($0)" + ($0 == 1 ? key : "") }.joined(separator: ",")
        return SQL(raw: "CREATE TABLE t(\(columns))\(end); INSERT INTO t(c1, c\(count)) VALUES(1, 'last'), (2, 'x')")
    }

    private static let names: [Source] = [
        Source(
            "keywords",
            #"""
            CREATE TABLE "select"("from" TEXT, "where", "group" DEFAULT 5);
            CREATE INDEX "order" ON "select"("where", "from" COLLATE NOCASE DESC);
            INSERT INTO "select" VALUES('a', 1, 2);
            CREATE TABLE "temp"(x); INSERT INTO "temp" VALUES(1);
            CREATE TABLE "main"(main); INSERT INTO "main" VALUES(2);
            CREATE TABLE squall_copy(squall_copy); INSERT INTO squall_copy VALUES(3);
            CREATE VIEW "view" AS SELECT * FROM "select";
            CREATE TRIGGER "trigger" INSTEAD OF INSERT ON "view" BEGIN SELECT RAISE(ABORT, 'x'); END
            """#,
            #"SELECT "from" || "where" || "group" FROM "view""#,
            #"SELECT x || main || squall_copy FROM "temp", "main", squall_copy"#),
        Source(
            "quotes",
            #"""
            CREATE TABLE 'a''b'("c""d", [e f], `g``h`, 'i''j' TEXT); INSERT INTO 'a''b' VALUES(1, 2, 3, 4);
            CREATE UNIQUE INDEX 'x''y' ON 'a''b'("c""d");
            CREATE TABLE "é"("É" TEXT, "é" TEXT); INSERT INTO "é" VALUES('1', '2');
            CREATE TABLE ""("" TEXT); INSERT INTO "" VALUES('e'); CREATE INDEX " " ON ""("")
            """#,
            #"SELECT "c""d" || [e f] || "g`h" || "i'j" FROM "a'b""#, #"SELECT "É" || "é" FROM "é""#,
            #"SELECT "" FROM """#),
        Source(
            "columns with the names of the rowid",
            """
            CREATE TABLE t(a, OID AS (a || 'x') STORED, rowid TEXT); INSERT INTO t(_rowid_, a, rowid) VALUES(77, 4, 'r');
            CREATE TABLE k(rowid TEXT, oid TEXT, PRIMARY KEY(oid, rowid, oid)) WITHOUT ROWID; INSERT INTO k VALUES('a', 'b');
            CREATE TABLE u(rowid INTEGER PRIMARY KEY, oid);
            INSERT INTO u VALUES(-9223372036854775808, 1), (9223372036854775807, 2);
            CREATE TABLE w(_rowid_ INTEGER PRIMARY KEY AUTOINCREMENT, rowid, oid); INSERT INTO w VALUES(6, 7, 8)
            """,
            "SELECT a || rowid || oid || _rowid_ FROM t", "SELECT rowid || oid FROM k",
            "SELECT group_concat(rowid || oid) FROM u", "SELECT _rowid_ || rowid || oid FROM w"),
        Source(
            "double quotes",
            #"""
            CREATE TABLE t(a DEFAULT "dq", b CHECK(b <> "zz")); INSERT INTO t(b) VALUES(1);
            CREATE INDEX i ON t("nope"); CREATE INDEX j ON t(a) WHERE a <> "x"; CREATE VIEW v AS SELECT "text" AS x FROM t
            """#,
            "SELECT a || b FROM t"),
        Source("1,999 columns", wide(1_999), "SELECT group_concat(c1999 || rowid) FROM t"),
        Source(
            "2,000 columns without a rowid", wide(2_000, " WITHOUT ROWID", " PRIMARY KEY"),
            "SELECT group_concat(c2000) FROM t"),
    ]

    private static let contents: [Source] = [
        Source(
            "tables of SQLite",
            """
            CREATE TABLE a(id INTEGER PRIMARY KEY AUTOINCREMENT, x); INSERT INTO a VALUES(9, 1); CREATE INDEX i ON a(x);
            INSERT INTO sqlite_sequence VALUES('gone', 7), ('a', 3), (NULL, 'x');
            ANALYZE; INSERT INTO sqlite_stat1 VALUES('gone', 'i', '7 7'), ('a', 'gone', 'nonsense')
            """,
            "SELECT group_concat(quote(name) || quote(seq) || rowid) FROM sqlite_sequence",
            "SELECT group_concat(quote(tbl) || quote(idx) || quote(stat)) FROM sqlite_stat1"),
        Source(
            "a module that is missing",
            """
            CREATE TABLE a(x); INSERT INTO a VALUES(1); PRAGMA writable_schema = ON;
            INSERT INTO sqlite_schema VALUES('table', 'v', 'v', 0, 'CREATE VIRTUAL TABLE v USING nowhere(x)');
            PRAGMA writable_schema = RESET; CREATE TABLE v_content(y); INSERT INTO v_content VALUES(5)
            """,
            "SELECT x || y FROM a, v_content"),
        Source(
            "tables that are missing",
            """
            CREATE TABLE t(a); INSERT INTO t VALUES('x'); CREATE VIEW v AS SELECT * FROM nowhere; CREATE VIEW w AS SELECT * FROM v;
            CREATE TRIGGER g AFTER UPDATE ON t BEGIN INSERT INTO nowhere VALUES(1); END;
            CREATE TRIGGER h BEFORE INSERT ON t BEGIN SELECT RAISE(IGNORE); END
            """,
            "SELECT a FROM t"),
        Source(
            "values",
            """
            CREATE TABLE t(a, b TEXT, c REAL, d NUMERIC);
            INSERT INTO t VALUES(CAST(x'ff00fe' AS TEXT), 'n' || char(0) || 'm', 3, '1e400'), (9e999, -9e999, -0.0, x''),
                (zeroblob(10), '', 1e15, 9007199254740993);
            CREATE TABLE c AS SELECT 1 AS "a b", 'x' AS "select", 1.5 AS r;
            PRAGMA user_version = -5; PRAGMA application_id = -6
            """,
            "SELECT group_concat(hex(a) || typeof(a) || hex(b) || quote(c) || typeof(c) || quote(d) || typeof(d)) FROM t",
            #"SELECT "a b" || "select" || typeof(r) FROM c"#),
        Source(
            "large values", "CREATE TABLE t(a); INSERT INTO t VALUES(randomblob(2000000)), (zeroblob(2000000))",
            "SELECT group_concat(length(a) || hex(substr(a, 1999000))) FROM t"),
        Source(
            "columns that were altered",
            """
            CREATE TABLE t(a); INSERT INTO t VALUES(1); ALTER TABLE t ADD COLUMN b NOT NULL DEFAULT 'def';
            ALTER TABLE t ADD COLUMN c AS (a || b); ALTER TABLE t RENAME TO "re named";
            ALTER TABLE "re named" RENAME COLUMN a TO "in"; ALTER TABLE "re named" DROP COLUMN c
            """,
            #"SELECT "in" || b FROM "re named""#),
    ]

    private static let hasModules = (try? Connection().execute("CREATE VIRTUAL TABLE t USING fts5(x)")) != nil

    private static let modules: [Source] = [
        Source(
            "search tables",
            """
            CREATE VIRTUAL TABLE f USING fts5(a, content = ''); INSERT INTO f(rowid, a) VALUES(5, 'word one');
            CREATE VIRTUAL TABLE d USING fts5(a, content = '', contentless_delete = 1);
            INSERT INTO d(rowid, a) VALUES(6, 'word'), (7, 'word'); DELETE FROM d WHERE rowid = 6;
            CREATE TABLE notes(id INTEGER PRIMARY KEY, text TEXT);
            CREATE VIRTUAL TABLE e USING fts5(text, content = notes, content_rowid = id, tokenize = 'porter');
            CREATE TRIGGER i AFTER INSERT ON notes BEGIN INSERT INTO e(rowid, text) VALUES(new.id, new.text); END;
            INSERT INTO notes VALUES(3, 'words'), (4, 'other')
            """,
            "SELECT group_concat(rowid) FROM f('word')", "SELECT group_concat(rowid) FROM d('word')",
            "SELECT group_concat(rowid) FROM e('word')"),
        Source(
            "R*Trees",
            """
            CREATE VIRTUAL TABLE r USING rtree(id, x0, x1, +note TEXT, +other);
            INSERT INTO r VALUES(3, 1, 2, 'n', x'00'), (9, 4, 5, 'm', NULL)
            """,
            "SELECT group_concat(id || note || quote(other)) FROM r WHERE x0 > 0"),
    ]

    @Test(arguments: names + contents + (hasModules ? modules : []), [true, false])
    func aHostileSchemaIsCopied(_ source: Source, _ isPlain: Bool) async throws {
        var sqlite = Configuration.sqlite
        sqlite.encryption = configuration.encryption
        try Connection(folder.file(), configuration: sqlite).execute(source.sql)
        let database = try Database(folder.file(), configuration: configuration)
        var copied = EncryptedFolder.configuration(3)
        if isPlain { copied.encryption = nil }
        try await database.copy(to: folder.file("copy.db"), encryption: copied.encryption)
        let copy = try Connection(folder.file("copy.db"), configuration: copied)
        let original = try Connection(folder.file(), configuration: configuration)
        let queries = [
            "SELECT group_concat(type || ' ' || name || ' ' || tbl_name || ' ' || ifnull(sql, '-'), char(10) ORDER BY name) FROM sqlite_schema",
            "SELECT CAST(user_version AS TEXT) FROM pragma_user_version",
            "SELECT CAST(application_id AS TEXT) FROM pragma_application_id",
        ]
        for query in queries.map({ SQL(raw: $0) }) + source.queries {
            #expect(try copy.query(query) as String? == original.query(query), "\(query)")
        }
        #expect(try copy.query("PRAGMA integrity_check") == "ok")
    }
}
