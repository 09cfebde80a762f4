import Squall
import SquallSearch
import SquallTestSupport
import Testing

/// Search tables in the versions of a schema.
@Suite(.enabled(if: SQLiteFeatures.fullTextSearch))
struct SearchTableHistoryTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
    }

    private static let first = Version(1) {
        CreateTable("notes") {
            ColumnDef("id", Int64.self, .primaryKey)
            ColumnDef("title", String?.self)
            ColumnDef("body", String?.self)
        }
        Execute("INSERT INTO notes VALUES(1, 'Swift', 'a language'), (2, 'Birds', 'a swift')")
        CreateSearchTable("notes_search", of: "notes", rowID: "id", columns: "title", "body", tokenizer: .cjk)
    }

    private let definition = SearchTableDefinition(
        "notes_search", of: .init(table: "notes", rowID: "id"), columns: "title", "body", tokenizer: .cjk)

    private func found(_ pattern: SearchPattern) throws -> [Int] {
        try connection.query("SELECT rowid FROM notes_search WHERE notes_search MATCH \(pattern) ORDER BY rowid")
    }

    private func check(_ name: String = "notes_search") throws {
        let table = try #require(try connection.searchTableInfo(name))
        try connection.integrityCheck(table)
    }

    @Test func aStepCreatesTheTableItsTriggersAndTheIndex() throws {
        let schema = Schema("notes") { Self.first }
        try schema.verify()
        try schema.migrate(connection)
        #expect(try found("swift") == [1, 2])
        try connection.run("INSERT INTO notes VALUES(3, 'x', 'swift')")
        #expect(try found("swift") == [1, 2, 3])
        #expect(try connection.searchTableInfo("notes_search") == definition)
        #expect(try connection.tableNames() == ["notes", "notes_search", "squall_versions"])
        #expect(try connection.schemaDefinition().tables.map(\.name) == ["notes", "notes_search", "squall_versions"])
    }

    @Test func aStepDropsThem() throws {
        let schema = Schema("notes") {
            Self.first
            Version(2) { DropSearchTable("notes_search") }
        }
        try schema.verify()
        try schema.migrate(connection)
        #expect(try connection.tableNames() == ["notes", "squall_versions"])
        #expect(try connection.tableInfo("notes")?.triggers == [])
        try connection.run("DELETE FROM notes")
    }

    private func migrate(@ListBuilder<any SchemaStep> _ steps: () -> [any SchemaStep]) throws {
        let schema = Schema("notes") {
            Self.first
            Version(2, steps: steps)
        }
        try schema.verify()
        try schema.migrate(connection)
    }

    @Test func addingAColumnKeepsTheIndex() throws {
        try migrate { AlterTable("notes") { AddColumn("stars", Int?.self) } }
        try connection.run("INSERT INTO notes VALUES(3, 'swift', '', 5)")
        #expect(try found("swift") == [1, 2, 3])
        try check()
    }

    @Test func droppingAnotherColumnKeepsTheIndex() throws {
        let schema = Schema("notes") {
            Self.first
            Version(2) { AlterTable("notes") { AddColumn("stars", Int?.self) } }
            Version(3) { AlterTable("notes") { DropColumn("stars") } }
        }
        try schema.verify()
        try schema.migrate(connection)
        try connection.run("UPDATE notes SET title = 'swift'")
        #expect(try found("swift") == [1, 2])
        try check()
    }

    @Test func anotherTokenizerMustBeOnTheConnection() throws {
        let schema = Schema("notes") {
            Version(1) {
                CreateTable("notes") {
                    ColumnDef("id", Int64.self, .primaryKey)
                    ColumnDef("title", String.self)
                }
                CreateSearchTable(
                    "notes_search", of: "notes", rowID: "id", columns: "title", tokenizer: SearchTokenizer("bytes"))
            }
            Version(2) { RenameTable("notes", to: "letters") }
        }
        let error = try #require(throws: SchemaError.self) { try schema.verify() }
        #expect(
            error.description.utf8.starts(
                with: "version 1, CreateSearchTable notes_search: no such tokenizer: bytes".utf8))
        func prepare(_ connection: Connection) throws {
            try connection.addTokenizer("bytes") { text, _, emit in if text.count > 0 { try emit(0..<text.count) } }
        }
        try schema.verify(preparation: prepare)
        try prepare(connection)
        try schema.migrate(connection)
        try connection.run("INSERT INTO letters VALUES(1, 'a b')")
        #expect(try found("\"a b\"") == [1])
    }

    @Test func rebuildingTheTableKeepsTriggersAndIndexInStep() throws {
        try migrate {
            AlterTable("notes") {
                ChangeColumn("title", to: String.self)
                ChangeColumn("body", to: String.self, fillingWith: "body || ' filled'")
            }
        }
        #expect(try found("filled") == [1, 2])
        #expect(try connection.tableInfo("notes")?.triggers.count == 3)
        try connection.run("UPDATE notes SET body = 'other' WHERE id = 1")
        #expect(try found("filled") == [2])
        try check()
    }

    @Test func renamingTheTableMovesTheSearchTable() throws {
        try migrate { RenameTable("notes", to: "letters") }
        #expect(try connection.searchTableInfo("notes_search")?.source == .init(table: "letters", rowID: "id"))
        try connection.run("INSERT INTO letters VALUES(3, 'swift', '')")
        #expect(try found("swift") == [1, 2, 3])
        #expect(try connection.query("SELECT title FROM notes_search('language')") == "Swift")
        try check()
    }

    /// The step that adds the tokenizer has run on another connection.
    @Test func aLaterVersionRunsOnAnotherConnection() throws {
        let directory = try TemporaryDirectory()
        try Schema("notes") { Self.first }.migrate(Connection(directory.file("notes.db")))
        let other = try Connection(directory.file("notes.db"))
        try Schema("notes") {
            Self.first
            Version(2) { AlterTable("notes") { RenameColumn("title", to: "name") } }
        }.migrate(other)
        #expect(try other.query("SELECT name FROM notes_search('language')") == "Swift")
    }

    @Test func renamingAColumnRenamesItInTheSearchTable() throws {
        try migrate {
            AlterTable("notes") {
                RenameColumn("title", to: "head\"line")
                RenameColumn("id", to: "number")
            }
        }
        let table = try #require(try connection.searchTableInfo("notes_search"))
        #expect(table.columns.map(\.name) == ["head\"line", "body"])
        #expect(table.source?.rowID == "number")
        try connection.run("INSERT INTO notes VALUES(3, 'swift', '')")
        #expect(try found("swift") == [1, 2, 3])
        try check()
    }

    /// Squall cannot write new triggers in place of those of the program.
    @Test func renamingAColumnThatOtherTriggersReadIsRefused() throws {
        func migrate(renaming column: String) throws {
            try Schema("notes") {
                Self.first
                Version(2) {
                    Execute { connection in
                        let names: [String] = try connection.query(
                            "SELECT name FROM sqlite_schema WHERE type = 'trigger'")
                        for name in names { try connection.run("DROP TRIGGER \(name: name)") }
                    }
                }
                Version(3) { AlterTable("notes") { RenameColumn(column, to: "new") } }
            }.migrate(connection)
        }
        let error = try #require(throws: SchemaError.self) { try migrate(renaming: "body") }
        #expect("\(error)".contains("its triggers are not those of Squall"))
        // The triggers do not read the name of the key.
        try migrate(renaming: "id")
        #expect(try connection.searchTableInfo("notes_search")?.source?.rowID == "new")
    }

    @Test func droppingASearchedColumnIsRefused() throws {
        let schema = Schema("notes") {
            Self.first
            Version(2) { AlterTable("notes") { DropColumn("body") } }
        }
        #expect(throws: SchemaError.self) { try schema.verify() }
        #expect(throws: SchemaError.self) { try schema.migrate(connection) }
        #expect(try found("swift") == [1, 2])
        try check()
    }

    @Test func droppingTheTableAloneIsRefused() throws {
        let schema = Schema("notes") {
            Self.first
            Version(2) { DropTable("notes") }
        }
        let error = try #require(throws: SchemaError.self) { try schema.migrate(connection) }
        #expect(
            error == .inUse("the table whose rows the search table notes_search searches does not exist (version 2)"))
        #expect(throws: SchemaError.self) { try schema.verify() }
        let both = Schema("notes") {
            Self.first
            Version(2) {
                DropSearchTable("notes_search")
                DropTable("notes")
            }
        }
        try both.migrate(connection)
        #expect(try connection.tableNames() == ["squall_versions"])
    }

    @Test(arguments: [SearchTableDefinition.Content.own, .none])
    func droppingTheTableIsRefusedForAnyContent(_ content: SearchTableDefinition.Content) throws {
        let first = Version(1) {
            CreateTable("notes") {
                ColumnDef("id", Int64.self, .primaryKey)
                ColumnDef("title", String?.self)
            }
            CreateSearchTable("copies", of: "notes", rowID: "id", columns: "title", content: content)
        }
        let error = try #require(throws: SchemaError.self) {
            try Schema("notes") {
                first
                Version(2) { DropTable("notes") }
            }.migrate(connection)
        }
        #expect(error == .inUse("the table whose rows the search table copies searches does not exist (version 2)"))
        try Schema("notes") {
            first
            Version(2) {
                DropTable("notes")
                DropSearchTable("copies")
            }
        }.migrate(connection)
        #expect(try connection.tableNames() == ["squall_versions"])
    }

    @Test func aMissingTokenizerIsNamed() throws {
        let directory = try TemporaryDirectory()
        let first = try Connection(directory.file("notes.db"))
        try first.addTokenizer("bytes") { text, _, emit in if text.count > 0 { try emit(0..<text.count) } }
        try first.execute("CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT); INSERT INTO notes VALUES(1, 'a')")
        try first.create(
            SearchTableDefinition(
                "found", of: .init(table: "notes", rowID: "id"), columns: "title", tokenizer: SearchTokenizer("bytes")))
        let other = try Connection(directory.file("notes.db"))
        for step in [
            RenameTable("notes", to: "letters") as any SchemaStep,
            AlterTable("notes") { RenameColumn("title", to: "name") },
            AlterTable("notes") { ChangeColumn("title", to: String?.self, fillingWith: "upper(title)") },
        ] {
            let error = try sqliteError { try Schema("notes") { Version(1) { step } }.migrate(other) }
            #expect(error.message.contains("no such tokenizer: bytes (version 1"))
        }
    }

    @Test(arguments: [SearchTableDefinition.Content.external, .own, .none])
    func refillingTheKeyIndexesTheRowsAgain(_ content: SearchTableDefinition.Content) throws {
        try migrate {
            CreateSearchTable("other", of: "notes", rowID: "id", columns: "title", content: content)
            AlterTable("notes") { ChangeColumn("id", fillingWith: "4 - id") }
        }
        #expect(try connection.query("SELECT rowid FROM other('swift')") == [3])
        #expect(try found("language") == [3])
        try check()
        try connection.run("DELETE FROM notes")
        #expect(try found("swift") == [])
    }

    @Test func refillingTheBaseOfAGeneratedColumnIndexesItAgain() throws {
        try migrate {
            Execute(
                "CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, g TEXT AS (upper(a))); INSERT INTO t VALUES(1, 'x')")
            CreateSearchTable("t_search", of: "t", rowID: "id", columns: "g")
            AlterTable("t") { ChangeColumn("a", to: String.self, fillingWith: "a || ' swift'") }
        }
        #expect(try connection.query("SELECT rowid FROM t_search('swift')") == [1])
        try check("t_search")
    }

    @Test func creatingADroppedTableAgainIsRefused() throws {
        let table = CreateTable("notes") {
            ColumnDef("id", Int64.self, .primaryKey)
            ColumnDef("title", String?.self)
        }
        let error = try #require(throws: SchemaError.self) {
            try migrate {
                DropTable("notes")
                table
            }
        }
        #expect(error.description.contains("drop the search table first, and create it again"))
        try migrate {
            DropSearchTable("notes_search")
            DropTable("notes")
            table
            CreateSearchTable("notes_search", of: "notes", rowID: "id", columns: "title")
        }
        #expect(try connection.tableInfo("notes")?.triggers.count == 3)
    }

    @Test func renamingASearchTableIsRefused() throws {
        let error = try #require(throws: SchemaError.self) { try migrate { RenameTable("notes_search", to: "s") } }
        #expect(error.description.contains("the search table \"notes_search\" cannot be renamed"))
    }

    @Test func goingBackToZeroDropsEverything() throws {
        let schema = Schema("notes") { Self.first }
        try schema.migrate(connection)
        try schema.migrate(connection, to: 0)
        #expect(try connection.tableNames() == [])
        try schema.migrate(connection)
        #expect(try found("swift") == [1, 2])
    }

    @Test func wrongStepsAreErrorsOfVerify() throws {
        let schema = Schema("notes") {
            Version(1) {
                CreateTable("notes") { ColumnDef("id", Int64.self, .primaryKey) }
                CreateSearchTable("a", of: "nowhere", rowID: "id", columns: "title")
                CreateSearchTable("b", of: "notes", rowID: "id", columns: "title")
                DropSearchTable("c")
                DropSearchTable("notes")
            }
        }
        let error = try #require(throws: SchemaError.self) { try schema.verify() }
        #expect(
            error
                == .invalid([
                    "version 1, CreateSearchTable a: there is no table \"nowhere\"",
                    "version 1, CreateSearchTable b: there is no column \"notes\".\"title\"",
                    "version 1, DropSearchTable c: there is no search table \"c\"",
                    "version 1, DropSearchTable notes: there is no search table \"notes\"",
                ]))
    }

    struct Note: Searchable {
        let id: Int64?
        let title: String?
        let body: String?

        static let table = Table("notes", Note.init) {
            Column("id", \Note.id, .primaryKey)
            Column("title", \Note.title)
            Column("body", \Note.body)
        }
        static let searchTable = SearchTable("notes_search", of: table, columns: \.title, \.body, tokenizer: .cjk)
    }

    @Test func driftAndPlansDoNotSeeTheSearchTable() throws {
        let schema = Schema("notes") { Self.first }
        #expect(try schema.drift(from: Note.table).isEmpty)
        try schema.migrate(connection)
        #expect(try connection.plan(toMatch: Note.table).changes.isEmpty)
        #expect(Note.searchTable.definition == definition)
    }

    @Test func driftReportsMissingAndOtherSearchTables() throws {
        let schema = Schema("notes") { Self.first }
        #expect(try schema.drift(from: Note.table, searchTables: Note.searchTable).isEmpty)
        let titles = SearchTable("titles", of: Note.table, columns: \.title, tokenizer: .porter(), prefixes: [2])
        let bodies = SearchTable("NOTES_search", of: Note.table, columns: \.body, content: .own)
        let drift = try schema.drift(from: Note.table, searchTables: titles, bodies)
        #expect(
            drift.description == """
                CreateSearchTable("titles", of: "notes", rowID: "id", columns: "title", \
                tokenizer: SearchTokenizer("porter", arguments: "unicode61"), prefixes: [2])
                DropSearchTable("notes_search")
                CreateSearchTable("NOTES_search", of: "notes", rowID: "id", columns: "body", content: .own)
                """)
        #expect(drift.searchTables == [.create(titles.definition), .replace(definition, with: bodies.definition)])
        #expect(try Set([drift, schema.drift(from: Note.table, searchTables: titles, bodies)]).count == 1)
        #expect(try drift != schema.drift(from: Note.table, searchTables: titles))
        try schema.migrate(connection)
        #expect(try connection.changes(toMatch: Note.searchTable) == [])
        try connection.run("DROP TRIGGER notes_search_update")
        #expect(try connection.changes(toMatch: definition) == [.replace(definition, with: definition)])
    }

    @Test func syncingTheTableKeepsTheIndexInStep() throws {
        try connection.execute("CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT NOT NULL DEFAULT '', body TEXT)")
        try connection.create(Note.searchTable)
        try connection.run("INSERT INTO notes VALUES(1, 'swift', 'b')")
        let plan = try connection.plan(toMatch: Note.table)
        #expect(!plan.changes.isEmpty)
        try plan.apply()
        try connection.run("INSERT INTO notes VALUES(2, 'swift', NULL)")
        #expect(try found("swift") == [1, 2])
        try check()
    }

    @Test(arguments: [SearchTableDefinition.Content.external, .own, .none])
    func definitionsAreReadBack(_ content: SearchTableDefinition.Content) throws {
        try connection.execute("CREATE TABLE \"n'o\"(\"i d\" INTEGER PRIMARY KEY, \"a\"\"b\" TEXT, c TEXT)")
        let table = SearchTableDefinition(
            "s\"1", of: .init(table: "n'o", rowID: "i d"), columns: "a\"b", unindexed: ["c"], content: content,
            tokenizer: .porter(over: .unicode61(tokenCharacters: "-',(")), prefixes: [1, 4], detail: .none,
            hasColumnSizes: false)
        try connection.create(table)
        #expect(try connection.searchTableInfo("S\"1") == table)
        #expect(try connection.searchTableInfo("n'o") == nil)
        #expect(try connection.searchTableInfo("nowhere") == nil)
    }

    @Test func optionsAreReadByTheBeginningOfTheirNames() throws {
        for (name, detail) in [("columns", .column), ("col", .column), ("N", .none), ("f", .full)]
            as [(String, SearchTableDefinition.Detail)]
        {
            try connection.execute(
                """
                CREATE VIRTUAL TABLE abbreviated USING fts5(a, tok='ascii', PRE=2, det=\(raw: name), columns=0, c=messages,
                    content_=number);
                """)
            let table = try #require(try connection.searchTableInfo("abbreviated"))
            #expect(table.columns == [.init("a")])
            #expect(table.tokenizer == .ascii)
            #expect(table.prefixes == [2] && !table.hasColumnSizes && table.detail == detail)
            #expect(table.source == .init(table: "messages", rowID: "number") && table.content == .external)
            try connection.execute("DROP TABLE abbreviated")
        }
    }

    @Test func definitionsOfOtherProgramsAreRead() throws {
        try connection.execute(
            """
            create virtual table if not exists main.mails using FTS5(subject, "to" UNINDEXED, [bo dy],
                tokenize='porter ascii', prefix='2 3', columnsize=0, content=messages, detail="column");
            """)
        let table = try #require(try connection.searchTableInfo("mails"))
        #expect(table.columns == [.init("subject"), .init("to", isIndexed: false), .init("bo dy")])
        #expect(table.tokenizer == .porter(over: .ascii))
        #expect(table.prefixes == [2, 3] && !table.hasColumnSizes && table.detail == .column)
        #expect(table.source == .init(table: "messages", rowID: "rowid") && table.content == .external)
    }

    /// 10,000 random changes of a table with external content, and a migration in the middle.
    @Test func theIndexFitsAfterManyRandomChangesAndAMigration() throws {
        let seed = 20
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        let words = ["swift", "sqlite", "日本語", "検索", "crème", "a-b", "", " ", "🙂", "x y z"]
        func text() -> String? {
            generator.chance(10)
                ? nil
                : (0..<Int.random(in: 0...5, using: &generator)).map { _ in generator.pick(words) }.joined(
                    separator: " ")
        }
        func change(_ table: SQL, _ title: SQL) throws {
            let id = Int.random(in: 1...300, using: &generator)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0:
                try connection.run(
                    "INSERT OR REPLACE INTO \(table)(id, \(title), body) VALUES(\(id), \(text()), \(text()))")
            case 1:
                try connection.run(
                    "INSERT OR IGNORE INTO \(table)(id, \(title), body) VALUES(\(id), \(text()), \(text()))")
            case 2: try connection.run("UPDATE \(table) SET \(title) = \(text()) WHERE id = \(id)")
            case 3:
                try connection.run("UPDATE OR REPLACE \(table) SET id = \(id), body = \(text()) WHERE id = \(id + 1)")
            case 4: try connection.run("DELETE FROM \(table) WHERE id = \(id)")
            default:
                try connection.run(
                    "INSERT INTO \(table)(id, \(title)) VALUES(\(id), \(text())) ON CONFLICT(id) DO UPDATE SET body = excluded.\(title)"
                )
            }
        }
        let old = Schema("notes") { Self.first }
        try old.migrate(connection)
        try connection.execute("SAVEPOINT changes")
        for _ in 0..<5_000 { try change("notes", "title") }
        try connection.execute("RELEASE changes")
        try check()
        let new = Schema("notes") {
            Self.first
            Version(2) {
                AlterTable("notes") {
                    RenameColumn("title", to: "headline")
                    AddColumn("stars", Int.self, .default(0))
                    ChangeColumn("body", to: String.self, fillingWith: "coalesce(upper(body), 'none')")
                    ChangeColumn("body", to: String?.self)
                }
                RenameTable("notes", to: "letters")
            }
        }
        try new.migrate(connection)
        try check()
        try connection.execute("SAVEPOINT changes")
        for _ in 0..<5_000 { try change("letters", "headline") }
        try connection.execute("RELEASE changes")
        try check()
        let rows: Int = try connection.query("SELECT count(*) FROM letters")
        let indexed: Int = try connection.query("SELECT count(*) FROM notes_search_docsize")
        #expect(rows == indexed)
    }

    @Test func aTableIsDroppedBeforeItsSearchTable() throws {
        try Schema("notes") {
            Self.first
            Version(2) {
                DropTable("notes")
                DropSearchTable("notes_search")
            }
        }.migrate(connection)
        #expect(try connection.tableNames() == ["squall_versions"])
    }

    @Test func aColumnThatIsNotSearchedIsInTheTable() throws {
        try Schema("notes") {
            Version(1) {
                CreateTable("notes") {
                    ColumnDef("id", Int64.self, .primaryKey)
                    ColumnDef("title", String?.self)
                    ColumnDef("body", String?.self)
                }
                Execute("INSERT INTO notes VALUES(1, 'Swift', 'a language'), (2, 'Birds', 'a swift')")
                CreateSearchTable("notes_search", of: "notes", rowID: "id", columns: "title", unindexed: ["body"])
            }
        }.migrate(connection)
        #expect(try found("swift") == [1])
        #expect(try connection.query("SELECT body FROM notes_search('birds')") == "a swift")
        let table = try #require(try connection.searchTableInfo("notes_search"))
        #expect(
            SearchTableChange.create(table).description
                == #"CreateSearchTable("notes_search", of: "notes", rowID: "id", columns: "title", unindexed: ["body"])"#
        )
    }
}
