import Foundation
import Squall
import SquallTestSupport
import Testing

struct DateTests {
    let connection: Connection

    init() throws {
        connection = try Connection()
    }

    @Test(arguments: [
        (0.0, "2001-01-01T00:00:00.000"),
        (-978_307_200, "1970-01-01T00:00:00.000"),
        (-0.001, "2000-12-31T23:59:59.999"),
        (785_500_509.1239, "2025-11-22T10:35:09.124"),
        (-63_113_904_000, "0001-01-01T00:00:00.000"),
        (-63_145_526_400, "0000-01-01T00:00:00.000"),
        (252_423_993_599.999, "9999-12-31T23:59:59.999"),
        (-13_139_539_200, "1584-08-17T00:00:00.000"),
        (-23_000_000_000, "1272-02-28T07:06:40.000"),
    ])
    func writesTheFormOfSQift(seconds: Double, text: String) throws {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        #expect(bindingDateFormatter.string(from: date) == text)
        #expect(try connection.query("SELECT ?", date) == text)
        #expect(date.bindingValue == .text(text))
        let back = try #require(bindingDateFormatter.date(from: text))
        #expect(abs(back.timeIntervalSince(date)) < 0.000_5)
        #expect(bindingDateFormatter.string(from: back) == text)
    }

    @Test func theLastHalfMillisecondOf9999IsNotRoundedUp() throws {
        let date = Date(timeIntervalSinceReferenceDate: 252_423_993_599.9996)
        #expect(try connection.query("SELECT ?", date) == "9999-12-31T23:59:59.999")
        #expect(throws: SQLiteError.self) { try connection.run("SELECT ?", date + 0.001) }
    }

    @Test func sqlitesOwnFunctionsAgreeOverTheCenturies() throws {
        // Every 61st day from 0000 to 9999, and each time another millisecond of the day.
        let sql: SQL = """
            WITH RECURSIVE times(ms) AS (
                SELECT -62167219200000 UNION ALL SELECT ms + 5270912347 FROM times WHERE ms < 253402300799999 - 5270912347)
            SELECT ms, strftime('%Y-%m-%dT%H:%M:%f', ms / 1000.0, 'unixepoch') FROM times
            """
        let times: [(Int, String)] = try connection.query(sql) { ($0[0], $0[1]) }
        #expect(times.count == 59_870)
        let wrong = times.filter { milliseconds, text in
            let date = Date(timeIntervalSinceReferenceDate: Double(milliseconds - 978_307_200_000) / 1000)
            return bindingDateFormatter.string(from: date) != text || bindingDateFormatter.date(from: text) != date
        }
        #expect(wrong.isEmpty, "\(wrong.prefix(10))")
    }

    @Test func foundationAgreesOnEveryDayOfFourCenturies() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        for day in stride(from: 0, to: 146_097, by: 13) {
            let date = Date(timeIntervalSinceReferenceDate: Double(day) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            let text = bindingDateFormatter.string(from: date).prefix(10)
            #expect(text.split(separator: "-").compactMap { Int($0) } == [parts.year, parts.month, parts.day])
        }
    }

    @Test func millisecondsComeBackAsTheSameDouble() throws {
        for milliseconds in stride(from: -40_000_000_000_123, to: 200_000_000_000_000, by: 1_234_567_891_011) {
            let date = Date(timeIntervalSinceReferenceDate: Double(milliseconds) / 1000)
            #expect(try connection.query("SELECT ?", date) == date)
        }
    }

    @Test(arguments: [
        ("2026-11-21", 0.0), ("2026-11-21 20:15", 72_900), ("2026-11-21T20:15", 72_900),
        ("2026-11-21 20:15:30", 72_930), ("2026-11-21T20:15:30.5", 72_930.5),
        ("2026-11-21T20:15:30.123456", 72_930.123456), ("2026-11-21T20:15:30Z", 72_930),
        ("2026-11-21T20:15:30.250+02:00", 65_730.25), ("2026-11-21 20:15-01:30", 78_300),
        ("2026-11-21T20:15:30.12345678912345", 72_930.123456789), ("2026-11-21T20:15:30z", 72_930),
        ("2026-11-21T20:15:30 Z", 72_930), ("2026-11-21 20:15:30  +02:00", 65_730), ("2026-11-21\t20:15 ", 72_900),
        ("2026-11-21T", 0), ("2026-11-21 ", 0), ("2026-11-21T 20:15", 72_900), ("2026-11-21T24:00:00.000", 86_400),
        ("2026-11-21 24:00", 86_400), ("2026-11-21 20:15+14:00", 22_500), ("2026-11-21 20:15-14:00", 123_300),
    ])
    func readsSQLitesOwnForms(text: String, secondsOfDay: Double) throws {
        let midnight = try #require(bindingDateFormatter.date(from: "2026-11-21T00:00:00.000"))
        let date: Date = try connection.query("SELECT ?", text)
        #expect(abs(date.timeIntervalSince(midnight) - secondsOfDay) < 1e-6)
    }

    @Test(arguments: [
        "", "12:34:56", "2026", "2026-13-01", "2026-00-01", "2026-02-30", "2025-02-29", "1900-02-29", "2026-04-31",
        "2026-01-01T24:00:01", "2026-01-01T24:01", "2026-01-01T25:00", "2026-01-01T00:60:00", "2026-01-01T00:00:60",
        "2026-01-01T00", "2026-01-01 Z", "2026-01-01T00:00+15:00", "2026-01-01T00:00+23:59", "2026-01-01T00:00-14:60",
        "2026-01-01T00:00zz", "2026-01-01T00:00Z+01:00", "now", "2451545.25", "2026-02-31",
        "2026-01-01T00:00:00.", "2026-01-01T00:00:00.000x", "2026-01-01X00:00:00", " 2026-01-01", "2026-1-1",
        "2026-01-01T00:00:00+2", "+2026-01-01", "２０２６-01-01",
    ])
    func otherTextIsNoDate(text: String) throws {
        #expect(bindingDateFormatter.date(from: text) == nil)
        let error = try conversionError { let _: Date = try connection.query("SELECT ?", text) }
        #expect(error.reason == .unacceptable)
    }

