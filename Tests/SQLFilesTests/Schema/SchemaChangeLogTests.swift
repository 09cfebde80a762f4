import Testing

@testable import SquallSQLFiles

/// Hints about names that later files renamed or dropped.
struct SchemaChangeLogTests {
    @Test func renamedAndDroppedNamesAreExplained() throws {
        let schema = try BuiltSchema(
            """
            CREATE TABLE cars(id INTEGER PRIMARY KEY, cost INTEGER, colour TEXT);
            CREATE TABLE people(id INTEGER PRIMARY KEY);
            CREATE TABLE logs(id INTEGER PRIMARY KEY);
            CREATE VIEW cheap AS SELECT id FROM cars;
            """,
            """
            ALTER TABLE cars RENAME COLUMN cost TO price;
            ALTER TABLE cars DROP COLUMN colour;
            ALTER TABLE people RENAME TO owners;
            """,
            "DROP TABLE IF EXISTS logs;\nDROP VIEW cheap;\nDROP TABLE IF EXISTS none;")
        #expect(schema.messages == [])
        let renamed = "version 2 (002.sql) renamed it to price"
        #expect(schema.hint("cost") == "version 2 (002.sql) renamed cars.cost to price")
        #expect(schema.hint("c.cost") == "version 2 (002.sql) renamed cars.cost to price")
        #expect(schema.hint("cars.cost") == renamed)
        #expect(schema.hint("main.cars.COST") == renamed)
        #expect(schema.hint("colour") == "version 2 (002.sql) dropped cars.colour")
        #expect(schema.hint("main.people") == "version 2 (002.sql) renamed it to owners")
        #expect(schema.hint("logs") == "version 3 (003.sql) dropped it")
        #expect(schema.hint("cheap") == "version 3 (003.sql) dropped it")
        #expect(schema.hint("none") == nil)
        #expect(schema.hint("id") == nil)
        #expect(schema.hint("") == nil)
    }

    @Test func theColumnOfTheNamedTableIsExplained() throws {
        let schema = try BuiltSchema(
            "CREATE TABLE a(x, y);\nCREATE TABLE b(x, y);",
            "ALTER TABLE a RENAME COLUMN x TO z;", "ALTER TABLE b RENAME COLUMN x TO w;")
        #expect(schema.hint("a.x") == "version 2 (002.sql) renamed it to z")
        #expect(schema.hint("b.x") == "version 3 (003.sql) renamed it to w")
        #expect(schema.hint("x") == "version 3 (003.sql) renamed b.x to w")
    }

    @Test func aQueryThatUsesAnOldNameIsExplained() throws {
        let schema = try BuiltSchema(
            "CREATE TABLE cars(id INTEGER PRIMARY KEY, cost INTEGER);", "ALTER TABLE cars RENAME COLUMN cost TO price;")
        let checker = try QueryChecker(schema.run.connection, schema.run.catalog, schema.run.changes)
        let (_, diagnostics) = try checker.check([Checked.declaration(["SELECT c.cost FROM cars AS c"])])
        #expect(
            diagnostics.map(\.description) == [
                "q.sql:1:8: error: no such column: c.cost: version 2 (002.sql) renamed cars.cost to price"
            ])
    }

    @Test func columnsThatARebuildRemovesAreDropped() throws {
        let schema = try BuiltSchema(
            "CREATE TABLE t(a, b);",
            "CREATE TABLE new(a);\nINSERT INTO new SELECT a FROM t;\nDROP TABLE t;\nALTER TABLE new RENAME TO t;")
        #expect(schema.hint("t.b") == "version 2 (002.sql) dropped it")
        #expect(schema.hint("t.a") == nil)
        #expect(schema.hint("t") == nil)
    }
}
