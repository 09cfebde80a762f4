// swift-format-ignore-file
import Foundation
import Squall
import SquallTestSupport
import Testing

// Blocks of the page that only a package of its own can contain.
/*
// swift-tools-version: 6.2
import PackageDescription

let squall = Target.Dependency.product(name: "Squall", package: "squall")

let package = Package(
    name: "Shelf",
    platforms: [.macOS(.v14)],
    dependencies: [.package(path: "../squall")],
    targets: [
        .executableTarget(name: "Shelf", dependencies: [squall]),
        .testTarget(name: "ShelfTests", dependencies: ["Shelf", squall]),
    ]
)

import Squall
import Testing
@testable import Shelf
*/

struct GettingStartedPage {
    struct Author: TableRecord {
        let id: Int64?
        let name: String

        static let table = Table("authors", Author.init) {
            Column("id", \Author.id, .primaryKey)
            Column("name", \Author.name, .unique)
        }
    }

    struct Book: TableRecord {
        let id: Int64?
        let author: Int64
        let title: String
        let pages: Int?
        var isRead: Bool

        static let writer = Relation(\Book.author, to: \Author.id)
        static let key = TableOption.foreignKey(writer, onDelete: .cascade)
        static let table = Table("books", Book.init, key) {
            Column("id", \Book.id, .primaryKey)
            Column("author", \Book.author)
            Column("title", \Book.title)
            Column("pages", \Book.pages)
            Column("isRead", \Book.isRead, .default(false))
        }
    }

    enum Library {
        static let schema = Schema("shelf") {
            Version(1) {
                CreateTable("authors") {
                    ColumnDef("id", Int64.self, .primaryKey)
                    ColumnDef("name", String.self, .unique)
                }
                CreateTable(
                    "books",
                    .foreignKey("author", references: "authors", ["id"],
                        onDelete: .cascade)
                ) {
                    ColumnDef("id", Int64.self, .primaryKey)
                    ColumnDef("author", Int64.self)
                    ColumnDef("title", String.self)
                    ColumnDef("isRead", Bool.self, .default(false))
                }
            }
            Version(2) {
                AlterTable("books") { AddColumn("pages", Int?.self) }
                CreateIndex("books_author", on: "books", "author")
            }
        }
    }

    @Test func program() async {
        await #expect(processExitsWith: .success) { try await GettingStartedPage().run() }
    }

    func run() async throws {
        let directory = try TemporaryDirectory()
        #expect(FileManager.default.changeCurrentDirectoryPath(directory.path))

        let database = try Database("shelf.db")
        try await database.migrate(Library.schema)
        try await database.write { try $0.delete(from: "authors") }   // begins empty

        let mort = try await database.write { connection in
            let terry = try connection.insert(Author(id: nil, name: "Terry Pratchett"))
            let ursula = try connection.insert(Author(id: nil, name: "Ursula K. Le Guin"))
            try connection.insert(contentsOf: [
                Book(id: nil, author: terry, title: "Pyramids", pages: 285, isRead: false),
                Book(id: nil, author: ursula, title: "Rocannon", pages: 117, isRead: true),
            ])
            return try connection.insert(
                Book(id: nil, author: terry, title: "Mort", pages: 272, isRead: false))
        }
        print("Mort has the id", mort)
        #expect(mort == 3)
        #expect(try unreadTitles(in: database) == ["Pyramids", "Mort"])

        try await database.write { connection in
            guard var book = try connection.find(Book.self, mort) else { return }
            book.isRead = true
            try connection.update(book)
            let count = try connection.delete(Book.self) { $0.title == "Pyramids" }
            print("Deleted:", count)
        }
        // SELECT … FROM "books" WHERE "books"."id" = ?
        // UPDATE "books" SET "author" = ?, "title" = ?, … WHERE "books"."id" = ?
        // DELETE FROM "books" WHERE "books"."title" = ?
        #expect(try unreadTitles(in: database) == [])

        let limit = 300
        let short: [String] = try await database.read {
            try $0.query("SELECT title FROM books WHERE pages < \(limit) ORDER BY title")
        }
        print("Short:", short)
        // SELECT title FROM books WHERE pages < ? ORDER BY title
        #expect(short == ["Mort", "Rocannon"])

        let query = Author.join(Book.self) { $0.id == $1.author }
            .group { author, _ in author.id }
            .order { author, _ in author.name }
            .select { ($0.name, $1.id.count(), $1.pages.sum()) }
        let totals = try await database.read { try $0.all(query) }   // [(String, Int, Int?)]
        for (name, books, pages) in totals { print(name, books, pages ?? 0) }
        #expect(query.sql.text == """
            SELECT "authors"."name", count("books"."id"), sum("books"."pages") \
            FROM "authors" JOIN "books" ON "authors"."id" = "books"."author" \
            GROUP BY "authors"."id" ORDER BY "authors"."name" ASC
            """)
        let names = totals.map { "\($0.0) \($0.1) \($0.2 ?? 0)" }
        #expect(names == ["Terry Pratchett 1 272", "Ursula K. Le Guin 1 117"])

        do {
            let again = Author(id: nil, name: "Terry Pratchett")
            try await database.write { try $0.insert(again) }
        } catch ResultCode.constraintUnique {
            print("Terry Pratchett is there already")
        } catch let error as SQLiteError {
            print(error.message)
        }
        try await database.close()
    }

    @Test func theVersionsLeadToTheDeclaredTables() throws {
        try Library.schema.verify()
        let drift = try Library.schema.drift(from: Author.table, Book.table)
        #expect(drift.isEmpty, "\(drift)")
    }

    @Test func booksAreDeletedWithTheirAuthor() throws {
        let connection = try Connection(":memory:")
        try Library.schema.migrate(connection)
        let id = try connection.insert(Author(id: nil, name: "Ada"))
        try connection.insert(
            Book(id: nil, author: id, title: "Notes", pages: nil, isRead: true))
        try connection.delete(Author.self) { $0.id == id }
        #expect(try connection.count(Book.self) == 0)
    }

    func unreadTitles(in database: Database) throws -> [String] {
        try database.blocking.read { connection in
            try connection.all(Book.where { !$0.isRead.isTrue }.select { $0.title })
        }
    }
}
