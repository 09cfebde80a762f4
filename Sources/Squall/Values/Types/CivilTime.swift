#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A time of the proleptic Gregorian calendar in GMT, with its conversion from and to `Date`.
///
/// The conversion is written here because a formatter takes some 30 µs for a date and is not Gregorian before 1582. The
/// day arithmetic is the usual one for eras of 400 years that begin on 1 March.
struct CivilTime {
    var year = 0
    var month = 1
    var day = 1
    var hour = 0
    var minute = 0
    var second = 0
    /// Nanoseconds.
    var fraction = 0
    /// Minutes east of GMT.
    var offset = 0

    private static let daysTo2001 = 730_791  // from 0000-03-01 to 2001-01-01
    private static let daysPerEra = 146_097

    /// The end of the year 9999, in milliseconds from 2001.
    private static let endOf9999 = 252_423_993_600_000.0

    /// The time of a date, rounded to the millisecond; `nil` for a date that exceeds the range.
    init?(_ date: Date) {
        let exact = date.timeIntervalSinceReferenceDate * 1000
        // The last half millisecond of the year 9999 is not rounded up into the year 10000, which has no text.
        let milliseconds = exact < Self.endOf9999 ? min(exact.rounded(), Self.endOf9999 - 1) : exact.rounded()
        guard milliseconds.magnitude < 1e17 else { return nil }  // also refuses NaN
        let total = Int64(milliseconds)
        let days = Int(total.flooredQuotient(86_400_000))
        let rest = Int(total - Int64(days) * 86_400_000)
        setDay(days + Self.daysTo2001)
        hour = rest / 3_600_000
        minute = rest / 60_000 % 60
        second = rest / 1000 % 60
        fraction = rest % 1000 * 1_000_000
    }

    private mutating func setDay(_ days: Int) {
        let era = days.flooredQuotient(Self.daysPerEra)
        let dayOfEra = days - era * Self.daysPerEra
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153  // months from March
        day = dayOfYear - (153 * shifted + 2) / 5 + 1
        month = shifted < 10 ? shifted + 3 : shifted - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    private var days: Int {
        // The year and the day of the year from March. Shifts divide years before 0000 as well.
        let year = month <= 2 ? year - 1 : year
        let century = year.flooredQuotient(100)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return year * 365 + (year >> 2) - century + (century >> 2) + dayOfYear
    }

    var date: Date {
        let seconds = (days - Self.daysTo2001) * 86_400 + hour * 3600 + (minute - offset) * 60 + second
        // Whole milliseconds are divided once, so that a date is read as the `Double` that was written.
        if fraction % 1_000_000 == 0 {
            let milliseconds = seconds * 1000 + fraction / 1_000_000
            return Date(timeIntervalSinceReferenceDate: Double(milliseconds) / 1000)
        }
        return Date(timeIntervalSinceReferenceDate: Double(seconds) + Double(fraction) / 1e9)
    }

    /// The text of the time: `2026-11-21T20:15:00.000`. Other years have more digits or a sign.
    var text: String {
        if (0...9999).contains(year) {
            return String(unsafeUninitializedCapacity: Self.storedCount) { buffer in
                writeStored(to: UnsafeMutableRawBufferPointer(buffer))
                return Self.storedCount
            }
        }
        var shown = self
        shown.year = 0
        return (year < 0 ? "-" : "") + String(year.magnitude).leftPadded(to: 4) + shown.text.dropFirst(4)
    }
}

extension CivilTime {
    /// Returns the date of a text in any form.
    static func date(of text: UnsafeBufferPointer<UInt8>) -> Date? {
        (CivilTime(stored: text) ?? CivilTime(parsing: text))?.date
    }

