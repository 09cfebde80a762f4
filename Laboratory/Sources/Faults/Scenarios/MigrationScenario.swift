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

    func prepare(_ connection: Connection) throws {
        try connection.execute("CREATE TABLE other(a INTEGER); INSERT INTO other VALUES(1)")
    }

    /// After each version, `migrate` reads the history again. An error there leaves the version committed, and the next call
    /// goes on after it.
    var steps: [Step<Connection>] {
        [
            Step(throwsAfterCommit: true) { try Self.history.migrate($0, to: 1) },
            Step(throwsAfterCommit: true) { try Self.history.migrate($0) },
            Step { connection in
                let titles: [String] = try connection.query("SELECT title FROM books ORDER BY title")
                try expect(titles, ["?", "Mort"])
            },
        ]
    }
}
