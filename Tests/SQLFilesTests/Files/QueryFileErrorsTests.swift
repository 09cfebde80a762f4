import Testing

@testable import SquallSQLFiles

struct QueryFileErrorsTests {
    private func lines(_ text: String) -> [String] { ReadQueries.lines(text) }

    @Test func aStatementNeedsAName() {
        #expect(
            lines("-- Cars.\nSELECT 1;\nSELECT 2;\n-- name: a\nSELECT 3")
                == ["q.sql:2:1: error: the statement has no name: write -- name: cheapCars above it"])
        #expect(
            lines("-- limit: Int\n\n-- name: a\nSELECT 3")
                == ["q.sql:1:4: error: the declaration belongs to no query: write -- name: cheapCars above it"])
    }

    @Test func aNameNeedsAStatement() {
        #expect(
            lines("-- name: a\n-- name: b\nSELECT 1;\n-- name: c\n;")
                == [
                    "q.sql:1:4: error: the query 'a' has no statement: write one below its name",
                    "q.sql:4:4: error: the query 'c' has no statement: write one below its name",
                ])
    }

    @Test func aWrongNameBeginsAQuery() {
        let text = "-- name: a\nDELETE FROM t;\n-- nmae: b\nDELETE FROM u;\n-- name: 1\n-- x: Int\nDELETE FROM v"
        #expect(ReadQueries.queries(text) == ["a: DELETE FROM t"])
        #expect(
            lines(text) == [
                "q.sql:3:4: error: unknown declaration 'nmae': write -- name: b",
                "q.sql:5:4: error: '1' is not the name of a Swift function: write -- name: cheapCars",
            ])
    }

    @Test func aNameHasALineOfItsOwn() {
        #expect(lines("-- name: a\nSELECT name -- name: of the car\nFROM cars").count == 1)
        #expect(
            lines("-- name: a\nSELECT name -- name: String\nFROM cars")
                == [
                    "q.sql:2:16: error: the name of a query has a line of its own; "
                        + "the type of a column is declared in quotes: -- \"name\": String"
                ])
        #expect(ReadQueries.types("-- name: a\nSELECT name -- \"name\": String\nFROM cars") == ["name: String"])
    }

    @Test func aDeclarationIsWrittenOnce() {
        #expect(
            lines(
                "-- name: a\n-- x: Int\n-- row: A\n-- plan: no scan\n-- X: Date\n-- row: B\n-- plan: no scan\nSELECT 1")
                == [
                    "q.sql:5:4: error: the type of 'X' is declared twice, first at q.sql:2:4",
                    "q.sql:6:4: error: the row type is declared twice, first at q.sql:3:4",
                    "q.sql:7:4: error: the plan is declared twice, first at q.sql:4:4",
                ])
    }

    @Test func aQueryDeclaresColumnsWithoutTheirTable() {
        #expect(
            lines("-- name: a\n-- cars.price: Int\nSELECT price FROM cars")
                == [
                    "q.sql:2:4: error: a query declares a column by its name in the result: write -- price: Int, or "
                        + "-- \"cars.price\": Int for a name with a dot"
                ])
    }

    @Test func aKnownKeyWithABadValueIsAnError() {
        #expect(
            lines("-- name: a\n-- plan: fast\nSELECT 1, -- row: car\n 2")
                == [
                    "q.sql:2:4: error: 'fast' is not a property of a plan: write -- plan: no scan",
                    "q.sql:3:14: error: 'car' is not the name of a Swift type: write -- row: Car",
                ])
    }

    @Test func transactionsAreNotControlledByQueries() {
        for statement in ["BEGIN IMMEDIATE", "commit", "END", "ROLLBACK TO a", "SAVEPOINT a", "RELEASE a"] {
            let word = statement.split(separator: " ")[0].uppercased()
            #expect(
                lines("-- name: a\nDELETE FROM t;\n  \(statement);") == [
                    "q.sql:3:3: error: \(word) cannot be in a query: the statements of a query run in one transaction, "
                        + "and several queries do inside 'transaction' in Swift"
                ])
        }
    }

    @Test func databasesAreNotAttachedOrRewrittenByQueries() {
        for statement in ["ATTACH 'a' AS b", "DETACH b", "VACUUM", "EXPLAIN QUERY PLAN VACUUM"] {
            #expect(lines("-- name: a\n\(statement)").count == 1, "\(statement)")
        }
        #expect(lines("-- name: a\nSELECT \"begin\" AS vacuum, 'attach'") == [])
    }

    @Test func aPragmaOnlyReads() {
        for statement in [
            "PRAGMA foreign_keys = ON", "PRAGMA main.user_version=3", "PRAGMA journal_mode(WAL)",
            "PRAGMA table_info = cars",
        ] {
            #expect(
                lines("-- name: a\n\(statement)") == [
                    "q.sql:2:1: error: a PRAGMA with a value cannot be in a query: it changes a connection, which its "
                        + "configuration does"
                ])
        }
        for statement in ["PRAGMA user_version", "PRAGMA main.table_info(cars)", "PRAGMA foreign_key_check"] {
            #expect(lines("-- name: a\n\(statement)") == [], "\(statement)")
        }
    }

    @Test func anOpenQuoteHasThePlaceOfItsBeginning() {
        let end = "\n-- name: b\nSELECT 1"
        for (text, sign) in [("'a''", "'"), ("\"a", "\""), ("`a", "`"), ("[a", "]"), ("x'00", "'")] {
            #expect(
                lines("-- name: a\nSELECT \(text)\(end)")
                    == ["q.sql:2:8: error: the quote is not closed: \(sign) is missing"])
        }
        #expect(
            lines("-- name: a\nSELECT 1 /* x\(end)")
                == ["q.sql:2:10: error: the comment is not closed: */ is missing"])
        #expect(lines("-- name: a\nSELECT 1 /*/").count == 1)
        #expect(lines("-- name: a\nSELECT 'a''b', x'00', [a], ''") == [])
        #expect(lines("-- name: a\nSELECT 1 /**/") == [])
    }
}
