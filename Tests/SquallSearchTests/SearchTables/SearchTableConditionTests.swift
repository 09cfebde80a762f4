import Foundation
import Squall
import SquallSearch
import SquallTestSupport
import Testing

/// Search tables with a condition, whose content is a view of the rows that meet it.
@Suite(.enabled(if: SQLiteFeatures.fullTextSearch))
struct SearchTableConditionTests {
    private struct Note: Searchable, Equatable {
        var id: Int64?
        var title: String
        var deleted: Date? = nil
        var kind = "it's"

        static let table = Table("notes", Note.init) {
            Column("id", \Note.id, .primaryKey)
            Column("title", \Note.title)
            Column("deleted", \Note.deleted)
            Column("kind", \Note.kind)
        }
        static let searchTable = SearchTable(
            "notes_search", of: table, columns: \.title, where: { $0.deleted == nil && $0.kind == "it's" }
        )
    }

    private static let day = Date(timeIntervalSince1970: 0)

    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
        try connection.create(Note.table)
        try connection.insert(contentsOf: [
            Note(id: 1, title: "swift one"), Note(id: 2, title: "swift two", deleted: Self.day),
            Note(id: 3, title: "swift three", kind: "other"),
        ])
    }

    private func found(_ pattern: SearchPattern = "swift") throws -> [Int64] {
        try connection.all(Note.search(pattern).order { $0.id }).compactMap(\.id)
    }

    /// Expects the rows of the index, and that the index fits the rows, also when it was built again.
    private func expect(_ ids: [Int64], sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(try found() == ids, sourceLocation: sourceLocation)
        try connection.integrityCheck(Note.searchTable)
        try connection.rebuild(Note.searchTable)
        #expect(try found() == ids, sourceLocation: sourceLocation)
        try connection.integrityCheck(Note.searchTable)
    }

    private func sql(_ name: String) throws -> String? {
        try connection.query("SELECT sql FROM sqlite_schema WHERE name = ?", name)
    }

    private struct Pair: TableRecord {
        let id: Int64?
        let name: String
        let next: Int64

        static let table = Table("pairs", Pair.init) {
            Column("id", \Pair.id, .primaryKey)
            Column("name", \Pair.name)
            Column("next", \Pair.next)
        }
        static let linked = SearchTable(
            "linked", of: table, columns: \.name,
            where: { pair in Pair.where { $0.next == pair.id }.exists }
        )
    }

    @Test func aSubqueryOfTheSameTableHasAnotherName() throws {
        try connection.create(Pair.table)
        try connection.insert(contentsOf: [
            Pair(id: 1, name: "swift", next: 2), Pair(id: 2, name: "swift", next: 5),
            Pair(id: 3, name: "swift", next: 1),
        ])
        try connection.create(Pair.linked)
        let view = try sql("linked_rows") ?? ""
        #expect(view.contains(#"FROM "pairs" AS "pairs_2" WHERE "pairs_2"."next" = "pairs"."id""#), "\(view)")
        #expect(
            try connection.query("SELECT rowid FROM linked WHERE linked MATCH 'swift' ORDER BY rowid") as [Int64] == [
                1, 2,
            ])
        try connection.integrityCheck(Pair.linked)
    }

    @Test func theSQL() throws {
        try connection.create(Note.searchTable)
        #expect(
            try sql("notes_search_rows") == """
                CREATE VIEW "notes_search_rows" AS SELECT "id" AS "id", "title" AS "title" FROM "notes" \
                WHERE "notes"."deleted" IS NULL AND "notes"."kind" = 'it''s'
                """)
        #expect(
            try sql("notes_search") == """
                CREATE VIRTUAL TABLE "notes_search" USING fts5("title", content = 'notes_search_rows', content_rowid = 'id')
                """)
        #expect(
            try sql("notes_search_insert") == """
                CREATE TRIGGER "notes_search_insert" AFTER INSERT ON "notes" BEGIN \
                INSERT INTO "notes_search"("notes_search", rowid, "title") SELECT 'delete', "id", "title" \
                FROM "notes_search_rows" WHERE "id" = new."id" \
                AND EXISTS (SELECT 1 FROM "notes_search_docsize" WHERE id = new."id"); \
                INSERT INTO "notes_search"(rowid, "title") \
                SELECT "id", "title" FROM "notes_search_rows" WHERE "id" = new."id"; END
                """)
        #expect(
            try sql("notes_search_delete") == """
                CREATE TRIGGER "notes_search_delete" AFTER DELETE ON "notes" BEGIN \
                INSERT INTO "notes_search"("notes_search", rowid, "title") SELECT 'delete', old."id", old."title" \
                WHERE EXISTS (SELECT 1 FROM "notes_search_docsize" WHERE id = old."id"); \
                INSERT INTO "notes_search"(rowid, "title") \
                SELECT "id", "title" FROM "notes_search_rows" WHERE "id" = old."id"; END
                """)
    }

    @Test func rowsEnterAndLeave() throws {
        try connection.create(Note.searchTable)
        try expect([1])
        func set(_ id: Int64, _ assignment: (Columns<Note>) -> Assignment) throws {
            try connection.update(Note.self) {
                assignment($0)
            } where: {
                $0.id == id
            }
        }
        try set(2) { $0.deleted.set(to: nil) }
        try expect([1, 2])
        try set(1) { $0.deleted.set(to: Self.day) }
        try expect([2])
        try set(3) { $0.kind.set(to: "it's") }
        try connection.update(Note(id: 2, title: "other", deleted: Self.day))
        try expect([3])
        try connection.update(Note(id: 2, title: "swift again"))
        try connection.update(Note(id: 3, title: "slow"))
        try expect([2])
        #expect(try found("slow") == [3])
        try set(2) { $0.id.set(to: 9) }
        try expect([9])
        try connection.delete(Note.self) { $0.id == 1 || $0.id == 3 }
        try connection.insert(Note(id: 4, title: "swift four"))
        try connection.insert(Note(id: 5, title: "swift five", deleted: Self.day))
        try connection.replace(Note(id: 5, title: "swift six"))
        try connection.replace(Note(id: 4, title: "swift gone", deleted: Self.day))
        try connection.upsert(Note(id: 9, title: "swift nine", kind: "x"))
        try expect([5])
        let marked = try connection.all(Note.search("swift").select { $0.highlight(\.title, around: "<", ">") })
        #expect(marked == ["<swift> six"])
        try connection.delete(Note.self) { _ in "TRUE" }
        try expect([])
    }

    @Test(arguments: [SearchTableDefinition.Content.external, .own, .none])
    func randomWritesKeepTheIndex(_ content: SearchTableDefinition.Content) throws {
        var generator = TestSeed.of().generator()
        let table = SearchTable(
            "notes_search", of: Note.table, columns: \.title, content: content,
            where: { $0.deleted == nil })
        try connection.create(table)
        for step in 0..<200 {
            let id = Int64.random(in: 1...6, using: &generator)
            let words = ["swift", "slow", "other"].shuffled(using: &generator).prefix(2).joined(
                separator: " ")
            let note = Note(
                id: id, title: words, deleted: Bool.random(using: &generator) ? Self.day : nil)
            switch Int.random(in: 0...4, using: &generator) {
            case 0: _ = try connection.insert(note, orIgnore: true)
            case 1: _ = try connection.update(note)
            case 2: _ = try connection.delete(note)
            case 3: try connection.replace(note)
            default:
                try? connection.savepoint {
                    try connection.upsert(note)
                    throw CancellationError()
                }
            }
            for word in ["swift", "slow", "other"] {
                let ids: [Int64] = try connection.query(
                    "SELECT rowid FROM notes_search WHERE notes_search MATCH ? ORDER BY rowid", word)
                let rows: [Int64] = try connection.query(
                    "SELECT id FROM notes WHERE deleted IS NULL AND title LIKE ? ORDER BY id", "%\(word)%")
                #expect(ids == rows, "step \(step)")
            }
            if content == .external { try connection.integrityCheck(table) }
        }
        try connection.rebuild(table)
        if content == .external { try connection.integrityCheck(table) }
    }

    /// The condition may read other tables. Their changes are indexed by `rebuild`, and a row that leaves is removed as it was indexed.
    @Test func aConditionOnAnotherTable() throws {
        try connection.execute("CREATE TABLE hidden(id INTEGER PRIMARY KEY)")
        let table = SearchTableDefinition(
            "notes_search",
            of: .init(table: "notes", rowID: "id", where: "id NOT IN (SELECT id FROM hidden)"),
            columns: "title")
        try connection.create(table)
        try connection.execute("INSERT INTO hidden VALUES(1)")
        try connection.execute(
            "UPDATE notes SET title = 'slow' WHERE id = 1; DELETE FROM notes WHERE id = 2")
        let ids: [Int] = try connection.query(
            "SELECT rowid FROM notes_search('swift OR slow') ORDER BY rowid")
        #expect(ids == [3])
        try connection.integrityCheck(table)
        try connection.execute("DELETE FROM hidden")
        #expect(throws: SQLiteError.self) { try connection.integrityCheck(table) }
        try connection.rebuild(table)
        try connection.integrityCheck(table)
    }

    // MARK: Schemas

    private static let first = Version(1) {
        CreateTable(Note.table.definition)
        CreateSearchTable(
            "notes_search", of: "notes", rowID: "id", columns: "title",
            where: "deleted IS NULL AND kind='it''s'")
    }

    /// Runs the versions of a history with a further one on another file, which has the rows of this one after the first version.
    private func migrate(@ListBuilder<any SchemaStep> _ steps: () -> [any SchemaStep]) throws
        -> Connection
    {
        let other = try Connection(":memory:")
        try Schema("notes") { Self.first }.migrate(other)
        for note in try connection.all(Note.self) { try other.insert(note) }
        let schema = Schema("notes") {
            Self.first
            Version(2, steps: steps)
        }
        try schema.verify()
        try schema.migrate(other)
        return other
    }

    private func expect(
        _ ids: [Int], on connection: Connection, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let found: [Int] = try connection.query(
            "SELECT rowid FROM notes_search('swift') ORDER BY rowid")
        #expect(found == ids, sourceLocation: sourceLocation)
        try connection.integrityCheck(try #require(try connection.searchTableInfo("notes_search")))
    }

    @Test func aFileIsReadAndCompared() throws {
        let schema = Schema("notes") { Self.first }
        let connection = try Connection(":memory:")
        try schema.migrate(connection)
        let found = try #require(try connection.searchTableInfo("notes_search"))
        #expect(
            found.source?.table == "notes"
                && found.source?.condition?.text == "deleted IS NULL AND kind='it''s'")
        #expect(
            try connection.changes(toMatch: Note.searchTable).isEmpty,
            "as the declared one, but for spaces")
        #expect(try schema.drift(from: Note.table, searchTables: Note.searchTable).isEmpty)
        let all = SearchTable("notes_search", of: Note.table, columns: \.title)
        let changes = try connection.changes(toMatch: all)
        #expect(
            changes.map(\.description) == [
                """
                DropSearchTable("notes_search")
                CreateSearchTable("notes_search", of: "notes", rowID: "id", columns: "title")
                """
            ])
        try connection.drop(Note.searchTable)
        #expect(
            try connection.changes(toMatch: Note.searchTable).map(\.description) == [
                #"CreateSearchTable("notes_search", of: "notes", rowID: "id", columns: "title", "#
                    + #"where: "\"notes\".\"deleted\" IS NULL AND \"notes\".\"kind\" = \'it\'\'s\'")"#
            ])
        #expect(
            try connection.query("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'notes_search%'")
                == 0)
        try connection.create(all)
        #expect(try connection.changes(toMatch: Note.searchTable).count == 1)
    }

    @Test func aViewOfTheProgramIsNoCondition() throws {
        try connection.execute(
            """
            CREATE VIEW notes_search_rows AS SELECT id, upper(title) AS title FROM notes WHERE deleted IS NULL;
            CREATE VIRTUAL TABLE notes_search USING fts5(title, content = 'notes_search_rows', content_rowid = 'id')
            """)
        let found = try #require(try connection.searchTableInfo("notes_search"))
        #expect(found.source == .init(table: "notes_search_rows", rowID: "id"))
        #expect(try connection.changes(toMatch: Note.searchTable).count == 1)
    }

    @Test func renamingColumnsAndTheTable() throws {
        let other = try migrate {
            AlterTable("notes") {
                RenameColumn("deleted", to: "removed")
                RenameColumn("title", to: "headline")
                RenameColumn("id", to: "number")
            }
            RenameTable("notes", to: "texts")
        }
        try expect([1], on: other)
        try other.execute(
            "UPDATE texts SET removed = NULL; UPDATE texts SET headline = 'slow' WHERE number = 1")
        try expect([2], on: other)
        let found = try #require(try other.searchTableInfo("notes_search"))
        #expect(
            found.source
                == .init(table: "texts", rowID: "number", where: #""removed" IS NULL AND kind='it''s'"#),
            "\(found)")
        try other.drop(found)
        #expect(
            try other.query("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'notes_search%'") == 0)
    }

    @Test func aChangedTableIsIndexedAgain() throws {
        let other = try migrate {
            AlterTable("notes") {
                AddColumn("stars", Int.self, .default(0))
                ChangeColumn("deleted", to: Date?.self, fillingWith: "NULL")
            }
        }
        try expect([1, 2], on: other)
        try other.execute("UPDATE notes SET kind = 'it''s', deleted = NULL")
        try expect([1, 2, 3], on: other)
    }

    @Test func syncIndexesTheRowsAgain() throws {
        try connection.create(Note.searchTable)
        let table = Table("notes", Note.init, .check("title <> ''")) {
            Column("id", \Note.id, .primaryKey)
            Column("title", \Note.title)
            Column("deleted", \Note.deleted)
            Column("kind", \Note.kind)
        }
        #expect(try connection.sync([table.definition]) == ["notes": .tableChanged])
        try expect([1])
        try connection.update(Note(id: 2, title: "swift two"))
        try expect([1, 2])
    }

    @Test func dropping() throws {
        let other = try migrate { DropSearchTable("notes_search") }
        #expect(
            try other.query("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'notes_search%'") == 0)
        try other.execute("UPDATE notes SET title = 'x'")
        #expect(throws: (any Error).self) {
            try migrate { AlterTable("notes") { DropColumn("deleted") } }
        }
        #expect(throws: (any Error).self) {
            try migrate { AlterTable("notes") { DropColumn("title") } }
        }
    }

    // MARK: Others

    @Test func wrongDeclarationsAreRefused() throws {
        func definition(_ condition: SQL, hasColumnSizes: Bool = true) -> SearchTableDefinition {
            SearchTableDefinition(
                "notes_search", of: .init(table: "notes", rowID: "id", where: condition), columns: "title",
                hasColumnSizes: hasColumnSizes)
        }
        let error = try sqliteError {
            try connection.create(definition("deleted IS NULL", hasColumnSizes: false))
        }
        #expect(error.problem(SearchTableProblem.self) == .conditionWithoutSizes)
        for condition in ["", "1) --", "1; DROP TABLE notes", "(deleted IS NULL", "deletd IS NULL"]
            as [SQL]
        {
            #expect(throws: (any Error).self) { try connection.create(definition(condition)) }
        }
        #expect(
            try connection.query("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'notes_search%'")
                == 0)
        try connection.create(definition("title <> \("x' OR 1")"))
        #expect(try sql("notes_search_rows")?.hasSuffix("WHERE title <> 'x'' OR 1'") == true)
    }

    @Test func createIfItDoesNotExist() throws {
        try connection.create(Note.searchTable)
        try connection.create(Note.searchTable, ifNotExists: true)
        try expect([1])
        #expect(throws: SQLiteError.self) { try connection.create(Note.searchTable) }
    }

    /// A blob would be written without the triggers.
    @Test func searchedColumnsAreNotWrittenAsBlobs() throws {
        try connection.create(Note.searchTable)
        #expect(throws: SQLiteError.self) {
            try connection.withBlob(in: "notes", column: "title", row: 1, mode: .readWrite) { _ in }
        }
    }
}
