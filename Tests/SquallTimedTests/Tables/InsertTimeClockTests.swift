import Foundation
import Squall
import Testing

/// The default `.default(.now)` follows the clock.
@Suite(.timeLimit(.minutes(1)))
struct InsertTimeClockTests {
    private struct Event: TableRecord {
        let id: Int64?
        let text: Date
        let unixTime: Date
        let unixMilliseconds: Date
        let julianDay: Date
        let wrappedTime: UnixTime
        let wrappedMilliseconds: UnixMilliseconds
        let wrappedDay: JulianDay

        var times: [Date] {
            [text, unixTime, unixMilliseconds, julianDay, wrappedTime.date, wrappedMilliseconds.date, wrappedDay.date]
        }

        static let table = Table("events", Event.init) {
            Column("id", \Event.id, .primaryKey)
            Column("text", \Event.text, .default(.now))
            Column("unixTime", \Event.unixTime, as: .unixTime, .default(.now))
            Column("unixMilliseconds", \Event.unixMilliseconds, as: .unixMilliseconds, .default(.now))
            Column("julianDay", \Event.julianDay, as: .julianDay, .default(.now))
            Column("wrappedTime", \Event.wrappedTime, .default(.now))
            Column("wrappedMilliseconds", \Event.wrappedMilliseconds, .default(.now))
            Column("wrappedDay", \Event.wrappedDay, .default(.now))
        }
    }

    /// Two inserts between which SQLite's clock has ticked have other times, in each form.
    @Test func twoInsertsHaveTheirOwnTimes() throws {
        let connection = try Connection()
        try connection.create(Event.table)
        func now() throws -> Date { try connection.query("SELECT strftime('%Y-%m-%dT%H:%M:%f', 'now')") }
        let start = try now()
        try connection.execute("INSERT INTO events DEFAULT VALUES")
        var middle = try now()
        let last = try #require(try connection.max(\Event.text))
        while middle <= last { middle = try now() }
        try connection.execute("INSERT INTO events DEFAULT VALUES")
        let end = try now()
        let events = try connection.all(Event.order { $0.id })
        try #require(events.count == 2)
        for (first, second) in zip(events[0].times, events[1].times).map({ ($0.milliseconds, $1.milliseconds) }) {
            #expect(start.milliseconds <= first && first < middle.milliseconds)
            #expect(middle.milliseconds <= second && second <= end.milliseconds)
        }
    }
}

extension Date {
    fileprivate var milliseconds: Double { (timeIntervalSince1970 * 1000).rounded() }
}
