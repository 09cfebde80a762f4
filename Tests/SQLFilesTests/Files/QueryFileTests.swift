import Squall
import Testing

@testable import SquallSQLFiles

struct QueryFileTests {
    // MARK: Queries

    @Test func aQueryBeginsWithItsName() throws {
        let file = ReadQueries.file(
            """
            -- name: cheapCars :many
            -- Returns the cars below a price.
            -- limit: Int
            -- row: Car
            -- plan: no scan
            SELECT id FROM cars WHERE price < :limit;

            -- name: buy
            INSERT INTO cars DEFAULT VALUES
            """)
        #expect(file.diagnostics == [])
        let query = try #require(file.queries.first)
        #expect(query.name == "cheapCars")
        #expect(query.location.description == "q.sql:1:4")
        #expect(query.cardinality == .many)
        #expect(query.row == "Car")
        #expect(query.noScan?.description == "q.sql:5:4")
        #expect(query.documentation == ["Returns the cars below a price."])
        #expect(query.types[Identifier("limit")]?.type == .int)
        #expect(query.types[Identifier("limit")]?.location.description == "q.sql:3:4")
        #expect(query.statements.map(\.text) == ["SELECT id FROM cars WHERE price < :limit"])
        #expect(query.source.location(at: query.statements[0].offset).description == "q.sql:6:1")
        #expect(file.queries.last?.name == "buy")
        #expect(file.queries.last?.cardinality == nil)
        #expect(file.queries.last?.statements.map(\.text) == ["INSERT INTO cars DEFAULT VALUES"])
    }

    @Test func severalStatementsBelongToOneQuery() {
        #expect(
            ReadQueries.queries(
                "-- name: a\nDELETE FROM t; ;; DELETE FROM u;\n-- name: b\nSELECT 1\n-- name: c\nSELECT 2;;")
                == ["a: DELETE FROM t; DELETE FROM u", "b: SELECT 1", "c: SELECT 2"])
    }

    @Test func aStatementRunsFromItsFirstTokenToItsLast() {
        #expect(
            ReadQueries.queries("-- name: a\n  /* x */ SELECT -- one\n  1 /* two */\n  -- three\n;")
                == ["a: SELECT -- one\n  1"])
    }

    @Test func quotesAndCommentsDoNotEndAStatement() {
        let sql = "SELECT ';', \"a;\", [b;], `c;`, x'00', 'it''s;' /* ; */, 1 -- ;\n + 2"
        #expect(ReadQueries.queries("-- name: a\n\(sql); SELECT 2") == ["a: \(sql); SELECT 2"])
        #expect(
            ReadQueries.queries("-- name: a\nSELECT '\n-- name: b\n' /*\n-- name: c\n*/")
                == ["a: SELECT '\n-- name: b\n'"])
    }

    @Test func aTriggerIsOneStatement() {
        let trigger = """
            CREATE TEMP TRIGGER t AFTER UPDATE ON cars BEGIN
              UPDATE a SET "end" = CASE WHEN new.x THEN 1 ELSE 2 END;
              SELECT 1;
            END
            """
        #expect(ReadQueries.queries("-- name: a :execute\n\(trigger);\nSELECT 2;") == ["a: \(trigger); SELECT 2"])
        #expect(ReadQueries.queries("-- name: a\nEXPLAIN \(trigger); SELECT 2") == ["a: EXPLAIN \(trigger); SELECT 2"])
        #expect(ReadQueries.lines("-- name: a :execute\n\(trigger);") == [])
        #expect(
            ReadQueries.queries("-- name: a\nCREATE TABLE trigger_(begin); SELECT 1")
                == ["a: CREATE TABLE trigger_(begin); SELECT 1"])
    }

    @Test func windowsLineEndsWork() throws {
        let text =
            "-- name: a :one\r\n-- Text.\r\n--\r\n-- x: Int\r\n\r\nSELECT\r\n  1\r\n;\r\n-- name: b\r\nSELECT 2\r\n"
        let file = ReadQueries.file(text)
        #expect(file.diagnostics == [])
        #expect(file.queries.map(\.name) == ["a", "b"])
        #expect(file.queries.first?.cardinality == .one)
        #expect(file.queries.first?.documentation == ["Text."])
        #expect(ReadQueries.types(text) == ["x: Int"])
        #expect(ReadQueries.queries(text) == ["a: SELECT\r\n  1", "b: SELECT 2"])
        let statement = try #require(file.queries.last?.statements.first)
        #expect(file.queries.last?.source.location(at: statement.offset).description == "q.sql:10:1")
    }

    @Test func anEmptyFileHasNoQueries() {
        for text in ["", "\n", "-- A comment.", "/* x */", ";;"] {
            #expect(ReadQueries.queries(text) == [])
            #expect(ReadQueries.lines(text) == [])
        }
    }

    // MARK: Comments

    @Test func declarationsAreReadAboveAndInsideTheStatement() {
        #expect(
            ReadQueries.types(
                """
                -- name: orders
                -- limit: Int?
                SELECT id, placed, -- placed: Date as unixTime
                  -- "owner.name": String!
                  name AS "owner.name" -- The name: of the owner
                FROM orders WHERE n < :limit; -- :limit: Int64
                """) == [":limit: Int64", "limit: Int?", "owner.name: String!", "placed: Date as unixTime"])
    }

    @Test func commentsAboveTheStatementAreDocumentation() {
        let documentation = ReadQueries.file(
            """
            -- Copyright

            -- Returns cars:
            -- name: cars
            -----------
            -- * the cheap ones
            --     SELECT 1
            --
            -- limit: Int
            -- and others
            -- ==========
            SELECT 1, -- one
              2;
            -- not this
            SELECT 2
            """
        ).queries.first?.documentation
        #expect(documentation == ["Returns cars:", "", "* the cheap ones", "    SELECT 1", "", "and others"])
    }

    @Test func linesDirectlyAboveANameBelongToIt() {
        let file = ReadQueries.file(
            """
            -- name: a
            SELECT :x; -- x: Int
            -- y: Int

            -- y: String
            -- row: Car
            -- name: b
            SELECT 2 AS y
            """)
        #expect(file.diagnostics == [])
        #expect(file.queries.map { $0.types.keys.map(\.spelling).sorted() } == [["x", "y"], ["y"]])
        #expect(file.queries.map(\.row) == [nil, "Car"])
    }

    @Test func functionsAndCollationsAreReadAnywhere() {
        let file = ReadQueries.file(
            """
            -- function: distance(Double, Double) -> Double?

            -- name: a
            -- collation: german
            SELECT 1 -- function: now() -> Int
            -- collation: french
            """)
        #expect(file.diagnostics == [])
        #expect(file.functions.map(\.name.spelling) == ["distance", "now"])
        #expect(file.functions.map(\.location.line) == [1, 5])
        #expect(file.collations.map(\.name) == ["german", "french"])
    }
}
