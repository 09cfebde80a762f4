// swift-format-ignore-file
import Foundation
import Squall
import SquallSearch
import SquallTestSupport
import Testing

/// The `swift` blocks of the page "Coming from GRDB".
@Suite(.timeLimit(.minutes(10)))
struct ComingFromGRDB {
    // The block has relative paths: it runs in a process of its own, in a directory of its own.
    @Test func aProgram() async {
        await #expect(processExitsWith: .success) {
            try await GRDBPage.runProgram()
            try await GRDBPage.runFile()
        }
    }

    @Test func associations() throws {
        let connection = try Connection(":memory:")
        try connection.create(GRDBPage.Author.table)
        try connection.create(GRDBPage.Book.table)
        let ada = try connection.insertReturning(GRDBPage.Author(id: nil, name: "Ada"))
        _ = try connection.insertReturning(GRDBPage.Author(id: nil, name: "Bo"))
        try connection.insert(GRDBPage.Book(id: nil, author: 1, title: "Notes"))
        try GRDBPage.runAssociations(connection, ada)
    }

    @Test func dates() throws {
        let connection = try Connection(":memory:")
        try connection.execute("""
            CREATE TABLE visits(id INTEGER PRIMARY KEY, day DATETIME NOT NULL);
            INSERT INTO visits VALUES(1, '2026-11-22 20:15:00.000')
            """)
        let noon = try #require(bindingDateFormatter.date(from: "2026-11-22T12:00:00.000"))
        let day: Date = try connection.query("SELECT day FROM visits")
        #expect(bindingDateFormatter.string(from: day) == "2026-11-22T20:15:00.000")
        // The trap of the page: a blank sorts before "T".
        #expect(try connection.query("SELECT count(*) FROM visits WHERE day > \(noon)") == 0)
        #expect(try connection.count(GRDBPage.Visit.self) { $0.day > noon } == 1)
        #expect(GRDBPage.Visit.where { $0.day > noon }.sql.debugDescription.hasSuffix(#""visits"."day" > '2026-11-22 12:00:00.000'"#))
        try connection.insert(GRDBPage.Visit(id: nil, day: noon))
        #expect(try connection.query("SELECT day FROM visits ORDER BY day") == ["2026-11-22 12:00:00.000", "2026-11-22 20:15:00.000"])
        #expect(try connection.all(GRDBPage.Visit.self).map(\.day) == [day, noon])
        _ = try sqliteError { try connection.all(GRDBPage.Visit.select { $0.day.year }) }
        try connection.run("UPDATE visits SET day = replace(day, ' ', 'T')")
        #expect(try connection.query("SELECT count(*) FROM visits WHERE day > \(noon)") == 1)
        #expect(try connection.all(GRDBPage.Visit.self).map(\.day) == [day, noon])
    }

    @Test(.enabled(if: SQLiteLibrary.has("ENABLE_FTS5"))) func search() throws {
        let connection = try Connection(":memory:")
        try connection.execute("CREATE TABLE notes(id INTEGER PRIMARY KEY, body TEXT NOT NULL)")
        try connection.execute("CREATE VIRTUAL TABLE notes_fts USING fts5(body, content='notes', content_rowid='id')")
        try connection.execute("""
            CREATE TRIGGER notes_ai AFTER INSERT ON notes BEGIN
                INSERT INTO notes_fts(rowid, body) VALUES (new.id, new.body);
            END
            """)
        try connection.execute("INSERT INTO notes(body) VALUES('fresh milk'), ('an \"odd\" word'), ('milk and honey')")
        #expect(try GRDBPage.search(connection, "milk").map(\.body) == ["fresh milk", "milk and honey"])
        #expect(try GRDBPage.search(connection, "honey milk").map(\.id) == [3])
        #expect(try GRDBPage.search(connection, "\"odd").map(\.id) == [2])
        #expect(try GRDBPage.search(connection, "\"milk").map(\.id) == [1, 3])
        #expect(try GRDBPage.search(connection, "milk NOT").isEmpty)
    }

    /// The forms in the tables of the page.
    @Test func tables() async throws {
        typealias Member = GRDBPage.Member
        let connection = try Connection(":memory:")
        try connection.create(Member.table)
        let players = [Member(id: 1, name: "Ada", nick: nil, team: .red, email: "a@b.org", tags: ["x"]), Member(id: 2, name: "Bo", nick: "B", team: .blue, email: nil, tags: [])]
        try connection.insert(contentsOf: players)
        #expect(try connection.insert(players[0], orIgnore: true) == nil)
        try connection.replace(players[0])
        try connection.update(players[0], \.name)
        try connection.upsert(players[0], onConflict: \.email)
        let ids: [Int64] = [1, 2]
        #expect(try connection.exists(Member.self) { $0.id == 1 })
        #expect(try connection.exists(Member.where { $0.id.in(ids) }))
        #expect(try connection.count(Member.query) == 2)
        #expect(try connection.first(Member.where { $0.id == 1 })?.name == "Ada")
        #expect(try connection.all(Member.order { ($0.team.descending, $0.name) }.limit(10, offset: 0).distinct()).map(\.name) == ["Ada", "Bo"])
        #expect(try connection.all(Member.select { $0.name }) == ["Ada", "Bo"])
        #expect(try connection.all(Member.select { $0.nick.default($0.name) }) == ["Ada", "B"])
        #expect(try connection.all(Member.select { $0.nick.default("") }) == ["", "B"])
        #expect(try connection.count(Member.where { $0.id.between(1, and: 9) && $0.name.like("A%") && $0.nick == nil }) == 1)
        let groups = Member.group { $0.team }.select { ($0.team, $0.id.max()) }.having { $0.id.max() > 1 }
        #expect(try connection.all(groups).map { $0.0 } == [.blue])
        let x = "ada"
        #expect(try connection.count(Member.where { "\($0.name) COLLATE NOCASE = \(x)" }) == 1)
        #expect(try connection.all(Member.self, "SELECT * FROM members WHERE name = \("Bo")").map(\.id) == [2])
        var cursor = try connection.rows("SELECT name FROM members")
        #expect(try cursor.next()?["name"] == "Ada")
        var records = try connection.rows(Member.query)
        #expect(try records.next()?.id == 1)
        let set: Set<String> = try connection.query("SELECT name FROM members WHERE id IN \(in: ids)")
        #expect(set.count == 2)
        let one: Int? = try connection.query("SELECT count(*) FROM members WHERE name = :name", ["name": "Ada"])
        #expect(one == 1)
        try connection.update(Member.self) { $0.name.set(to: $0.name.uppercased()) } where: { $0.id == 1 }
        try connection.addFunction("f") { (x: Double) in x + 1 }
        try connection.addAggregate("total_of", initial: 0) { (sum: inout Int, value: Int) in sum += value } final: { $0 }
        try connection.addCollation("c") { $0.compare($1) }
        #expect(try connection.query("SELECT f(1)") == 2.0)
        #expect(try connection.all(Member.query.named("A%").order { $0.name.collate("c") }).map(\.id) == [1])
        #expect(throws: SQLiteError.self) { try connection.upsert(Member(id: 9, name: "x", nick: nil, team: .red, email: "a@b.org", tags: [])) }
        var copy = players[1]
        copy.nick = "Bob"
        #expect(try connection.update(copy, changedFrom: players[1]) == .updated)
        try connection.insert(contentsOf: (11...13).map { Member(id: $0, name: "y", nick: nil, team: .red, email: nil, tags: []) })
        #expect(try connection.delete(Member.self) { $0.id.in([11]) } == 1)
        #expect(try connection.delete(Member.self) { $0.id.in(Member.where { $0.name == "y" }.order { _ in "random()" }.limit(1).select { $0.id }) } == 1)
        #expect(try connection.delete(Member.self) { $0.name == "y" } == 1)
        #expect(try connection.query("SELECT total_of(id) FROM members") == 3)
        do {
            try connection.insert(players[0])
            Issue.record("the key exists")
        } catch ResultCode.constraintPrimaryKey {
        }
        do {
            try connection.insert(Member(id: 9, name: "", nick: nil, team: .red, email: "a@b.org", tags: []))
            Issue.record("the address exists")
        } catch ResultCode.constraintUnique {
        }
        let history = GRDBPage.history
        #expect(try history.status(of: connection).version == 0)

        let database = try Database.temporary()
        try await database.migrate(history, to: 1)
        _ = database.observe(removingDuplicates: true) { try $0.all(GRDBPage.Player.self) }
        _ = database.changes(in: .table("players"))
        try await database.checkpoint()
        let snapshot = try await database.snapshot()
        #expect(try await snapshot.read { try $0.count(GRDBPage.Player.self) } == 0)
        try await database.writeWithoutTransaction { try $0.savepoint(named: "a") {} }
        let memory = try Database(":memory:")
        #expect(try await memory.read { try $0.query("SELECT 1") as Int } == 1)
        #expect(try nested(database) == 0)
    }

    /// The form of GRDB's `eraseDatabaseOnSchemaChange`.
    @Test func erasing() throws {
        let database = try Database.temporary()
        try GRDBPage.history.migrate(database)
        let history = Schema("game") { Version(1) { CreateTable("teams") { ColumnDef("id", Int64.self, .primaryKey) } } }
        do {
            try history.migrate(database)
            Issue.record("version 1 was edited")
        } catch SchemaError.editedVersions {
            try history.migrate(database, to: 0)
            try history.migrate(database)
        }
        #expect(try database.blocking.read { try $0.tableNames() }.contains("teams"))
        #expect(try !database.blocking.read { try $0.tableNames() }.contains("players"))
    }

    private func nested(_ database: Database) throws -> Int {
        try database.blocking.write { _ in try database.blocking.read { try $0.count(GRDBPage.Player.self) } }
    }

    @Test func traps() throws {
        let connection = try Connection(":memory:")
        #expect(try connection.query("PRAGMA foreign_keys") == 1)
        #expect(try Connection().query("PRAGMA foreign_keys") == 0)
        try connection.create(GRDBPage.Player.table)
        let missing = GRDBPage.Player(id: 7, name: "x", score: 0)
        #expect(try !connection.update(missing))
        #expect(try connection.find(GRDBPage.Player.self, 7) == nil)
        #expect(try connection.update(missing, changedFrom: GRDBPage.Player(id: 7, name: "x", score: 1)) == .missing)
        #expect(try !connection.delete(missing))
        let error = try sqliteError { try connection.upsert(GRDBPage.Player(id: nil, name: "x", score: 0)) }
        #expect(error.code == 21)
        #expect(throws: ConversionError.self) { try connection.query("SELECT 'abc'") as Int }
        #expect(try connection.query("SELECT 1.0") == 1)
        #expect(throws: ConversionError.self) { try connection.query("SELECT 5") as String }
        #expect(throws: ConversionError.self) { try connection.query("SELECT 5") as Date }
        #expect(try connection.query("SELECT 5") as Decimal == 5)
        #expect(try connection.query("SELECT NULL UNION ALL SELECT 1") as [Int] == [1])
        try connection.insert(missing)
        try connection.upsert(GRDBPage.Player(id: 7, name: "y", score: 1))
        #expect(try connection.all(GRDBPage.Player.self).map(\.name) == ["y"])
        #expect(try connection.delete(GRDBPage.Player.self) { _ in "TRUE" } == 1)
        // A Codable inside JSON: GRDB's dates are milliseconds.
        struct Note: Codable { let day: Date }
        #expect(throws: ConversionError.self) { try connection.query("SELECT '{\"day\":0}'") as JSONBinding<Note> }
        let note: JSONBinding<Note> = try connection.query("SELECT json_object('day', '1970-01-01T00:00:00.000')")
        #expect(note.value.day == Date(timeIntervalSince1970: 0))
    }

    @Test func plan() throws {
        let connection = try Connection(":memory:")
        try connection.execute("""
            CREATE TABLE "drafts" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "day" DATETIME NOT NULL, "isDone" BOOLEAN NOT NULL, "size" DOUBLE NOT NULL);
            INSERT INTO drafts VALUES(1, '2026-11-22 20:15:00.000', 1, 2)
            """)
        let plan = try connection.plan(toMatch: GRDBPage.Draft.table)
        #expect(plan.description.contains(#"ChangeColumn("day", sql: "TEXT NOT NULL")"#))
        #expect(plan.description.contains(#"ChangeColumn("isDone", sql: "INTEGER NOT NULL")"#))
        #expect(plan.description.contains(#"ChangeColumn("size", sql: "REAL NOT NULL")"#))
        #expect(plan.losses.isEmpty)
        #expect(try connection.all(GRDBPage.Draft.self).map(\.isDone) == [true])
    }

    @Test func collations() throws {
        let connection = try Connection(":memory:")
        let other = try Connection(":memory:")
        try GRDBPage.addCollation(other)
        try other.execute("""
            CREATE TABLE names(name TEXT COLLATE swiftLocalizedCaseInsensitiveCompare);
            INSERT INTO names VALUES('b'), ('A')
            """)
        try connection.deserialize(other.serialize())
        let error = try sqliteError { try connection.query("SELECT name FROM names ORDER BY name") as [String] }
        #expect(error.message == "no such collation sequence: swiftLocalizedCaseInsensitiveCompare")
        try GRDBPage.addCollation(connection)
        #expect(try connection.query("SELECT name FROM names ORDER BY name") == ["A", "b"])
    }

    @Test func journalMode() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("old.db")
        try Connection(storageLocation: .onDisk(path)).execute("CREATE TABLE a(x PRIMARY KEY); CREATE TABLE b(a REFERENCES a(x)); INSERT INTO b VALUES(1)")
        var configuration = Configuration.recommended
        configuration.journalMode = nil
        #expect(try Connection(path, configuration: configuration).query("PRAGMA journal_mode") == "delete")
        let connection = try Connection(path)
        #expect(try connection.query("PRAGMA journal_mode") == "wal")
        #expect(try connection.foreignKeyCheck().count == 1)
        #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO b VALUES(2)") }
        connection.close()
        #expect(try Connection(storageLocation: .onDisk(path)).query("PRAGMA journal_mode") == "wal")
    }

    @Test func observation() async throws {
        let database = try Database.temporary()
        try await database.write { try $0.create(GRDBPage.Player.table) }
        for try await players in database.observe({ try $0.all(GRDBPage.Player.self) }) {
            #expect(players.isEmpty)
            break
        }
    }
}

