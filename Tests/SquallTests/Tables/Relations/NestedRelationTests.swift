import Foundation
import Squall
import SquallTestSupport
import Testing

private struct Thing: TableRecord, Equatable {
    let id: Int, place: Int?, name: String
    static let place = Relation(\Thing.place, to: \Place.id)
    static let table = Table("things", Thing.init) {
        Column("id", \Thing.id, .primaryKey)
        Column("place", \Thing.place)
        Column("name", \Thing.name)
    }
}

private struct Place: TableRecord, Equatable {
    let id: Int, house: Int, name: String
    static let house = Relation(\Place.house, to: \House.id)
    static let things = Thing.place.inverse()
    static let table = Table("places", Place.init) {
        Column("id", \Place.id, .primaryKey)
        Column("house", \Place.house)
        Column("name", \Place.name)
    }
}

private struct House: TableRecord, Equatable {
    let id: Int, name: String, owner: String?
    static let places = Place.house.inverse()
    static let owner = Relation(\House.owner, to: \Owner.name)
    static let table = Table("houses", House.init) {
        Column("id", \House.id, .primaryKey)
        Column("name", \House.name)
        Column("owner", \House.owner)
    }
}

/// A record whose key of the relation is not unique.
private struct Owner: TableRecord, Equatable {
    let id: Int, name: String
    static let houses = House.owner.inverse()
    static let table = Table("owners", Owner.init) {
        Column("id", \Owner.id, .primaryKey)
        Column("name", \Owner.name)
    }
}

/// `including` below a relation to one record.
struct NestedRelationTests {
    let connection: Connection
    private let log = Log()

    init() throws {
        connection = try Connection()
        for table: any RecordTable in [Thing.table, Place.table, House.table, Owner.table] {
            try connection.create(table)
        }
        try connection.insert(contentsOf: [
            House(id: 1, name: "Home", owner: "Eve"), House(id: 2, name: "Hut", owner: nil),
        ])
        try connection.insert(contentsOf: [
            Place(id: 1, house: 1, name: "attic"), Place(id: 2, house: 2, name: "shelf"),
            Place(id: 3, house: 9, name: "lost"),
        ])
        try connection.insert(contentsOf: [
            Thing(id: 1, place: 1, name: "box"), Thing(id: 2, place: nil, name: "air"),
            Thing(id: 3, place: 2, name: "cup"),
            Thing(id: 4, place: 1, name: "bag"), Thing(id: 5, place: 77, name: "key"),
            Thing(id: 6, place: 3, name: "pen"),
        ])
        try connection.insert(contentsOf: [Owner(id: 1, name: "Eve"), Owner(id: 2, name: "Eve")])
        connection.traceStatements { [log] in log.add($0) }
    }

    private func queries() -> [String] { log.take().filter { $0.hasPrefix("SELECT") } }

    @Test func aRecordComesWithItsOwnRelatedRecord() throws {
        let all = try connection.all(Thing.self, including: Thing.place.including(Place.house))
        #expect(all.map(\.0.name) == ["box", "air", "cup", "bag", "key", "pen"])
        #expect(all.map { $0.1?.0.name } == ["attic", nil, "shelf", "attic", nil, "lost"])
        #expect(all.map { $0.1?.1?.name } == ["Home", nil, "Hut", "Home", nil, nil])
        let places = #"SELECT "places"."id", "places"."house", "places"."name", "places"."id" FROM "places" "#
        let houses = #"SELECT "houses"."id", "houses"."name", "houses"."owner", "houses"."id" FROM "houses" "#
        let sql = queries()
        #expect(sql.count == 3 && sql[1].hasPrefix(places) && sql[2].hasPrefix(houses), "\(sql)")
    }

    @Test func severalRelationsAndSeveralLevels() throws {
        let relation = Thing.place.including(
            Place.house.including(House.places, House.owner), Place.things.including(Thing.place.including(Place.house))
        )
        let all = try connection.all(Thing.order { $0.id }, including: relation)
        let box = try #require(all[0].1)
        #expect(box.0.name == "attic" && box.1?.0.name == "Home" && box.1?.1.map(\.name) == ["attic"])
        #expect(box.1?.2 == Owner(id: 1, name: "Eve"))
        #expect(box.2.map(\.0.name) == ["box", "bag"] && box.2.map { $0.1?.1?.name } == ["Home", "Home"])
        #expect(all[2].1?.1?.2 == nil && all[5].1?.1 == nil && all[1].1 == nil)
        #expect(queries().count == 8)
    }

    /// Of several records with the key, the first one is the record, with its own related records.
    @Test func theFirstOfSeveralTargets() throws {
        let houses = try connection.all(
            House.order { $0.id }, including: House.owner.including(Owner.houses))
        #expect(houses.map { $0.1?.0.id } == [1, nil])
        #expect(houses.map { $0.1?.1.map(\.name) } == [["Home"], nil])
    }

    @Test func belowARelationToSeveralAndFromAQuery() throws {
        let houses = try connection.all(
            House.self, including: House.places.including(Place.things.including(Thing.place)))
        #expect(houses.map { $0.1.map { $0.1.map(\.0.name) } } == [[["box", "bag"]], [["cup"]]])
        let query = Thing.where { $0.name == "cup" }
        let relation = Thing.place.where { $0.name != "attic" }.including(Place.house)
        let cup = try connection.first(query, including: relation)
        #expect(cup?.1?.1?.name == "Hut")
        let page = try connection.page(Thing.order { $0.id }, size: 2, including: relation)
        #expect(page.items.map { $0.1?.1?.name } == [nil, nil])
        #expect(try connection.all(Thing.where { $0.id > 99 }, including: relation).isEmpty)
    }

    /// Many records that share one: a record of it for each of them, at each level, would not fit into the memory.
    @Test func manyRecordsShareOne() throws {
        try connection.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
            INSERT INTO things SELECT i, 2, 'thing' FROM n
            """)
        let relation = Thing.place.including(Place.things.including(Thing.place.including(Place.things)))
        let all = try connection.all(Thing.where { $0.place == 2 }, including: relation)
        #expect(all.count == 29_992)
        #expect(all.last?.1?.1.count == 29_992 && all.last?.1?.1.first?.1?.1.last?.id == 30_000)
    }
}
