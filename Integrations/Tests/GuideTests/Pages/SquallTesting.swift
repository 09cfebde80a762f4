// swift-format-ignore-file
import Foundation
import Squall
import SquallTesting
import Testing

struct SquallTestingPage {
    enum Library {
        static let history = Schema("library") {
            Version(1) {
                CreateTable("authors") {
                    ColumnDef("id", Int64.self, .primaryKey)
                    ColumnDef("name", String.self)
                }
                CreateTable("books") {
                    ColumnDef("title", String.self)
                    ColumnDef("author", Int64.self)
                    ColumnDef("added", String.self, .default(sql: "CURRENT_TIMESTAMP"))
                }
            }
        }

        static func add(
            _ title: String, by author: Int64, to database: Database
        ) async throws {
            try await database.write {
                try $0.run(
                        "INSERT INTO books(title, author) VALUES(\(title), \(author))")
            }
        }
    }

    struct Author: TableRecord {
        let id: Int64?
        let name: String

        static let table = Table("authors", Author.init) {
            Column("id", \Author.id, .primaryKey)
            Column("name", \Author.name)
        }
    }

    struct Reminders {
        let database: Database
        let now: @Sendable () -> Date

        init(_ database: Database, now: @escaping @Sendable () -> Date) {
            self.database = database
            self.now = now
        }
    }

    @Test(.database(migratedBy: Library.history))
    func aBookIsAdded() async throws {
        let database = try TestDatabase.current
        try await Library.add("Momo", by: 1, to: database)
        try await expectRows("SELECT title, author FROM books", [["Momo", 1]])
    }

    @Suite(.database(migratedBy: Library.history) { connection in
        try connection.run("INSERT INTO authors VALUES(1, 'Ende'), (2, 'Joyce')")
    })
    struct AuthorTests {
        @Test(arguments: ["Kafka", "Mann"])
        func anAuthorIsAdded(name: String) async throws {
            let database = try TestDatabase.current
            try await database.write {
            try $0.run("INSERT INTO authors VALUES(3, \(name))")
        }
            try await expectRows("SELECT count(*) FROM authors", [[3]])
        }
    }

    @Test(.database(.file, migratedBy: Library.history))
    func aReadRunsBesideAWrite() async throws {
        let database = try TestDatabase.current
        try await database.write { connection in
            try connection.run("INSERT INTO authors VALUES(1, 'Ende')")
            let other = try Connection(database.fileName, mode: .readOnly)
            try expectRows("SELECT * FROM authors", on: other, [])      // not committed
        }
        try await expectRows("SELECT * FROM authors", [[1, "Ende"]])
    }

    @Test func rows() throws {
        let connection = try Connection(":memory:")
        try Library.history.migrate(connection)
        try connection.run("INSERT INTO authors VALUES(1, 'Ende'), (2, 'Joyce')")
        try expectRows("SELECT id, name FROM authors", on: connection, [
            [2, "Joyce"],
            [1, "Ende"],
        ], inAnyOrder: true)
    }

    @Test(.database(migratedBy: Library.history))
    func statements() async throws {
        expectSQL(
            Author.where { $0.id > 1 }.select { $0.name },
            """
            SELECT "authors"."name" FROM "authors"
            WHERE "authors"."id" > 1
            """)
        let database = try TestDatabase.current
        try await expectSQL(["INSERT INTO books(title, author) VALUES('Momo', 1)"]) {
            try await Library.add("Momo", by: 1, to: database)
        }
        let titles = try await expectQueries(1) {
            try await database.read {
                try $0.query("SELECT title FROM books WHERE author = 1") as [String]
            }
        }
        #expect(titles == ["Momo"])
    }

    @Test(.database(
        migratedBy: Library.history,
        clockAt: Date(timeIntervalSince1970: 1_800_000_000)))
    func aBookKnowsWhenItWasAdded() async throws {
        let (database, clock) = (try TestDatabase.current, try TestDatabase.clock)
        try await Library.add("Momo", by: 1, to: database)
        clock.advance(by: .seconds(3600))
        try await Library.add("Ulysses", by: 2, to: database)
        try await expectRows("SELECT title, added FROM books", [
            ["Momo", "2027-01-15 08:00:00"],
            ["Ulysses", "2027-01-15 09:00:00"],
        ])
        try await expectRows("SELECT date('now', '+1 day')", [["2027-01-16"]])
    }

    @Test func clockOfYourOwn() async throws {
        let clock = TestClock(at: Date(timeIntervalSince1970: 1_800_000_000))
        let database = try Database(":memory:") { try clock.install(on: $0) }
        let reminders = Reminders(database, now: clock.date)
        #expect(reminders.now() == clock.now)
        try await expectRows("SELECT unixepoch()", on: reminders.database, [[1_800_000_000]])
    }
}
