import Foundation
import Squall

/// A number that may be a date, and a date that may have a text.
struct DateNumber {
    private let integer: Int64
    private let real: Double

    init(_ input: inout FuzzInput) {
        let bits = input.integer()
        // Most numbers are near to those of dates.
        let shift = input.number(below: 48)
        integer = bits >> shift
        real = input.chance(50) ? Double(bitPattern: UInt64(bitPattern: bits)) : Double(integer) / 1000
    }

    func check() throws {
        try check(.integer(integer))
        if !real.isNaN { try check(.real(real)) }
        for seconds in [real, Double(integer) / 1000] { try write(Date(timeIntervalSinceReferenceDate: seconds)) }
    }

    private func check(_ value: BindingValue) throws {
        let connection = try DateReference.opened()
        func read<Value: Fetchable>(_ type: Value.Type) throws -> Value? {
            try allowingErrors { try connection.query("SELECT \(value)") as Value }
        }
        let seconds = try read(UnixTime.self)?.date
        try compare(seconds, try DateReference.milliseconds(of: value, "unixepoch"), value, "UnixTime")
        let day = try read(JulianDay.self)?.date
        try compare(day, try DateReference.milliseconds(of: value), value, "JulianDay")
        let milliseconds = try read(UnixMilliseconds.self)?.date
        if case .integer(let number) = value {
            // A `Date` beyond these years has no milliseconds.
            if let milliseconds, milliseconds.hasFourDigits {
                try requireEqual(milliseconds.milliseconds.rounded(), Double(number), "UnixMilliseconds \(number)")
            }
        }
        try require(try read(Date.self) == nil, "the number \(value) is a Date")
    }

    private func compare(_ date: Date?, _ reference: Double?, _ value: BindingValue, _ type: String) throws {
        guard let reference, let date, date.hasFourDigits else { return }
        try require(abs(date.milliseconds - reference) <= 1.01, "\(type) \(value): \(date.milliseconds), \(reference)")
    }

    /// Writes a date, and reads it: it is the same to the millisecond, and SQLite renders it in the same form.
    private func write(_ date: Date) throws {
        let connection = try DateReference.opened()
        let stored: String?? = try allowingErrors { try connection.query("SELECT \(date)") }
        guard case let stored?? = stored else {
            return try require(!date.hasFourDigits, "\(date.timeIntervalSinceReferenceDate) is refused")
        }
        try requireEqual(bindingDateFormatter.string(from: date), stored, "the formatter's text")
        let form: String? = try connection.query("SELECT strftime('%Y-%m-%dT%H:%M:%f', \(stored))")
        try requireEqual(form, stored, "SQLite's text of the date")
        let read: Date = try connection.query("SELECT \(stored)")
        try require(
            abs(read.milliseconds - date.milliseconds) <= 0.51, "\(date.milliseconds) became \(read.milliseconds)")
        for other in [try UnixMilliseconds(date).checkedBindingValue(), UnixTime(date).bindingValue] {
            try require(other != .null, "a date without a number")
        }
    }
}
