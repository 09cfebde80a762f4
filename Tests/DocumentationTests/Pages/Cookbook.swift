// swift-format-ignore-file
import Foundation
import Squall
import SquallSearch
import SquallTestSupport
import Testing

/// The `swift` blocks of the page "Cookbook".
private enum Library {
    struct Author: TableRecord {
        let id: Int64?
        let name: String

        static let table = Table("authors", Author.init) {
            Column("id", \Author.id, .primaryKey)
            Column("name", \Author.name)
        }
    }

    struct Book: TableRecord {
        let id: Int64?
        let isbn: String
        let title: String
        let author: Int64?
        let cents: Int
        let copies: Int
        let added: Date

        static let author = Relation(\Book.author, to: \Author.id)
        static let table = Table(
            "books", Book.init, .foreignKey(author, onDelete: .cascade)
        ) {
            Column("id", \Book.id, .primaryKey)
            Column("isbn", \Book.isbn, .unique)
            Column("title", \Book.title)
            Column("author", \Book.author)
            Column("cents", \Book.cents)
            Column("copies", \Book.copies, .default(1))
            Column("added", \Book.added)
        }
    }

    static func connection() throws -> Connection {
        let connection = try Connection(":memory:")
        try connection.create(Author.table)
        try connection.create(Book.table)
        try connection.insert(contentsOf: [Author(id: 1, name: "Le Guin"), Author(id: 2, name: "Pratchett"), Author(id: 3, name: "Lem")])
        try connection.insert(contentsOf: books)
        return connection
    }

    static let books = [
        Book(id: 1, isbn: "1", title: "The Dispossessed", author: 1, cents: 1200, copies: 2, added: Date(timeIntervalSince1970: 1_700_000_000)),
        Book(id: 2, isbn: "2", title: "Mort", author: 2, cents: 800, copies: 1, added: Date(timeIntervalSince1970: 1_750_000_000)),
        Book(id: 3, isbn: "3", title: "Small Gods", author: 2, cents: 900, copies: 0, added: Date(timeIntervalSince1970: 1_760_000_000)),
    ]

    enum Status: String, Binding {
        case lent, shelved, lost
    }

    struct Copy: TableRecord {
        let id: UUID
        let status: Status
        let isDamaged: Bool
        let tags: [String]
        let due: Date?

        static let table = Table("copies", Copy.init) {
            Column("id", \Copy.id, .primaryKey)             // BLOB of 16 bytes
            Column("status", \Copy.status)                  // TEXT: 'lent'
            Column("is_damaged", \Copy.isDamaged)           // INTEGER: 0 or 1
            Column("tags", \Copy.tags, as: .json)           // TEXT: '["gift"]'
            Column("due", \Copy.due, as: .unixTime)         // REAL: seconds since 1970
        }
    }
}

private typealias Author = Library.Author
private typealias Book = Library.Book
private typealias Status = Library.Status
private typealias Copy = Library.Copy

/// Records the SQL that a closure runs.
private func statements(_ connection: Connection, _ body: () throws -> Void) rethrows -> [String] {
    var texts: [String] = []
    let token = connection.addProfileObserver { texts.append($0.sql) }
    defer { token.cancel() }
    try body()
    return texts
}

