import Foundation
import Squall

extension FuzzTarget {
    /// Texts and numbers that are dates for Squall, for SQLite, or for neither.
    static let dates = FuzzTarget(
        "dates", "texts and numbers as dates", longestInput: 64, seeds: { DateSeeds.all },
        run: { bytes in
            var input = FuzzInput(bytes)
            switch input.number(below: 4) {
            case 0: try DateNumber(&input).check()
            case 1: try DateText(DateText.sentence(&input)).check()
            default: try DateText(String(decoding: input.rest(), as: UTF8.self)).check()
            }
        })
}

/// The connection whose date functions are compared with Squall's.
enum DateReference {
    private nonisolated(unsafe) static var connection: Connection?

    /// Returns SQLite's milliseconds since 1970 of a value, or `nil` if it is not a date for SQLite.
    static func milliseconds(of value: some Bindable, _ modifier: String = "+0 seconds") throws -> Double? {
        let connection = try opened()
        return try connection.query("SELECT (julianday(\(value), \(modifier)) - 2440587.5) * 86400000")
    }

    /// A connection of the process, because opening one takes longer than everything else. Targets run on one thread.
    static func opened() throws -> Connection {
        if let connection { return connection }
        let made = try Connection(":memory:")
        connection = made
        return made
    }
}

extension Date {
    var milliseconds: Double { timeIntervalSince1970 * 1000 }

    /// Whether the date is in the years that have four digits, which SQLite requires.
    var hasFourDigits: Bool { (-62_167_219_200_000..<253_402_300_800_000).contains(milliseconds) }

    /// Whether the text of the date is the nearest millisecond. The last one of the year 9999 is not rounded up.
    var hasRoundedText: Bool { milliseconds < 253_402_300_799_999 }
}
