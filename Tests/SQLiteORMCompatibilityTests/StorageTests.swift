import Foundation
import SQLiteORMCompatibility
import SquallTestSupport
import Testing

/// What SQLiteORM's README promises, row by row.
struct StorageTests {
    struct Member: Initializable, Equatable {
        var id = 0
        var firstName = ""
        var lastName = ""
        var birthDate = 0
        var imageURL: String?
        var typeID = 0
    }

    struct MemberType: Initializable, Equatable {
        var id = 0
        var name = ""
    }

    struct User: TableRecord {
        let id: Int64?
        let name: String

        static let table = Table("named", User.init) {
            Column("id", \User.id, .primaryKey)
            Column("name", \User.name)
        }
    }

    struct Point: Initializable {
        var x = 0
        var y = 0
        var label: String?
    }

    static let points = Table("points", Point.self) {
        Column("x", \Point.x, .primaryKey)
        Column("y", \Point.y, .primaryKey)
        Column("label", \Point.label)
    }

    static let members = Table("users", Member.self) {
        Column("id", \Member.id, .primaryKey)
        Column("first_name", \Member.firstName)
        Column("last_name", \Member.lastName)
        Column("birth_date", \Member.birthDate)
        Column("image_url", \Member.imageURL)
        Column("type_id", \Member.typeID)
    }

    static let types = Table("user_types", MemberType.self) {
        Column("id", \MemberType.id, .primaryKey)
        Column("name", \MemberType.name, .default("name_placeholder"))
    }

    private func storage(_ path: String = ":memory:") throws -> Storage {
        let storage = try Storage(path, Self.members, Self.types)
        try storage.createTables()
        return storage
    }

    private let john = Member(
        id: 0, firstName: "John", lastName: "Doe", birthDate: 664_416_000, imageURL: "url_to_heaven", typeID: 3
    )

    @Test func theGeneratedTable() {
        #expect(
            Self.members.createSQL.text == """
                CREATE TABLE "users"("id" INTEGER PRIMARY KEY NOT NULL, "first_name" TEXT NOT NULL, \
                "last_name" TEXT NOT NULL, "birth_date" INTEGER NOT NULL, "image_url" TEXT, "type_id" INTEGER NOT NULL)
                """
        )
    }

    @Test func insertIgnoresTheKeyAndReturnsTheNewOne() throws {
        let storage = try storage()
        #expect(try storage.insert(john) == 1)
        #expect(try storage.insert(john) == 2)
        #expect(try storage.get(Member.self, id: 2)?.firstName == "John")
    }

    @Test func replaceInsertsWithTheKey() throws {
        let storage = try storage()
        var alice = Member(id: 2, firstName: "Alice", lastName: "Inwonder", birthDate: 831_168_000, typeID: 2)
        #expect(try storage.replace(alice) == 2)
        alice.lastName = "Liddell"
        try storage.replace(alice)
        #expect(try storage.all() == [alice])
    }

    @Test func getUpdateDelete() throws {
        let storage = try storage()
        var user = john
        user.id = Int(try storage.insert(user))
        let found: Member? = try storage.get(id: 1)
        #expect(found == user)
        let missing: Member? = try storage.get(id: 2)
        #expect(missing == nil)
        user.firstName = "Nicholas"
        user.imageURL = nil
        #expect(try storage.update(user))
        #expect(try storage.all(Member.self) { $0.firstName == "Nicholas" } == [user])
        #expect(try storage.delete(user))
        #expect(try storage.count(Member.self) == 0)
        #expect(try !storage.update(user))
    }

    @Test(arguments: ["", ":memory:"]) func inMemory(_ path: String) throws {
        let storage = try storage(path)
        try storage.insert(MemberType(id: 9, name: "a"))
        #expect(try storage.all() == [MemberType(id: 1, name: "a")])
        #expect(try storage.database.blocking.read { $0.fileName }.isEmpty)
    }

    @Test func transactions() throws {
        let storage = try storage()
        #expect(throws: CancellationError.self) {
            try storage.transaction {
                try storage.insert(john)
                #expect(try storage.count(Member.self) == 1)
                throw CancellationError()
            }
        }
        #expect(try storage.count(Member.self) == 0)
        let id = try storage.transaction { try storage.insert(john) }
        #expect(id == 1)
        #expect(try storage.count(Member.self) == 1)
    }

    @Test func aFileKeepsItsRows() throws {
        let directory = try TemporaryDirectory()
        try storage(directory.file("db.sqlite")).insert(john)
        let again = try storage(directory.file("db.sqlite"))
        #expect(try again.all(Member.self).map(\.lastName) == ["Doe"])
    }

    @Test func optionalKeysAndCompositeOnes() throws {
        let storage = try Storage("", User.table, Self.points)
        try storage.createTables()
        #expect(try storage.insert(User(id: 7, name: "a")) == 7)
        #expect(try storage.insert(User(id: nil, name: "b")) == 8)
        try storage.insert(Point(x: 3, y: 4, label: "p"))
        #expect(try storage.get(Point.self, id: 3, 4)?.label == "p")
    }

    @Test func aRecordWithoutATable() throws {
        let storage = try Storage("", Self.members)
        let unknown = try sqliteError { try storage.insert(MemberType()) }
        #expect(unknown.problem(StorageProblem.self) == .unknownRecord(type: "MemberType"))
        #expect(unknown.message == "the storage has no table of MemberType")
        let twice = try sqliteError { _ = try Storage("", Self.members, Self.members) }
        #expect(twice.problem(StorageProblem.self) == .declaredTwice)
        #expect(twice.message == "the table \"users\" is the second one of its record type")
    }
}
