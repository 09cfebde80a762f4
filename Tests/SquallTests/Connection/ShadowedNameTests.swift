import Squall
import SquallTestSupport
import Testing

/// Text that was run before, after a name of it means another table.
struct ShadowedNameTests {
    /// Each change, and what `books` is after it.
    @Test(arguments: [
        ["CREATE TABLE main.books(title)", "INSERT INTO main.books VALUES('main')"],
        ["CREATE VIEW main.books AS SELECT 'main' AS title"],
        ["CREATE TEMP TABLE books(title)", "INSERT INTO temp.books VALUES('main')"],
        ["CREATE TEMP VIEW books AS SELECT 'main' AS title"],
        ["ALTER TABLE main.others RENAME TO books"],
    ]) func aTableThatTakesOverAName(_ changes: [String]) throws {
        let connection = try Connection()
        try connection.execute(
            """
            ATTACH ':memory:' AS archive; CREATE TABLE archive.books(title); INSERT INTO archive.books VALUES('archive');
            CREATE TABLE others(title); INSERT INTO others VALUES('main')
            """)
        let text: SQL = "SELECT title FROM books"
        #expect(try connection.query(text) == "archive")
        for change in changes { try connection.run(SQL(raw: change)) }
        #expect(try connection.query(text) == "main")
        #expect(try connection.query("SELECT  title FROM books") == "main")
        try connection.run("DROP \(raw: changes[0].contains("VIEW") ? "VIEW" : "TABLE") books")
        #expect(try connection.query(text) == "archive")
    }

    @Test func writesReachTheTableThatHasTheNameNow() throws {
        let connection = try Connection()
        try connection.execute(
            "ATTACH ':memory:' AS archive; CREATE TABLE archive.books(title); INSERT INTO books VALUES(1)")
        try connection.run("UPDATE books SET title = 2")
        try connection.execute("CREATE TABLE main.books(title)")
        try connection.run("INSERT INTO books VALUES(1)")
        try connection.run("UPDATE books SET title = 2")
        #expect(try connection.query("SELECT title FROM main.books") == 2)
        try connection.transaction {
            try connection.run("CREATE TEMP TABLE books(title)")
            try connection.run("DELETE FROM books")
        }
        #expect(try connection.query("SELECT count(*) FROM main.books") == 1)
    }
}
