import IntegrationSupport
import Squall
import SquallTesting
import TestSupport
import Testing

struct ExpectSQLTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
        try Library.history.migrate(connection)
        try Library.fill(connection)
    }

    private func failures(_ body: () throws -> Void) rethrows -> [String] {
        let reports = Locked<[String]>([])
        try withKnownIssue(
            isIntermittent: true, body,
            matching: {
                reports.append($0.text)
                return true
            })
        return reports.value
    }

    @Test func valuesAreInPlace() {
        expectSQL(
            Book.where { $0.id > 1 && $0.title == "It's" }.select { $0.title },
            """
            SELECT "books"."title"
            FROM "books"
            WHERE "books"."id" > 1 AND "books"."title" = 'It''s'
            """)
        expectSQL("SELECT \(1), \(nil as Int?), \(in: [1, 2])", "SELECT 1, NULL, (1, 2)")
    }

    @Test(arguments: [
        ("SELECT  1\n\t, 2 ", " SELECT 1 , 2", true),
        ("SELECT 1, 2", "SELECT 1,2", false),
        ("SELECT 1", "select 1", false),
        ("SELECT 'a  b'", "SELECT 'a b'", false),
        ("SELECT \"a  b\"", "SELECT \"a b\"", false),
        ("SELECT [a  b], `c  d`", "SELECT [a b], `c d`", false),
        ("SELECT 'it''s  ok'", "SELECT 'it''s ok'", false),
        ("SELECT 1 -- one\n, 2", "SELECT 1 -- one , 2", false),
        ("SELECT 1 -- one\n  , 2", "SELECT  1 -- one\n, 2", true),
        ("SELECT /* a  b */ 1", "SELECT /* a b */ 1", false),
        ("SELECT 2 - 1, 4 / 2", "SELECT 2  -  1, 4  /  2", true),
        ("SELECT 'open", "SELECT 'open", true),
        ("", "  ", true),
        ("SELECT 1 ; ", "SELECT 1", true),
    ])
    func onlyTheAmountOfWhiteSpaceIsIgnored(found: String, expected: String, areEqual: Bool) {
        let failures = failures { expectSQL(SQL(raw: found), expected) }
        #expect(failures.isEmpty == areEqual)
    }

    @Test func bothTextsAreShown() {
        let failures = failures { expectSQL("SELECT  \(1)", "SELECT 2") }
        #expect(failures == ["The SQL differs.\nexpected: SELECT 2\nfound:    SELECT 1"])
    }

    @Test func theStatementsThatRunAreCompared() throws {
        let titles = try expectSQL(
            ["INSERT INTO books VALUES(4, 1, 'Jim')", "SELECT title FROM books WHERE id = 4"], on: connection
        ) {
            try connection.transaction {
                try connection.run("INSERT INTO books VALUES(\(4), 1, \("Jim"))")
            }
            try connection.execute("PRAGMA foreign_keys = ON")
            return try connection.query("SELECT title FROM books WHERE id = ?", 4) as [String]
        }
        #expect(titles == ["Jim"])
    }

    @Test func transactionsAreComparedWhenAskedFor() throws {
        try expectSQL(
            ["BEGIN IMMEDIATE TRANSACTION", "DELETE FROM books", "COMMIT TRANSACTION"], on: connection,
            includingTransactions: true
        ) {
            try connection.transaction(transactionType: .immediate) { try connection.run("DELETE FROM books") }
        }
    }

    @Test func theDifferingStatementsAreMarked() throws {
        let failures = try failures {
            try expectSQL(["SELECT 1", "SELECT 3"], on: connection) {
                try connection.execute("SELECT 1; SELECT 2; SELECT 3")
            }
        }
        #expect(
            failures == [
                """
                The statements differ.
                expected:
                    SELECT 1
                    SELECT 3
                found:
                    SELECT 1
                  > SELECT 2
                    SELECT 3
                """
            ])
    }

    @Test func triggersAndFunctionsAreLeftOut() throws {
        try connection.execute(
            """
            CREATE TABLE log(text);
            CREATE TRIGGER logged AFTER INSERT ON authors BEGIN
                INSERT INTO log
                    VALUES(new.name);
            END;
            CREATE VIRTUAL TABLE words USING fts5(word);
            """)
        try connection.addFunction("titles") { [unowned connection] () -> Int in
            try connection.query("SELECT count(*)\nFROM books")
        }
        try expectSQL(
            [
                "-- a note\nINSERT INTO authors VALUES(3, 'Mann')", "INSERT INTO words VALUES('one')",
                "SELECT titles()", "SELECT word FROM words WHERE words MATCH 'one'",
            ], on: connection
        ) {
            try connection.run("-- a note\nINSERT INTO authors VALUES(3, \("Mann"))")
            try connection.run("INSERT INTO words VALUES('one')")
            _ = try connection.query("SELECT titles()") as Int
            _ = try connection.query("SELECT word FROM words WHERE words MATCH 'one'") as [String]
        }
    }

    @Test(.database(.file, migratedBy: Library.history, seed: Library.fill))
    func allConnectionsOfADatabaseAreObserved() async throws {
        let database = try TestDatabase.current
        let name = try await expectSQL([
            "UPDATE authors SET name = 'Böll' WHERE id = 1", "SELECT name FROM authors WHERE id = 1",
        ]) {
            try await database.write { try $0.run("UPDATE authors SET name = \("Böll") WHERE id = 1") }
            return try await database.read { try $0.query("SELECT name FROM authors WHERE id = 1") as String }
        }
        #expect(name == "Böll")
    }
}
