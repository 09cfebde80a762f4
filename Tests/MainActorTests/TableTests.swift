import Squall
import SquallSearch
import Testing

// This target is isolated to the main actor by default; records are not, as they are read and written elsewhere.

nonisolated struct Contact: TableRecord, Equatable {
    let id: Int64?
    let name: String

    static let table = Table("contacts", Contact.init) {
        Column("id", \Contact.id, .primaryKey)
        Column("name", \Contact.name)
    }
}

struct TableTests {
    @Test func recordsInReadAndWrite() async throws {
        let database = try Database(":memory:")
        let contacts = [Contact(id: 1, name: "Ada"), Contact(id: 2, name: "Bo")]
        try await database.write { connection in
            try connection.create(Contact.table)
            try connection.insert(contentsOf: contacts)
            try connection.update(Contact.self) {
                $0.name.set(to: "Bob")
            } where: {
                $0.id == 2
            }
        }
        let found = try await database.read { try $0.all(Contact.self) { $0.name != "Ada" } }
        #expect(found == [Contact(id: 2, name: "Bob")])
        let name = try await database.read { try $0.first(Contact.select { $0.name }) }
        #expect(name == "Ada")
    }

    @Test func recordsOnTheMainActor() throws {
        let connection = try Connection()
        try connection.create(Contact.table)
        let id = try connection.insert(Contact(id: nil, name: "Cy"))
        #expect(try connection.find(Contact.self, id)?.name == "Cy")
        #expect(try connection.all(Contact.self) { $0.name.like("C%") }.count == 1)
    }
}

nonisolated struct Letter: Searchable {
    let id: Int64?
    let text: String

    static let table = Table("letters", Letter.init) {
        Column("id", \Letter.id, .primaryKey)
        Column("text", \Letter.text)
    }
    static let searchTable = SearchTable("letters_search", of: table, columns: \.text)
}

extension TableTests {
    @Test(.enabled(if: SQLiteLibrary.has("ENABLE_FTS5"))) func recordsOfTheMainActorAreSearched() throws {
        let connection = try Connection(":memory:")
        try connection.create(Letter.table)
        try connection.create(Letter.searchTable)
        try connection.insert(Letter(id: 1, text: "swift"))
        let found = try connection.all(
            Letter.search("swift").order { $0.rank }.select { ($0.id, $0.snippet(\.text, around: "[", "]")) })
        #expect(found.map(\.1) == ["[swift]"])
    }
}
