import Squall

/// A schema history: versions that create, rebuild and fill tables, each of them a transaction.
struct MigrationScenario: Scenario {
    var name: String { "migrations" }

    private static let history = Schema("library") {
        Version(1) {
            CreateTable("books") {
                ColumnDef("id", Int64.self, .primaryKey)
                ColumnDef("title", String?.self)
            }
            CreateIndex("books_title", on: "books", "title")
            Execute("INSERT INTO books VALUES(1, 'Mort'), (2, NULL)")
        }
        Version(2) {
            AlterTable("books") {
                ChangeColumn("title", to: String.self, fillingWith: "ifnull(title, '?')")
                AddColumn("length", Int?.self, fillingWith: "length(title)")
            }
        }
    }

    /// Version 1 is in the file: the rebuild of version 2 has most kinds of points, and the time grows with the square of their
    /// number.
    func prepare(_ connection: Connection) throws {
        try Self.history.migrate(connection, to: 1)
    }

    /// After each version, `migrate` reads the history again. An error there leaves the version committed, and the next call
    /// goes on after it.
    var steps: [Step<Connection>] {
        [
            Step(throwsAfterCommit: true) { try Self.history.migrate($0) },
            Step { connection in
                let titles: [String] = try connection.query("SELECT title FROM books ORDER BY title")
                try expect(titles, ["?", "Mort"])
            },
        ]
    }
}
