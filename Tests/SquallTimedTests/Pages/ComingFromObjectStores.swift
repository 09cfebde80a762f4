// swift-format-ignore-file
import Foundation
import Squall
import Testing

/// The `swift` blocks of the page "Coming from Core Data, SwiftData and Realm".
@Suite(.timeLimit(.minutes(10)))
struct ComingFromObjectStores {
    @Test @MainActor func aProgram() async throws {
        let database = try Database.temporary()
        try await database.migrate(ObjectStorePage.history)
        let library = ObjectStorePage.Library(database)
        try await ObjectStorePage.write(database)
        let query = ObjectStorePage.query
        let page = try await database.read { try $0.all(query) }
        #expect(page.map(\.title) == ["Notes"])
        while library.books.value?.count != 1 { await Task.yield() }
        try await ObjectStorePage.read(database)
        #expect(try ObjectStorePage.history.drift(from: ObjectStorePage.Author.table, ObjectStorePage.Book.table).isEmpty)
    }

    @Test func moving() async throws {
        let database = try Database.temporary()
        try await database.migrate(ObjectStorePage.history)
        let old = [ObjectStorePage.OldAuthor(name: "Ada", books: ["Notes", "Letters"]), ObjectStorePage.OldAuthor(name: "Bo", books: [])]
        try await ObjectStorePage.move(old, to: database)
        let counts = try await database.read {
            try $0.query("SELECT (SELECT count(*) FROM authors), (SELECT count(*) FROM books)", as: (Int, Int).self)
        }
        #expect(counts.map { [$0.0, $0.1] } == [[2, 2]])
        // A second run finds the marker and does nothing.
        try await ObjectStorePage.move(old, to: database)
        let number = try await database.read { try $0.count(ObjectStorePage.Author.self) }
        #expect(number == 2)
    }

    @Test func differences() async throws {
        let database = try Database.temporary()
        try await database.migrate(ObjectStorePage.history)
        try await database.write { try $0.insert(ObjectStorePage.Author(id: 1, name: "Ada")) }
        let seconds = Date(timeIntervalSinceReferenceDate: 0)
        // A record is a copy.
        var ada = try #require(try await database.read { try $0.find(ObjectStorePage.Author.self, 1) })
        ada.name = "Ada L."
        let stored = try await database.read { try $0.find(ObjectStorePage.Author.self, 1)?.name }
        #expect(stored == "Ada")
        // A foreign key.
        let error = await #expect(throws: SQLiteError.self) {
            try await database.write { try $0.insert(ObjectStorePage.Book(id: nil, author: 9, title: "x", added: .now)) }
        }
        #expect(error?.extendedResultCode == .constraintForeignKey)
        try await database.write { [ada] in try $0.update(ada) }
        try await database.write { connection in
            try connection.insert(ObjectStorePage.Book(id: nil, author: 1, title: "x", added: .now))
            // These write one column.
            var book = try #require(try connection.find(ObjectStorePage.Book.self, 1))
            (book.title, book.added) = ("y", seconds)
            try connection.update(book, \.title)
            #expect(try connection.count(ObjectStorePage.Book.self) { $0.title == "y" && $0.added != seconds } == 1)
            try connection.upsert(into: "authors", ["id": 1, "name": "Ada K."], onConflict: "id")
            #expect(try connection.count(ObjectStorePage.Book.self) == 1)
            try connection.delete(ObjectStorePage.Author.self) { $0.id == 1 }
        }
        // The foreign key deletes the books.
        let books = try await database.read { try $0.count(ObjectStorePage.Book.self) }
        #expect(books == 0)
        #expect(bindingDateFormatter.string(from: seconds) == "2001-01-01T00:00:00.000")
    }
}

private enum ObjectStorePage {
    struct Author: TableRecord {
        let id: Int64?
        var name: String

        static let books = Book.author.inverse()                // [Book]
        static let table = Table("authors", Author.init) {
            Column("id", \Author.id, .primaryKey)
            Column("name", \Author.name)
        }
    }

    struct Book: TableRecord {
        let id: Int64?
        let author: Int64
        var title: String
        var added: Date

        static let author = Relation(\Book.author, to: \Author.id)
        static let table = Table(
            "books", Book.init, .foreignKey(author, onDelete: .cascade)
        ) {
            Column("id", \Book.id, .primaryKey)
            Column("author", \Book.author)
            Column("title", \Book.title)
            Column("added", \Book.added)
        }
    }

    static let history = Schema("library") {
        Version(1) {
            CreateTable("authors") {
                ColumnDef("id", Int64.self, .primaryKey)
                ColumnDef("name", String.self)
            }
            CreateTable(
                "books",
                .foreignKey("author", references: "authors", ["id"], onDelete: .cascade)
            ) {
                ColumnDef("id", Int64.self, .primaryKey)
                ColumnDef("author", Int64.self)
                ColumnDef("title", String.self)
                ColumnDef("added", Date.self)
            }
        }
    }

    static func write(_ database: Database) async throws {
        try await database.write { connection in
            let author = try connection.insert(Author(id: nil, name: "Ada"))
            try connection.insert(
                Book(id: nil, author: author, title: "Notes", added: .now))
        }
    }

    static let query = Book.where { $0.title.like("N%") }.order { $0.added }.limit(20)

    static func read(_ database: Database) async throws {
        let authors = try await database.read {
            try $0.all(Author.self, including: Author.books)    // [(Author, [Book])]
        }
        #expect(authors.map { $0.1.map(\.title) } == [["Notes"]])
    }

    @MainActor final class Library {
        let books: Live<[Book]>

        init(_ database: Database) {
            books = Live(database) { try $0.all(Book.order { $0.added }) }
        }
    }

    struct OldAuthor: Sendable {
        let name: String
        let books: [String]
    }

    static func move(_ old: [OldAuthor], to database: Database) async throws {
        try await database.write { connection in
            guard try connection.count(Author.self) == 0 else { return }
            for old in old {
                let author = try connection.insert(Author(id: nil, name: old.name))
                try connection.insert(contentsOf: old.books.map {
                    Book(id: nil, author: author, title: $0, added: .now)
                })
            }
            let problems = try connection.foreignKeyCheck()
            guard problems.isEmpty else { throw Unmoved() }
        }
    }

    struct Unmoved: Error {}
}
