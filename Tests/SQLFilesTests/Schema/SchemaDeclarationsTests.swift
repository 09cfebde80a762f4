import Squall
import Testing

@testable import SquallSQLFiles

/// Types that comments of schema files declare.
struct SchemaDeclarationsTests {
    @Test func commentsInsideAndAboveATableDeclareTypes() throws {
        let schema = try BuiltSchema(
            """
            -- All orders.
            -- status: Status
            CREATE TABLE orders(
                id INTEGER PRIMARY KEY, -- The number on the invoice.
                status TEXT NOT NULL,
                -- placed: Date as unixMilliseconds
                placed INTEGER NOT NULL,
                name TEXT, -- name: PersonName?
                plan TEXT, -- plan: Plan
                tags TEXT -- tags: [String] as json
            ); -- id: OrderID
            """)
        #expect(schema.messages == [])
        #expect(
            schema.columns("orders")
                == "id OrderID, status Status, placed Date as unixMilliseconds, name PersonName?, plan Plan?, "
                + "tags [String] as json?")
    }

    @Test func commentsWithATableStandAnywhere() throws {
        let schema = try BuiltSchema(
            """
            -- orders.placed: Date as unixTime
            CREATE TABLE other(x);
            CREATE TABLE orders(placed INTEGER, paid INTEGER);
            """,
            "CREATE INDEX i ON orders(paid); -- Orders.Paid: Date as julianDay\n-- other.x: UUID")
        #expect(schema.messages == [])
        #expect(schema.columns("orders") == "placed Date as unixTime?, paid Date as julianDay?")
        #expect(schema.columns("other") == "x UUID?")
    }

    @Test(.enabled(if: SQLiteLibrary.has("ENABLE_FTS5"))) func viewsVirtualTablesAndNewColumnsHaveDeclarations() throws
    {
        let schema = try BuiltSchema(
            """
            CREATE TABLE t(x);
            CREATE VIEW v AS SELECT x + 1 AS y FROM t; -- y: Double
            -- z: URL
            ALTER TABLE t ADD COLUMN z TEXT;
            CREATE VIRTUAL TABLE f USING fts5(title, -- title: Title
                body);
            """)
        #expect(schema.messages == [])
        #expect(schema.columns("t") == "x _?, z URL?")
        #expect(schema.columns("v") == "y Double?")
        #expect(schema.columns("f") == "title Title?, body String?, f hidden String?, rank hidden Double?")
    }

    /// Generated code could not read what a column has converted.
    @Test func aFormThatTheColumnConvertsIsAnError() throws {
        let forms = [
            "Int as json", "Decimal as json", "[Int] as json", "String as json", "Date as unixTime",
            "Date as julianDay", "Int",
        ]
        let types = ["INTEGER", "REAL", "DECIMAL(10, 2)", "VARCHAR(20)", "BLOB", "", "JSON"]
        for type in types {
            for form in forms {
                let schema = try BuiltSchema("CREATE TABLE t(a \(type)); -- a: \(form)")
                let isNumber = ["INTEGER", "REAL", "DECIMAL(10, 2)", "JSON"].contains(type)
                let isRefused =
                    form.hasSuffix("json")
                    ? isNumber && !form.hasPrefix("[") && !form.hasPrefix("String")
                    : form.hasPrefix("Date") && type == "VARCHAR(20)"
                let kind = isNumber ? "a number" : "TEXT"
                let message =
                    "001.sql:1:\(type.utf8.count + 24): error: t.a is \(type), which stores \(form) as \(kind)"
                #expect(schema.messages == (isRefused ? [message] : []), "\(type), \(form)")
            }
        }
    }

    @Test func aDeclarationOfNothingIsAnError() throws {
        let schema = try BuiltSchema(
            """
            CREATE TABLE t(x); -- y: Date
            -- t.z: Date
            CREATE TABLE u(x);
            -- x: Date
            INSERT INTO u VALUES(1);
            -- none.x: Date
            """,
            "-- x: Date")
        #expect(
            schema.messages == [
                "001.sql:1:23: error: t has no column y",
                "001.sql:2:4: error: t has no column z",
                "001.sql:4:4: error: the declaration belongs to no table: write table.x",
                "001.sql:6:4: error: none has no column x",
                "002.sql:1:4: error: the declaration belongs to no table: write table.x",
            ])
    }

    @Test func mistakesAreErrors() throws {
        let schema = try BuiltSchema(
            "CREATE TABLE t(a, b); -- a: Date as unixSeconds\n-- function: f\n-- t.b: Date!\n")
        #expect(schema.messages.count == 3)
        #expect(schema.messages.map { $0.prefix(12) } == ["001.sql:1:26", "001.sql:2:4:", "001.sql:3:4:"])
    }

    @Test func renamesCarryDeclarationsOver() throws {
        let schema = try BuiltSchema(
            "CREATE TABLE t(a, b, c); -- a: A\n-- t.b: B\n-- t.c: C\n",
            """
            ALTER TABLE t RENAME COLUMN a TO a2;
            ALTER TABLE t RENAME b TO "b 2";
            ALTER TABLE main.t DROP COLUMN c;
            ALTER TABLE t RENAME TO u;
            ALTER TABLE u ADD COLUMN c TEXT;
            """)
        #expect(schema.messages == [])
        #expect(schema.columns("u") == "a2 A?, b 2 B?, c String?")
    }

    @Test func aRenamedColumnOfAViewKeepsItsDeclaration() throws {
        let schema = try BuiltSchema(
            "CREATE TABLE t(a, b);\nCREATE VIEW v AS SELECT a, b + 1 AS n FROM t; -- a: A\n-- v.n: N",
            "ALTER TABLE t RENAME COLUMN a TO z;")
        #expect(schema.messages == [])
        #expect(schema.columns("v") == "z A?, n N?")
        #expect(schema.hint("v.a") == "version 2 (002.sql) renamed it to z")
    }

    @Test func aRebuiltTableKeepsDeclarations() throws {
        let schema = try BuiltSchema(
            "CREATE TABLE t(a, b, c); -- a: A\n-- t.b: B\n-- t.c: C\n",
            """
            CREATE TABLE new(a TEXT, b TEXT, d TEXT); -- b: Other
            INSERT INTO new SELECT a, b, '' FROM t;
            DROP TABLE t;
            ALTER TABLE new RENAME TO t;
            """)
        #expect(schema.messages == [])
        #expect(schema.columns("t") == "a A?, b Other?, d String?")
        #expect(schema.hint("t") == nil)
    }

    @Test func aTableThatTakesThePlaceOfARenamedOneKeepsDeclarations() throws {
        let schema = try BuiltSchema(
            "CREATE TABLE t(a, b); -- a: A\n-- t.b: B",
            """
            ALTER TABLE t RENAME TO old;
            CREATE TABLE t(a TEXT, c TEXT);
            INSERT INTO t SELECT a, '' FROM old;
            DROP TABLE old;
            """)
        #expect(schema.messages == [])
        #expect(schema.columns("t") == "a A?, c String?")
    }

    @Test func aNewTableDoesNotKeepDeclarationsOfADroppedOne() throws {
        let schema = try BuiltSchema(
            "CREATE TABLE t(a TEXT); -- a: A", "DROP TABLE t;",
            "CREATE TABLE t(a TEXT);\nCREATE TABLE IF NOT EXISTS t(b);")
        #expect(schema.columns("t") == "a String?")
    }
}
