import Testing

@Suite struct SQLPlansTests {
    private static let schema = """
        CREATE TABLE owners(id INTEGER PRIMARY KEY, email TEXT UNIQUE, name TEXT NOT NULL);
        CREATE UNIQUE INDEX owners_name ON owners(name);
        CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT NOT NULL, price INTEGER,
            owner INTEGER REFERENCES owners(id) ON DELETE CASCADE);
        CREATE INDEX cars_price ON cars(price);
        CREATE INDEX cars_name ON cars(name);
        CREATE INDEX "by owner" ON cars(owner);
        CREATE TABLE log(car INTEGER);
        CREATE INDEX log_car ON log(car);
        CREATE TRIGGER sold AFTER DELETE ON cars BEGIN DELETE FROM log WHERE car = old.id; END;
        """

    private static let queries = """
        -- name: cheapCars
        -- limit: Int
        SELECT id FROM cars AS c WHERE price < :limit;

        -- name: sorted
        SELECT price FROM cars WHERE owner > 3 ORDER BY price + 1;

        -- name: addCars
        INSERT INTO cars(name) VALUES('a'), ('b');
        UPDATE cars SET name = 'c' WHERE +price = 3;
        """

    @Test func eachStatementHasAPlan() async throws {
        let folder = try SQLFolder(schema: Self.schema, queries: Self.queries)
        let file = "\(folder.path)/cars.sql"
        try await expect(
            folder.run("plans"),
            prints: """
                cheapCars  \(file):3:1
                └─ SEARCH c USING COVERING INDEX cars_price (price<?)

                sorted  \(file):6:1
                ├─ SEARCH cars USING INDEX by owner (owner>?)
                └─ USE TEMP B-TREE FOR ORDER BY  ← sort

                addCars  \(file):9:1
                └─ SCAN 2 CONSTANT ROWS

                addCars  \(file):10:1
                └─ SCAN cars  ← full scan

                indexes that no query uses:
                  cars_name on cars
                  log_car on log
                constraints that no query uses as an index:
                  owners_name on owners

                """)
    }

    @Test func triggersAndForeignKeysUseIndexes() async throws {
        let folder = try SQLFolder(
            schema: Self.schema,
            queries: """
                -- name: deleteOwner
                DELETE FROM owners WHERE name = :name;
                """)
        try await expect(
            folder.run("plans", "--unused"),
            prints: """
                indexes that no query uses:
                  cars_name on cars
                  cars_price on cars

                """)
    }

    @Test func everyIndexCanBeUsed() async throws {
        try await expect(SQLFolder().run("plans", "--unused"), prints: "every index is used\n")
    }

    @Test func scansOfVirtualTablesAndViewsAreToldApart() async throws {
        let folder = try SQLFolder(
            schema: """
                CREATE TABLE cars(id INTEGER PRIMARY KEY, owner INTEGER);
                CREATE INDEX "car owner" ON cars(owner);
                CREATE VIEW "the owners" AS SELECT owner, count(*) AS n FROM cars GROUP BY owner;
                CREATE VIRTUAL TABLE words USING fts5(word);
                CREATE VIRTUAL TABLE boxes USING rtree(id, a, b);
                """,
            queries: """
                -- name: a
                SELECT word FROM words AS w;
                -- name: b
                SELECT word FROM words AS w WHERE w.word MATCH :word;
                -- name: c
                SELECT id FROM boxes b;
                -- name: d
                SELECT id FROM boxes b WHERE b.id = :id;
                -- name: e
                SELECT o.n FROM "the owners" AS o WHERE o.n > 3;
                -- name: f
                -- id: Int
                -- parent: Int
                -- notused: Int
                -- detail: String
                EXPLAIN QUERY PLAN SELECT id FROM cars;
                """)
        let outcome = try await folder.run("plans", "--format", "csv")
        #expect(outcome.exitCode == 0 && outcome.error == "")
        let rows = outcome.output.split(whereSeparator: \.isNewline).map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        let marked = rows.dropFirst().filter { $0.last != "" }.map { "\($0[0]) \($0[5]) \($0[6])" }
        #expect(
            marked == [
                "a SCAN w VIRTUAL TABLE INDEX 0: full scan", "c SCAN b VIRTUAL TABLE INDEX 2: full scan",
                "e SCAN cars USING COVERING INDEX car owner full scan of an index",
            ])
    }

    @Test func programsGetRows() async throws {
        let folder = try SQLFolder(schema: Self.schema, queries: Self.queries)
        let plans = try await folder.run("plans", "--format", "ndjson")
        #expect(plans.exitCode == 0 && plans.error == "")
        let lines = plans.output.split(separator: "\n")
        #expect(
            lines.first?.hasPrefix("{\"query\": \"cheapCars\", \"file\": \"\(folder.path)/cars.sql\", \"line\": 3, ")
                == true)
        #expect(lines.last?.hasSuffix("\"detail\": \"SCAN cars\", \"mark\": \"full scan\"}") == true)
        try await expect(
            folder.run("plans", "--unused", "--format", "csv"),
            prints: "index,table,unique\ncars_name,cars,0\nlog_car,log,0\nowners_name,owners,1\n")
    }

    @Test func errorsOfTheSQLHaveNoPlans() async throws {
        let folder = try SQLFolder(queries: "-- name: a\nSELECT x FROM cars;\n")
        for format in ["table", "json"] {
            try await expect(
                folder.run("plans", "--format", format),
                fails: "\(folder.path)/cars.sql:2:8: error: no such column: x\n", exitCode: 1)
        }
    }
}
