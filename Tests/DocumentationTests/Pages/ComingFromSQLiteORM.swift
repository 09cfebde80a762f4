// swift-format-ignore-file
import Foundation
import SQLiteORMCompatibility
import SquallTestSupport
import Testing

/// The `swift` blocks of the page "Coming from SQLiteORM".
struct ComingFromSQLiteORM {
    // The block has relative paths: it runs in a process of its own, in a directory of its own.
    @Test func aProgram() async {
        await #expect(processExitsWith: .success) {
            try ORMPage.runProgram()
        }
    }

    @Test func queries() throws {
        let storage = try Storage(":memory:", ORMPage.users)
        try storage.createTables()
        try storage.insert(ORMPage.User(id: 9, firstName: "Ada", lastName: "L", imageURL: nil, typeID: 1))
        let users = ORMPage.users
        typealias User = ORMPage.User
        let adas: [User] = try storage.all { $0.firstName == "Ada" }
        let average = try storage.database.blocking.read {
            try $0.table(users).average(\.typeID) { $0.id > 0 }
        }
        try storage.database.blocking.writeWithoutTransaction {
            try $0.table(users).update { $0.typeID.set(to: 3) } where: { $0.id == 1 }
        }
        #expect(adas.map(\.id) == [1])
        #expect(average == 1)
        #expect(try storage.all(User.self).map(\.typeID) == [3])
        let rows = try storage.database.blocking.read { connection in
            try connection.all(users.where { $0.id.in([1, 2]) && $0.lastName.like("L%") }.order { $0.lastName.descending }.limit(10, offset: 0).select { ($0.id, $0.firstName) })
        }
        #expect(rows.map { $0.1 } == ["Ada"])
        try storage.database.blocking.read { connection in
            try connection.table(users).forEach { #expect($0.id == 1) }
            #expect(try connection.table(users).total(\.typeID) == 3.0)
            #expect(try connection.table(users).sum(\.typeID) == 3)
            #expect(try connection.table(users).max(\.typeID) == 3)
            #expect(try connection.table(users).min(\.typeID) == 3)
            #expect(try connection.table(users).groupConcat(\.firstName) == "Ada")
            #expect(try connection.tableNames() == ["users"])
        }
        #expect(try storage.count(User.self) == 1 && storage.count(User.self) { $0.id > 1 } == 0)
        let deleted = try storage.database.blocking.writeWithoutTransaction { try $0.table(users).delete { $0.id > 5 } }
        #expect(deleted == 0)
        let functions = try storage.database.blocking.read { connection in
            try connection.all(users.where { "\($0.firstName) GLOB \("A*")" }.select { ($0.typeID.absoluteValue, $0.firstName.length, $0.imageURL.coalesce($0.imageURL), $0.lastName.substring(from: 1, length: 1)) })
        }
        #expect(functions.map { $0.1 } == [3])
        try storage.transaction { try storage.delete(adas[0]) }
        #expect(try storage.count(User.self) == 0)
        #expect(throws: SQLiteError.self) { try storage.get(ORMPage.Other.self, id: 1) }
    }

    @Test func sync() throws {
        let database = try Database(":memory:")
        try database.blocking.writeWithoutTransaction { connection in
            try connection.execute("""
                CREATE TABLE users(id INTEGER PRIMARY KEY NOT NULL, first_name TEXT NOT NULL, last_name TEXT NOT NULL, image_url TEXT, old TEXT);
                INSERT INTO users VALUES(1, 'Ada', 'L', NULL, 'x')
                """)
        }
        let storage = try Storage(database, [ORMPage.users])
        // The new column type_id is NOT NULL and has no default: SQLiteORM would drop the rows.
        let error = try #require(throws: SchemaError.self) { try storage.sync() }
        #expect("\(error)".contains("type_id"))
        #expect(try storage.database.blocking.read { try $0.query("SELECT count(*) FROM users") } == 1)
        #expect(try storage.sync(preserve: false) == ["users": .droppedAndRecreated])
        #expect(try storage.sync() == ["users": .alreadyInSync])
        try database.blocking.writeWithoutTransaction { try $0.execute("ALTER TABLE users ADD COLUMN old TEXT; INSERT INTO users VALUES(1, 'Ada', 'L', NULL, 2, 'x')") }
        let plan = try database.blocking.writeWithoutTransaction { connection in
            let plan = try connection.plan(toMatch: ORMPage.users)
            return (plan.changes.count, plan.losses)
        }
        #expect(plan.0 == 1 && plan.1 == [.column(table: "users", column: "old", values: 1)])
        #expect(try storage.sync() == ["users": .oldColumnsRemoved])
        #expect(try storage.count(ORMPage.User.self) == 1)
    }
}

private enum ORMPage {
    struct Other { }

    struct User: Initializable {
        var id = 0
        var firstName = ""
        var lastName = ""
        var imageURL: String?
        var typeID = 0
    }

    static let users = Table("users", User.self) {
        Column("id", \User.id, .primaryKey)
        Column("first_name", \User.firstName)
        Column("last_name", \User.lastName)
        Column("image_url", \User.imageURL)
        Column("type_id", \User.typeID)
    }

    static func runProgram() throws {
        let directory = try TemporaryDirectory()
        #expect(FileManager.default.changeCurrentDirectoryPath(directory.path))

        let storage = try Storage(filename: "users.db", users)
        try storage.syncSchema(preserve: true)

        var john = User(id: 0, firstName: "John", lastName: "Doe", typeID: 3)
        john.id = Int(try storage.insert(object: john))     // SQLite assigns the key
        let alice = User(id: 2, firstName: "Alice", lastName: "In", typeID: 2)
        try storage.replace(object: alice)
        if let user: User = try storage.get(id: 1) { print(user.firstName) }    // John
        john.firstName = "Nicholas"
        try storage.update(object: john)
        try storage.delete(object: john)
        let all: [User] = try storage.getAll()              // Alice
        #expect(john.id == 1 && all.map(\.firstName) == ["Alice"])
        #expect(try storage.database.blocking.read { try $0.tableInfo("users")?.sql.text.contains(#""first_name" TEXT NOT NULL"#) == true })
    }
}
