import SQLiteORMCompatibility
import SquallTestSupport
import Testing

/// The calls of SQLiteORM's README, with their labels.
struct ReadMeTests {
    struct User: Initializable, Equatable {
        var id = 0
        var firstName = ""
    }

    private static let users = Table("users", User.self) {
        Column("id", \User.id, .primaryKey)
        Column("first_name", \User.firstName)
    }

    @Test func objects() throws {
        let directory = try TemporaryDirectory()
        let storage = try Storage(filename: directory.file("db.sqlite"), Self.users)
        #expect(try storage.syncSchema(preserve: true) == ["users": .newTableCreated])
        var user = User(id: 0, firstName: "John")
        #expect(try storage.insert(object: user) == 1)
        user.id = 1
        #expect(try storage.replace(object: User(id: 2, firstName: "Alice")) == 2)
        user.firstName = "Nicholas"
        #expect(try storage.update(object: user))
        let found: User? = try storage.get(id: 1)
        #expect(found == user)
        #expect(try storage.delete(object: user))
        let all: [User] = try storage.getAll()
        #expect(all == [User(id: 2, firstName: "Alice")])
    }

    @Test func anEmptyNameIsInMemory() throws {
        let storage = try Storage(filename: "", Self.users)
        #expect(try storage.database.blocking.read { $0.fileName }.isEmpty)
    }
}
