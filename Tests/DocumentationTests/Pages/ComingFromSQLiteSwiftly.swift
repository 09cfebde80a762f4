// swift-format-ignore-file
import Foundation
import Squall
import SquallTestSupport
import Testing

/// The `swift` blocks of the page "Coming from SQLite.swiftly".
struct ComingFromSQLiteSwiftly {
    // The block has relative paths: it runs in a process of its own, in a directory of its own.
    @Test func aProgram() async {
        await #expect(processExitsWith: .success) {
            try SwiftlyPage.runProgram()
        }
    }

    @Test func tables() throws {
        let connection = try Connection(":memory:")
        try connection.execute("CREATE TABLE contact (id INT(11) NOT NULL, name CHAR(255) NOT NULL, active BOOL NULL)")
        try connection.execute("INSERT INTO contact VALUES(1, 'Alice', 1), (2, 'Bob', NULL)")
        struct Contact: TableRecord {
            let id: Int
            let name: String
            let active: Bool?

            static let table = Table("contact", Contact.init) {
                Column("id", \Contact.id)
                Column("name", \Contact.name)
                Column("active", \Contact.active)
            }
        }
        #expect(try connection.all(Contact.self).map(\.active) == [true, nil])
        let rows: [Row] = try connection.query("SELECT * FROM contact")
        #expect(rows.map { $0.columns.map(\.name) } == [["id", "name", "active"], ["id", "name", "active"]])
        try connection.forEach(Contact.self) { #expect($0.id > 0) }
        #expect(Contact.table.definition.sql.text == #"CREATE TABLE "contact"("id" INTEGER NOT NULL, "name" TEXT NOT NULL, "active" INTEGER)"#)
        let plan = try connection.plan(toMatch: Contact.table)
        #expect(plan.losses.isEmpty && !plan.changes.isEmpty)
    }
}

private enum SwiftlyPage {
    struct Contact: TableRecord, Equatable {
        let id: Int
        let name: String

        static let table = Table("contact", Contact.init) {
            Column("id", \Contact.id, .primaryKey)
            Column("name", \Contact.name)
        }
    }

    static func runProgram() throws {
        let directory = try TemporaryDirectory()
        #expect(FileManager.default.changeCurrentDirectoryPath(directory.path))

        let connection = try Connection("contacts.db", mode: .createNew)
        try connection.create(Contact.table)
        // CREATE TABLE "contact"("id" INTEGER PRIMARY KEY NOT NULL, "name" TEXT NOT NULL)

        let insert = try connection.prepareInsert(into: Contact.table)
        try insert.run(1, "Alice")                              // (Int, String)
        try insert.run(2, "Bob")

        for contact in try connection.all(Contact.self) {
            print(contact.id, contact.name)
        }
        #expect(Contact.table.definition.sql.text == #"CREATE TABLE "contact"("id" INTEGER PRIMARY KEY NOT NULL, "name" TEXT NOT NULL)"#)
        #expect(try connection.all(Contact.self) == [Contact(id: 1, name: "Alice"), Contact(id: 2, name: "Bob")])
        #expect(throws: SQLiteError.self) { try Connection("contacts.db", mode: .createNew) }
        #expect(throws: SQLiteError.self) { try Connection("none.db", mode: .existing) }
        #expect(throws: SQLiteError.self) { try insert.run(1, "Cy") }
    }
}
