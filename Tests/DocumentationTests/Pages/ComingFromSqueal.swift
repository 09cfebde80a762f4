// swift-format-ignore-file
import Foundation
import Squall
import Testing

/// The `swift` blocks of the page "Coming from Squeal".
struct ComingFromSqueal {
    @Test func aProgram() async throws {
        let connection = try Connection(":memory:")
        try SquealPage.runProgram(connection)
        #expect(try connection.tableInfo("contacts")?.columns.map(\.name) == ["id", "name", "email", "url"])
    }

    @Test func helpers() throws {
        let connection = try Connection(":memory:")
        let (least, name) = (18, "Ada")
        try connection.createTable("contacts", ["name TEXT", "city TEXT", "age INTEGER"])
        try connection.run("INSERT INTO contacts VALUES('Ada', 'Rome', 36), ('Ben', 'Rome', 18), ('Cy', 'Rome', 3)")
        do {
            let perCity: [String: Int] = try connection.query("""
                SELECT upper(city), count(*) FROM contacts
                WHERE age >= \(least) GROUP BY city HAVING count(*) > 1
                """)
            #expect(perCity == ["ROME": 2])
        }
        do {
            try connection.update(
                "contacts", set: ["city": "upper(city)" as SQL, "age": 40],
                where: "name = \(name)")
            let columns = ["name", "city"]
            let values = Dictionary(uniqueKeysWithValues: zip(columns, ["Bo", "Oslo"]))
            try connection.insert(into: "contacts", values)
            #expect(try connection.count("contacts", where: "city = 'ROME' AND age = 40 OR name = 'Bo' AND city = 'Oslo'") == 2)
        }
        do {
            let insert = try connection.prepare(
                "INSERT INTO contacts(name, city) VALUES(?, ?)")
            for (name, city) in [("Cleo", "Bonn"), ("Dee", "Bonn")] {
                try insert.bind(name, city).run()
            }
            let inCity = try connection.prepare(
                "SELECT name FROM contacts WHERE city = :city")
            let names: [String] = try inCity.bind([":city": "Bonn"]).query()
            #expect(names == ["Cleo", "Dee"])
        }
    }

    /// The forms in the tables of the page.
    @Test func tables() throws {
        let connection = try Connection(":memory:")
        try connection.createTable("contacts", ["id INTEGER PRIMARY KEY", "name TEXT", "email TEXT"], ifNotExists: true)
        try connection.insert(into: "contacts", ["id": 1, "name": "Ada", "email": nil])
        try connection.insert(into: "contacts", ["id": 1, "name": "Bo"], or: .replace)
        #expect(try connection.selectIDs(from: "contacts") == [1])
        #expect(try connection.count("contacts") == 1 && connection.count("contacts", column: "email") == 0)
        let names: [String] = try connection.select("name", from: "contacts", where: "name = \("Bo")", orderBy: "name", limit: 10, offset: 0)
        #expect(names == ["Bo"])
        #expect(try connection.select("name", from: "contacts") { try $0.get("name") as String } == ["Bo"])
        #expect(try connection.update("contacts", rowIDs: [1], set: ["name": "Cy"]) == 1)
        #expect(try connection.delete(from: "contacts", rowIDs: [Int64]()) == 0)
        #expect(try connection.delete(from: "contacts", where: "name = 'Cy'") == 1)
        let text: String? = try connection.query("SELECT name FROM contacts WHERE id = ?", 1)
        #expect(text == nil)
        let statement = try connection.prepare("SELECT 'Cy' AS name")
        #expect(statement.row?["name"] as String? == nil)
        #expect(try statement.step() && statement.row?["name"] as String? == "Cy")
        try connection.createIndex("contacts_name", on: "contacts", "name", unique: true)
        try connection.addColumn("url TEXT", to: "contacts")
        try connection.dropIndex("contacts_name", ifExists: true)
        try connection.renameTable("contacts", to: "people")
        #expect(try connection.tableNames() == ["people"])
        #expect(try connection.tableInfo("people")?.columns.count == 4)
        try connection.dropTable("people", ifExists: true)
        try connection.setUserVersion(3)
        #expect(try connection.userVersion == 3)
        #expect(throws: (any Error).self) { try connection.savepoint(named: "a") { throw CancellationError() } }
        #expect(!connection.isInTransaction)
    }

    @Test func file() throws {
        let connection = try Connection(":memory:")
        // A file that Squeal has migrated to version 2.
        try connection.execute("CREATE TABLE contacts(id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL, url TEXT); PRAGMA user_version = 2")
        #expect(try SquealPage.schema.migrate(connection) == false)
        #expect(try SquealPage.schema.status(of: connection).version == 2)
        #expect(throws: SchemaError.newerFile(version: 3, latest: 2)) {
            try connection.setUserVersion(3)
            try SquealPage.schema.migrate(connection)
        }
        // An older one.
        let older = try Connection(":memory:")
        try older.execute("CREATE TABLE contacts(id INTEGER PRIMARY KEY, name TEXT, email TEXT NOT NULL); INSERT INTO contacts VALUES(1, NULL, 'x'), (2, 'b', 'y'); PRAGMA user_version = 1")
        #expect(try SquealPage.schema.migrate(older))
        #expect(try older.query("SELECT name FROM contacts") == ["b"])
        #expect(try older.userVersion == 2)
        #expect(try SquealPage.schema.migrate(older, to: 0))
        #expect(try older.tableNames() == [])
    }
}

private enum SquealPage {
    static let schema = Schema("contacts") {
        Version(1) {
            CreateTable("contacts") {
                ColumnDef("id", Int64.self, .primaryKey)
                ColumnDef("name", String?.self)
                ColumnDef("email", String.self)
            }
            CreateIndex("contacts_email", on: "contacts", "email")
        }
        Version(2) {
            Execute { try $0.delete(from: "contacts", where: "name IS NULL") }
            AlterTable("contacts") {
                ChangeColumn("name", to: String.self)
                AddColumn("url", String?.self)
            }
        }
    }

    static func runProgram(_ connection: Connection) throws {
        try schema.migrate(connection)                          // true if anything ran
        let id = try connection.insert(into: "contacts", [
            "name": "Amelia Grey", "email": "amelia@example.org",
        ])

        struct Contact: ExpressibleByRow {
            let id: Int64
            let name: String

            init(row: Row) throws {
                id = try row.get("id")
                name = try row.get("name")
            }
        }
        let contacts: [Contact] = try connection.select(
            "id", "name", from: "contacts", where: "id = \(id)")
        let number = try connection.count("contacts")           // 1
        #expect(contacts.map(\.name) == ["Amelia Grey"] && number == 1)
    }
}
