import Foundation
import Squall
import SquallTestSupport
import Testing

// Records whose columns are not in the order of the initialiser, beside a column of which it is hard to make up a value. None
// of them may hide that.

private enum Kind: String, Binding { case big, small }
private enum Level: Int, Binding { case low = 7, high = 9 }
private struct Place: Codable, Hashable { var city: String }

private struct WithList: TableRecord {
    let first: String, last: String, tags: [String], bytes: [UInt8], counts: [String: Int]
    static let table = Table("lists", WithList.init) {
        Column("last", \WithList.last)
        Column("first", \WithList.first)
        Column("tags", \WithList.tags, as: .json)
        Column("bytes", \WithList.bytes)
        Column("counts", \WithList.counts, as: .json)
    }
}

private struct WithNil: TableRecord {
    let first: String, last: String, kind: Kind?, place: Place?
    static let table = Table("nils", WithNil.init) {
        Column("last", \WithNil.last)
        Column("first", \WithNil.first)
        Column("kind", \WithNil.kind)
        Column("place", \WithNil.place, as: .json)
    }
}

private struct WithLevels: TableRecord {
    let one: Level, two: Level
    static let table = Table("levels", WithLevels.init) {
        Column("two", \WithLevels.two)
        Column("one", \WithLevels.one)
    }
}

private struct WithKind: TableRecord {
    let first: String, last: String, kind: Kind
    static let table = Table("kinds", WithKind.init) {
        Column("last", \WithKind.last)
        Column("first", \WithKind.first)
        Column("kind", \WithKind.kind)
    }
}

private struct WithPlaces: TableRecord, Equatable {
    let home: Place, work: Place
    static let table = Table("places", WithPlaces.init) {
        Column("work", \WithPlaces.work, as: .json)
        Column("home", \WithPlaces.home, as: .json)
    }
}

private struct Plain: Codable {
    let name: String
}

private struct WithPlain: TableRecord {
    let home: Plain, work: Plain, third: Plain?
    static let table = Table("plains", WithPlain.init) {
        Column("work", \WithPlain.work, as: .json)
        Column("home", \WithPlain.home, as: .json)
        Column("third", \WithPlain.third, as: .json)
    }
}

private enum Code: Int, Binding {
    case first = 1000
    case second = 2000
}

/// Two columns of one type.
private struct Two<Value: Sendable>: Sendable {
    let id: Int64, a: Value, b: Value
}

extension Two where Value: Codable {
    static var json: (right: some RecordTable<Self>, wrong: some RecordTable<Self>) {
        let right = Table("two", Self.init) {
            Column("id", \Self.id, .primaryKey)
            Column("a", \Self.a, as: .json)
            Column("b", \Self.b, as: .json)
        }
        let wrong = Table("two", Self.init) {
            Column("id", \Self.id, .primaryKey)
            Column("b", \Self.b, as: .json)
            Column("a", \Self.a, as: .json)
        }
        return (right, wrong)
    }
}

extension Two where Value: ColumnStorable {
    static var plain: (right: some RecordTable<Self>, wrong: some RecordTable<Self>) {
        let right = Table("two", Self.init) {
            Column("id", \Self.id, .primaryKey)
            Column("a", \Self.a)
            Column("b", \Self.b)
        }
        let wrong = Table("two", Self.init) {
            Column("id", \Self.id, .primaryKey)
            Column("b", \Self.b)
            Column("a", \Self.a)
        }
        return (right, wrong)
    }
}

private struct Validated: TableRecord {
    let low: Int, high: Int
    init(low: Int, high: Int) throws {
        if low < 1000 { throw CancellationError() }
        (self.low, self.high) = (low, high)
    }
    static let table = Table("validated", Validated.init) {
        Column("high", \Validated.high)
        Column("low", \Validated.low)
    }
}

private struct WithOption: TableRecord {
    let first: String, last: String
    static let table = Table("options", WithOption.init, .strict, .unique("first")) {
        Column("last", \WithOption.last)
        Column("first", \WithOption.first)
    }
}

private struct Ordered: TableRecord, Equatable {
    let first: String, last: String, kind: Kind, other: Kind, place: Place
    static let table = Table("ordered", Ordered.init) {
        Column("first", \Ordered.first)
        Column("last", \Ordered.last)
        Column("kind", \Ordered.kind)
        Column("other", \Ordered.other)
        Column("place", \Ordered.place, as: .json)
    }
}

/// An enumeration that SQLite does not know; its cases are known.
private enum Direction: Int, CaseIterable { case north, south }

private struct WithDirections: TableRecord {
    let one: Direction, two: Direction
    private static let form = StorageForm<Direction>(
        "direction", type: "INTEGER", encode: { .integer(Int64($0.rawValue)) },
        decode: { Int.fromSQLiteValue($0).flatMap(Direction.init) })
    static let table = Table("directions", WithDirections.init) {
        Column("two", \WithDirections.two, as: form)
        Column("one", \WithDirections.one, as: form)
    }
}

struct PairingTests {
    let connection: Connection

    init() throws {
        connection = try Connection()
    }

    private func message(_ one: String, _ other: String, of table: String) -> String {
        "the columns of the table \"\(table)\" are not in the order of the initialiser: \"\(one)\" gets the value of \"\(other)\""
    }

