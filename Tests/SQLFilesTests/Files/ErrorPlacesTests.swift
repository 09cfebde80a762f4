import Testing

@testable import SquallSQLFiles

/// The places of errors in schema files, and what later files have done to names that queries use.
struct ErrorPlacesTests {
    // MARK: Places

    @Test func anErrorInTheThirdStatementHasItsPlace() throws {
        let sql = """
            -- The cars; all of them.
            CREATE TABLE cars (id INTEGER PRIMARY KEY, name TEXT DEFAULT 'é;');
            CREATE TRIGGER t AFTER INSERT ON cars BEGIN
              UPDATE cars SET name = 'x';
            END; /* é */ CREATE INDEX i
              ON cars (name, lower('é'), prize);
            """
        try SampleFolder(schema: sql).expectError(at: "schema/001_start.sql:6:31", "prize")
    }

    @Test func aSyntaxErrorHasThePlaceOfItsToken() throws {
        try SampleFolder(schema: "CREATE TABLE a (x INT);\r\nSELECT 1;\r\nCREATE TABEL b (x);")
            .expectError(at: "schema/001_start.sql:3:8", "TABEL", "syntax error")
    }

    @Test func anErrorOfARowHasThePlaceOfTheStatement() throws {
        try SampleFolder(schema: "CREATE TABLE a (x INT NOT NULL);\n\n  INSERT INTO a VALUES (1), (NULL);")
            .expectError(at: "schema/001_start.sql:3:3", "NOT NULL constraint failed: a.x")
    }

    @Test func aTableTwiceIsAnError() throws {
        try SampleFolder(["schema/1.sql": "CREATE TABLE a (x INT)", "schema/2.sql": "\nCREATE TABLE a (x INT)"])
            .expectError(at: "schema/2.sql:2:14", "already exists")
    }

    @Test func doubleQuotedTextIsAName() throws {
        let lines = try SampleFolder(schema: "CREATE TABLE a (x TEXT CHECK (x <> \"none\"))").lines()
        #expect(lines.count == 1 && lines[0].contains("none"), "\(lines)")
    }

    @Test func aQueryDoesNotBelongInTheHistory() throws {
        let lines = try SampleFolder(schema: "-- name: cars :many\nSELECT 1;").lines()
        #expect(lines.count == 1 && lines[0].hasPrefix("schema/001_start.sql:1:4: error: "), "\(lines)")
    }

    // MARK: Hints

    private func expectHint(
        _ change: String, _ query: String, _ parts: String..., sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) throws {
        let lines = try SampleFolder([
            "schema/001_cars.sql":
                "CREATE TABLE cars (id INTEGER PRIMARY KEY, cost INT); CREATE VIEW cheap AS SELECT cost FROM cars;",
            "schema/002_prices.sql": change,
            "cars.sql": "-- name: q\n\(query)",
        ]).lines()
        #expect(lines.count == 1, "\(lines)", sourceLocation: sourceLocation)
        for part in ["cars.sql:2:", "version 2 (002_prices.sql)"] + parts {
            #expect(lines.first?.contains(part) == true, "\(lines)", sourceLocation: sourceLocation)
        }
    }

    @Test func anErrorNamesTheVersionThatRenamedAColumn() throws {
        try expectHint("ALTER TABLE cars RENAME COLUMN cost TO price", "SELECT cost FROM cars", "renamed", "to price")
        try expectHint("ALTER TABLE cars RENAME cost TO \"the price\"", "SELECT c.cost FROM cars c", "to the price")
        try expectHint("ALTER TABLE main.cars RENAME COST TO price", "UPDATE cars SET Cost = 1", "to price")
    }

    @Test func anErrorNamesTheVersionThatDroppedAColumn() throws {
        try expectHint("DROP VIEW cheap; ALTER TABLE cars DROP COLUMN cost", "SELECT cost FROM cars", "dropped")
    }

    @Test func anErrorNamesTheVersionThatRenamedATable() throws {
        try expectHint("ALTER TABLE cars RENAME TO vehicles", "SELECT cost FROM cars", "to vehicles")
    }

    @Test func anErrorNamesTheVersionThatDroppedATable() throws {
        try expectHint("DROP VIEW cheap; DROP TABLE cars", "SELECT cost FROM cars", "dropped")
        try expectHint("DROP VIEW IF EXISTS main.cheap", "SELECT cost FROM cheap", "dropped")
    }

    @Test func aRebuiltTableIsNotDropped() throws {
        let lines = try SampleFolder([
            "schema/1.sql": "CREATE TABLE cars (id INTEGER PRIMARY KEY, cost INT);",
            "schema/2.sql": """
            CREATE TABLE new_cars (id INTEGER PRIMARY KEY, price INT);
            INSERT INTO new_cars SELECT id, cost FROM cars;
            DROP TABLE cars;
            ALTER TABLE new_cars RENAME TO cars;
            """,
            "cars.sql": "-- name: q\nSELECT price FROM cars;\n-- name: r\nSELECT 1 AS x FROM new_cars;",
        ]).lines()
        #expect(lines.count == 1 && lines[0].contains("new_cars") && lines[0].contains("to cars"), "\(lines)")
    }

    @Test func aMisspelledNameHasNoHint() throws {
        let lines = try SampleFolder(queries: "-- name: q\nSELECT coast FROM cars").lines()
        #expect(lines.count == 1 && lines[0].hasPrefix("cars.sql:2:8: error: no such column: coast"), "\(lines)")
        #expect(lines.first?.contains("version") == false, "\(lines)")
    }
}
