import SquallTestSupport
import Testing

@testable import Squall

/// Changes of tables whose search tables are written by triggers of a program.
@Suite(.enabled(if: SQLiteFeatures.fullTextSearch))
struct ProgramTriggerTests {
    private let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
    }

    private static let notes = CreateTable("notes") {
        ColumnDef("id", Int64.self, .primaryKey)
        ColumnDef("title", String.self)
        ColumnDef("hidden", Bool.self, .default(false))
    }

    private static let rows: SQL = """
        INSERT INTO notes VALUES(1, 'swift one', 0), (2, 'swift two', 1), (3, 'swift three', 0);
        """

    /// The triggers of SQLite's manual.
    private static let manual = """
        CREATE TRIGGER notes_ai AFTER INSERT ON notes BEGIN INSERT INTO found(rowid, title) VALUES (new.id, new.title); END;
        CREATE TRIGGER notes_ad AFTER DELETE ON notes BEGIN
            INSERT INTO found(found, rowid, title) VALUES('delete', old.id, old.title);
        END;
        CREATE TRIGGER notes_au AFTER UPDATE OF title ON notes BEGIN
            INSERT INTO found(found, rowid, title) VALUES('delete', old.id, old.title);
            INSERT INTO found(rowid, title) VALUES (new.id, new.title);
        END;
        """

    private static let ofShown = """
        CREATE TRIGGER notes_ai AFTER INSERT ON notes WHEN NOT new.hidden
        BEGIN INSERT INTO found(rowid, title) VALUES(new.id, new.title); END;
        """

    private func migrate(
        _ setUp: String, @ListBuilder<any SchemaStep> _ steps: () -> [any SchemaStep]
    ) throws {
        let first = Version(1) {
            Self.notes
            Execute(SQL(raw: setUp))
            Execute(Self.rows)
        }
        let schema = Schema("notes") {
            first
            Version(2, steps: steps)
        }
        try Schema("notes") { first }.migrate(connection)
        try schema.migrate(connection)
    }

    private func refusal(
        _ setUp: String, @ListBuilder<any SchemaStep> _ steps: () -> [any SchemaStep]
    ) throws -> String {
        let error = try #require(throws: SchemaError.self) { try migrate(setUp, steps) }
        return error.description
    }

    private func found(_ word: String = "swift") throws -> [Int] {
        try connection.query("SELECT rowid FROM found(\(word)) ORDER BY rowid")
    }

    private static let external =
        "CREATE VIRTUAL TABLE found USING fts5(title, content = 'notes', content_rowid = 'id');"

    @Test func anIndexOfSomeRowsKeepsThem() throws {
        let refused = try refusal(Self.external + Self.ofShown) { RenameTable("notes", to: "letters") }
        #expect(refused.contains("the search table \"found\" would have other text"))
        #expect(try found() == [1, 3])
    }

    @Test func aFillingThatItsTriggersReadIsRefused() throws {
        let refused = try refusal(Self.external + Self.ofShown) {
            AlterTable("notes") { ChangeColumn("title", to: String.self, fillingWith: "title || ' filled'") }
        }
        #expect(refused.contains("triggers of the program write it"))
        #expect(try found() == [1, 3])
    }

    @Test func aFillingOfTheirConditionIsRefused() throws {
        let refused = try refusal(Self.external + Self.ofShown) {
            AlterTable("notes") { ChangeColumn("hidden", to: Bool.self, fillingWith: "1 - hidden") }
        }
        #expect(refused.contains("search table \"found\""))
        #expect(try found() == [1, 3])
    }

    @Test func aRebuildThatKeepsTheTextKeepsTheRows() throws {
        try migrate(Self.external + Self.ofShown) {
            AlterTable("notes") {
                AddColumn("stars", Int.self, fillingWith: "id * 2")
                AddConstraint(.check("title <> ''"))
            }
        }
        #expect(try found() == [1, 3])
        try connection.run("INSERT INTO notes VALUES(4, 'swift', 1, 0), (5, 'swift', 0, 0)")
        #expect(try found() == [1, 3, 5])
    }

    @Test func theTriggersOfTheManualAreFollowed() throws {
        try migrate(Self.external + Self.manual) {
            AlterTable("notes") { ChangeColumn("title", to: String.self, fillingWith: "title || ' filled'") }
            RenameTable("notes", to: "letters")
        }
        #expect(try found("filled") == [1, 2, 3])
        try connection.run("DELETE FROM letters WHERE id = 1")
        #expect(try found("filled") == [2, 3])
    }

    @Test func triggersThatWriteOtherTextAreNotFollowed() throws {
        let setUp =
            Self.external + """
                CREATE TRIGGER notes_ai AFTER INSERT ON notes
                BEGIN INSERT INTO found(rowid, title) VALUES(new.id, replace(new.title, 'swift', 'bird')); END;
                """
        _ = try refusal(setUp) { RenameTable("notes", to: "letters") }
        #expect(try found("bird") == [1, 2, 3])
    }

    @Test(arguments: ["", ", content = ''"]) func aTableWithoutThatContentIsNotFilledAgain(_ content: String) throws {
        let setUp = "CREATE VIRTUAL TABLE found USING fts5(title\(content));" + Self.ofShown
        let refused = try refusal(setUp) {
            AlterTable("notes") { ChangeColumn("title", to: String.self, fillingWith: "title || ' filled'") }
        }
        #expect(refused.contains("search table \"found\""))
        try migrate(setUp) { RenameTable("notes", to: "letters") }
        #expect(try found() == [1, 3])
        try connection.run("INSERT INTO letters VALUES(4, 'swift', 0)")
        #expect(try found() == [1, 3, 4])
    }

    @Test func anIndexThatNoTriggerWritesIsMadeAgain() throws {
        try migrate(Self.external) { RenameTable("notes", to: "letters") }
        #expect(try found() == [1, 2, 3])
    }

    // MARK: What an index reads

    @Test func droppingASearchedColumnIsRefusedWithoutTriggers() throws {
        let refused = try refusal(Self.external) { AlterTable("notes") { DropColumn("title") } }
        #expect(refused.contains("the search table \"found\" reads the column \"title\" of \"notes\": drop it first"))
    }

    @Test func aTableWhoseRowIDIsReadKeepsIt() throws {
        let setUp = "CREATE VIRTUAL TABLE found USING fts5(title, content = 'notes');"
        let refused = try refusal(setUp) { AlterTable("notes") { ChangeOptions(withoutRowID: true) } }
        #expect(refused.contains("the search table \"found\" reads the column \"rowid\" of \"notes\": drop it first"))
        // The key is a column.
        let other = try ProgramTriggerTests()
        try other.migrate(Self.external) { AlterTable("notes") { ChangeOptions(withoutRowID: true) } }
        #expect(try other.connection.query("SELECT id FROM notes") == [1, 2, 3])
    }

    // MARK: Views

    private static let ofViews = """
        CREATE VIEW shown AS SELECT id, title FROM notes WHERE NOT hidden; CREATE VIEW named AS SELECT * FROM shown;
        CREATE VIRTUAL TABLE found USING fts5(title, content = 'named', content_rowid = 'id');
        """
    private static let rebuild = Execute("INSERT INTO found(found) VALUES('rebuild')")

    @Test func anIndexOverAViewOfTheTableIsMadeAgain() throws {
        try migrate(Self.ofViews) {
            Self.rebuild
            AlterTable("notes") { ChangeColumn("title", to: String.self, fillingWith: "title || ' filled'") }
        }
        #expect(try found("filled") == [1, 3])
        try Schema("more") { Version(1) { RenameTable("notes", to: "letters") } }.migrate(connection)
        #expect(try connection.query("SELECT title FROM found('three')") == "swift three filled")
    }

    @Test func renamingTheColumnOfAViewThatIsReadIsRefused() throws {
        let refused = try refusal(Self.ofViews) { AlterTable("notes") { RenameColumn("title", to: "name") } }
        #expect(refused.contains("the search table \"found\" reads the column \"title\" of \"named\": drop it first"))
        let named = Self.ofViews.replacing("SELECT id, title FROM", with: "SELECT id, title AS title FROM")
        try ProgramTriggerTests().migrate(named) { AlterTable("notes") { RenameColumn("title", to: "name") } }
    }

    @Test func droppingTheColumnOfAViewThatIsReadIsRefused() throws {
        let setUp = """
            CREATE VIEW named AS SELECT * FROM notes;
            CREATE VIRTUAL TABLE found USING fts5(title, content = 'named', content_rowid = 'id');
            """
        let message = "the search table \"found\" reads the column \"title\" of \"named\": drop it first"
        #expect(try refusal(setUp) { AlterTable("notes") { DropColumn("title") } }.contains(message))
        let other = try ProgramTriggerTests()
        let refused = try other.refusal(setUp) {
            AlterTable("notes") {
                DropColumn("title")
                AddConstraint(.check("id > 0"))
            }
        }
        #expect(refused.contains(message))
    }

    // MARK: Options

    @Test func optionsOfNewerVersionsAreKept() throws {
        let sql = """
            CREATE VIRTUAL TABLE found USING fts5(title, content = '', contentless_delete=1, locale = 1, tokendata=1,
                contentless_unindexed = 1, prefix = 2)
            """
        let table = try #require(VirtualTableParser(sql).fullTextTable(named: "found"))
        #expect(table.content == .none)
        #expect(
            table.sql().text == """
                CREATE VIRTUAL TABLE "found" USING fts5("title", content = '', prefix = '2', contentless_delete=1, locale = 1, \
                tokendata=1, contentless_unindexed = 1)
                """)
        var conditional = FullTextTable(
            "found", columns: [.init("title", isIndexed: true)], source: "notes", rowID: "id", content: .external,
            options: [:],
            condition: "NOT hidden")
        conditional.otherOptions = ["locale = 1"]
        #expect(
            conditional.sql().text == """
                CREATE VIRTUAL TABLE "found" USING fts5("title", content = 'found_rows', content_rowid = 'id', locale = 1)
                """)
    }

    @Test(.enabled(if: SQLiteFeatures.version >= 3_047_000)) func aTableThatIsCreatedAgainKeepsThem() throws {
        let setUp = Self.external.replacing("content_rowid", with: "locale = 1, tokendata = 1, content_rowid")
        try migrate(setUp) { RenameTable("notes", to: "letters") }
        let sql: String = try connection.query("SELECT sql FROM sqlite_schema WHERE name = 'found'")
        #expect(sql.contains("locale = 1, tokendata = 1"))
    }

    /// The rowid has the name that the triggers use.
    @Test func aSourceWithoutAnIntegerPrimaryKey() throws {
        let first = Version(1) {
            Execute(
                """
                CREATE TABLE notes(title TEXT, hidden);
                CREATE VIRTUAL TABLE found USING fts5(title, content = 'notes');
                CREATE TRIGGER notes_ai AFTER INSERT ON notes
                BEGIN INSERT INTO found(rowid, title) VALUES(new.rowid, new.title); END;
                CREATE TRIGGER notes_ad AFTER DELETE ON notes
                BEGIN INSERT INTO found(found, rowid, title) VALUES('delete', old.rowid, old.title); END;
                INSERT INTO notes VALUES('swift one', 0), ('swift two', 1); DELETE FROM notes WHERE hidden = 0;
                INSERT INTO notes VALUES('swift three', 0)
                """)
        }
        let schema = Schema("notes") {
            first
            Version(2) {
                AlterTable("notes") { ChangeColumn("title", to: String.self, fillingWith: "title || ' filled'") }
                RenameTable("notes", to: "letters")
            }
        }
        try Schema("notes") { first }.migrate(connection)
        #expect(try found() == [2, 3])
        try schema.migrate(connection)
        #expect(try found("filled") == [2, 3])
        try connection.run("DELETE FROM letters WHERE title LIKE '%two%'")
        #expect(try found("filled") == [3])
    }
}
