import Squall
import SquallSearch
import SquallTestSupport
import Testing

/// Views and triggers that search, in a schema that is not trusted. SQLite allows it since 3.44, and MATCH and the functions of FTS5 only
/// because a connection adds them as innocuous.
@Suite(.enabled(if: SQLiteFeatures.version >= 3_044_000))
struct SearchInSchemaTests {
    let connection: Connection

    init() throws {
        var configuration = Configuration.recommended
        configuration.trustedSchema = false
        connection = try Connection(":memory:", configuration: configuration)
    }

    @Test(.enabled(if: SQLiteFeatures.fullTextSearch)) func aViewSearches() throws {
        try connection.execute(
            """
            CREATE VIRTUAL TABLE notes USING fts5(text);
            INSERT INTO notes VALUES('a swift bird'), ('a slow bird');
            CREATE VIEW found AS
                SELECT highlight(notes, 0, '[', ']') AS marked, snippet(notes, 0, '(', ')', '…', 2) AS part,
                    bm25(notes) = rank AS ranked
                FROM notes WHERE notes MATCH 'swift' ORDER BY rank;
            CREATE VIEW also_found AS SELECT text FROM notes('slow')
            """)
        #expect(try connection.query("SELECT marked FROM found") == ["a [swift] bird"])
        #expect(try connection.query("SELECT part FROM found") == ["a (swift)…"])
        #expect(try connection.query("SELECT ranked FROM found") == [true])
        #expect(try connection.query("SELECT text FROM also_found") == ["a slow bird"])
    }

    @Test(.enabled(if: SQLiteFeatures.fullTextSearch)) func aTriggerSearches() throws {
        try connection.execute(
            """
            CREATE VIRTUAL TABLE notes USING fts5(text); INSERT INTO notes VALUES('a swift bird');
            CREATE TABLE words(word, marked);
            CREATE TRIGGER mark AFTER INSERT ON words BEGIN
                UPDATE words SET marked = (SELECT highlight(notes, 0, '[', ']') FROM notes WHERE notes MATCH new.word)
                    WHERE rowid = new.rowid;
            END
            """)
        try connection.run("INSERT INTO words(word) VALUES(\("bird"))")
        #expect(try connection.query("SELECT marked FROM words") == "a swift [bird]")
    }

    @Test(.enabled(if: SQLiteFeatures.spatialTables)) func aViewFindsBoxes() throws {
        try connection.execute(
            """
            CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1); INSERT INTO boxes VALUES(1, 0, 1), (2, 5, 6);
            CREATE VIEW near AS SELECT id FROM boxes WHERE x1 < 3
            """)
        #expect(try connection.query("SELECT id FROM near") == [1])
    }

    /// The functions of the program remain outside.
    @Test(.enabled(if: SQLiteFeatures.fullTextSearch)) func aViewDoesNotCallFunctionsOfTheProgram() throws {
        try connection.addFunction("secret", directOnly: false) { "s" }
        try connection.addSearchFunction("own") { _ in 1 }
        try connection.execute(
            """
            CREATE VIRTUAL TABLE notes USING fts5(text); INSERT INTO notes VALUES('one');
            CREATE VIEW a AS SELECT secret() FROM notes; CREATE VIEW b AS SELECT own(notes) FROM notes WHERE notes MATCH 'one'
            """)
        #expect(try sqliteError { try connection.run("SELECT * FROM a") }.message == "unsafe use of secret()")
        #expect(try sqliteError { try connection.run("SELECT * FROM b") }.message == "unsafe use of own()")
        #expect(try connection.query("SELECT own(notes) FROM notes WHERE notes MATCH 'one'") == [1])
    }

    @Test func searchingSomethingElseIsAnError() throws {
        try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES('one')")
        let attempts: [SQL] = ["SELECT * FROM t WHERE a MATCH 'one'", "SELECT highlight(a, 0, '', '') FROM t"]
        for (attempt, name) in zip(attempts, SQLiteFeatures.fullTextSearch ? ["MATCH", "highlight"] : ["MATCH"]) {
            #expect(
                try sqliteError { try connection.run(attempt) }.message
                    == "unable to use function \(name) in the requested context")
        }
    }
}
