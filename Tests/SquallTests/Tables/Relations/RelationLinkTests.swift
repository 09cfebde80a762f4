import Foundation
import Squall
import SquallTestSupport
import Testing

private struct Person: TableRecord, Equatable {
    let id: Int
    let name: String
    let parent: Int?

    /// The table between the persons and their grandparents is that of the persons.
    static let grandparents = Relation(\Person.parent, through: \Person.id, \Person.parent, to: \Person.id)
    static let table = Table("people", Person.init) {
        Column("id", \Person.id, .primaryKey)
        Column("name", \Person.name)
        Column("parent", \Person.parent)
    }
}

/// A relation through one of its own tables.
struct RelationLinkTests {
    private let connection: Connection
    private let log = Log()
    private let ada = Person(id: 1, name: "Ada", parent: nil)
    private let bo = Person(id: 2, name: "Bo", parent: 1)
    private let cy = Person(id: 3, name: "Cy", parent: 2)
    private let dee = Person(id: 4, name: "Dee", parent: 3)

    init() throws {
        connection = try Connection()
        try connection.create(Person.table)
        try connection.insert(contentsOf: [ada, bo, cy, dee])
        connection.traceStatements { [log] in log.add($0) }
    }

    @Test func theTableHasAnotherNameWhenItIsLoaded() throws {
        #expect(try connection.all(Person.grandparents, of: cy) == [ada])
        #expect(
            log.take() == [
                """
                SELECT "people"."id", "people"."name", "people"."parent", "people_2"."id" \
                FROM "people" AS "people_2" JOIN "people" ON "people"."id" = "people_2"."parent" WHERE "people_2"."id" = 2
                """
            ])
        let all = try connection.all(Person.order { $0.id.ascending }, including: Person.grandparents)
        #expect(all.map(\.1) == [[], [], [ada], [bo]])
    }

    @Test func theTableHasAnotherNameInAJoin() throws {
        let query = Person.join(Person.grandparents).order { child, _ in child.id.ascending }.select {
            ($0.name, $1.name)
        }
        #expect(
            query.sql.text == """
                SELECT "people"."name", "people_3"."name" FROM "people" \
                JOIN "people" AS "people_2" ON "people"."parent" = "people_2"."id" \
                JOIN "people" AS "people_3" ON "people_2"."parent" = "people_3"."id" ORDER BY "people"."id" ASC
                """)
        #expect(try connection.all(query).map { "\($0) \($1)" } == ["Cy Ada", "Dee Bo"])
    }

    @Test func aJoinInsideAnotherQueryTakesAnotherName() throws {
        let query = Person.where { person in
            Person.join(Person.grandparents).where { child, _ in child.id == person.id }.exists
        }
        #expect(try connection.all(query.order { $0.id.ascending }) == [cy, dee])
    }
}

/// A pair that a table between two others has twice.
struct DoubledPairTests {
    private struct Song: TableRecord, Equatable {
        let id: Int

        static let lists = Relation(\Song.id, through: \Entry.song, \Entry.list, to: \List.id)
        static let table = Table("songs", Song.init) { Column("id", \Song.id, .primaryKey) }
    }

    private struct List: TableRecord, Equatable {
        let id: Int

        static let songs = Relation(\List.id, through: \Entry.list, \Entry.song, to: \Song.id)
        static let table = Table("lists", List.init) { Column("id", \List.id, .primaryKey) }
    }

    private struct Entry: TableRecord {
        let id: Int, list: Int, song: Int

        static let table = Table("entries", Entry.init) {
            Column("id", \Entry.id, .primaryKey)
            Column("list", \Entry.list)
            Column("song", \Entry.song)
        }
    }

    @Test func theRecordIsThereTwiceInAJoinAndWhereItIsRead() throws {
        let connection = try Connection()
        try connection.create(Song.table)
        try connection.create(List.table)
        try connection.create(Entry.table)
        try connection.insert(contentsOf: [Song(id: 1), Song(id: 2)])
        try connection.insert(List(id: 1))
        try connection.insert(contentsOf: [1, 2, 1].enumerated().map { Entry(id: $0 + 1, list: 1, song: $1) })
        let songs = List.songs.order { $0.id }
        #expect(try connection.all(songs, of: List(id: 1)).map(\.id) == [1, 1, 2])
        #expect(try connection.all(List.self, including: songs).first?.1.map(\.id) == [1, 1, 2])
        let joined = List.join(songs)
        #expect(
            joined.sql.text == """
                SELECT "lists"."id", "songs"."id" FROM "lists" JOIN "entries" ON "lists"."id" = "entries"."list" \
                JOIN "songs" ON "entries"."song" = "songs"."id" ORDER BY "songs"."id" ASC
                """)
        #expect(try connection.all(joined).map(\.1.id) == [1, 1, 2])
        #expect(try connection.all(joined.distinct()).map(\.1.id) == [1, 2])
        #expect(try connection.all(Song.join(Song.lists).order { song, _ in song.id }).map(\.0.id) == [1, 1, 2])
        // The key of the table between them tells the doubled rows of a page apart.
        let page = try connection.page(joined, size: 1)
        let next = try connection.page(joined, after: page.next, size: 2)
        #expect((page.items + next.items).map(\.1.id) == [1, 1, 2])
        #expect(next.next == nil)
    }
}

/// Relations by keys that are bound one by one.
struct RelationKeyTests {
    private struct Level: TableRecord, Equatable {
        let height: Double
        let name: String

        static let marks = Relation(\Mark.height, to: \Level.height).inverse()
        static let table = Table("levels", Level.init) {
            Column("height", \Level.height, .primaryKey)
            Column("name", \Level.name, .unique)
        }
    }

    private struct Mark: TableRecord, Equatable {
        let id: Int
        let height: Double
        let level: String

        static let level = Relation(\Mark.level, to: \Level.name)
        static let table = Table("marks", Mark.init) {
            Column("id", \Mark.id, .primaryKey)
            Column("height", \Mark.height)
            Column("level", \Mark.level)
        }
    }

    @Test func keysBeyondTheLimitOfParametersAreReadInGroups() throws {
        let connection = try Connection()
        try connection.create(Level.table)
        try connection.create(Mark.table)
        let count = 25
        try connection.insert(contentsOf: (0..<count).map { Level(height: Double($0) / 8, name: "a\0\($0)") })
        try connection.insert(contentsOf: (0..<count).map { Mark(id: $0, height: Double($0) / 8, level: "a\0\($0)") })
        connection.limits[.variables] = 10
        let log = Log()
        connection.traceStatements { log.add($0) }

        let levels = try connection.all(Level.self, including: Level.marks)
        #expect(levels.allSatisfy { $0.1.map(\.height) == [$0.0.height] })
        #expect(log.take().count { $0.contains(#"FROM "marks""#) } == 3)

        let marks = try connection.all(Mark.self, including: Mark.level)
        #expect(marks.allSatisfy { $0.1?.name == $0.0.level })
        #expect(log.take().count { $0.contains(#"FROM "levels""#) } == 3)

        // The condition takes parameters of its own.
        let some = Level.marks.where { $0.id >= 0 && $0.id != 24 }
        #expect(try connection.all(Level.self, including: some).map(\.1.count).reduce(0, +) == count - 1)
        #expect(log.take().count { $0.contains(#"FROM "marks""#) } == 4)
    }
}
