// swift-format-ignore-file
import Foundation
import Squall
import SquallTestSupport
import Testing

struct SchemaHistoryPage {
    enum Library {
        static let history = Schema("library") {
            Version(1) {
                CreateTable("books") {
                    ColumnDef("id", Int64.self, .primaryKey)
                    ColumnDef("title", String?.self)
                    ColumnDef("author", String?.self)
                }
                CreateIndex("books_title", on: "books", "title")
            }
            Version(2) {
                CreateTable("authors") {
                    ColumnDef("id", Int64.self, .primaryKey)
                    ColumnDef("name", String.self, .unique)
                }
                Execute("INSERT OR IGNORE INTO authors(name) SELECT author FROM books")
                AlterTable("books") {
                    ChangeColumn(
                        "title", to: String.self, fillingWith: "ifnull(title, '')")
                    AddColumn(
                        "authorID", Int64?.self, .references("authors", "id"),
                        fillingWith: "(SELECT id FROM authors WHERE name = author)")
                    DropColumn("author")
                }
            }
        }
    }

    struct Book: TableRecord {
        let id: Int64?
        let title: String
        let authorID: Int64?

        static let table = Table("books", Book.init) {
            Column("id", \Book.id, .primaryKey)
            Column("title", \Book.title)
            Column("authorID", \Book.authorID, .references("authors", "id"))
        }
    }

    struct Reader: TableRecord {
        let id: Int64?
        let name: String

        static let table = Table("readers", Reader.init) {
            Column("id", \Reader.id, .primaryKey)
            Column("name", \Reader.name)
        }
    }

    static func oldFile() throws -> Connection {
        let connection = try Connection(":memory:")
        try Library.history.migrate(connection, to: 1)
        try connection.execute("INSERT INTO books(title, author) VALUES('Mort', 'Terry'), (NULL, 'Ursula'), ('Anon', NULL)")
        return connection
    }

    @Test func program() async {
        await #expect(processExitsWith: .success) { try await SchemaHistoryPage.run() }
    }

    static func run() async throws {
        let directory = try TemporaryDirectory()
        #expect(FileManager.default.changeCurrentDirectoryPath(directory.path))
        let database = try Database("library.db")
        try await database.migrate(Library.history)     // true if any version ran
        #expect(try await database.migrate(Library.history) == false)
        #expect(try await database.read { try $0.userVersion } == 2)
    }

    @Test func theHistoryIsValid() throws {
        try Library.history.verify()
        #expect(try Library.history.drift(from: Book.table).isEmpty)
    }

    @Test func titlesSurviveVersion2() throws {
        let connection = try Connection(":memory:")
        try Library.history.migrate(connection, to: 1)
        try connection.run("INSERT INTO books(title, author) VALUES('Mort', 'Terry')")
        try Library.history.migrate(connection)
        #expect(try connection.query("SELECT title FROM books") == "Mort")
        #expect(try connection.integrityCheck() == [])
    }

    @Test func migration() throws {
        let connection = try Self.oldFile()
        for sql in try Library.history.dryRun(connection) { print(sql) }
        let run = try Library.history.dryRun(connection).map(\.text)
        #expect(run.count == 12)
        #expect(run[2] == #"CREATE TABLE "squall_new_books"("id" INTEGER PRIMARY KEY, "title" TEXT NOT NULL, "authorID" INTEGER REFERENCES "authors"("id"))"#)
        #expect(run[3].hasPrefix(#"INSERT OR ABORT INTO main."squall_new_books"("id", "title", "authorID") SELECT "#))
        #expect(try Library.history.status(of: connection).pending == [2])
        try Library.history.migrate(connection)
        let rows = try connection.query("SELECT title, authorID FROM books", as: (String, Int?).self)
        #expect(rows.map { "\($0.0) \($0.1 ?? 0)" } == ["Mort 1", " 2", "Anon 0"])
        #expect(try connection.query("SELECT count(*) FROM sqlite_schema WHERE name = 'books_title'") == 1)
        #expect(try Library.history.status(of: connection).isUpToDate)
    }