    /// What is read is what SQLite reads, and nothing is read that SQLite does not read.
    @Test func textsAreReadAsSQLiteReadsThem() throws {
        let times = [
            "", " ", "T", "T10:20", " 10:20:30", "T10:20:30.125", "\t24:00", " 24:00:00", "T 10:20", "  10:20:30.5",
        ]
        let ends = ["", " ", "Z", "z", " z ", "+14:00", "-14:59", " +02:30", "+15:00", "-23:59", "+2:00", "Zulu", "x"]
        for date in ["2026-11-21", "0000-02-29", "9999-12-29", "-0001-06-15"] {
            for text in times.flatMap({ time in ends.map { date + time + $0 } }) {
                let expected: Double? = try connection.query("SELECT (julianday(?) - 2440587.5) * 86400", text)
                let found = bindingDateFormatter.date(from: text)?.timeIntervalSince1970
                #expect((found == nil) == (expected == nil), "\(text)")
                if let found, let expected { #expect(abs(found - expected) < 0.01, "\(text)") }
            }
        }
    }

    /// The form in which dates are stored is read in another way than other forms. With a blank at its end, a text has another form,
    /// and is the same date.
    @Test func theStoredFormIsReadAsTheOtherForms() throws {
        let seed = TestSeed.of()
        var random = seed.generator()
        let near = Array("0123456789-T:. Zz+/;".utf8) + [0, 0x7f, 0x80, 0xb0, 0xff]
        let statement = try connection.prepare("SELECT CAST(? AS TEXT)")
        func date(_ bytes: [UInt8]) throws -> Date? { try? statement.bind(Data(bytes)).query() as Date }
        var (read, refused) = (0, 0)
        for _ in 0..<3000 {
            let time = Double.random(in: -63_145_526_400_000..<252_423_993_600_000, using: &random)
            let stored = bindingDateFormatter.string(from: Date(timeIntervalSinceReferenceDate: time.rounded() / 1000))
            var text = Array(stored.utf8)
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                text[Int.random(in: 0..<23, using: &random)] = near.randomElement(using: &random) ?? 0
            }
            let found = try date(text)
            #expect(found == (try date(text + [0x20])), "\(text), seed \(seed)")
            if found == nil { refused += 1 } else { read += 1 }
        }
        #expect(read > 1000 && refused > 500)
    }

    @Test func leapDays() {
        for text in ["2000-02-29", "2024-02-29", "0000-02-29"] {
            #expect(bindingDateFormatter.date(from: text) != nil)
        }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -63_145_526_401, 252_423_993_600])
    func datesWithoutTextAreRefused(seconds: Double) throws {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        #expect(throws: SQLiteError.self) { try connection.run("SELECT ?", date) }
        #expect(throws: SQLiteError.self) { try connection.run("SELECT \(date)") }
        #expect(throws: SQLiteError.self) { try connection.run("SELECT ?", [date]) }
    }

    @Test func farYearsAreWrittenOutByTheFormatter() {
        #expect(
            bindingDateFormatter.string(from: Date(timeIntervalSinceReferenceDate: 252_423_993_600))
                == "10000-01-01T00:00:00.000")
        #expect(
            bindingDateFormatter.string(from: Date(timeIntervalSinceReferenceDate: -63_145_526_401))
                == "-0001-12-31T23:59:59.000")
        #expect(bindingDateFormatter.string(from: Date(timeIntervalSinceReferenceDate: .nan)) == "")
    }

    @Test func numbersAreNoDates() throws {
        #expect(try conversionError { let _: Date = try connection.query("SELECT 1") }.reason == .storageClass)
    }

    @Test func otherFormsOfDates() throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        let fraction = Date(timeIntervalSince1970: 1_700_000_000.25)

        #expect(try connection.query("SELECT ?", UnixTime(date)) == 1_700_000_000)
        #expect(try connection.query("SELECT typeof(?)", UnixTime(date)) == "integer")
        #expect(try connection.query("SELECT ?", UnixTime(fraction)) == 1_700_000_000.25)
        #expect(try connection.query("SELECT ?", UnixTime(fraction)) == UnixTime(fraction))

        #expect(try connection.query("SELECT ?", UnixMilliseconds(fraction)) == 1_700_000_000_250)
        #expect(try connection.query("SELECT ?", UnixMilliseconds(fraction)) == UnixMilliseconds(fraction))
        let never = UnixMilliseconds(Date(timeIntervalSince1970: .infinity))
        #expect(throws: SQLiteError.self) { try connection.run("SELECT ?", never) }

        #expect(
            try connection.query(
                "SELECT julianday('2000-01-01 12:00') = ?", JulianDay(Date(timeIntervalSince1970: 946_728_000))) == true
        )
        #expect(try connection.query("SELECT julianday('2023-11-14 22:13:20.25')") == JulianDay(fraction))
        #expect(try connection.query("SELECT ?", JulianDay(fraction)) == JulianDay(fraction))
    }

    @Test func aDateThatCannotBeStoredIsNULLWhereNothingIsThrown() {
        #expect(Date(timeIntervalSince1970: 1e15).bindingValue == .null)
        #expect(UnixMilliseconds(Date(timeIntervalSince1970: 1.5)).bindingValue == .integer(1500))
        #expect(UnixMilliseconds(Date(timeIntervalSince1970: 1e300)).bindingValue == .null)
    }
}
