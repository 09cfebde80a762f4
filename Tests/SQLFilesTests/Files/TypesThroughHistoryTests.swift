import Squall
import Testing

@testable import SquallSQLFiles

/// The types that comments in schema files declare, and their way through renames.
struct TypesThroughHistoryTests {
    /// Returns the types of the columns of a table, by their names.
    private func types(_ table: String = "orders", _ versions: String...) throws -> [String: String] {
        let files = versions.enumerated().map { ("schema/\($0.offset + 1).sql", $0.element) }
        let catalog = try SampleFolder(Dictionary(uniqueKeysWithValues: files)).checked().catalog
        let columns = try #require(catalog.tables[Identifier(table)]).columns
        return Dictionary(
            uniqueKeysWithValues: columns.map { column in
                let form = column.type.map { $0.form == .direct ? "" : " as \($0.form)" } ?? ""
                return (column.name.spelling, "\(column.type?.name ?? "?")\(form)")
            })
    }

    private static let date = "Date as unixMilliseconds"
    private static let orders = """
        CREATE TABLE orders (
            id INTEGER PRIMARY KEY,
            placed INTEGER NOT NULL, -- placed: Date as unixMilliseconds
            status TEXT -- status: Status
        );
        """

    // MARK: Places

    @Test func aDeclarationIsInsideItsTable() throws {
        #expect(try types("orders", Self.orders) == ["id": "Int64", "placed": Self.date, "status": "Status"])
    }

    @Test func aDeclarationIsAboveItsTable() throws {
        let sql = "-- The orders.\n-- placed: Date as julianDay\nCREATE TABLE orders (placed REAL);"
        #expect(try types("orders", sql) == ["placed": "Date as julianDay"])
    }

