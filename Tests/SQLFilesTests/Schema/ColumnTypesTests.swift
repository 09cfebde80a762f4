import Squall
import Testing

@testable import SquallSQLFiles

/// The Swift types of the columns that a schema has.
struct ColumnTypesTests {
    @Test func declaredTypesDecideByAffinity() throws {
        let schema = try BuiltSchema(
            """
            CREATE TABLE t(a INTEGER, b BIGINT NOT NULL, c TEXT, d VARCHAR(40), e REAL, f DOUBLE, g BLOB, h BOOLEAN,
                i bool NOT NULL, j MEDIUMBLOB)
            """)
        #expect(
            schema.columns("t")
                == "a Int?, b Int, c String?, d String?, e Double?, f Double?, g Data?, h Bool?, i Bool, j Data?")
        #expect(schema.messages == [])
    }

    @Test func typesOfSeveralKindsOfValuesAreNotGuessed() throws {
        let schema = try BuiltSchema(
            """
            CREATE TABLE t(a DATE, b DATETIME, c TIMESTAMP, d NUMERIC, e DECIMAL(10, 2), f JSON, g UUID, h, i POINT);
            CREATE TABLE s(a ANY) STRICT
            """)
        #expect(schema.columns("t") == "a _?, b _?, c _?, d _?, e _?, f _?, g _?, h _?, i _?")
        #expect(schema.columns("s") == "a _?")
    }

    @Test(arguments: [
        ("CREATE TABLE t(id INTEGER PRIMARY KEY, n)", "id Int64, n _?"),
        ("CREATE TABLE t(id INTEGER PRIMARY KEY ASC AUTOINCREMENT, n)", "id Int64, n _?"),
        ("CREATE TABLE t(n, id integer, PRIMARY KEY(id))", "n _?, id Int64"),
        ("CREATE TABLE t(id INTEGER, n, PRIMARY KEY(id DESC))", "id Int64, n _?"),
        ("CREATE TABLE t(\"id\" \"INTEGER\" PRIMARY KEY, n) STRICT", "id Int64, n ANY"),
        // These are not aliases of the rowid, and can be NULL.
        ("CREATE TABLE t(id INTEGER PRIMARY KEY DESC, n)", "id Int?, n _?"),
        ("CREATE TABLE t(id INT PRIMARY KEY, n)", "id Int?, n _?"),
        ("CREATE TABLE t(id INTEGER, n INTEGER, PRIMARY KEY(id, n))", "id Int?, n Int?"),
        ("CREATE TABLE t(id TEXT PRIMARY KEY, n)", "id String?, n _?"),
        // A primary key that is not NULL.
        ("CREATE TABLE t(id INTEGER PRIMARY KEY, n) WITHOUT ROWID", "id Int, n _?"),
        ("CREATE TABLE t(id TEXT, n INT, PRIMARY KEY(id, n)) WITHOUT ROWID", "id String, n Int"),
        ("CREATE TABLE t(id TEXT PRIMARY KEY, n INT) STRICT", "id String, n Int?"),
    ])
    func onlyAnAliasOfTheRowIDIsInt64(_ sql: String, _ columns: String) throws {
        let schema = try BuiltSchema(sql.replacing(", n) STRICT", with: ", n ANY) STRICT"))
        #expect(schema.columns("t") == columns.replacing("n ANY", with: "n _?"))
        #expect(schema.messages == [])
        guard let table = schema.run.catalog.tables["t"] else { return }
        #expect(table.hasRowID == !sql.contains("WITHOUT"))
        // SQLite itself reports which column the rowid is.
        let alias = table.hasRowID ? try schema.run.connection.prepare("SELECT rowid FROM t").columnNames[0] : "rowid"
        #expect(table.columns.first(where: \.isRowID)?.name == (alias == "rowid" ? nil : Identifier(alias)))
    }

    @Test func referencesToARowIDAreInt64() throws {
        let schema = try BuiltSchema(
            """
            CREATE TABLE a(id INTEGER PRIMARY KEY, code TEXT UNIQUE, number INTEGER UNIQUE);
            CREATE TABLE b(x INTEGER REFERENCES a(id), y INTEGER NOT NULL REFERENCES A, c TEXT REFERENCES a(code),
                n INTEGER REFERENCES a(number), z INTEGER, u REFERENCES a(id), FOREIGN KEY(z) REFERENCES a(id));
            """)
        #expect(schema.columns("b") == "x Int64?, y Int64, c String?, n Int?, z Int64?, u _?")
    }

    @Test(arguments: [
        "CHECK (c IN (0, 1))", "CHECK (c IN (0,1))", "CHECK (c = 0 OR c = 1)", "CHECK (c == 0 OR 1 = c)",
        "CHECK (c BETWEEN 0 AND 1)", "CHECK (\"c\" in (FALSE, TRUE))", "CHECK (c IS NULL OR c IN (0, 1))",
        "CHECK (c IN (0, 1) OR c IS NULL)", "CHECK (c IS NULL OR c = 0 OR c = 1)", "CHECK (t.c BETWEEN 0 AND 1)",
        "NOT NULL DEFAULT 0 CONSTRAINT flag CHECK (c IN (0, 1))", "CHECK (c IN (0, 1) AND d > 0)",
        ", d INTEGER, CHECK (c IN (0, 1))", ", d INTEGER, CONSTRAINT flag CHECK ((c = 0) OR (c = 1))",
    ])
    func aCheckThatAllowsZeroAndOneMeansBool(_ constraint: String) throws {
        let others = constraint.contains("d INTEGER") ? "" : ", d INTEGER"
        let comma = constraint.hasPrefix(",") ? "" : others
        let table = constraint.hasPrefix(",") ? "c INTEGER\(constraint)" : "c INTEGER \(constraint)\(comma)"
        let schema = try BuiltSchema("CREATE TABLE t(\(table))")
        #expect(schema.columns("t")?.hasPrefix("c Bool") == true)
        #expect(schema.columns("t")?.hasSuffix("d Int?") == true)
        #expect(schema.messages == [])
    }

    @Test(arguments: [
        "CHECK (c IN (0, 1, 2))", "CHECK (c > 0)", "CHECK (c NOT IN (0, 1))", "CHECK (c = 0 OR d = 1)",
        "CHECK (NOT c IN (0, 1))", "CHECK (c BETWEEN 0 AND 2)", "CHECK (c IN (0, 1) OR d IS NULL)",
        "CHECK (c IN (0, 1) = d)",
    ])
    func otherChecksDoNot(_ constraint: String) throws {
        let schema = try BuiltSchema("CREATE TABLE t(c INTEGER \(constraint), d INTEGER)")
        #expect(schema.columns("t") == "c Int?, d Int?")
    }

    @Test func generatedColumnsAreMarked() throws {
        let schema = try BuiltSchema(
            """
            CREATE TABLE t(a INTEGER, b INTEGER AS (a * 2), c TEXT NOT NULL GENERATED ALWAYS AS (a || '') STORED)
            """)
        #expect(schema.columns("t") == "a Int?, b generated Int?, c generated String")
    }

    @Test func viewsHaveTheTypesOfTheirSelect() throws {
        let schema = try BuiltSchema(
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, n INTEGER);
            CREATE VIEW v(a, b) AS SELECT id, n + 1 FROM t;
            CREATE VIEW w AS SELECT v.*, t.n FROM v JOIN t ON t.id = v.a;
            """)
        #expect(schema.columns("w") == "a _?, b _?, n _?")
        guard case .view(let sql)? = schema.run.catalog.tables["v"]?.kind else {
            Issue.record("v is not a view")
            return
        }
        #expect(sql == "CREATE VIEW v(a, b) AS SELECT id, n + 1 FROM t")
        let compiler = try StatementCompiler(schema.run.connection, schema.run.catalog)
        #expect(try MatrixSchema.types(of: "SELECT * FROM w", compiler) == "Int64, Int?, Int?")
    }

    @Test func unusualNamesAreRead() throws {
        let schema = try BuiltSchema(
            """
            CREATE TABLE "odd ""name"(x INTEGER, [a b] TEXT NOT NULL, `from` REAL, 'text' BLOB, "größe" INT);
            CREATE TABLE "CHECK"("check" INTEGER CHECK ("check" IN (0, 1)));
            """)
        #expect(schema.columns("ODD \"NAME") == "x Int?, a b String, from Double?, text Data?, größe Int?")
        #expect(schema.columns("check") == "check Bool?")
    }
}
