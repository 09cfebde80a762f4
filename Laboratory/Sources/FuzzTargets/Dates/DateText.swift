import Foundation
import Squall

/// A text that may be a date.
struct DateText {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    /// Builds a text of the parts that dates have, some of which are wrong.
    static func sentence(_ input: inout FuzzInput) -> String {
        func number(_ digits: Int, below limit: Int, _ input: inout FuzzInput) -> String {
            let text = "\(input.number(below: input.chance(90) ? limit : 10_000))"
            let width = input.chance(95) ? digits : input.number(below: 6)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        var text = input.chance(4) ? "-" : ""
        text += number(4, below: 10_000, &input) + input.pick("-", "-", "-", "/")
        text += number(2, below: 14, &input) + input.pick("-", "-", "-", " ")
        text += number(2, below: 33, &input)
        guard input.chance(85) else { return text }
        text += input.pick("T", " ", "T", "  ", "\t", "t", "TT", "\0") + number(2, below: 26, &input) + ":"
        text += number(2, below: 61, &input)
        if input.chance(80) { text += ":" + number(2, below: 61, &input) }
        if input.chance(60) { text += "." + number(input.number(below: 12), below: 65_536, &input) }
        if input.chance(50) { text += input.pick("Z", "z", " Z", "+", "-", " +", "x") }
        if "+-".contains(text.last ?? "x") { text += number(2, below: 16, &input) + ":" + number(2, below: 61, &input) }
        return text + input.pick("", "", "", " ", "\n", "\0", "x")
    }

    /// Compares the text as a column, by the formatter and by SQLite's functions.
    func check() throws {
        let connection = try DateReference.opened()
        let read: Date? = try allowingErrors { try connection.query("SELECT \(text)") as Date } ?? nil
        try requireEqual(
            bindingDateFormatter.date(from: text), read, "the formatter's date of \(text.debugDescription)")
        let reference = try DateReference.milliseconds(of: text)
        guard let read else {
            return try require(reference == nil || !isDocumented, "\(text.debugDescription) is refused")
        }
        try checkRendering(read)
        // SQLite rounds the last millisecond of the year 9999 up, into a year that it does not have.
        guard read.hasFourDigits, read.hasRoundedText else { return }
        guard let reference else { throw WrongResult("SQLite refuses \(text.debugDescription)") }
        try require(
            abs(read.milliseconds - reference) <= 1.01, "\(text.debugDescription): \(read.milliseconds), \(reference)")
    }

    /// The stored form of the date is read as the same date, to the millisecond.
    private func checkRendering(_ date: Date) throws {
        let rendered = bindingDateFormatter.string(from: date)
        guard let again = bindingDateFormatter.date(from: rendered) else {
            // The year 10000 begins at 24:00, and its text is not read.
            return try require(!date.hasFourDigits, "\(rendered) of \(text.debugDescription) is refused")
        }
        // A date far from 2001 is precise to some hundredths of a millisecond.
        let precision = 2 * (date.milliseconds.ulp + date.timeIntervalSinceReferenceDate.ulp * 1000)
        try require(
            abs(again.milliseconds - date.milliseconds) <= 0.51 + precision || !date.hasRoundedText,
            "\(rendered) of \(text.debugDescription)")
    }

    /// Whether the text begins with a date that exists, and so is one for Squall if it is one for SQLite.
    private var isDocumented: Bool {
        let bytes = Array(text.utf8)
        guard !bytes.contains(0), bytes.count >= 10, bytes[4] == 45, bytes[7] == 45 else { return false }
        // SQLite moves every time of the hour 24 into the next day. Squall reads 24:00.
        if text.contains("24:") { return false }
        // SQLite reads a time that directly follows the date.
        if bytes.count > 10, (48...57).contains(bytes[10]) { return false }
        return bindingDateFormatter.date(from: String(decoding: bytes[..<10], as: UTF8.self)) != nil
    }
}
