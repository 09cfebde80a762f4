import Squall
import Testing

@testable import SquallSQLFiles

/// Virtual tables of a schema.
struct VirtualTablesTests {
    @Test(.enabled(if: SQLiteLibrary.has("ENABLE_FTS5"))) func fullTextColumnsAreText() throws {
        let schema = try BuiltSchema(
            """
            CREATE VIRTUAL TABLE notes USING fts5(title, body UNINDEXED, tokenize = 'porter unicode61');
            INSERT INTO notes VALUES('a', 'b');
            UPDATE notes SET title = 'c';
            """)
        #expect(schema.messages == [])
        #expect(schema.columns("notes") == "title String?, body String?, notes hidden String?, rank hidden Double?")
        #expect(schema.run.catalog.tables["notes"]?.kind == .virtual(module: "fts5"))
        #expect(schema.run.catalog.tables["notes"]?.hasRowID == true)
        #expect(schema.run.catalog.tables.count == 1)
    }

    @Test(.enabled(if: SQLiteLibrary.has("ENABLE_FTS5"))) func theTokenizerOfSquallIsKnown() throws {
        let schema = try BuiltSchema("CREATE VIRTUAL TABLE notes USING fts5(body, tokenize = 'cjk')")
        #expect(schema.messages == [])
        let other = try BuiltSchema("CREATE VIRTUAL TABLE notes USING fts5(body, tokenize = 'other')")
        #expect(other.messages.count == 1)
    }

    @Test(.enabled(if: SQLiteLibrary.has("ENABLE_RTREE"))) func coordinatesAreNumbers() throws {
        let schema = try BuiltSchema(
            """
            CREATE VIRTUAL TABLE places USING rtree(id, minX, maxX, +name TEXT, +kind, +size INTEGER);
            CREATE VIRTUAL TABLE cells USING rtree_i32(id, low, high);
            INSERT INTO places VALUES(1, 0.5, 1.5, 'home', 2, 3);
            """)
        #expect(schema.messages == [])
        #expect(schema.columns("places") == "id Int64, minX Double, maxX Double, name String?, kind _?, size Int?")
        #expect(schema.columns("cells") == "id Int64, low Int, high Int")
        #expect(schema.run.catalog.tables.count == 2)
    }

    @Test(.enabled(if: SQLiteLibrary.has("ENABLE_FTS5"))) func triggersKeepASearchTable() throws {
        let schema = try BuiltSchema(
            """
            CREATE TABLE notes(id INTEGER PRIMARY KEY, body TEXT NOT NULL);
            CREATE VIRTUAL TABLE search USING fts5(body, content = 'notes', content_rowid = 'id');
            CREATE TRIGGER notes_insert AFTER INSERT ON notes BEGIN
                INSERT INTO search(rowid, body) VALUES (new.id, CASE WHEN new.body = '' THEN NULL ELSE new.body END);
                UPDATE notes SET body = CASE new.id WHEN 1 THEN 'one' ELSE body END WHERE id = new.id;
            END;
            INSERT INTO notes VALUES(1, 'two');
            """)
        #expect(schema.messages == [])
        #expect(try schema.run.connection.query("SELECT body FROM notes") as [String] == ["one"])
    }

    @Test func anUnknownModuleIsExplained() throws {
        let schema = try BuiltSchema("CREATE VIRTUAL TABLE v USING vec0(x)")
        #expect(
            schema.messages == [
                "001.sql:1:1: error: no such module: vec0: name the extension that has it in squall.json"
            ])
    }
}
