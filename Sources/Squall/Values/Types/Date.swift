#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// TEXT in the form `2026-11-21T20:15:00.000`, GMT, to the millisecond: it sorts by time, and SQLite's own date functions
/// understand it. Years before 0000 and after 9999 have no such form and throw.
///
/// Also reads the other texts that SQLite's date functions take for a date: a date alone, blanks for the `T`, no
/// seconds, any fraction, 24:00, `Z` or `z`, and an offset of at most 14:59 hours. It does not read a day that its month
/// does not have (which SQLite takes for one of the next month), a time without a date, a Julian day number, and `now`.
extension Date: Binding {
    public typealias BindingType = String

    public var bindingValue: BindingValue { (try? checkedBindingValue()) ?? .null }

    public func checkedBindingValue() throws -> BindingValue { .text(try checkedText()) }

    // Both ways without a `String` in between: it would take as long as the calendar.

    public func bind(to parameter: SQLiteParameter) throws {
        try checkedTime().withText { try parameter.check(parameter.bindText($0)) }
    }

    public static func fromSQLiteValue(_ value: SQLiteValue) -> Date? {
        value.textBytes.flatMap { CivilTime(parsing: $0)?.date }
    }

    public static func fromBindingValue(_ value: Any) -> Date? {
        (value as? String).flatMap { bindingDateFormatter.date(from: $0) }
    }

    func checkedText() throws -> String { try checkedTime().text }

    private func checkedTime() throws -> CivilTime {
        guard let time = CivilTime(self), (0...9999).contains(time.year) else {
            throw SQLiteError.misuse(
                .unstorable(
                    "the date \(timeIntervalSinceReferenceDate) s from 2001 is not in the years 0000 to 9999 and cannot be stored as text"
                ))
        }
        return time
    }
}

/// The form in which a `Date` is stored.
public let bindingDateFormatter = BindingDateFormatter()

/// Writes and reads the form in which a `Date` is stored: `yyyy-MM-dd'T'HH:mm:ss.SSS` in GMT, in the proleptic Gregorian
/// calendar, as SQLite's date functions count.
public struct BindingDateFormatter: Sendable {
    /// The date as text, rounded to the nearest millisecond; empty for a date that is not a finite number.
    public func string(from date: Date) -> String { CivilTime(date)?.text ?? "" }

    /// The date that the text means, or `nil`.
    public func date(from string: String) -> Date? {
        var string = string
        return string.withUTF8 { CivilTime(parsing: $0)?.date }
    }
}
