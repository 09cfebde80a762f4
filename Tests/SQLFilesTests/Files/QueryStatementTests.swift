import Testing

@testable import SquallSQLFiles

/// The statements of query files: where they begin and end, and which are refused.
struct QueryStatementTests {
    private func statements(_ sql: String) throws -> [String] {
        let files = try SampleFolder(queries: "-- name: q\n\(sql)").checked()
        return try #require(files.queries.first).declaration.statements.map(\.text)
    }

    // MARK: Splitting

    @Test func semicolonsInQuotesAndCommentsEndNothing() throws {
        let first = "DELETE FROM cars WHERE name = 'a;''b;' OR \"name\" = ';' OR [name] = ';' OR `name` = ';'"
        let second = "DELETE FROM cars /* ; */ WHERE -- ;\n name = 'it''s'"
        #expect(try statements("\(first);\n\(second);") == [first, second])
    }

    @Test func theLastSemicolonMayBeMissing() throws {
        #expect(try statements("DELETE FROM cars; DELETE FROM cars") == ["DELETE FROM cars", "DELETE FROM cars"])
    }

    @Test func emptyStatementsAreIgnored() throws {
        #expect(try statements(";; DELETE FROM cars;;\n;") == ["DELETE FROM cars"])
    }

    @Test func aTriggerIsOneStatement() throws {
        let trigger = """
            CREATE TEMP TRIGGER IF NOT EXISTS "a;b" AFTER INSERT ON cars BEGIN
              UPDATE cars SET price = CASE WHEN price > 1 THEN 1 ELSE 2 END WHERE id = new.id;
              DELETE FROM cars WHERE name = 'end;';
            END
            """
        #expect(try statements("\(trigger);\nDELETE FROM cars;") == [trigger, "DELETE FROM cars"])
    }

    @Test func aTriggerMayHaveNamesLikeKeywords() throws {
        let trigger =
            "CREATE TRIGGER begin_trigger AFTER UPDATE OF name ON cars BEGIN SELECT 1 AS \"end\"; SELECT 2; END"
        #expect(try statements("\(trigger); DELETE FROM cars") == [trigger, "DELETE FROM cars"])
    }

    @Test func aTableNamedTriggerIsNotATrigger() throws {
        let table = "CREATE TABLE trigger_log (\"begin\" INT)"
        #expect(try statements("\(table); DELETE FROM cars") == [table, "DELETE FROM cars"])
        let index = "CREATE INDEX i ON cars (CASE WHEN name = 'trigger' THEN 1 END)"
        #expect(try statements("\(index); DELETE FROM cars") == [index, "DELETE FROM cars"])
    }

    @Test func severalStatementsAreOneQuery() throws {
        let files = try SampleFolder(
            queries: """
                -- name: raise
                UPDATE cars SET price = price + :amount;
                DELETE FROM cars WHERE price > :limit;
                -- name: all
                SELECT id FROM cars;
                """
        ).checked()
        #expect(files.queries.map(\.statements.count) == [2, 1])
        #expect(files.queries.first?.parameters.map(\.name) == ["amount", "limit"])
    }

    // MARK: Errors

    @Test func anErrorInTheThirdStatementHasItsPlace() throws {
        let sql = """
            -- name: q
            -- Documentation, with an é.
            DELETE FROM cars;

            /* a comment
               of two lines; */ UPDATE cars SET name = 'é;'   -- the end
            ; DELETE
              FROM cars WHERE 'é' = prize AND 1;
            -- name: r
            SELECT 1;
            """
        try SampleFolder(queries: sql).expectError(at: "cars.sql:8:26", "no such column: prize")
    }

    @Test func anErrorAfterTheLastTokenHasAPlaceInTheStatement() throws {
        let lines = try SampleFolder(queries: "-- name: q\nSELECT id FROM cars WHERE\n-- name: r\nSELECT 1 AS x")
            .lines()
        #expect(lines.count == 1 && lines[0].hasPrefix("cars.sql:2:"), "\(lines)")
    }

    @Test func allErrorsOfAFileAreReported() throws {
        let sql = "-- name: a\nSELECT x FROM cars;\n-- name: b\nSELECT id FROM vans;\n-- name: c :all\nSELECT 1;"
        let places = try SampleFolder(queries: sql).lines().map { $0.split(separator: " ")[0] }
        #expect(places == ["cars.sql:2:8:", "cars.sql:4:1:", "cars.sql:5:4:"])
    }

    @Test(arguments: ["SELECT 'abc", "SELECT \"abc", "SELECT [abc", "SELECT `abc", "SELECT x'00", "SELECT 1 /* abc"])
    func aQuoteWithoutItsEndIsAnError(_ sql: String) throws {
        // SQLite itself allows a comment without its end.
        let lines = try SampleFolder(queries: "-- name: q\n\(sql) FROM cars;\n-- name: r\nSELECT id FROM cars").lines()
        #expect(lines.contains { $0.hasPrefix("cars.sql:2:") && $0.contains(": error: ") }, "\(lines)")
    }

    // MARK: Refused statements

    @Test(arguments: [
        "BEGIN", "begin immediate", "COMMIT", "END", "ROLLBACK", "ROLLBACK TO a", "SAVEPOINT a", "RELEASE a",
        "ATTACH 'other.db' AS other", "DETACH other", "VACUUM", "VACUUM INTO 'other.db'",
        "PRAGMA foreign_keys = OFF", "PRAGMA main.user_version(3)", "PRAGMA journal_mode = DELETE",
        "/* */ PRAGMA\nwritable_schema=1",
    ])
    func statementsOfAConnectionAreRefused(_ sql: String) throws {
        let lines = try SampleFolder(queries: "-- name: q :execute\nDELETE FROM cars;\n\(sql);").lines()
        #expect(lines.contains { $0.hasPrefix("cars.sql:3:") || $0.hasPrefix("cars.sql:4:") }, "\(lines)")
        #expect(lines.allSatisfy { $0.contains(": error: ") }, "\(lines)")
    }

    @Test func pragmasThatReadAreAllowed() throws {
        // The types of a PRAGMA are not known, and are declared.
        let files = try SampleFolder(
            queries: """
                -- name: version :one
                -- user_version: Int!
                PRAGMA user_version;
                """
        ).checked()
        #expect(files.queries.first?.isReadOnly == true)
    }

    // MARK: Large files

    /// If each query took a time that grows with the length of the file, this would take an hour.
    @Test(.timeLimit(.minutes(2))) func theTimeGrowsWithTheNumberOfQueries() throws {
        let text = (0..<2_000).map {
            """
            -- name: query\($0) :many
            -- Returns the cars below a price, number \($0).
            -- limit: Int
            SELECT id, name, price FROM cars
            WHERE price < :limit AND name <> 'a;b'   -- price: Int
            ORDER BY price;

            """
        }.joined(separator: "\n")
        let source = SourceText(path: "cars.sql", text: text)
        let file = QueryFile(source)
        #expect(file.queries.count == 2_000 && file.diagnostics.isEmpty)
        #expect(file.queries.last?.location.line == 7 * 1_999 + 1)
    }

    @Test(.timeLimit(.minutes(2))) func theTimeGrowsWithTheLengthOfComments() throws {
        let source = SourceText(
            path: "cars.sql",
            text: "-- name: q\n" + String(repeating: " ", count: 100_000) + "\nSELECT /**/"
                + String(repeating: "\n-- a: b c", count: 5_000) + String(repeating: " /* */", count: 5_000) + " 1")
        #expect(QueryFile(source).queries.count == 1)
    }
}
