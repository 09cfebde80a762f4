import Foundation
import Squall
import Testing

struct ExecuteTests {
    let connection: Connection

    init() throws {
        connection = try Connection()
    }

    @Test func runsScriptsAndDropsRows() throws {
        try connection.execute(
            """
            -- a comment
            CREATE TABLE t(a);; /* another; one */
            INSERT INTO t VALUES(1); SELECT * FROM t;
            INSERT INTO t VALUES('a;b'); -- the end
            """)
        #expect(try connection.query("SELECT count(*) FROM t") == 2)
        let text = "DELETE FROM t; INSERT INTO t VALUES(3)"
        try connection.execute(text)
        #expect(try connection.query("SELECT a FROM t") == 3)
    }

    @Test(arguments: ["", " \n\t", ";", ";;;", "-- x", "/* x */", "-- x\n;"]) func emptyScriptsDoNothing(text: String)
        throws
    {
        try connection.execute(text)
        try connection.execute(SQL(raw: text))
    }

    @Test func eachStatementTakesItsShareOfTheValues() throws {
        try connection.execute(
            "CREATE TABLE t(a, b); INSERT INTO t VALUES(\(1), \(2)); INSERT INTO t VALUES(\(3), NULL)")
        #expect(try connection.query("SELECT group_concat(a || ':' || ifnull(b, '-')) FROM t") == "1:2,3:-")
    }

    @Test func aWrongNumberOfValuesIsRefused() throws {
        #expect(
            try sqliteError { try connection.execute("SELECT ?") }.message
                == "Bind expected 1 parameters, instead received 0")
        #expect(
            try sqliteError { try connection.execute("SELECT \(1); SELECT ?") }.message
                == "Bind expected 1 parameters, instead received 0")
        #expect(
            try sqliteError { try connection.execute("SELECT '\(1)'; SELECT \(2)") }.message
                == "Bind expected 1 parameters, instead received 2")
    }

    @Test func whatCameBeforeAnErrorHasBeenRun() throws {
        #expect(throws: SQLiteError.self) { try connection.execute("CREATE TABLE t(a); nonsense") }
        #expect(try connection.query("SELECT count(*) FROM t") == 0)
    }

    @Test func aNULCharacterIsRefused() throws {
        let error = try sqliteError { try connection.execute("CREATE TABLE t(a);\0DROP TABLE t") }
        #expect(error.message == "the SQL has a NUL character")
        #expect(error.offset == 18)
    }
}