extension Query<Columns<GRDBPage.Member>> {
    fileprivate func named(_ pattern: String) -> Self { self.where { $0.name.like(pattern) } }
}

extension StorageForm where Value == Date {
    static var spaced: Self {
        Self("spaced", type: "DATETIME") { date in
            let text = bindingDateFormatter.string(from: date)
            return .text(text.replacing("T", with: " "))
        } decode: { value in
            Date.fromSQLiteValue(value)
        }
    }
}

enum GRDBPage {
    struct Player: TableRecord, Equatable {
        var id: Int64?
        var name: String
        var score: Int

        static let table = Table("players", Player.init) {
            Column("id", \Player.id, .primaryKey(autoincrement: true))
            Column("name", \Player.name)
            Column("score", \Player.score)
        }
    }

    static let history = Schema("game") {
        Version(1) {
            CreateTable("players") {
                ColumnDef("id", Int64.self, .primaryKey(autoincrement: true))
                ColumnDef("name", String.self)
                ColumnDef("score", Int.self)
            }
        }
    }

    static func runProgram() async throws {
        let directory = try TemporaryDirectory()
        #expect(FileManager.default.changeCurrentDirectoryPath(directory.path))

        let database = try Database("game.db")
        try await database.migrate(history)

        var player = try await database.write {
            try $0.insertReturning(Player(id: nil, name: "Ada", score: 10))
        }
        player.score += 1
        try await database.write { [player] in try $0.update(player) }

        let best = try await database.read {
            try $0.all(Player.where { $0.score > 5 }.order { $0.score.descending }.limit(9))
        }
        // SELECT … WHERE "players"."score" > 5 ORDER BY "players"."score" DESC LIMIT 9

        for try await players in database.observe({ try $0.all(Player.self) }) {
            print(players.map(\.name))          // ["Ada"], and again after each change
            break
        }
        #expect(best == [Player(id: 1, name: "Ada", score: 11)])
        #expect(Player.where { $0.score > 5 }.order { $0.score.descending }.limit(9).sql.debugDescription
            .hasSuffix(#"WHERE "players"."score" > 5 ORDER BY "players"."score" DESC LIMIT 9"#))
        #expect(try history.drift(from: Player.table).isEmpty)
    }

    struct Author: TableRecord {
        let id: Int64?
        let name: String

        static let books = Book.author.inverse()                // [Book]
        static let table = Table("authors", Author.init) {
            Column("id", \Author.id, .primaryKey)
            Column("name", \Author.name)
        }
    }

    struct Book: TableRecord {
        let id: Int64?
        let author: Int64
        let title: String

        static let author = Relation(\Book.author, to: \Author.id)          // Author?
        static let table = Table("books", Book.init, .foreignKey(author)) {
            Column("id", \Book.id, .primaryKey)
            Column("author", \Book.author)
            Column("title", \Book.title)
        }
    }

    static func runAssociations(_ connection: Connection, _ ada: Author) throws {
        let books = try connection.all(Author.books, of: ada)               // [Book]
        let all = try connection.all(Author.self, including: Author.books)
        // [(Author, [Book])], two queries
        let withAuthors = try connection.all(Book.join(Book.author))    // [(Book, Author)]
        let counts = Author.select { author in
            (author.record, Book.where { $0.author == author.id }.count)
        }
        // SELECT …, (SELECT count(*) FROM "books" WHERE …) FROM "authors"
        let rows = try connection.all(counts)                           // [(Author, Int)]
        #expect(books.map(\.title) == ["Notes"])
        #expect(all.map { $0.1.count } == [1, 0])
        #expect(withAuthors.map { $0.1.name } == ["Ada"])
        #expect(rows.map { $0.1 } == [1, 0])
        #expect(counts.sql.debugDescription.contains(#"(SELECT count(*) FROM "books" WHERE "books"."author" = "authors"."id") FROM "authors""#))
        let optional = try connection.all(Book.leftJoin(Author.self) { $0.author == $1.id })
        #expect(optional.map { $0.1?.name } == ["Ada"])
        let only = try connection.all(Book.join(Book.author).select { book, _ in book.record })
        #expect(only.map(\.title) == ["Notes"])
    }

    struct Visit: TableRecord {
        let id: Int64?
        let day: Date

        static let table = Table("visits", Visit.init) {
            Column("id", \Visit.id, .primaryKey)
            Column("day", \Visit.day, as: .spaced)
        }
    }

    struct Note: Decodable { let id: Int64; let body: String }

    static func search(_ connection: Connection, _ input: String) throws -> [Note] {
        let pattern = SearchPattern.allWords(input)
        let notes: [Note] = try connection.query("""
            SELECT notes.* FROM notes JOIN notes_fts ON notes_fts.rowid = notes.id
            WHERE notes_fts MATCH \(pattern) ORDER BY rank
            """)
        return notes.sorted { $0.id < $1.id }
    }

    static func addCollation(_ connection: Connection) throws {
        try connection.addCollation("swiftLocalizedCaseInsensitiveCompare") {
            $0.localizedCaseInsensitiveCompare($1)
        }
    }

    enum Team: String, Binding { case red, blue }

    struct Member: TableRecord {
        let id: Int64
        let name: String
        var nick: String?
        let team: Team
        let email: String?
        let tags: [String]

        static let table = Table("members", Member.init) {
            Column("id", \Member.id, .primaryKey)
            Column("name", \Member.name)
            Column("nick", \Member.nick)
            Column("team", \Member.team)
            Column("email", \Member.email, .unique)
            Column("tags", \Member.tags, as: .json)
        }
    }

    struct Draft: TableRecord {
        let id: Int64?
        let day: Date
        let isDone: Bool
        let size: Double

        static let table = Table("drafts", Draft.init) {
            Column("id", \Draft.id, .primaryKey)
            Column("day", \Draft.day)
            Column("isDone", \Draft.isDone)
            Column("size", \Draft.size)
        }
    }

    static func runFile() async throws {
        let directory = try TemporaryDirectory()
        #expect(FileManager.default.changeCurrentDirectoryPath(directory.path))
        try Connection("old.db").execute("""
            CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
            INSERT INTO grdb_migrations VALUES('players');
            CREATE TABLE "players" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "name" TEXT NOT NULL, "score" INTEGER NOT NULL);
            INSERT INTO players VALUES(1, 'Ada', 10);
            """)
        let history = Schema("game") {
            Version(1) {
                CreateTable("players") {
                    ColumnDef("id", Int64.self, .primaryKey(autoincrement: true))
                    ColumnDef("name", String.self)
                    ColumnDef("score", Int.self)
                }
            }
            Version(2) {
                AlterTable("players") { AddColumn("team", String?.self) }
            }
        }
        let database = try Database("old.db", mode: .existing)
        try await database.write { connection in
            let tables = try connection.tableNames()
            guard tables.contains("grdb_migrations"), !tables.contains("squall_versions")
            else { return }
            let done: [String] = try connection.query(
                "SELECT identifier FROM grdb_migrations")
            guard done.contains("players") else { throw NotMigrated() }
            try connection.setUserVersion(1)            // what version 1 creates is there
        }
        try await database.migrate(history)             // runs version 2 and those after it
        let status = try await database.read { try history.status(of: $0) }
        #expect(status.version == 2 && status.isUpToDate)
        let rows = try await database.read { try $0.query("SELECT name, team FROM players", as: (String, String?).self) }
        #expect(rows.map { $0.0 } == ["Ada"])
        try await database.migrate(history)
    }

    struct NotMigrated: Error {}
}
