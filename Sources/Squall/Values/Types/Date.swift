#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// TEXT in the form `2026-11-21T20:15:00.000`: GMT, to the millisecond. It sorts by time, and SQLite's date functions
/// read it. Years before 0000 and after 9999 do not have this form, and throw.
///
/// Other texts that SQLite's date functions accept are read too: a date alone, blanks for the `T`, no seconds, any
/// fraction, 24:00, `Z` or `z`, and an offset of at most 14:59 hours. A time without a date, a Julian day number and
/// `now` are not read. Neither is a day beyond the end of its month, which SQLite moves into the next month, a time from 24:01
/// on, nor a time without a `T` or a blank before it.
///
/// See ``Bindable`` for the list of all value types.
extension Date: Binding {
    public typealias BindingType = String

    public var bindingValue: BindingValue { (try? checkedBindingValue()) ?? .null }

    public func checkedBindingValue() throws -> BindingValue { .text(try checkedText()) }

    // Neither direction makes a `String`, which would take as long as the calendar.

    public func bind(to destination: BindingDestination) throws {
        let time = try checkedTime()
        try destination.bindText(count: CivilTime.storedCount) { time.writeStored(to: $0) }
    }

    public static func fromSQLiteValue(_ value: SQLiteValue) -> Date? {
        value.textBytes.flatMap { CivilTime.date(of: $0) }
    }

    public static func fromBindingValue(_ value: Any) -> Date? {
        (value as? String).flatMap { bindingDateFormatter.date(from: $0) }
    }

    func checkedText() throws -> String { try checkedTime().text }

    private func checkedTime() throws -> CivilTime {
        guard let time = CivilTime(self), (0...9999).contains(time.year) else {
            throw SQLiteError.misuse(
                .unstorable(
                    type: "\(Self.self)", reason: .yearOutOfRange))
        }
        return time
    }
}

/// The formatter for the form in which a `Date` is stored.
public let bindingDateFormatter = BindingDateFormatter()

/// Formats and parses dates in the form in which a `Date` is stored: `yyyy-MM-dd'T'HH:mm:ss.SSS` in GMT. The calendar
/// is proleptic Gregorian, as in SQLite's date functions.
public struct BindingDateFormatter: Sendable {
    /// Returns the date as text, rounded to the nearest millisecond; empty for a date that is not a finite number.
    public func string(from date: Date) -> String { CivilTime(date)?.text ?? "" }

    /// Returns the date of a text, or `nil` for a text that is not a date.
    public func date(from string: String) -> Date? {
        var string = string
        return string.withUTF8 { CivilTime.date(of: $0) }
    }
}
