import Squall
import Testing

@testable import SquallSQLFiles

struct QueryFilesTests {
    private func read(_ texts: String...) -> QueryFiles {
        QueryFiles(zip(["a.sql", "b.sql"], texts).map { SourceText(path: $0, text: $1) })
    }

    private func lines(_ files: QueryFiles) -> [String] { files.diagnostics.map(\.description) }

    @Test func queriesOfAllFilesHaveDifferentNames() {
        let files = read(
            "-- name: cars\nSELECT 1;\n-- name: cars\nSELECT 2", "\n-- name: cars\nSELECT 3;\n-- name: Cars_\nSELECT 4")
        #expect(files.queries.map(\.statements[0].text) == ["SELECT 1"])
        #expect(
            lines(files) == [
                "a.sql:3:4: error: there is a query 'cars' already, at a.sql:1:4: choose another name",
                "b.sql:2:4: error: there is a query 'cars' already, at a.sql:1:4: choose another name",
                "b.sql:4:4: error: the query 'Cars_' has the Swift name 'cars' of the query at a.sql:1:4: "
                    + "choose another name",
            ])
        #expect(lines(read("-- name: cars\nSELECT 1;\n-- name: carS\nSELECT 2")) == [])
    }

    @Test func functionsAndCollationsAreDeclaredOnce() {
        let files = read(
            "-- function: f(Int) -> Int\n-- function: f(Int, Int) -> Int\n-- collation: german",
            "-- function: F(String) -> Int\n-- collation: GERMAN\n-- function: f(...) -> Int")
        #expect(files.functions.map { $0.arguments?.count } == [1, 2, nil])
        #expect(files.collations == ["german"])
        #expect(
            lines(files) == [
                "b.sql:1:4: error: the function 'F' is declared twice, first at a.sql:1:4",
                "b.sql:2:4: error: the collation 'GERMAN' is declared twice, first at a.sql:3:4",
            ])
    }

    @Test func anErrorOfTheThirdStatementHasItsLineAndColumn() throws {
        let files = read(
            "-- name: a\r\nSELECT 1;\r\n-- name: b\r\n-- Über /* alles */\r\nSELECT 'é;';\r\n-- name: c\r\n"
                + "SELECT -- ;\r\n  'é', pricee\r\nFROM cars")
        let connection = try Connection()
        try connection.execute("CREATE TABLE cars (price)")
        let checker = try QueryChecker(connection, CatalogReader(connection).catalog())
        #expect(
            try checker.check(files.queries).diagnostics.map(\.description)
                == ["a.sql:8:9: error: no such column: pricee"])
    }

    /// If each query took a time that grows with the length of the file, this would take an hour.
    @Test(.timeLimit(.minutes(2))) func theTimeGrowsWithTheNumberOfQueries() {
        let text = (1...2_000).map { number in
            """
            -- name: cheapCars\(number) :many
            -- Returns the cars that cost less than a limit, with their owners.
            -- limit: Int
            -- "owner.name": String?
            SELECT id, name, price, owners.name AS "owner.name" -- the name: of the car
            FROM cars LEFT JOIN owners ON owners.id = cars.owner
            WHERE price < :limit AND cars.name LIKE 'it''s %' ORDER BY price;


            """
        }.joined()
        let files = read(text)
        #expect(files.queries.count == 2_000)
        #expect(files.diagnostics.count == 0)
    }
}
