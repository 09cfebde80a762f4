import Squall
import SquallTestSupport
import Testing

/// Changes of tables that FTS5 tables search, in a program without SquallSearch.
@Suite(.enabled(if: SQLiteFeatures.fullTextSearch))
struct FullTextTableTests {
    private func migrate(@ListBuilder<any SchemaStep> _ steps: () -> [any SchemaStep]) throws -> Connection {
        let connection = try Connection(":memory:")
        let first = Version(1) {
            CreateTable("notes") {
                ColumnDef("id", Int64.self, .primaryKey)
                ColumnDef("title", String.self)
            }
            Execute(
                """
                CREATE VIRTUAL TABLE found USING fts5("title", content = 'notes', content_rowid = 'id', prefix = '2 3');
                CREATE TRIGGER found_insert AFTER INSERT ON notes BEGIN INSERT INTO found(rowid, title) VALUES(new.id, new.title); END;
                INSERT INTO notes VALUES(1, 'swift');
                """)
        }
        try Schema("notes") {
            first
            Version(2, steps: steps)
        }.migrate(connection)
        return connection
    }

    @Test func aRenamedColumnIsRenamedInTheTableAndItsTriggers() throws {
        let connection = try migrate { AlterTable("notes") { RenameColumn("title", to: "name") } }
        #expect(
            try connection.query("SELECT sql FROM sqlite_schema WHERE name = 'found'")
                == #"CREATE VIRTUAL TABLE "found" USING fts5("name", content = 'notes', content_rowid = 'id', prefix = '2 3')"#
        )
        try connection.run("INSERT INTO notes VALUES(2, 'a swift')")
        #expect(try connection.query("SELECT rowid FROM found('swift')") == [1, 2])
    }

    @Test func aRenamedTableIsTheContent() throws {
        let connection = try migrate { RenameTable("notes", to: "letters") }
        #expect(try connection.query("SELECT title FROM found('swift')") == "swift")
    }

    @Test func theRowsOfARebuiltTableAreIndexedAgain() throws {
        let connection = try migrate {
            AlterTable("notes") { ChangeColumn("title", to: String.self, fillingWith: "title || ' filled'") }
        }
        #expect(try connection.query("SELECT rowid FROM found('filled')") == [1])
    }

    @Test func droppingTheTableAloneIsRefused() throws {
        #expect(throws: SchemaError.self) { try migrate { DropTable("notes") } }
    }
}
