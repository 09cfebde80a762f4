import Foundation
import Squall
import SquallTestSupport
import Testing

/// Updates of the changed columns only, and prepared inserts of records.
struct UpdateChangesTests {
    struct Event: TableRecord, Equatable {
        var id: Int64?
        var day: Int
        var at: Date?
        var tags: [String]
        var bytes: [UInt8]
        var length: Int?

        static let table = Table("events", Event.init) {
            Column("id", \Event.id, .primaryKey)
            Column("day", \Event.day)
            Column("at", \Event.at, as: .unixMilliseconds)
            Column("tags", \Event.tags, as: .json)
            Column("bytes", \Event.bytes)
            Column("length", \Event.length, .generated("length(bytes)"))
        }
    }

    let connection: Connection
    private let log = Log()
    private let old = Event(id: 1, day: 5, at: nil, tags: ["a"], bytes: [1, 2], length: nil)

    init() throws {
        connection = try Connection()
        try connection.create(Event.table)
        try connection.create(points)
        try connection.insert(old)
        connection.traceStatements { [log] in log.add($0) }
    }

    @Test func onlyTheChangedColumnsAreWritten() throws {
        var event = old
        event.day = 6
        #expect(try connection.update(event, changedFrom: old) == .updated)
        #expect(log.take() == [#"UPDATE "events" SET "day" = 6 WHERE "events"."id" = 1"#])
        event.at = Date(timeIntervalSince1970: 1.5)
        event.tags = ["a", "b"]
        event.bytes = [9]
        #expect(try connection.update(event, changedFrom: old) == .updated)
        #expect(
            log.take() == [
                """
                UPDATE "events" SET "day" = 6, "at" = 1500, "tags" = '["a","b"]', "bytes" = x'09' WHERE "events"."id" = 1
                """
            ])
        event.length = 1
        #expect(try connection.find(Event.self, 1) == event)
        var without = event
        without.at = nil
        #expect(try connection.update(without, changedFrom: event) == .updated)
        #expect(try connection.find(Event.self, 1)?.at == nil)
    }

    @Test func nothingIsRunWithoutAChange() throws {
        var event = old
        event.length = 7  // a generated column is not written
        #expect(try connection.update(event, changedFrom: old) == .unchanged)
        // Dates that are stored alike are equal.
        var (one, two) = (old, old)
        (one.at, two.at) = (Date(timeIntervalSince1970: 1.0001), Date(timeIntervalSince1970: 1.0002))
        #expect(try connection.update(one, changedFrom: two) == .unchanged)
        #expect(log.take() == [])
    }

    @Test func aMissingRowAndAChangedKey() throws {
        var (first, second) = (old, old)
        (first.id, second.id) = (9, 9)
        second.day = 1
        #expect(try connection.update(second, changedFrom: first) == .missing)
        #expect(
            try errorKind { try connection.update(second, changedFrom: old) }
                == .problem(TableProblem.changedKey(column: "id"), of: .table("events")))
        var none = old
        none.id = nil
        #expect(
            try errorKind { try connection.update(none, changedFrom: none) }
                == .problem(TableProblem.missingKey(column: "id"), of: .table("events")))
        let error = try sqliteError { try connection.update(second, changedFrom: old) }
        #expect(
            error.message
                == #"the record has another value for "id", the primary key of the table "events", than the old one"#)
    }

    @Test func aCompositeKey() throws {
        try connection.table(points).insert(Point(x: 1, y: 2, label: "a"))
        let (old, new) = (Point(x: 1, y: 2, label: "a"), Point(x: 1, y: 2, label: "b"))
        #expect(try connection.table(points).update(new, changedFrom: old) == .updated)
        #expect(try connection.table(points).find(1, 2)?.label == "b")
        #expect(
            try errorKind { try connection.table(points).update(Point(x: 1, y: 3, label: "b"), changedFrom: old) }
                == .problem(TableProblem.changedKey(column: "y"), of: .table("points")))
    }

    @Test func aPreparedInsertTakesRecords() throws {
        let insert = try connection.prepareInsert(Event.self)
        #expect(insert.sql == #"INSERT INTO "events"("id", "day", "at", "tags", "bytes") VALUES(?, ?, ?, ?, ?)"#)
        var event = old
        event.id = nil
        #expect(try insert.run(event) == 2)
        #expect(throws: SQLiteError.self) { try insert.run(old) }
        event.at = Date(timeIntervalSince1970: 3)
        #expect(try insert.run(event) == 3)
        event.id = 3
        event.length = 2
        #expect(try connection.find(Event.self, 3) == event)
        let insertPoint = try connection.table(points).prepareInsert()
        try insertPoint.run(Point(x: 7, y: 8, label: "p"))
        #expect(try connection.table(points).find(7, 8)?.label == "p")
    }

    /// A property without a place in the record.
    private struct Reading: Initializable, TableRecord, Equatable {
        var id = 0
        private var celsius: Double?
        var kelvin: Double? {
            get { celsius.map { $0 + 273 } }
            set { celsius = newValue.map { $0 - 273 } }
        }

        static let table = Table("readings", Reading.self) {
            Column("id", \Reading.id, .primaryKey)
            Column("kelvin", \Reading.kelvin)
        }
    }

    @Test func aComputedPropertyIsReadAndChanged() throws {
        try connection.create(Reading.table)
        var reading = Reading()
        reading.kelvin = 300
        try connection.insert(reading)
        #expect(try connection.all(Reading.self) == [reading])
        _ = log.take()
        var without = reading
        without.kelvin = nil
        #expect(try connection.update(without, changedFrom: reading) == .updated)
        #expect(log.take() == [#"UPDATE "readings" SET "kelvin" = NULL WHERE "readings"."id" = 0"#])
        #expect(try connection.update(reading, changedFrom: without) == .updated)
        #expect(log.take() == [#"UPDATE "readings" SET "kelvin" = 300.0 WHERE "readings"."id" = 0"#])
        #expect(try connection.all(Reading.self) == [reading])
    }
}
