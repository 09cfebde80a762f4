// swift-format-ignore-file
import Squall
import Testing

// The `swift` blocks of the README. `.ci/readme` runs the first one, which is a whole program.

struct ReadMe {
    struct Owner: TableRecord {
        let id: Int64?
        let name: String

        static let table = Table("owners", Owner.init) {
            Column("id", \Owner.id, .primaryKey)
            Column("name", \Owner.name)
        }
    }

    struct Car: TableRecord {
        let id: Int64?
        let owner: Int64
        let name: String

        static let table = Table("cars", Car.init) {
            Column("id", \Car.id, .primaryKey)
            Column("owner", \Car.owner)
            Column("name", \Car.name)
        }
    }

    @Test func queriesAreValues() throws {
        let connection = try Connection(":memory:")
        try connection.create(Owner.table)
        try connection.create(Car.table)
        try connection.insert(contentsOf: [Owner(id: 1, name: "Ada"), Owner(id: 2, name: "Bo")])
        try connection.insert(contentsOf: [Car(id: 1, owner: 1, name: "Audi"), Car(id: 2, owner: 1, name: "Saab")])
        let counts = Owner.leftJoin(Car.self) { $0.id == $1.owner }
            .group { owner, _ in owner.id }
            .select { ($0.name, $1.id.count()) }               // [(String, Int)]
        print(counts.sql)      // SELECT "owners"."name", count("cars"."id") FROM …
        for (name, cars) in try connection.all(counts) { print(name, cars) }
        #expect(
            counts.sql.text
                == #"SELECT "owners"."name", count("cars"."id") FROM "owners" LEFT JOIN "cars" ON "owners"."id" = "#
                + #""cars"."owner" GROUP BY "owners"."id""#)
        #expect(try connection.all(counts).map { "\($0) \($1)" } == ["Ada 2", "Bo 0"])
    }

    @Test func theSchemaHasAHistory() async throws {
        let database = try Database.temporary()
        let schema = Schema("garage") {
            Version(1) {
                CreateTable("owners") {
                    ColumnDef("id", Int64.self, .primaryKey)
                    ColumnDef("name", String?.self)
                }
            }
            Version(2) {
                Execute("UPDATE owners SET name = '?' WHERE name IS NULL")
                AlterTable("owners") { ChangeColumn("name", to: String.self) }
            }
        }
        try await database.migrate(schema)          // true if anything ran
        #expect(try await !database.migrate(schema))
        #expect(try schema.drift(from: Owner.table).isEmpty)
    }

    @Test func aValueIsFollowed() async throws {
        let database = try Database.temporary()
        try await database.write { try $0.execute("CREATE TABLE cars(id INTEGER PRIMARY KEY)") }
        for try await count in database.observe("SELECT count(*) FROM cars", as: Int.self) {
            print(count)                            // now, and after each change
            if count == 0 { break }
        }
    }
}
