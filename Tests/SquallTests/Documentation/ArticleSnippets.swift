import Foundation
import Squall
import Testing

// The `swift` blocks of the articles, as `SnippetTests` requires. Those of the older articles are in `Snippets.swift`.

struct ArticleSnippets {
    @Test func rollbacks() throws {
        let connection = try Connection()
        try connection.execute("CREATE TABLE orders(item); CREATE TABLE cars(id INTEGER PRIMARY KEY); INSERT INTO cars VALUES(1)")
        let error = try sqliteError {
            try connection.transaction {
                try connection.run("INSERT INTO orders(item) VALUES('tyres')")
                try? connection.run("INSERT OR ROLLBACK INTO cars(id) VALUES(1)")     // the id exists: SQLite rolls back
                try connection.run("INSERT INTO orders(item) VALUES('oil')")          // throws transactionLost
            }
        }
        #expect(error.kind == .transactionLost)
        #expect(try connection.count("orders") == 0)
    }
}
