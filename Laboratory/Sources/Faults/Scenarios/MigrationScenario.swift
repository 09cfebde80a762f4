import Squall

/// A schema history: versions that create, rebuild and fill tables, each of them a transaction.
struct MigrationScenario: Scenario {
    var name: String { "migrations" }

    private static let history = Schema("library") {
        Version(1) {
            CreateTable("books") {
                ColumnDef("id", Int64.self, .primaryKey)
                ColumnDef("title", String?.self)
                ColumnDef("author", String?.self)
            }
            CreateIndex("books_title", on: "books", "title")
            CreateTrigger("books_deleted", "AFTER DELETE ON books BEGIN DELETE FROM loans WHERE book = old.id; END")
            CreateTable("loans") {
                ColumnDef("book", Int64.self, .references("books", "id"))
            }
            Execute(
                """
                WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 5)
                INSERT INTO books SELECT i, 'Title ' || i, 'Author ' || (i % 2) FROM c;
                INSERT INTO loans VALUES(3), (4);
                """)
        }
        Version(2) {
            CreateTable("authors") {
                ColumnDef("id", Int64.self, .primaryKey)
                ColumnDef("name", String.self, .unique)
            }
            Execute("INSERT OR IGNORE INTO authors(name) SELECT author FROM books")
            AlterTable("books") {
                ChangeColumn("title", to: String.self, fillingWith: "ifnull(title, '')")
                AddColumn(
                    "authorID", Int64?.self, .references("authors", "id"),
                    fillingWith: "(SELECT id FROM authors WHERE name = author)")
                DropColumn("author")
            }
        }
        Version(3) {
            Execute { connection in try connection.run("UPDATE books SET title = upper(title) WHERE id < 5") }
        }
    }

    func prepare(_ connection: Connection) throws {
        try connection.execute("CREATE TABLE other(a INTEGER); INSERT INTO other VALUES(1)")
    }

    /// After each version, `migrate` reads the history again. An error there leaves the version committed, and the next call
    /// goes on after it.
    var steps: [Step<Connection>] {
        [
            Step(throwsAfterCommit: true) { try Self.history.migrate($0, to: 1) },
            Step { connection in
                let sql = try Self.history.dryRun(connection)
                try expect(sql.isEmpty, false)
            },
            Step(throwsAfterCommit: true) { try Self.history.migrate($0, to: 2) },
            Step { connection in
                try expect(try Self.history.status(of: connection).pending.count, 1)
                let titles: [String] = try connection.query("SELECT title FROM books WHERE authorID = 1 LIMIT 1")
                try expect(titles, ["Title 1"])
            },
            Step(throwsAfterCommit: true) { try Self.history.migrate($0) },
        ]
    }
}