    @Test func optionsOfTheTableLeaveTheCheck() throws {
        #expect(
            try sqliteError { try connection.create(WithOption.table) }.message
                == message("last", "first", of: "options"))
    }

    @Test func valuesThatAreNotHashableAreComparedAsTheyAreStored() throws {
        try connection.create(WithPlain.table)
        try connection.insert(WithPlain(home: Plain(name: "a"), work: Plain(name: "b"), third: nil))
        #expect(
            try sqliteError { _ = try connection.all(WithPlain.self) }.message == message("work", "home", of: "plains"))
    }

    private func expectFound<Value>(
        _ tables: (right: some RecordTable<Two<Value>>, wrong: some RecordTable<Two<Value>>), _ one: Value,
        _ other: Value
    ) throws {
        let connection = try Connection()
        try connection.create(tables.right)
        try connection.table(tables.right).insert(Two(id: 1, a: one, b: other))
        #expect(try connection.table(tables.right).all().count == 1)
        let error = try sqliteError { _ = try connection.table(tables.wrong).all() }
        #expect(error.message == message("b", "a", of: "two"))
        #expect(error.hint?.contains(".unprobed") == true)
    }

    /// Made-up values that are empty tell two columns apart no more than none: the first records do.
    @Test func emptySamplesTellNothingApart() throws {
        let (one, two) = (Plain(name: "1"), Plain(name: "2"))
        try expectFound(Two<[Plain]>.json, [one], [two])
        try expectFound(Two<[String: Plain]>.json, ["k": one], ["k": two])
        try expectFound(Two<Plain?>.json, Optional(one), Optional(two))
        try expectFound(Two<Kind?>.plain, .big, .small)
        try expectFound(Two<Code?>.plain, .first, .second)
    }

    @Test func collectionsAndBytesAreMadeUp() throws {
        #expect(
            try sqliteError { try connection.create(WithList.table) }.message == message("last", "first", of: "lists")
        )
    }

    @Test func anOptionalOfWhichNothingIsKnownIsNil() throws {
        #expect(
            try sqliteError { try connection.create(WithNil.table) }.message == message("last", "first", of: "nils"))
    }

    @Test func theCasesOfAnEnumerationAreTried() throws {
        #expect(
            try sqliteError { try connection.create(WithDirections.table) }.message
                == message("one", "two", of: "directions"))
    }

    @Test func setsAreMadeUp() throws {
        try expectFound(Two<Set<String>>.json, ["a"], ["b"])
    }

    @Test func rawValuesThatAreNumbersAreTried() throws {
        #expect(
            try sqliteError { try connection.create(WithLevels.table) }.message == message("one", "two", of: "levels"))
    }

    @Test func whatCannotBeMadeUpIsTakenFromTheFirstRecord() throws {
        try connection.create(WithKind.table)
        try connection.insert(WithKind(first: "same", last: "same", kind: .big))
        for _ in 0..<2 {
            #expect(
                try sqliteError { _ = try connection.all(WithKind.self) }.message
                    == message("last", "first", of: "kinds")
            )
        }
    }

    @Test func recordsAreLookedAtUntilOneTellsTheColumnsApart() throws {
        try connection.create(WithPlaces.table)
        let (oslo, rome) = (Place(city: "Oslo"), Place(city: "Rome"))
        try connection.insert(WithPlaces(home: oslo, work: oslo))
        #expect(try connection.all(WithPlaces.self).count == 1)
        try connection.insert(WithPlaces(home: oslo, work: rome))
        #expect(
            try sqliteError { _ = try connection.all(WithPlaces.self) }.message == message("work", "home", of: "places")
        )
    }

    @Test func anInitialiserThatRefusesMadeUpValuesIsTriedWithRecords() throws {
        try connection.create(Validated.table)
        try connection.insert(Validated(low: 2000, high: 3000))
        #expect(
            try sqliteError { _ = try connection.all(Validated.self) }.message
                == message("high", "low", of: "validated")
        )
    }

    @Test func aRightOrderIsConfirmed() throws {
        try connection.create(Ordered.table)
        let record = Ordered(first: "a", last: "a", kind: .big, other: .small, place: Place(city: "Oslo"))
        try connection.insert(contentsOf: Array(repeating: record, count: 200))
        #expect(try connection.all(Ordered.self) == Array(repeating: record, count: 200))
        #expect(try connection.first(Ordered.self) == record)
    }

    @Test func aComputedPropertyIsRefused() throws {
        struct Loud: TableRecord {
            let id: Int
            private let quiet: String
            var name: String { quiet.uppercased() + "!" }
            init(id: Int, name: String) {
                self.id = id
                self.quiet = name
            }
            static let table = Table("loud", Loud.init) {
                Column("id", \Loud.id, .primaryKey)
                Column("name", \Loud.name)
            }
        }
        #expect(
            try sqliteError { try connection.create(Loud.table) }.message == """
                the column "name" of the table "loud" is a computed property, and does not return what the initialiser was given
                """
        )
        struct Wrapped: TableRecord, Equatable {
            private let stored: Int64
            var id: Int64 { stored }
            var name = "" { didSet {} }
            init(id: Int64, name: String) {
                self.stored = id
                self.name = name
            }
            static let table = Table("wrapped", Wrapped.init) {
                Column("id", \Wrapped.id, .primaryKey)
                Column("name", \Wrapped.name)
            }
        }
        try connection.create(Wrapped.table)
        try connection.insert(Wrapped(id: 3, name: "a"))
        #expect(try connection.find(Wrapped.self, 3) == Wrapped(id: 3, name: "a"))
    }
}
