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

    /// A search table that two tables fill, by triggers of the program with the names of Squall's.
    private func migrateTwoSources(@ListBuilder<any SchemaStep> _ steps: () -> [any SchemaStep]) throws -> Connection {
        let connection = try Connection(":memory:")
        let first = Version(1) {
            Execute(
                """
                CREATE TABLE articles(id INTEGER PRIMARY KEY, title TEXT NOT NULL, body TEXT);
                CREATE TABLE comments(id INTEGER PRIMARY KEY, text TEXT NOT NULL);
                CREATE VIRTUAL TABLE everything USING fts5(title, body);
                CREATE TRIGGER everything_insert AFTER INSERT ON articles
                BEGIN INSERT INTO everything(rowid, title, body) VALUES(2 * new.id, new.title, new.body); END;
                CREATE TRIGGER everything_comment AFTER INSERT ON comments
                BEGIN INSERT INTO everything(rowid, body) VALUES(2 * new.id + 1, new.text); END;
                INSERT INTO articles VALUES(1, ' one', 'x'), (2, 'two', 'y');
                INSERT INTO comments VALUES(1, 'a comment');
                """)
        }
        try Schema("articles") {
            first
            Version(2, steps: steps)
        }.migrate(connection)
        return connection
    }

    @Test func triggersOfAProgramWithTheNamesOfSquallAreTheProgramsOwn() throws {
        let filled = try migrateTwoSources {
            AlterTable("articles") { ChangeColumn("id", to: Int64.self, .check("id > 0")) }
        }
        #expect(try filled.query("SELECT rowid FROM everything ORDER BY 1") == [2, 3, 4])
        let error = try #require(throws: SchemaError.self) {
            try migrateTwoSources {
                AlterTable("articles") { ChangeColumn("title", to: String.self, fillingWith: "trim(title)") }
            }
        }
        #expect(error.description.contains("the search table \"everything\" would have other text"))
        let renamed = try migrateTwoSources { AlterTable("articles") { RenameColumn("body", to: "content") } }
        #expect(try renamed.query("SELECT rowid FROM everything ORDER BY 1") == [2, 3, 4])
        try renamed.execute("INSERT INTO comments VALUES(2, 'more'); INSERT INTO articles VALUES(3, 'three', 'z')")
        #expect(try renamed.query("SELECT rowid FROM everything ORDER BY 1") == [2, 3, 4, 5, 6])
    }

    @Test func aTableThatIsCreatedAgainKeepsItsSettings() throws {
        let settings = """
            INSERT INTO found(found, rank) VALUES('rank', 'bm25(10.0)'); INSERT INTO found(found, rank) VALUES('automerge', 7)
            """
        let connection = try migrate {
            Execute(SQL(raw: settings))
            AlterTable("notes") { RenameColumn("title", to: "name") }
        }
        #expect(try connection.query("SELECT v FROM found_config WHERE k = 'rank'") == "bm25(10.0)")
        #expect(try connection.query("SELECT v FROM found_config WHERE k = 'automerge'") == 7)
    }
}
