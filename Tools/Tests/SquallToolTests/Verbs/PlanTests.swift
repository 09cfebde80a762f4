import Foundation
import Squall
import Testing

@Suite struct PlanTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func database(_ more: SQL = "") throws -> String {
        try directory.database(
            """
            CREATE TABLE items(id INTEGER PRIMARY KEY, tag TEXT, price REAL, name TEXT, maker INTEGER);
            CREATE TABLE makers(id INTEGER PRIMARY KEY, name TEXT);
            CREATE VIEW cheap AS SELECT * FROM items WHERE price < 10;
            WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
            INSERT INTO items SELECT i, 't' || (i % 10), i, 'n' || i, i % 7 FROM n;
            """ + more)
    }

    @Test func aScanAndASortHaveAMark() async throws {
        try await expect(
            Tool.run("plan", database(), "SELECT * FROM items AS i WHERE tag = :tag ORDER BY price"),
            prints: """
                ├─ SCAN i  ← full scan
                └─ USE TEMP B-TREE FOR ORDER BY  ← sort

                """
        )
    }

    @Test func stepsInsideAnotherAreBelowIt() async throws {
        try await expect(
            Tool.run("plan", database(), "SELECT 1 FROM items WHERE id IN (SELECT id FROM makers WHERE name > 'a')"),
            prints: """
                ├─ SEARCH items USING INTEGER PRIMARY KEY (rowid=?)
                └─ LIST SUBQUERY 1
                   └─ SCAN makers  ← full scan

                """
        )
    }

    @Test func programsGetRows() async throws {
        let outcome = try await Tool.run("plan", database(), "SELECT * FROM items WHERE id = 1", "--format", "json")
        #expect(outcome.exitCode == 0 && outcome.output.contains("\"parent\": 0"))
        #expect(
            outcome.output.hasSuffix(
                "\"detail\": \"SEARCH items USING INTEGER PRIMARY KEY (rowid=?)\", \"mark\": null}]\n"))
    }

    @Test func aRunCountsWhatItDid() async throws {
        let outcome = try await Tool.run(
            "plan", database(), "SELECT * FROM items WHERE tag = :tag ORDER BY price", "-p", "tag=t3", "--run")
        #expect(outcome.exitCode == 0 && outcome.error == "")
        let lines = outcome.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(
            lines.contains("100  rows") && lines.contains("999  rows read by full scans") && lines.contains("1  sorts"))
        #expect(lines.last?.hasSuffix(" ms") == true)
    }

    @Test func aRunNeedsItsParametersAndMustOnlyRead() async throws {
        let path = try database()
        let missing = try await Tool.run("plan", path, "SELECT :a", "--run")
        #expect(missing.exitCode == 2 && missing.error.hasPrefix("error: parameters of the SQL without a value: :a\n"))
        try await expect(
            Tool.run("plan", path, "DELETE FROM items WHERE tag = 'a'", "--run"),
            fails: "error: \(path): the SQL writes, and the database is opened read-only (SQLITE_READONLY)\n",
            exitCode: 77
        )
        try await expect(
            Tool.run("plan", path, "DELETE FROM items WHERE tag = 'a'"), prints: "└─ SCAN items  ← full scan\n")
    }

    /// SQL, the suggested statements, and the plan with them.
    private static let suggestions: [(String, [String], String)] = [
        (
            "SELECT * FROM items WHERE tag = ? ORDER BY price DESC",
            ["CREATE INDEX items_tag_price ON items(tag, price);"],
            "└─ SEARCH items USING INDEX items_tag_price (tag=?)\n"
        ),
        (
            "SELECT * FROM items WHERE price > 5 AND tag = 'x'", ["CREATE INDEX items_tag_price ON items(tag, price);"],
            "└─ SEARCH items USING INDEX items_tag_price (tag=? AND price>?)\n"
        ),
        (
            "SELECT i.id FROM items i JOIN makers m ON m.name = i.name WHERE i.tag = 'x'",
            ["CREATE INDEX items_tag ON items(tag);", "CREATE INDEX makers_name ON makers(name);"],
            "├─ SEARCH i USING INDEX items_tag (tag=?)\n└─ SEARCH m USING COVERING INDEX makers_name (name=?)\n"
        ),
        (
            "SELECT * FROM cheap", ["CREATE INDEX items_price ON items(price);"],
            "└─ SEARCH items USING INDEX items_price (price<?)\n"
        ),
        (
            "SELECT * FROM items WHERE name LIKE 'a%'",
            ["CREATE INDEX items_name ON items(name COLLATE NOCASE);"],
            "└─ SEARCH items USING INDEX items_name (name>? AND name<?)\n"
        ),
        (
            "SELECT tag, count(*) FROM items GROUP BY tag", ["CREATE INDEX items_tag ON items(tag);"],
            "└─ SCAN items USING COVERING INDEX items_tag  ← full scan of an index\n"
        ),
        (
            "UPDATE items SET name = 'x' WHERE tag = 'y'", ["CREATE INDEX items_tag ON items(tag);"],
            "└─ SEARCH items USING INDEX items_tag (tag=?)\n"
        ),
    ]

    @Test(arguments: suggestions)
    func anIndexIsSuggestedAndProved(sql: String, statements: [String], plan: String) async throws {
        let path = try database()
        let before = try directory.bytes("test.db")
        let outcome = try await Tool.run("plan", path, sql, "--suggest")
        #expect(outcome.error == "" && outcome.exitCode == 0)
        let parts = outcome.output.components(separatedBy: "\n\n")
        #expect(parts.count == 3 && parts[1].components(separatedBy: "\n").sorted() == statements)
        #expect(parts.last == "with \(statements.count == 1 ? "it" : "them"), tried in memory:\n" + plan)
        #expect(try directory.bytes("test.db") == before)
        // What was tried in memory is true for the file.
        let connection = try Connection(storageLocation: .onDisk(path))
        try connection.execute(SQL(raw: statements.joined()))
        connection.close()
        let again = try await Tool.run("plan", path, sql)
        #expect(again.output == plan)
    }

    @Test(arguments: ["SELECT * FROM items", "SELECT * FROM items WHERE lower(name) = 'x'"])
    func itSaysWhenNoIndexHelps(sql: String) async throws {
        try await expect(
            Tool.run("plan", database(), sql, "--suggest"),
            prints: "└─ SCAN items  ← full scan\n\nno index of up to three columns would avoid a scan or a sort\n")
    }

    @Test func itSaysWhenNoIndexIsNeeded() async throws {
        let outcome = try await Tool.run("plan", database(), "SELECT * FROM items WHERE id = 5", "--suggest")
        #expect(outcome.output.hasSuffix("\n\nno index is needed: the plan has no scan of a table and no sort\n"))
    }

    @Test func statisticsArePartOfTheTrial() async throws {
        let path = try database("CREATE INDEX items_maker ON items(maker); ANALYZE")
        let outcome = try await Tool.run(
            "plan", path, "SELECT * FROM items WHERE maker = 1 AND name = 'n1'", "--suggest")
        #expect(outcome.output.hasPrefix("└─ SEARCH items USING INDEX items_maker (maker=?)\n"))
    }

    @Test func namesAreQuotedWhereTheyNeedIt() async throws {
        let path = try directory.database("CREATE TABLE \"Order Details\"(\"the \"\"id\"\"\", \"select\")")
        let sql = "SELECT * FROM [Order Details] WHERE \"select\" = 1"
        try await expect(
            Tool.run("plan", path, sql, "--suggest"),
            prints: """
                └─ SCAN Order Details  ← full scan

                CREATE INDEX "Order Details_select" ON "Order Details"("select");

                with it, tried in memory:
                └─ SEARCH Order Details USING INDEX Order Details_select (select=?)

                """
        )
    }

    @Test func wrongSQLIsAnError() async throws {
        let path = try database()
        let outcome = try await Tool.run("plan", path, "SELECT * FROM none")
        #expect(outcome.output == "" && outcome.exitCode == 2)
        #expect(outcome.error.hasPrefix("error: \(path): no such table: none (SQLITE_ERROR)\n"))
        let usage = try await Tool.run("plan", path, "SELECT 1", "--format", "csv", "--run")
        #expect(usage.exitCode == 64)
    }
}