    /// Reads `YYYY-MM-DD`, then optionally `T` or blanks and `HH:MM`, `:SS`, a fraction, and `Z` or `±HH:MM`.
    ///
    /// SQLite's date functions also read days beyond the end of their month, and texts without a date: a time alone, a
    /// Julian day number, `now`.
    init?(parsing bytes: UnsafeBufferPointer<UInt8>) {
        var scanner = Scanner(bytes: bytes)
        let isNegative = scanner.skip("-")
        guard let number = scanner.number(digits: 4), scanner.skip("-"),
            let month = scanner.number(digits: 2), (1...12).contains(month), scanner.skip("-"),
            case let year = isNegative ? -number : number,
            let day = scanner.number(digits: 2), day >= 1, day <= Self.length(ofMonth: month, year: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
        guard !scanner.isAtEnd else { return }
        let isSeparated = scanner.skipBlanks(or: "T")
        if scanner.isAtEnd { return }
        guard isSeparated, scanTime(&scanner), scanOffset(&scanner), scanner.isAtEnd else { return nil }
    }

    private mutating func scanTime(_ scanner: inout Scanner) -> Bool {
        guard let hour = scanner.number(digits: 2), hour <= 24, scanner.skip(":"),
            let minute = scanner.number(digits: 2), minute < 60
        else { return false }
        self.hour = hour
        self.minute = minute
        if scanner.skip(":") {
            guard let second = scanner.number(digits: 2), second < 60 else { return false }
            self.second = second
            if scanner.skip(".") {
                guard let fraction = scanner.fraction() else { return false }
                self.fraction = fraction
            }
        }
        // The last time of a day is 24:00:00.
        return hour < 24 || (minute, second, fraction) == (0, 0, 0)
    }

    private mutating func scanOffset(_ scanner: inout Scanner) -> Bool {
        scanner.skipBlanks()
        if !scanner.isAtEnd, !scanner.skip("Z"), !scanner.skip("z") {
            let isEast = scanner.skip("+")
            guard isEast || scanner.skip("-"), let hours = scanner.number(digits: 2), hours <= 14, scanner.skip(":"),
                let minutes = scanner.number(digits: 2), minutes < 60
            else { return false }
            offset = (isEast ? 1 : -1) * (hours * 60 + minutes)
        }
        scanner.skipBlanks()
        return true
    }

    static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Reads ASCII digits and separators from the front of a text.
    private struct Scanner {
        let bytes: UnsafeBufferPointer<UInt8>
        var position = 0

        var isAtEnd: Bool { position == bytes.count }

        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
            position += 1
            return true
        }

        /// Skips the characters that SQLite treats as blank, and `other` among them.
        @discardableResult
        mutating func skipBlanks(or other: Unicode.Scalar = " ") -> Bool {
            let start = position
            while position < bytes.count, Self.isBlank(bytes[position]) || bytes[position] == UInt8(ascii: other) {
                position += 1
            }
            return position > start
        }

        private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

        private mutating func digit() -> Int? {
            guard position < bytes.count, case let value = bytes[position] &- 48, value < 10 else { return nil }
            position += 1
            return Int(value)
        }

        mutating func number(digits: Int) -> Int? {
            var result = 0
            for _ in 0..<digits {
                guard let digit = digit() else { return nil }
                result = result * 10 + digit
            }
            return result
        }

        /// Reads a fraction in nanoseconds; further digits are dropped.
        mutating func fraction() -> Int? {
            guard var result = digit() else { return nil }
            var scale = 10
            while let digit = digit() {
                guard scale < 1_000_000_000 else { continue }
                result = result * 10 + digit
                scale *= 10
            }
            return result * (1_000_000_000 / scale)
        }
    }
}

extension BinaryInteger {
    // Inlined, so that the division by a constant becomes a multiplication.
    @inline(__always)
    fileprivate func flooredQuotient(_ divisor: Self) -> Self {
        let quotient = self / divisor
        return self < quotient * divisor ? quotient - 1 : quotient
    }
}

extension String {
    fileprivate func leftPadded(to count: Int) -> String {
        String(repeating: "0", count: Swift.max(0, count - self.count)) + self
    }
}
