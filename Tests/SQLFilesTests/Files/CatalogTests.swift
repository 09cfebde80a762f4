import Squall
import Testing

@testable import SquallSQLFiles

/// The tables, the columns and their types after the history.
struct CatalogTests {
    /// Returns the columns of a table as lines: `id Int64, not NULL, rowid`.
    private func columns(_ schema: String, of table: String = "t") throws -> [String] {
        let catalog = try SampleFolder(schema: schema).checked().catalog
        return try #require(catalog.tables[Identifier(table)]).columns.map { column in
            let words = [
                "\(column.name) \(column.type?.name ?? "?")", column.isNotNull ? "not NULL" : nil,
                column.isRowID ? "rowid" : nil, column.isHidden ? "hidden" : nil,
                column.isGenerated ? "generated" : nil,
            ]
            return words.compactMap { $0 }.joined(separator: ", ")
        }
    }

    // MARK: Declared types

    @Test func declaredTypesFollowTheRulesOfAffinity() throws {
        #expect(
            try columns(
                """
                CREATE TABLE t (
                    a INT, b INTEGER, c BIGINT, d "UNSIGNED BIG INT", e TEXT, f VARCHAR(10), g CLOB, h REAL, i DOUBLE,
                    j FLOAT, k BLOB, l BOOL, m BOOLEAN, n CHARINT
                )
                """) == [
                    "a Int", "b Int", "c Int", "d Int", "e String", "f String", "g String", "h Double", "i Double",
                    "j Double", "k Data", "l Bool", "m Bool", "n Int",
                ])
    }

    @Test func aTypeThatIsNotCertainIsNotGuessed() throws {
        let types = ["DATE", "DATETIME", "TIMESTAMP", "NUMERIC", "DECIMAL(10, 2)", "JSON", "UUID", "ANY", "POINT", ""]
        for type in types { #expect(try columns("CREATE TABLE t (a \(type))") == ["a ?"], "\(type)") }
    }

    // MARK: NULL and rowids

    @Test func aRowidIsNeverNull() throws {
        #expect(
            try columns("CREATE TABLE t (id INTEGER PRIMARY KEY, a INT NOT NULL, b INT)")
                == ["id Int64, not NULL, rowid", "a Int, not NULL", "b Int"])
        #expect(
            try columns("CREATE TABLE t (a INT, id INTEGER, PRIMARY KEY (id))")
                == ["a Int", "id Int64, not NULL, rowid"])
    }

    @Test func aKeyThatIsNotTheRowidMayBeNull() throws {
        #expect(try columns("CREATE TABLE t (id INTEGER PRIMARY KEY DESC)") == ["id Int"])
        #expect(try columns("CREATE TABLE t (id INT PRIMARY KEY)") == ["id Int"])
        #expect(try columns("CREATE TABLE t (id TEXT PRIMARY KEY)") == ["id String"])
        #expect(try columns("CREATE TABLE t (a INTEGER, b INTEGER, PRIMARY KEY (a, b))") == ["a Int", "b Int"])
        // In the form of a constraint, DESC does not matter.
        #expect(
            try columns("CREATE TABLE t (id INTEGER, PRIMARY KEY (id DESC))") == ["id Int64, not NULL, rowid"])
    }

    @Test func aKeyWithoutARowidIsNeverNull() throws {
        #expect(
            try columns("CREATE TABLE t (a TEXT, b INTEGER, c INT, PRIMARY KEY (a, b)) WITHOUT ROWID")
                == ["a String, not NULL", "b Int, not NULL", "c Int"])
        let catalog = try SampleFolder(schema: "CREATE TABLE t (id INTEGER PRIMARY KEY) WITHOUT ROWID").checked()
            .catalog
        #expect(catalog.tables["t"]?.hasRowID == false)
        #expect(catalog.tables["t"]?.columns.first?.isRowID == false)
        #expect(catalog.tables["t"]?.columns.first?.isNotNull == true)
    }

    @Test func aKeyOfAStrictTableHasTheRuleOfSQLite() throws {
        // The documentation of STRICT promises that a key is not NULL; SQLite enforces it without a rowid only.
        let found = try columns("CREATE TABLE t (id TEXT PRIMARY KEY, a ANY) STRICT")
        let run = SampleFolder(
            schema: "CREATE TABLE t (id TEXT PRIMARY KEY, a ANY) STRICT; INSERT INTO t VALUES (NULL, 1)")
        let acceptsNull = try run.lines().isEmpty
        #expect(found == [acceptsNull ? "id String" : "id String, not NULL", "a ?"])
    }

    @Test func generatedColumnsAreVisible() throws {
        #expect(
            try columns(
                """
                CREATE TABLE t (
                    a INT, b INT AS (a + 1), c TEXT NOT NULL GENERATED ALWAYS AS (a || 'x') STORED
                )
                """) == ["a Int", "b Int, generated", "c String, not NULL, generated"])
    }

    @Test func aReferenceToARowidHasItsType() throws {
        let schema = """
            CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT UNIQUE, n INT UNIQUE);
            CREATE TABLE t (
                a INTEGER REFERENCES p, b INT REFERENCES p(ID), c TEXT REFERENCES p(code), d INT REFERENCES p(n),
                e INTEGER, f TEXT REFERENCES p, FOREIGN KEY (e) REFERENCES p(id)
            )
            """
        #expect(try columns(schema) == ["a Int64", "b Int64", "c String", "d Int", "e Int64", "f String"])
    }

    // MARK: Bool

    @Test(arguments: [
        "c IN (0, 1)", "c IN (0,1)", "c in (1, 0)", "\"c\" IN (FALSE, TRUE)", "[c] IN (false, 1)", "c = 0 OR c = 1",
        "0 = c OR 1 = c", "c BETWEEN 0 AND 1", "c BETWEEN FALSE AND TRUE", "(c IN (0, 1))", "c IS NULL OR c IN (0, 1)",
        "c IN (0, 1) OR c IS NULL", "c IS NULL OR c = 0 OR c = 1", "C == 1 OR c == 0", "c ISNULL OR c IN (0, 1)",
        "c NOT NULL AND c IN (0, 1)", "t.c IN (0, 1)",
    ])
    func aCheckOfZeroAndOneIsABool(_ check: String) throws {
        #expect(try columns("CREATE TABLE t (a INT, c INTEGER CHECK (\(check)))") == ["a Int", "c Bool"])
        #expect(try columns("CREATE TABLE t (a INT, c INT, CHECK (\(check)))") == ["a Int", "c Bool"])
    }

    @Test(arguments: [
        "c IN (0, 1, 2)", "c NOT IN (0, 1)", "c = 0 OR c = 2", "c BETWEEN 0 AND 2", "a IN (0, 1)", "c = 0 OR a = 1",
        "c NOT BETWEEN 0 AND 1", "NOT (c IN (0, 1))", "c IN (0, 1) OR a = 1", "c IN (a, 1)", "c + 1 IN (0, 1)",
        "c > 0", "c IN (0.5, 1)", "c IN ()",
    ])
    func anotherCheckIsNotABool(_ check: String) throws {
        #expect(try columns("CREATE TABLE t (a INT, c INTEGER CHECK (\(check)))").last == "c Int")
    }

    @Test func aCheckOfATextIsNotABool() throws {
        #expect(try columns("CREATE TABLE t (c TEXT CHECK (c IN (0, 1)))") == ["c String"])
    }

    @Test func aCheckOfAnAddedColumnCounts() throws {
        #expect(
            try columns("CREATE TABLE t (a INT); ALTER TABLE t ADD COLUMN c INT NOT NULL DEFAULT 0 CHECK (c IN (0, 1))")
                == ["a Int", "c Bool, not NULL"])
    }

    // MARK: Views

    @Test func aViewHasItsColumns() throws {
        let catalog = try SampleFolder(
            schema:
                "CREATE TABLE t (a INT); CREATE VIEW v(x, y) AS SELECT a, 1 FROM t; CREATE VIEW w AS SELECT * FROM v"
        ).checked().catalog
        #expect(catalog.tables["V"]?.kind == .view(sql: "CREATE VIEW v(x, y) AS SELECT a, 1 FROM t"))
        #expect(catalog.tables["w"]?.columns.map(\.name) == ["x", "y"])
        #expect(catalog.tables["w"]?.hasRowID == false)
    }

    @Test func aViewThatNoLongerWorksIsAnError() throws {
        let lines = try SampleFolder([
            "schema/1.sql": "CREATE TABLE t (a INT);\nCREATE VIEW v AS SELECT a FROM t;\nCREATE TABLE u (b INT);",
            "schema/2.sql": "DROP TABLE t;",
        ]).lines()
        #expect(lines.count == 1 && lines[0].contains(": error: ") && lines[0].contains("main.t"), "\(lines)")
    }

    // MARK: Virtual tables

    @Test(.enabled(if: SQLiteLibrary.has("ENABLE_FTS5"))) func aSearchTableHasTexts() throws {
        let found = try columns("CREATE VIRTUAL TABLE t USING fts5(title, body UNINDEXED, prefix = '2 3')")
        #expect(found == ["title String", "body String", "t String, hidden", "rank Double, hidden"])
        let catalog = try SampleFolder(schema: "CREATE VIRTUAL TABLE t USING FTS5(title)").checked().catalog
        #expect(catalog.tables["t"]?.kind == .virtual(module: "fts5"))
        #expect(catalog.tables["t"]?.hasRowID == true)
    }

    @Test(.enabled(if: SQLiteLibrary.has("ENABLE_RTREE"))) func anRTreeHasCoordinates() throws {
        #expect(
            try columns("CREATE VIRTUAL TABLE t USING rtree(id, x0, x1, +name TEXT, +other)")
                == ["id Int64, not NULL", "x0 Double, not NULL", "x1 Double, not NULL", "name String", "other ?"])
        #expect(
            try columns("CREATE VIRTUAL TABLE t USING rtree_i32(id, x0, x1, +size REAL, +n INT)")
                == ["id Int64, not NULL", "x0 Int, not NULL", "x1 Int, not NULL", "size Double", "n Int"])
    }

    @Test func namesHaveAnyCharacters() throws {
        #expect(
            try columns(
                "CREATE TABLE \"a \"\"b\"\" 🚗\" (\"x;y\" INT NOT NULL, [ä] TEXT, `select` REAL)", of: "a \"b\" 🚗")
                == ["x;y Int, not NULL", "ä String", "select Double"])
    }

    @Test func temporaryTablesAreNotPartOfTheSchema() throws {
        let lines = try SampleFolder([
            "schema/1.sql": "CREATE TABLE t (a INT); CREATE TEMP TABLE u (b INT);",
            "q.sql": "-- name: q\nSELECT b FROM u",
        ]).lines()
        #expect(!lines.isEmpty, "the program has no such table")
    }
}
