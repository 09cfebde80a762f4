import Foundation
import Squall
import SquallTesting
import Testing

/// The schema of the tests.
enum Library {
    static let history = Schema("library") {
        Version(1) {
            CreateTable("authors") {
                ColumnDef("id", Int64.self, .primaryKey)
                ColumnDef("name", String.self)
            }
            CreateTable("books") {
                ColumnDef("id", Int64.self, .primaryKey)
                ColumnDef("author", Int64.self)
                ColumnDef("title", String.self)
            }
        }
    }

    @Sendable static func fill(_ connection: Connection) throws {
        try connection.execute(
            """
            INSERT INTO authors VALUES(1, 'Ende'), (2, 'Joyce');
            INSERT INTO books VALUES(1, 1, 'Momo'), (2, 2, 'Ulysses'), (3, 2, 'Dubliners');
            """)
    }

    /// Returns the titles of each author, by a query for each: N + 1.
    static func shelves(on connection: Connection) throws -> [[String]] {
        let authors: [Int64] = try connection.query("SELECT id FROM authors ORDER BY id")
        return try authors.map { try connection.query("SELECT title FROM books WHERE author = \($0) ORDER BY id") }
    }
}

struct Book: TableRecord, Equatable {
    let id: Int64?
    let author: Int64
    var title: String

    static let table = Table("books", Book.init) {
        Column("id", \Book.id, .primaryKey)
        Column("author", \Book.author)
        Column("title", \Book.title)
    }
}

extension Issue {
    /// The text of an issue that was recorded with a comment.
    var text: String { comments.map(\.rawValue).joined(separator: "\n") }
}
