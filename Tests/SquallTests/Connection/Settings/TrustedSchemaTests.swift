import Squall
import SquallTestSupport
import Testing

/// What the schema of a file may use in the configurations.
struct TrustedSchemaTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private static let externalContent: SQL = """
        CREATE TABLE notes(id INTEGER PRIMARY KEY, title, body);
        CREATE VIRTUAL TABLE found USING fts5(title, body, content='notes', content_rowid='id');
        CREATE TRIGGER inserted AFTER INSERT ON notes BEGIN
            INSERT INTO found(rowid, title, body) VALUES(new.id, new.title, new.body);
        END;
        CREATE TRIGGER deleted AFTER DELETE ON notes BEGIN
            INSERT INTO found(found, rowid, title, body) VALUES('delete', old.id, old.title, old.body);
        END;
        CREATE TRIGGER updated AFTER UPDATE ON notes BEGIN
            INSERT INTO found(found, rowid, title, body) VALUES('delete', old.id, old.title, old.body);
            INSERT INTO found(rowid, title, body) VALUES(new.id, new.title, new.body);
        END;
        CREATE VIEW titles AS SELECT title FROM found
        """

    @Test(.enabled(if: SQLiteFeatures.fullTextSearch)) func triggersKeepAnFTS5TableInStepInTheRecommendedConfiguration()
        throws
    {
        let connection = try Connection(directory.file("a.db"))
        try connection.execute(Self.externalContent)
        try connection.insert(into: "notes", ["title": "one", "body": "alpha"])
        try connection.insert(into: "notes", ["title": "two", "body": "beta"])
        try connection.run("UPDATE notes SET body = 'gamma' WHERE title = 'two'")
        try connection.run("DELETE FROM notes WHERE title = 'one'")
        let word = "gamma"
        #expect(try connection.query("SELECT title FROM found WHERE found MATCH \(word)") == ["two"])
        #expect(try connection.query("SELECT count(*) FROM found WHERE found MATCH 'alpha OR beta'") == 0)
        #expect(try connection.query("SELECT title FROM titles") == ["two"])
        try connection.run("INSERT INTO found(found) VALUES('integrity-check')")
    }

    @Test(.enabled(if: SQLiteFeatures.spatialTables)) func triggersKeepAnRTreeInStepInTheRecommendedConfiguration()
        throws
    {
        let connection = try Connection(directory.file("a.db"))
        try connection.execute(
            """
            CREATE TABLE places(id INTEGER PRIMARY KEY, x REAL, y REAL);
            CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1, y0, y1);
            CREATE TRIGGER placed AFTER INSERT ON places BEGIN
                INSERT INTO boxes VALUES(new.id, new.x, new.x, new.y, new.y);
            END;
            CREATE VIEW right AS SELECT id FROM boxes WHERE x0 > 0
            """
        )
        try connection.run("INSERT INTO places VALUES(1, -1, 0), (2, 1, 0)")
        #expect(try connection.query("SELECT id FROM \(name: "right")") == [2])
    }

    @Test(.enabled(if: SQLiteFeatures.fullTextSearch)) func anUntrustedFileIsNeverTrusted() throws {
        let path = directory.file("a.db")
        let maker = try Connection(path)
        try maker.execute(Self.externalContent)
        try maker.addFunction("secret", directOnly: false) { "s" }
        try maker.execute("CREATE VIEW secrets AS SELECT secret()")
        let connection = try Connection(path, mode: .readOnly, configuration: .untrusted)
        #expect(try connection.query("PRAGMA trusted_schema") == 0)
        try connection.addFunction("secret", directOnly: false) { "s" }
        let error = try sqliteError { try connection.run("SELECT * FROM secrets") }
        #expect(error.message == "unsafe use of secret()")
        #expect(error.hint?.contains("register it as innocuous") == true)
    }

    /// From SQLite 3.44 on, FTS5 tables are innocuous.
    @Test(.enabled(if: SQLiteFeatures.fullTextSearch), .enabled(if: ConfigurationTests.trustsSchema))
    func theHintForAVirtualTableNamesTheSetting() throws {
        var configuration = Configuration.recommended
        configuration.trustedSchema = false
        let connection = try Connection(directory.file("a.db"), configuration: configuration)
        try connection.execute(Self.externalContent)
        let error = try sqliteError { try connection.insert(into: "notes", ["title": "one", "body": "alpha"]) }
        #expect(error.message == #"unsafe use of virtual table "found""#)
        #expect(
            error.hint
                == "a trigger or a view of this file uses a virtual table that is not innocuous, like FTS5 and R*Tree tables "
                + "before SQLite 3.44: open the file with trustedSchema on if you trust it"
        )
    }
}
