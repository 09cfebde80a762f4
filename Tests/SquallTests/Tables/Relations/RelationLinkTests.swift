import Foundation
import Squall
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
        connection.trace { [log] in log.add($0) }
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
                SELECT "people"."name", "people_2"."name" FROM "people" JOIN "people" AS "people_2" ON "people_2"."id" IN \
                (SELECT "people_3"."parent" FROM "people" AS "people_3" WHERE "people_3"."id" = "people"."parent") \
                ORDER BY "people"."id" ASC
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
        connection.trace { log.add($0) }

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