    @Test func aDeclarationIsBesideAnAddedColumn() throws {
        let sql = """
            ALTER TABLE orders ADD COLUMN tags TEXT; -- tags: [String] as json
            -- paid: Date as unixTime
            ALTER TABLE orders ADD paid INT;
            """
        let found = try types("orders", Self.orders, sql)
        #expect(
            found["tags"] == "[String] as json" && found["paid"] == "Date as unixTime" && found["placed"] == Self.date)
    }

    @Test func aDeclarationWithItsTableIsAnywhere() throws {
        #expect(try types("orders", "-- orders.n: Count\nCREATE TABLE orders (n INT);\nSELECT 1;") == ["n": "Count"])
        #expect(try types("orders", "CREATE TABLE orders (n INT);\nSELECT 1;\n-- ORDERS.N: Count") == ["n": "Count"])
        #expect(try types("orders", "CREATE TABLE orders (n INT);", "-- orders.n: Count") == ["n": "Count"])
    }

    @Test(.enabled(if: SQLiteLibrary.has("ENABLE_FTS5"))) func aDeclarationBelongsToATableOfAnyForm() throws {
        for start in [
            "CREATE TABLE IF NOT EXISTS main.\"orders\"", "create table [orders]", "CREATE/**/TABLE\n`orders`",
        ] {
            #expect(try types("orders", "\(start) (n INT /* ; */ -- n: Count\n)") == ["n": "Count"], "\(start)")
        }
        #expect(
            try types("orders", "-- n: Count\nCREATE TABLE orders AS SELECT 1 AS n") == ["n": "Count"])
        #expect(
            try types("orders", "-- n: Count\nCREATE VIRTUAL TABLE orders USING fts5(n)")["n"] == "Count")
        #expect(try types("orders", "-- n: Count\nCREATE VIEW orders AS SELECT 1 AS n") == ["n": "Count"])
    }

    @Test func columnsMayHaveTheNamesOfKeywords() throws {
        let sql = "CREATE TABLE orders (\n\"name\" TEXT, -- \"name\": Title\n\"row\" INT -- \"row\": Row\n);"
        #expect(try types("orders", sql) == ["name": "Title", "row": "Row"])
    }

    @Test func commentsAboutAColumnOfANameEndNoStatement() throws {
        let sql = """
            -- name: customers
            CREATE TABLE orders (
                -- name: theFullName
                name TEXT,
                -- nmae: misspelled
                -- row: theNumber
                -- plan: fast
                plan TEXT -- plan: Plan
            );
            """
        #expect(try types("orders", sql) == ["name": "String", "plan": "Plan"])
    }

    // MARK: Errors

    @Test(arguments: ["/* x", "CREATE TABLE a (x TEXT DEFAULT 'x", "CREATE TABLE [a (x)"])
    func aQuoteWithoutItsEndIsAnError(_ sql: String) throws {
        let lines = try SampleFolder(schema: "CREATE TABLE b (x INT);\n\(sql)").lines()
        #expect(lines.contains { $0.hasPrefix("schema/001_start.sql:2:") && $0.contains("not closed") }, "\(lines)")
    }

    @Test func aDeclarationOfNoColumnIsAnError() throws {
        try SampleFolder(schema: "CREATE TABLE a (\n  x INT -- y: Count\n);")
            .expectError(at: "schema/001_start.sql:2:12", "y")
        try SampleFolder(schema: "CREATE TABLE a (x INT);\n-- a.y: Count")
            .expectError(at: "schema/001_start.sql:2:4", "y")
        try SampleFolder(schema: "CREATE TABLE a (x INT);\n-- b.x: Count\nSELECT 1;")
            .expectError(at: "schema/001_start.sql:2:4", "b")
    }

    @Test func aDeclarationOfNoTableIsAnError() throws {
        let lines = try SampleFolder(schema: "CREATE TABLE a (x INT);\n\n-- x: Count\nSELECT 1;").lines()
        #expect(lines.count == 1 && lines[0].hasPrefix("schema/001_start.sql:3:4: error: "), "\(lines)")
    }

    @Test func anUnknownFormIsAnError() throws {
        try SampleFolder(schema: "CREATE TABLE a (\n  x INT -- x: Date as text\n);")
            .expectError(at: "schema/001_start.sql:2:12", "julianDay")
    }

    // MARK: Renames

    @Test func aDeclarationFollowsARenamedTable() throws {
        #expect(try types("sales", Self.orders, "ALTER TABLE orders RENAME TO sales")["placed"] == Self.date)
    }

    @Test func aDeclarationFollowsARenamedColumn() throws {
        let found = try types("orders", Self.orders, "ALTER TABLE orders RENAME COLUMN placed TO \"at\"")
        #expect(found == ["id": "Int64", "at": Self.date, "status": "Status"])
    }

    @Test func aDroppedColumnLosesItsDeclaration() throws {
        let sql = "ALTER TABLE orders DROP COLUMN status; ALTER TABLE orders ADD COLUMN status INT"
        #expect(try types("orders", Self.orders, sql)["status"] == "Int")
    }

    @Test func aDroppedTableLosesItsDeclarations() throws {
        #expect(
            try types("orders", Self.orders, "DROP TABLE orders", "CREATE TABLE orders (status INT)") == [
                "status": "Int"
            ])
    }

    @Test func aRebuiltTableKeepsItsDeclarations() throws {
        let sql = """
            CREATE TABLE new_orders (id INTEGER PRIMARY KEY, placed INT, status INT, note TEXT); -- status: Code
            INSERT INTO new_orders SELECT id, placed, 1, '' FROM orders;
            DROP TABLE orders;
            ALTER TABLE new_orders RENAME TO orders;
            """
        #expect(
            try types("orders", Self.orders, sql)
                == ["id": "Int64", "placed": Self.date, "status": "Code", "note": "String"])
    }

    @Test func aTableRebuiltTheOtherWayKeepsItsDeclarations() throws {
        let sql = """
            ALTER TABLE orders RENAME TO old_orders;
            CREATE TABLE orders (id INTEGER PRIMARY KEY, placed INT);
            INSERT INTO orders SELECT id, placed FROM old_orders;
            DROP TABLE old_orders;
            """
        #expect(try types("orders", Self.orders, sql) == ["id": "Int64", "placed": Self.date])
    }

    @Test func aRebuildKeepsTheRowsOfOtherTables() throws {
        // With foreign keys on, DROP TABLE would delete the rows, or fail.
        let lines = try SampleFolder([
            "schema/1.sql": """
            CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (a INT NOT NULL REFERENCES a);
            INSERT INTO a VALUES (1); INSERT INTO b VALUES (1);
            """,
            "schema/2.sql": """
            CREATE TABLE a2 (id INTEGER PRIMARY KEY, x INT); INSERT INTO a2 SELECT id, 1 FROM a;
            DROP TABLE a; ALTER TABLE a2 RENAME TO a;
            """,
        ]).lines()
        #expect(lines == [])
    }

    // MARK: Functions and collations

    @Test func indexesAndGeneratedColumnsUseFunctionsOfTheApp() throws {
        let sql = """
            -- function: reversed(String) -> String
            -- collation: german
            CREATE TABLE orders (a TEXT COLLATE german, b TEXT AS (reversed(a)));
            CREATE INDEX i ON orders (reversed(a));
            CREATE INDEX j ON orders (a COLLATE German DESC) WHERE reversed(a) > 'a';
            """
        #expect(try types("orders", sql) == ["a": "String", "b": "String"])
    }

    @Test func anUnknownFunctionIsAnErrorWithItsCure() throws {
        try SampleFolder(schema: "CREATE TABLE a (x INT, y INT AS (twice(x)))\n")
            .expectError(at: "schema/001_start.sql:1:34", "twice")
    }

    @Test func aTableThatRowsReferToIsNotDropped() throws {
        let folder = SampleFolder([
            "schema/1.sql": """
            CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (a INT NOT NULL REFERENCES a);
            INSERT INTO a VALUES (1); INSERT INTO b VALUES (1);
            """,
            "schema/2.sql": "DROP TABLE a; CREATE TABLE a (id INTEGER PRIMARY KEY);",
        ])
        try folder.expectError(
            at: "schema/2.sql:1:1", "rows of b refer to rows of a that do not exist after this file")
    }

    @Test func rowsAreSortedByACollationOfTheApp() throws {
        let lines = try SampleFolder(
            schema: """
                -- collation: german
                CREATE TABLE words (word TEXT COLLATE german UNIQUE);
                INSERT INTO words VALUES ('b'), ('a'), ('c');
                """
        ).lines()
        #expect(lines == [])
    }
}