    @Test func inSQL() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            #expect(FileManager.default.changeCurrentDirectoryPath(directory.path))
            try FileManager.default.createDirectory(atPath: "Migrations", withIntermediateDirectories: false)
            for (name, text) in [
                ("001_notes", "CREATE TABLE notes(id INTEGER PRIMARY KEY, text TEXT);"),
                ("002_days", "ALTER TABLE notes ADD COLUMN day TEXT;"),
            ] {
                try Data(text.utf8).write(to: URL(filePath: "Migrations/\(name).sql"))
            }
            let connection = try Connection(":memory:")
            let inSQL = try Schema(files: URL(filePath: "Migrations"))
            try inSQL.migrate(connection)
            #expect(try connection.tableInfo("notes")?.columns.map(\.name) == ["id", "text", "day"])
        }
    }

    @Test(.enabled(if: SQLiteLibrary.has("ENABLE_FTS5"))) func aTriggerAndAVirtualTable() throws {
        let searchable = Version(3) {
            CreateView("anonymous", as: "SELECT title FROM books WHERE authorID IS NULL")
            Execute("""
                CREATE VIRTUAL TABLE titles USING fts5(title, content='books');
                INSERT INTO titles(titles) VALUES('rebuild');
                """)
            CreateTrigger("titles_insert", """
                AFTER INSERT ON books BEGIN
                    INSERT INTO titles(rowid, title) VALUES(new.rowid, new.title);
                END
                """)
        }
        let connection = try Self.oldFile()
        try Schema("library") { for version in Library.history.versions { version }; searchable }.migrate(connection)
        try connection.run("INSERT INTO books(title) VALUES('Small Gods')")
        #expect(try connection.query("SELECT title FROM titles WHERE titles MATCH 'mort OR gods'") == ["Mort", "Small Gods"])
        #expect(try connection.query("SELECT title FROM anonymous ORDER BY title") == ["Anon", "Small Gods"])
    }

    @Test func whiteSpaceIsAnEdit() throws {
        let connection = try Connection(":memory:")
        try Schema("notes") { Version(1) { Execute("CREATE TABLE notes(id)") } }.migrate(connection)
        let spaced = Schema("notes") { Version(1) { Execute("CREATE TABLE  notes(id)") } }
        #expect(throws: SchemaError.editedVersions([1])) { try spaced.migrate(connection) }
        #expect(try spaced.migrate(connection, options: .ignoreEdits) == false)
    }

    @Test func errors() throws {
        let connection = try Self.oldFile()
        try Library.history.migrate(connection)
        let (first, second) = (Library.history.versions[0], Library.history.versions[1])
        #expect(throws: SchemaError.newerFile(version: 2, latest: 1)) { try Schema("library") { first }.migrate(connection) }
        #expect(throws: SchemaError.unreachableVersion(1, from: 2)) { try Library.history.migrate(connection, to: 1) }
        #expect(throws: SchemaError.insideTransaction) { try connection.transaction { _ = try Library.history.migrate(connection) } }
        let third = Schema("library") { first; second; Version(3) { AlterTable("books") { AddColumn("pages", Int.self) } } }
        #expect(throws: SchemaError.self) { try third.migrate(connection) }
        #expect(try connection.userVersion == 2)
        let orphans = Schema("library") { first; second; Version(3) { Execute("DELETE FROM authors"); AlterTable("books") { ChangeColumn("title", dropping: .default) } } }
        do {
            try orphans.migrate(connection)
            Issue.record("no error")
        } catch SchemaError.foreignKeysViolated(let violations, let table, let parent) {
            #expect(violations.count == 2 && table == "books" && parent == "authors")
        }
        let view = Schema("library") {
            first; second
            Version(3) { CreateView("titles", as: "SELECT title FROM books") }
            Version(4) { AlterTable("books") { DropColumn("title") } }
        }
        #expect(throws: SchemaError.self) { try view.migrate(connection) }
        #expect(try connection.userVersion == 3)
        let gap = Schema("gap") { Version(1) { Execute("CREATE TABLE a(x)") }; Version(3) { Execute("CREATE TABLE b(x)") } }
        let other = try Connection(":memory:")
        try gap.migrate(other)
        let merged = Schema("gap") { gap.versions[0]; Version(2) { Execute("CREATE TABLE c(x)") }; gap.versions[1] }
        #expect(throws: SchemaError.skippedVersions([2])) { try merged.migrate(other) }
        #expect(try merged.migrate(other, options: .runSkippedVersions))
        let late = Schema("gap") { Version(2) { Execute("") }; Version(4) { Execute("CREATE TABLE d(x)") } }
        #expect(throws: SchemaError.unknownVersion(3)) { try late.migrate(other) }
        try other.execute("CREATE TABLE mine(x)")
        try merged.migrate(other, to: 0)
        #expect(try other.query("SELECT count(*) FROM sqlite_schema") == 0)
    }

    /// Checks the tables of steps.
    @Test func steps() throws {
        let connection = try Self.oldFile()
        let (first, second) = (Library.history.versions[0], Library.history.versions[1])
        let steps = Schema("library") {
            first; second
            Version(3) {
                CreateView("titles", as: "SELECT title FROM books")
                CreateTable("marks") { ColumnDef("id", Int64.self, .primaryKey(autoincrement: true)); ColumnDef("a", Int?.self); ColumnDef("b", Int?.self) }
                Execute("INSERT INTO marks VALUES(7, 1, 2); DELETE FROM marks; INSERT INTO marks VALUES(3, 1, 2)")
                CreateTrigger("added", "AFTER INSERT ON marks BEGIN UPDATE books SET authorID = authorID; END")
            }
            Version(4) {
                DropView("titles")
                AlterTable("books") { DropColumn("title"); AddColumn("n", Int.self, .default(0)); RenameColumn("n", to: "number") }
                AlterTable("marks") {
                    AddConstraint(.check("a < b"), named: "order")
                    ChangeColumn("a", to: Int.self, .check("a > 0"))
                    ChangeOptions(strict: true)
                }
            }
            Version(5) {
                AlterTable("marks") { DropConstraint(named: "order"); ChangeColumn("a", dropping: [.default, .checks]) }
            }
        }
        try steps.migrate(connection)
        try connection.run("INSERT INTO marks(a, b) VALUES(-1, -2)")
        #expect(try connection.query("SELECT id FROM marks") as [Int] == [3, 8])
        #expect(try connection.query("SELECT number FROM books") as [Int] == [0, 0, 0])
        #expect(try connection.query("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'") == 1)
        #expect(try connection.query("SELECT count(*) FROM sqlite_schema WHERE name = 'books_title'") == 0)
        try Schema("other") { Version(1) { Execute("CREATE TABLE other(x)") } }.migrate(connection)
        #expect(throws: SchemaError.sharedFile(with: ["other"])) { try steps.migrate(connection, to: 0) }
    }

    @Test func existingFiles() throws {
        let connection = try Connection(":memory:")
        try connection.execute("CREATE TABLE books(id INTEGER PRIMARY KEY, title TEXT, author TEXT); CREATE INDEX books_title ON books(title)")
        if try connection.userVersion == 0 && connection.tableInfo("books") != nil {
            try connection.setUserVersion(1)            // the tables of version 1 are there
        }
        try Library.history.migrate(connection)         // begins with version 2
        #expect(try connection.userVersion == 2)

        try connection.execute("CREATE TABLE readers(id INTEGER PRIMARY KEY, name TEXT, card TEXT); INSERT INTO readers VALUES(1, 'Ada', '9')")
        let plan = try connection.plan(toMatch: Reader.table)
        print(plan)             // AlterTable("readers") { … }
        print(plan.losses)      // [1 value of "readers"."card"]
        try plan.apply(allowing: .columns)
        #expect("\(plan.losses)" == #"[1 value of "readers"."card"]"# && "\(plan)".hasPrefix(#"AlterTable("readers") {"#))
        #expect(try connection.all(Reader.self).map(\.name) == ["Ada"])
        try connection.execute("ALTER TABLE readers ADD COLUMN card")
        try connection.execute("UPDATE readers SET card = 1")
        #expect(throws: SchemaError.self) { try connection.plan(toMatch: Reader.table).apply() }
    }
}
