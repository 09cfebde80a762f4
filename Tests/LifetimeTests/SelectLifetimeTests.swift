import Foundation
import Squall
import Testing

/// Selected tuples, whose elements are read into the memory of the tuple, and records of relations. They prove something when they
/// are built for release under the address sanitizer, like ``LifetimeTests``.
struct SelectLifetimeTests {
    private static let rounds = 50

    private struct Note: TableRecord {
        let x: Int?
        let name: String?
        let tags: [String]
        let body: Data
        let token: UUID

        static let table = Table("notes", Note.init) {
            Column("x", \Note.x)
            Column("name", \Note.name)
            Column("tags", \Note.tags, as: .json)
            Column("body", \Note.body)
            Column("token", \Note.token, as: .text)
        }

        static let owner = Relation(\Note.x, to: \Owner.id)
    }

    private struct Owner: TableRecord {
        let id: Int
        let isOld: Bool
        let name: String

        static let table = Table("owners", Owner.init) {
            Column("id", \Owner.id, .primaryKey)
            Column("isOld", \Owner.isOld)
            Column("name", \Owner.name)
        }

        static let notes = Note.owner.inverse()
    }

    @inline(never)
    private static func notes() throws -> Connection {
        let connection = try Connection()
        try connection.create(Owner.table)
        try connection.create(Note.table)
        for id in 1...5 {
            let name = "an owner with a long name \(id)"
            try connection.insert(Owner(id: id, isOld: id > 3, name: name))
        }
        for x in 1...20 {
            try connection.insert(
                Note(
                    x: x % 7, name: x % 3 == 0 ? nil : "a note with a long name \(x)", tags: ["a", "tag \(x)"],
                    body: Data(repeating: 7, count: 40), token: UUID()
                )
            )
        }
        return connection
    }

    @Test func tuplesOfValuesRecordsAndForms() throws {
        for _ in 0..<Self.rounds {
            let rows = try Self.notes().all(
                Owner.leftJoin(Note.self) { $0.id == $1.x }.order { owner, _ in owner.id }
                    .select { ($0.isOld, $1.token, $1.record, $0.record, $1.name, $0.isOld, $1.body) })
            let row = try #require(rows.last)
            #expect(row.0 && row.1 == row.2?.token && row.2?.tags.first == "a" && row.3.id == 5)
            #expect(row.5 && row.6?.count == 40 && row.2?.name == row.4)
            #expect(try Self.notes().first(Note.select { ($0.token, $0.name, $0.x) })?.1 == "a note with a long name 1")
        }
    }

    /// The elements before the one that does not fit are destroyed, and no others.
    @Test func aTupleWhoseElementsDoNotFit() throws {
        let connection = try Self.notes()
        for column in ["token", "body"] {
            try connection.run("UPDATE notes SET \(name: column) = 3 WHERE x = 2")
            let query = Owner.join(Note.self) { $0.id == $1.x }.where { $1.x == 2 }
            for _ in 0..<Self.rounds {
                #expect(throws: ConversionError.self) {
                    _ = try connection.all(query.select { ($0.name, $0.record, $1.name, $1.token, $1.body) })
                }
                #expect(throws: ConversionError.self) {
                    _ = try connection.all(query.select { ($0.name, $1.name, $0.record, $1.record) })
                }
                #expect(throws: ConversionError.self) { _ = try connection.all(query) }
            }
            try connection.run("UPDATE notes SET token = \(UUID().uuidString), body = x'07'")
        }
    }

    @Test func aCursorOverTuplesThatOutlivesItsConnection() throws {
        for _ in 0..<Self.rounds {
            var rows = try Self.notes().rows(Note.select { ($0.name, $0.token, $0.body) })
            var count = 0
            while let (name, _, body) = try rows.next() {
                count += (name?.utf8.count ?? 0) + body.count
                if count > 300 { break }
            }
            #expect(count > 300)
        }
    }

    @Test func recordsOfRelations() throws {
        for _ in 0..<Self.rounds {
            let owners = try Self.notes().all(Owner.self, including: Owner.notes)
            #expect(owners.map(\.1.count) == [3, 3, 3, 3, 3])
            #expect(owners.last?.1.last?.tags.last == "tag 19")
            let notes = try Self.notes().all(Note.query, including: Note.owner)
            #expect(notes.filter { $0.1 == nil }.count == 5)
        }
    }

    /// The records that were read before the one that does not fit are released.
    @Test func recordsOfRelationsThatDoNotFit() throws {
        let connection = try Self.notes()
        try connection.run("UPDATE notes SET tags = 'no JSON' WHERE rowid = 12")
        for _ in 0..<Self.rounds {
            #expect(throws: ConversionError.self) { _ = try connection.all(Owner.self, including: Owner.notes) }
        }
    }
}