struct CookbookSnippets {
    @Test func opening() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            #expect(FileManager.default.changeCurrentDirectoryPath(directory.path))
            try await CookbookSnippets.open()
        }
    }

    static func open() async throws {
        let database = try Database("app.db")               // created if it does not exist
        try await database.write { connection in
            try connection.create(Author.table, ifNotExists: true)
            try connection.create(Book.table, ifNotExists: true)
        }
        let titles = try await database.read { try $0.all(Book.select { $0.title }) }
        #expect(titles.isEmpty)
        let memory = try Connection(":memory:")             // one connection
        let temporary = try Database.temporary()            // a file that is removed with it
        #expect(try memory.query("SELECT 1") == 1)
        #expect(try await temporary.read { try $0.query("SELECT 1") } == 1)
        let reports = try Database("app.db", mode: .readOnly)
        let archive = try Database("archive.db", mode: .createNew)     // throws if it exists
        try await archive.close()
        try await reports.close()
        try await database.writeWithoutTransaction { connection in
            let old = StorageLocation.onDisk("archive.db")
            try connection.attachDatabase(from: old, withName: "archive")
            try connection.execute("CREATE TABLE archive.books AS SELECT * FROM main.books")
        }
        #expect(try Connection("archive.db").count("books") == 0)
        for try await progress in database.backup(to: "copy.db") {
            print(progress.fractionCompleted)
        }
        let count = try await database.read(deadline: .seconds(10)) {
            try $0.count(Book.self)
        }
        #expect(count == 0)
        try await database.write { connection in
            for _ in 0..<4 { try connection.insert(Author(id: nil, name: "Lem")) }
        }
        for try await authors in database.observe({ try $0.all(Author.self) }) {
            print(authors.count)                            // now, and after each change
            if authors.count > 3 { break }
        }
    }

    @Test func inserting() throws {
        let connection = try Library.connection()
        var id: Int64 = 0
        let sql = try statements(connection) {
            let newID = try connection.insert(Author(id: nil, name: "Tove Jansson"))    // 4
            id = newID
        }
        #expect(id == 4)
        #expect(sql == [#"INSERT INTO "authors"("id", "name") VALUES(?, ?)"#])
        let books = [
            Book(id: nil, isbn: "4", title: "Solaris", author: 3, cents: 1000, copies: 1, added: Date()),
            Book(id: nil, isbn: "5", title: "Fiasco", author: 3, cents: 1000, copies: 1, added: Date()),
        ]
        try connection.insert(contentsOf: books)            // all or none
        let book = Book(id: nil, isbn: "5", title: "Fiasco!", author: 3, cents: 1100, copies: 2, added: Date())
        let upsert = try statements(connection) {
            try connection.upsert(book, onConflict: \.isbn)
        }
        #expect(upsert[0].contains(#"ON CONFLICT("isbn") DO UPDATE SET "title" = excluded."title""#), "\(upsert)")
        #expect(try connection.first(Book.self) { $0.isbn == "5" }?.title == "Fiasco!")
        try connection.upsert(book, onConflict: \.isbn) {
            $0.copies.set(to: $0.copies + $0.excluded.copies)
        }
        #expect(try connection.first(Book.self) { $0.isbn == "5" }?.copies == 4)
        let ignored = try statements(connection) {
            let inserted = try connection.insert(book, orIgnore: true)      // nil: it was there
            #expect(inserted == nil)
        }
        #expect(ignored[0].hasPrefix("INSERT OR IGNORE INTO \"books\""))
        let rows = [("9", "Nine"), ("10", "Ten")]
        let now = Date()
        let insert = try connection.prepare("""
            INSERT INTO books(isbn, title, cents, added) VALUES(?, ?, 0, ?)
            """)
        for (isbn, title) in rows {
            try insert.bind(isbn, title, now).run()
        }
        print(connection.lastInsertRowID)
        #expect(connection.lastInsertRowID == 7)
    }

    @Test func changing() throws {
        let connection = try Library.connection()
        let texts = try statements(connection) {
            let changed = try connection.update(Book.self) {
                $0.copies.set(to: $0.copies - 1)
            } where: {
                $0.id == 1 && $0.copies > 0
            }
            #expect(changed == 1)
        }
        #expect(texts == [#"UPDATE "books" SET "copies" = "books"."copies" - ? WHERE "books"."id" = ? AND "books"."copies" > ?"#], "\(texts)")
        let book = try #require(try connection.find(Book.self, 2))
        let cheap = Book(id: 2, isbn: "2", title: "Mort", author: 2, cents: 500, copies: 9, added: book.added)
        let some = try statements(connection) {
            try connection.update(cheap, \.cents)
        }
        #expect(some == [#"UPDATE "books" SET "cents" = ? WHERE "books"."id" = ?"#])
        let found = try #require(try connection.find(Book.self, 2))
        #expect(found.cents == 500 && found.copies == 1)
        let cutoff = Date(timeIntervalSince1970: 1_710_000_000)
        let deleted = try connection.delete(Book.self) { $0.added < cutoff }    // 1
        #expect(deleted == 1)
        try connection.transaction {
            try connection.update(Book.self) { $0.copies.set(to: 0) } where: { $0.id == 2 }
            try connection.update(Book.self) { $0.copies.set(to: 1) } where: { $0.id == 3 }
        }
        #expect(try connection.find(Book.self, 3)?.copies == 1)
        try connection.delete(Author.self) { $0.id == 2 }
        #expect(try connection.count(Book.self) == 0)
    }

    @Test func changingWhatOthersMayHaveChanged() throws {
        let connection = try Library.connection()
        guard let shown = try connection.find(Book.self, 3) else { return }
        let written = try connection.update(Book.self) { $0.copies.set(to: 2) } where: {
            $0.id == 3 && $0.copies == shown.copies
        }
        #expect(written == 1)
        let late = try connection.update(Book.self) { $0.copies.set(to: 3) } where: { $0.id == 3 && $0.copies == shown.copies }
        #expect(late == 0)
        let texts = try statements(connection) {
            try connection.delete(Book.self) { _ in "TRUE" }
        }
        #expect(texts == [#"DELETE FROM "books" WHERE TRUE"#])
    }

    @Test func theSQLThatIsShown() throws {
        let connection = try Library.connection()
        var texts: [String] = []
        connection.addProfileObserver { texts.append($0.expandedSQL) }
        let cutoff = Date(timeIntervalSince1970: 1_710_000_000)
        let query = Book.order { ($0.title, $0.id) }
        let page = try connection.page(query, size: 2)
        _ = try connection.page(query, after: page.next, size: 2)
        #expect(texts.last?.hasSuffix(#"WHERE ("books"."title", "books"."id") > ('Small Gods', 3) ORDER BY "books"."title" ASC, "books"."id" ASC LIMIT 3"#) == true, "\(texts)")
        _ = try connection.all(Book.where { $0.cents < 1000 && $0.copies > 0 }.order { $0.title }.limit(20))
        #expect(texts.last?.hasSuffix(#"FROM "books" WHERE "books"."cents" < 1000 AND "books"."copies" > 0 ORDER BY "books"."title" ASC LIMIT 20"#) == true, "\(texts)")
        _ = try connection.all(Book.self) { $0.id.in([1, 3]) }
        #expect(texts.last?.hasSuffix(#"WHERE "books"."id" IN (1, 3)"#) == true, "\(texts)")
        _ = try connection.all(
            Author.join(Book.self) { $0.id == $1.author }.group { author, _ in author.id }.select { ($0.name, $1.cents.sum()) })
        #expect(texts.last == #"SELECT "authors"."name", sum("books"."cents") FROM "authors" JOIN "books" ON "authors"."id" = "books"."author" GROUP BY "authors"."id""#, "\(texts)")
        _ = try connection.all(Book.self) { $0.added.year == 2025 && $0.added.month > 8 }
        #expect(texts.last?.contains(#"CAST(strftime('%Y', "books"."added") AS INTEGER) = 2025 AND CAST(strftime('%m', "books"."added") AS INTEGER) > 8"#) == true, "\(texts)")
        try connection.insert(Author(id: nil, name: "Tove Jansson"))
        #expect(texts.last == #"INSERT INTO "authors"("id", "name") VALUES(NULL, 'Tove Jansson')"#)
        try connection.delete(Book.self) { $0.added < cutoff }
        #expect(texts.last == #"DELETE FROM "books" WHERE "books"."added" < '2024-03-09T16:00:00.000'"#)
        try connection.upsert(Library.books[1], onConflict: \.isbn) { $0.copies.set(to: $0.copies + $0.excluded.copies) }
        #expect(texts.last?.hasSuffix(#"ON CONFLICT("isbn") DO UPDATE SET "copies" = "books"."copies" + "excluded"."copies""#) == true, "\(texts)")
        texts = []
        _ = try connection.all(Author.self, including: Book.author.inverse())
        let related = texts.filter { $0.hasPrefix("SELECT") }
        #expect(related.count == 2 && related[0] == #"SELECT "authors"."id", "authors"."name" FROM "authors""#, "\(texts)")
        #expect(related[1].hasSuffix(#"FROM "books" WHERE "books"."author" IN (1, 2, 3, 4)"#), "\(texts)")
        _ = try connection.find(Book.self, 2)
        #expect(texts.last?.hasSuffix(#"FROM "books" WHERE "books"."id" = 2"#) == true, "\(texts)")
        _ = try connection.first(Book.self) { $0.isbn == "2" }
        #expect(texts.last?.hasSuffix(#"FROM "books" WHERE "books"."isbn" = '2' LIMIT 1"#) == true, "\(texts)")
        _ = try connection.all(Book.select { $0.title })
        #expect(texts.last == #"SELECT "books"."title" FROM "books""#)
        _ = try connection.sum(\Book.copies)
        #expect(texts.last == #"SELECT sum("books"."copies") FROM "books""#)
        _ = try connection.all(Book.order { $0.title }.where { $0.cents >= 850 })
        #expect(texts.last?.hasSuffix(#"FROM "books" WHERE "books"."cents" >= 850 ORDER BY "books"."title" ASC"#) == true, "\(texts)")
        _ = try connection.all(Book.select { $0.author }.distinct())
        #expect(texts.last == #"SELECT DISTINCT "books"."author" FROM "books""#)
        _ = try connection.all(Book.self) { $0.title.collate("NOCASE") == "mort" }
        #expect(texts.last?.hasSuffix(#"FROM "books" WHERE "books"."title" COLLATE "NOCASE" = 'mort'"#) == true, "\(texts)")
        try connection.create(Copy.table)
        _ = try connection.all(Copy.self) { $0.status == .lent && $0.isDamaged.isTrue }
        #expect(texts.last?.hasSuffix(#"WHERE "copies"."status" = 'lent' AND "copies"."is_damaged""#) == true, "\(texts)")
        _ = try connection.count(Book.self)
        #expect(texts.last == #"SELECT count(*) FROM "books""#)
    }

    @Test func reading() throws {
        let connection = try Library.connection()
        let books = try connection.all(
            Book.where { $0.cents < 1000 && $0.copies > 0 }.order { $0.title }.limit(20)
        )
        #expect(books.map(\.title) == ["Mort"])
        let book = try connection.find(Book.self, 2)                        // Book?
        let sameBook = try connection.first(Book.self) { $0.isbn == "2" }   // Book?
        #expect(book?.title == "Mort" && sameBook?.id == 2)
        let names = try connection.all(Book.select { $0.title })            // [String]
        let total = try connection.sum(\Book.copies)                        // Int?
        let count: Int = try connection.query("SELECT count(*) FROM books")
        #expect(names.count == 3 && total == 3 && count == 3)
        let query = Book.order { ($0.title, $0.id) }
        var page = try connection.page(query, size: 2)
        while let next = page.next {
            page = try connection.page(query, after: next, size: 2)
        }
        #expect(page.items.map(\.title) == ["The Dispossessed"])
        let ids: [Int64] = [1, 3]
        let some = try connection.all(Book.self) { $0.id.in(ids) }
        let titles: [String] = try connection.query("""
            SELECT title FROM books WHERE id IN \(in: ids)
            """)
        #expect(some.map(\.title) == titles)
        let (least, author): (Int?, Int64?) = (850, nil)
        var filtered = Book.order { $0.title }
        if let least { filtered = filtered.where { $0.cents >= least } }
        if let author { filtered = filtered.where { $0.author == author } }
        let found = try connection.all(filtered)
        #expect(found.map(\.title) == ["Small Gods", "The Dispossessed"])
        try connection.forEach(Book.self) { book in print(book.title) }

        var cursor = try connection.rows(Book.order { $0.cents })   // a loop that can stop
        while let book = try cursor.next(), book.cents < 1000 { print(book.title) }
        for row in try connection.query("SELECT * FROM books") as [Row] {
            print(row.columns.map { "\($0.name): \($0.bindingValue)" })
        }
    }

    @Test func groups() throws {
        let connection = try Library.connection()
        let texts = try statements(connection) {
            let counts = try connection.all(
                Book.group { $0.author }.select { ($0.author, $0.id.count()) }
            )                                                       // [(Int64?, Int)]
            #expect(counts.map(\.1) == [1, 2])
        }
        #expect(texts == [#"SELECT "books"."author", count("books"."id") FROM "books" GROUP BY "books"."author""#])
        let worth = try connection.all(
            Author.join(Book.self) { $0.id == $1.author }
                .group { author, _ in author.id }
                .select { ($0.name, $1.cents.sum()) }
        )                                                           // [(String, Int?)]
        #expect(worth.map(\.1) == [1200, 1700])
        let newest = try connection.all(Book.self, """
            SELECT * FROM (
                SELECT *, row_number() OVER (PARTITION BY author ORDER BY added DESC) AS n
                FROM books) WHERE n = 1
            """)
        #expect(newest.map(\.title) == ["The Dispossessed", "Small Gods"])
        let authors = try connection.all(Author.self, including: Book.author.inverse())
        for (author, books) in authors { print(author.name, books.map(\.title)) }
        #expect(authors.map(\.1.count) == [1, 2, 0])
        let none = try statements(connection) {
            let idle = try connection.all(
                Author.where { author in !Book.where { $0.author == author.id }.exists }
            )
            #expect(idle.map(\.name) == ["Lem"])
        }
        #expect(none[0].contains(#"WHERE NOT (EXISTS (SELECT 1 FROM "books" WHERE "books"."author" = "authors"."id"))"#), "\(none)")
        let writers = try connection.all(Book.select { $0.author }.distinct())  // [Int64?]
        #expect(writers == [1, 2])
    }

    @Test func values() throws {
        let connection = try Library.connection()
        try connection.create(Copy.table)
        let id = UUID()
        try connection.insert(Copy(id: id, status: .lent, isDamaged: true, tags: ["gift"], due: Date(timeIntervalSince1970: 9_000_000_000)))
        #expect(try connection.query("SELECT typeof(id) || status || is_damaged || tags || typeof(due) FROM copies") == #"bloblent1["gift"]real"#)
        let autumn = try connection.all(Book.self) {
            $0.added.year == 2025 && $0.added.month > 8
        }
        let now = Date()
        let late = try connection.all(Copy.self) { $0.due < now }
        #expect(autumn.map(\.title) == ["Small Gods"] && late.isEmpty)
        let lent = try connection.all(Copy.self) {
            $0.status == .lent && $0.isDamaged.isTrue
        }
        #expect(lent.map(\.id) == [id])
        let tagged = try statements(connection) {
            let gifts = try connection.all(Copy.self) { $0.tags.contains("gift") }
            #expect(gifts.count == 1)
        }
        #expect(tagged[0].contains("EXISTS (SELECT 1 FROM json_each(\"copies\".\"tags\") WHERE value = ?)"), "\(tagged)")
        try connection.execute("CREATE TABLE covers(book INTEGER PRIMARY KEY, image BLOB)")
        let bytes = Data([1, 2, 3])
        try connection.run("INSERT INTO covers(book, image) VALUES(?, ?)", 1, bytes)
        let image: Data? = try connection.query("SELECT image FROM covers WHERE book = 1")
        #expect(image == bytes)
        let worth = try connection.sum(\Book.cents) ?? 0                    // 2900, exactly
        let euros = Decimal(worth) / 100                                    // 29
        #expect(worth == 2900 && euros == 29)
        let input = "mort"
        let texts = try statements(connection) {
            let books = try connection.all(Book.self) { $0.title.collate("NOCASE") == input }
            #expect(books.count == 1)
        }
        #expect(texts[0].contains("\"books\".\"title\" COLLATE NOCASE = ?") || texts[0].contains("COLLATE \"NOCASE\" = ?"), "\(texts)")
    }

    @Test(.enabled(if: SQLiteLibrary.has("ENABLE_FTS5"))) func search() throws {
        let connection = try Library.connection()
        let texts = try statements(connection) {
            let books = try connection.all(Book.self) { $0.title.like("%gods%") }
            #expect(books.map(\.title) == ["Small Gods"])
        }
        #expect(texts[0].hasSuffix("\"books\".\"title\" LIKE ?"), "\(texts)")
        let titles = SearchTable("titles", of: Book.table, columns: \.title)
        try connection.create(titles)
        try connection.insert(Book(id: 7, isbn: "7", title: "Lords and Ladies", author: 2, cents: 1, copies: 1, added: Date()))
        let input = "\"lords lad"
        let pattern = SearchPattern.allWords(input, lastIsPrefix: true)
        let found = try connection.all(titles.search(pattern).order { $0.rank })
        #expect(found.map(\.id) == [7])
        try connection.update(Book.self) { $0.title.set(to: "Maskerade") } where: { $0.id == 7 }
        #expect(try connection.query("SELECT count(*) FROM titles WHERE titles MATCH 'lords'") == 0)
        try connection.integrityCheck(titles)
    }

    @Test func schema() throws {
        let connection = try Connection(":memory:")
        let schema = Schema("library") {
            Version(1) {
                CreateTable("books") {
                    ColumnDef("id", Int64.self, .primaryKey)
                    ColumnDef("title", String?.self)
                    ColumnDef("price", String.self)
                }
            }
        }
        try schema.migrate(connection)                      // also on a Database
        try connection.execute("INSERT INTO books(title, price) VALUES('Mort', '8.00'), (NULL, '9.50')")
        let longer = Schema("library") {
            Version(1) {
                CreateTable("books") {
                    ColumnDef("id", Int64.self, .primaryKey)
                    ColumnDef("title", String?.self)
                    ColumnDef("price", String.self)
                }
            }
            Version(2) {
                AlterTable("books") {
                    AddColumn("language", String.self, .default("en"))
                    ChangeColumn("title", to: String.self, fillingWith: "coalesce(title, '')")
                    ChangeColumn("price", to: Int.self, fillingWith: "round(price * 100)")
                    RenameColumn("price", to: "cents")
                }
            }
            Version(3) {
                CreateIndex("books_title", on: "books", "title")
                Execute("DELETE FROM books WHERE title = ''")
            }
        }
        try longer.migrate(connection)
        #expect(try connection.query("SELECT title, cents, language FROM books", as: (String, Int, String).self).map(\.1) == [800])
        #expect(try connection.tableInfo("books")?.columns.map(\.name) == ["id", "title", "cents", "language"])
    }

    @Test func watching() throws {
        let connection = try Library.connection()
        var lines: [String] = []
        connection.trace { sql in print(sql) }              // with the values in place
        print(Book.where { $0.id == 1 }.sql)                // with ? for the values
        connection.trace { lines.append($0) }
        _ = try connection.count("books", where: "id = \(3)")
        #expect(lines == ["SELECT count(*) FROM \"books\" WHERE id = 3"], "\(lines)")
        connection.trace(nil)
        print(try connection.explainQueryPlan("SELECT * FROM books WHERE title = ?", "Mort"))
        // QUERY PLAN
        // `--SCAN books                                    every row: an index is missing
        #expect(try connection.explainQueryPlan("SELECT * FROM books WHERE title = ?", "Mort").description == "QUERY PLAN\n`--SCAN books")
        let book = Library.books[0]
        do {
            try connection.insert(book)
        } catch ResultCode.constraintUnique, ResultCode.constraintPrimaryKey {
            print("this book is there already")
        } catch let error as SQLiteError {
            print(error)                                    // codes, hint, SQL
        }
        let error = try sqliteError { try connection.insert(Book(id: nil, isbn: "1", title: "", author: nil, cents: 1, copies: 1, added: Date())) }
        #expect(error.extendedResultCode == .constraintUnique)
        struct Line: Codable { let title: String, cents: Int }
        let books: [Line] = try connection.query("SELECT title, cents FROM books")
        let json = try JSONEncoder().encode(books)
        #expect(try JSONDecoder().decode([Line].self, from: json).count == 3)
    }
}
