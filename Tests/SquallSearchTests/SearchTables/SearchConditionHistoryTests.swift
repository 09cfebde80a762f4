import Squall
import SquallSearch
import SquallTestSupport
import Testing

/// Search tables with a condition in the versions of a schema, beside triggers, views and other tables of the program.
@Suite(.enabled(if: SQLiteFeatures.fullTextSearch))
struct SearchConditionHistoryTests {
    private let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
    }

    private func migrate(
        where condition: SQL = "deleted IS NULL", content: SearchTableDefinition.Content = .external, _ setUp: SQL = "",
        @ListBuilder<any SchemaStep> _ steps: () -> [any SchemaStep]
    ) throws {
        let first = Version(1) {
            CreateTable("notes") {
                ColumnDef("id", Int64.self, .primaryKey)
                ColumnDef("title", String.self)
                ColumnDef("deleted", Int?.self)
                ColumnDef("kind", String.self, .default("text"))
            }
            CreateTable("hidden") { ColumnDef("note", Int64.self, .primaryKey) }
            Execute("INSERT INTO notes VALUES(1, 'swift one', NULL, 'text'), (2, 'swift two', 1, 'TEXT')")
            CreateSearchTable(
                "found", of: "notes", rowID: "id", columns: "title", content: content, where: condition)
            Execute(setUp)
        }
        try Schema("notes") { first }.migrate(connection)
        try Schema("notes") {
            first
            Version(2, steps: steps)
        }.migrate(connection)
    }

    private func refusal(
        where condition: SQL = "deleted IS NULL", _ setUp: SQL = "",
        @ListBuilder<any SchemaStep> _ steps: () -> [any SchemaStep]
    ) throws -> String {
        try #require(throws: SchemaError.self) { try migrate(where: condition, setUp, steps) }.description
    }

    private func found(_ word: String = "swift", in table: String = "found") throws -> [Int] {
        try connection.query("SELECT rowid FROM \(name: table)(\(word)) ORDER BY rowid")
    }

    private func check() throws {
        try connection.integrityCheck(try #require(try connection.searchTableInfo("found")))
    }

    private func names(like pattern: String = "found%") throws -> [String] {
        try connection.query("SELECT name FROM sqlite_schema WHERE name LIKE \(pattern) ORDER BY name")
    }

    // MARK: Triggers of the program

    private static let ofSome: SQL = """
        CREATE TRIGGER some AFTER INSERT ON notes WHEN new.deleted AND new.kind = 'kept'
        BEGIN INSERT INTO found(rowid, title) VALUES(new.id, new.title); END;
        INSERT INTO notes VALUES(3, 'swift three', 1, 'kept');
        """
    private static let refused =
        "the search table \"found\" would have other text, and triggers of the program write it"

    @Test func anIndexThatAlsoTheProgramWritesKeepsItsRows() throws {
        try migrate(Self.ofSome) {
            AlterTable("notes") {
                AddColumn("stars", Int.self, .default(0))
                AddConstraint(.check("title <> ''"))
                RenameColumn("deleted", to: "removed")
            }
            RenameTable("notes", to: "letters")
        }
        #expect(try found() == [1, 3])
        try connection.execute(
            "UPDATE letters SET removed = NULL WHERE id = 2; UPDATE letters SET removed = 1 WHERE id = 1")
        #expect(try found() == [2, 3])
        try connection.execute("INSERT INTO letters(id, title, removed, kind) VALUES(4, 'swift', 1, 'kept')")
        #expect(try found() == [2, 3, 4])
    }

    @Test func anIndexThatAlsoTheProgramWritesIsNotMadeAgain() throws {
        #expect(
            try refusal(Self.ofSome) { AlterTable("notes") { RenameColumn("title", to: "name") } }.contains(
                Self.refused))
        for (column, filling) in [("title", "title || '!'"), ("deleted", "NULL"), ("kind", "upper(kind)")]
            as [(String, SQL)]
        {
            let other = try SearchConditionHistoryTests()
            let message = try other.refusal(Self.ofSome) {
                if column == "deleted" {
                    AlterTable("notes") { ChangeColumn(column, to: Int?.self, fillingWith: filling) }
                } else {
                    AlterTable("notes") { ChangeColumn(column, to: String.self, fillingWith: filling) }
                }
            }
            #expect(message.contains(Self.refused))
            #expect(try other.found() == [1, 3])
        }
    }

    /// A trigger of another name that does what Squall's does.
    @Test func aTriggerThatCopiesTheRowsIsFollowed() throws {
        let copy: SQL = """
            DROP TRIGGER found_insert;
            CREATE TRIGGER copy AFTER INSERT ON notes BEGIN
                INSERT INTO found(rowid, title) SELECT id, title FROM found_rows WHERE id = new.id;
            END;
            """
        try migrate(copy) {
            AlterTable("notes") { ChangeColumn("deleted", to: Int?.self, fillingWith: "NULL") }
        }
        #expect(try found() == [1, 2])
        try check()
        let all = copy.text.replacing(
            "SELECT id, title FROM found_rows WHERE id = new.id", with: "VALUES(new.id, new.title)")
        let other = try SearchConditionHistoryTests()
        let message = try other.refusal(SQL(raw: all)) {
            AlterTable("notes") { ChangeColumn("title", to: String.self, fillingWith: "title || '!'") }
        }
        #expect(message.contains(Self.refused))
    }

    // MARK: The condition

    @Test(arguments: [SearchTableDefinition.Content.external, .own, .none])
    func aFillingOfTheConditionMovesTheRows(_ content: SearchTableDefinition.Content) throws {
        try migrate(content: content) {
            AlterTable("notes") {
                ChangeColumn("deleted", to: Int?.self, fillingWith: "CASE WHEN deleted IS NULL THEN 1 END")
            }
        }
        #expect(try found() == [2])
        try connection.execute("UPDATE notes SET deleted = NULL")
        #expect(try found() == [1, 2])
    }

    @Test func renamingAColumnOfTheConditionKeepsTheIndex() throws {
        // The row that is missing shows that the index was not made again.
        let setUp: SQL = "INSERT INTO found(found, rowid, title) VALUES('delete', 1, 'swift one')"
        try migrate(setUp) {
            AlterTable("notes") {
                RenameColumn("deleted", to: "removed")
                RenameColumn("kind", to: "sort")
                AddConstraint(.check("title <> ''"))
            }
            RenameTable("notes", to: "letters")
        }
        #expect(try found() == [])
        let info = try #require(try connection.searchTableInfo("found"))
        #expect(info.source?.table == "letters" && info.source?.condition?.text.contains("removed") == true)
        try connection.rebuild(info)
        #expect(try found() == [1])
    }

    @Test func anotherCollationMovesTheRows() throws {
        try migrate(where: "kind = 'text'") {
            AlterTable("notes") { ChangeColumn("kind", to: String.self, .collate("NOCASE"), .default("text")) }
        }
        #expect(try found() == [1, 2])
        try check()
    }

    /// With double-quoted strings, the condition would compare a text afterwards.
    @Test(arguments: ["deleted IS NULL", "\"deleted\" IS NULL", "notes.deleted IS NULL"])
    func droppingAColumnOfTheConditionIsRefused(_ condition: String) throws {
        let message = "the search table \"found\" reads the column \"deleted\" of \"notes\": drop it first"
        #expect(
            try refusal(where: SQL(raw: condition)) { AlterTable("notes") { DropColumn("deleted") } }.contains(message))
        let other = try SearchConditionHistoryTests()
        let refused = try other.refusal(where: SQL(raw: condition)) {
            AlterTable("notes") {
                DropColumn("deleted")
                AddConstraint(.check("id > 0"))
            }
        }
        #expect(refused.contains(message))
        try SearchConditionHistoryTests().migrate(where: SQL(raw: condition)) {
            AlterTable("notes") { DropColumn("kind") }
        }
    }

    @Test func aConditionFollowsAnotherTable() throws {
        try migrate(where: "id NOT IN (SELECT note FROM hidden)", "INSERT INTO hidden VALUES(1)") {
            AlterTable("hidden") { ChangeColumn("note", to: Int64.self, .primaryKey, fillingWith: "note + 1") }
        }
        #expect(try found() == [1])
        try check()
        let more = Schema("more") {
            Version(1) {
                AlterTable("hidden") { RenameColumn("note", to: "number") }
                RenameTable("hidden", to: "secret")
            }
        }
        try more.migrate(connection)
        #expect(
            try connection.searchTableInfo("found")?.source?.condition?.text
                == #"id NOT IN (SELECT "number" FROM "secret")"#)
        try connection.execute("UPDATE notes SET title = 'swift'")
        #expect(try found() == [1])
        try check()
        #expect(throws: SchemaError.self) {
            try Schema("drop") { Version(1) { DropTable("secret") } }.migrate(connection)
        }
    }

    // MARK: What the table is made of

    @Test func theSettingsAreKept() throws {
        try migrate("INSERT INTO found(found, rank) VALUES('automerge', 5), ('rank', 'bm25(2.0)')") {
            AlterTable("notes") { RenameColumn("title", to: "name") }
        }
        let settings: [String] = try connection.query(
            "SELECT k || ' ' || v FROM found_config WHERE k <> 'version' ORDER BY k")
        #expect(settings == ["automerge 5", "rank bm25(2.0)"])
        #expect(try found() == [1])
        try check()
    }

    @Test(.enabled(if: SQLiteFeatures.version >= 3_047_000)) func optionsOfNewerVersionsAreKept() throws {
        let setUp: SQL = """
            DROP TABLE found;
            CREATE VIRTUAL TABLE found USING fts5("title", content = 'found_rows', content_rowid = 'id', locale = 1);
            INSERT INTO found(found) VALUES('rebuild');
            """
        try migrate(setUp) { AlterTable("notes") { RenameColumn("title", to: "name") } }
        #expect(
            try connection.query("SELECT sql FROM sqlite_schema WHERE name = 'found'") == """
                CREATE VIRTUAL TABLE "found" USING fts5("name", content = 'found_rows', content_rowid = 'id', locale = 1)
                """)
        #expect(try found() == [1])
        try connection.execute("UPDATE notes SET deleted = NULL")
        #expect(try found() == [1, 2])
    }

    @Test(arguments: [SearchTableDefinition.Content.external, .own, .none])
    func droppingTheTableAndItsSearchTableDropsTheView(_ content: SearchTableDefinition.Content) throws {
        #expect(throws: SchemaError.self) { try migrate(content: content) { DropTable("notes") } }
        try migrate(content: content) {
            DropTable("notes")
            DropSearchTable("found")
        }
        #expect(try names().isEmpty)
    }

    @Test func droppingByAnotherDefinitionDropsWhatTheFileHas() throws {
        try migrate {}
        let all = SearchTableDefinition("found", of: .init(table: "notes", rowID: "id"), columns: "title")
        try connection.drop(all)
        #expect(try names().isEmpty)
        try connection.execute("CREATE VIEW found_rows AS SELECT id, upper(title) AS title FROM notes")
        try connection.create(all)
        try connection.drop(
            SearchTableDefinition(
                "found", of: .init(table: "notes", rowID: "id", where: "deleted IS NULL"), columns: "title"))
        #expect(try names() == ["found_rows"])
    }

    // MARK: Views of the program

    private static let views: SQL = """
        CREATE VIEW shown AS SELECT id, title AS text FROM notes WHERE kind = 'text';
        CREATE VIRTUAL TABLE others USING fts5(text, content = 'shown', content_rowid = 'id');
        CREATE VIRTUAL TABLE same USING fts5(title, content = 'found_rows', content_rowid = 'id');
        INSERT INTO others(others) VALUES('rebuild');
        INSERT INTO same(same) VALUES('rebuild');
        """

    @Test func allIndexesOverATableAreMadeAgain() throws {
        try migrate(Self.views) {
            AlterTable("notes") {
                ChangeColumn("title", to: String.self, fillingWith: "title || ' filled'")
                ChangeColumn("deleted", to: Int?.self, fillingWith: "NULL")
            }
            RenameTable("notes", to: "letters")
        }
        #expect(try found("filled") == [1, 2])
        #expect(try found("filled", in: "others") == [1])
        #expect(try found("filled", in: "same") == [1, 2])
        try check()
    }

    @Test func anotherIndexOverTheViewOfTheRowsIsNoticed() throws {
        let message = try refusal(Self.views) { AlterTable("notes") { RenameColumn("title", to: "name") } }
        #expect(
            message.contains("the search table \"same\" reads the column \"title\" of \"found_rows\": drop it first"))
        #expect(try names(like: "found_rows") == ["found_rows"])
    }

    @Test func anotherViewOverTheViewOfTheRowsIsNoticed() throws {
        let broken = try refusal("CREATE VIEW words AS SELECT title FROM found_rows") {
            AlterTable("notes") { RenameColumn("title", to: "name") }
        }
        #expect(broken.contains("error in view words"))
    }
}
