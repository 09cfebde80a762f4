import Squall
import Testing

/// A record whose columns are all in its key, so that an update has nothing to set.
struct KeyOnlyRecordTests {
    private struct Membership: TableRecord, Equatable {
        let person: Int
        let club: String

        static let table = Table("memberships", Membership.init) {
            Column("person", \Membership.person, .primaryKey)
            Column("club", \Membership.club, .primaryKey)
        }
    }

    private let connection: Connection
    private let chess = Membership(person: 1, club: "chess")
    private let golf = Membership(person: 1, club: "golf")

    init() throws {
        connection = try Connection()
        try connection.create(Membership.table)
        try connection.insert(chess)
    }

    @Test func anUpdateTellsWhetherTheRowExists() throws {
        #expect(try connection.update(chess))
        #expect(try connection.update(golf) == false)
        #expect(try connection.all(Membership.self) == [chess])
    }

    @Test func anUpsertInsertsOnce() throws {
        try connection.upsert(golf)
        try connection.upsert(golf)
        #expect(try connection.all(Membership.self) == [chess, golf])
    }
}
