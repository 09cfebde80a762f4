import Foundation
import Squall

/// Writes the rows of a query for a program that reads lines of fields.
private struct Export {
    /// The form of the stored dates, in which the time of the export is written too.
    private let dates: BindingDateFormatter = bindingDateFormatter

    func lines(of sql: SQL, on connection: Connection, at time: Date) throws -> [String] {
        var lines = ["exported \(dates.string(from: time))"]
        try connection.forEach(sql) { row in
            if lines.count == 1 { lines.append(row.columns.map(\.name).joined(separator: ";")) }
            lines.append(row.columns.map { field($0.bindingValue) }.joined(separator: ";"))
        }
        return lines
    }

    private func field(_ value: BindingValue) -> String {
        switch value {
        case .null: ""
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): "\"" + text.replacing("\"", with: "\"\"") + "\""
        case .blob(let bytes): "\(bytes.count) bytes"
        // A TEXT that another program has written in another encoding, which no `String` holds.
        case .malformedText(let bytes): "\"" + String(decoding: bytes, as: UTF8.self) + "\""
        }
    }
}

func export(_ connection: Connection) throws {
    print("\n# For other programs")
    try connection.execute(
        """
        CREATE TABLE notes(day TEXT, note TEXT, weight REAL, scan BLOB);
        INSERT INTO notes VALUES('2026-11-28', 'a "new" one', 1.5, x'0102'), (NULL, CAST(x'636166E9' AS TEXT), 3, NULL);
        """)
    let time = bindingDateFormatter.date(from: "2026-11-29T08:30:00.000") ?? .distantPast
    for line in try Export().lines(of: "SELECT * FROM notes", on: connection, at: time) { print(line) }

    print("longest note: \(try longestNote(connection)) bytes")
    for line in try storageClasses(connection) { print(line) }
    try scripts(connection)
}

/// Measures the notes where SQLite has them: no `String` is made.
private func longestNote(_ connection: Connection) throws -> Int {
    var longest = 0
    try connection.forEach("SELECT note FROM notes WHERE day IS NOT NULL") { row in
        let count = try row.withUTF8IfPresent("note") { (text: Span<UInt8>) in text.count }
        longest = max(longest, count ?? 0)
    }
    return longest
}

/// Describes the rows for a program whose columns have one type each.
private func storageClasses(_ connection: Connection) throws -> [String] {
    var lines: [String] = []
    try connection.forEach("SELECT weight, scan, day FROM notes") { row in
        let classes: [Row.Column.DataType] = row.columns.map(\.dataType)
        let numbers = classes.filter { $0 == .float || $0 == .integer }.count
        let names = classes.map(\.sqlName).joined(separator: ", ")
        lines.append("\(numbers) of \(row.columnCount) values are numbers: \(names)")
    }
    return lines
}

/// Writes SQL for another process, which has its own connection.
private func scripts(_ connection: Connection) throws {
    let day = "2026-11-28", weights = [1.5, 2, 2.5]
    let deletion: SQL = "DELETE FROM notes WHERE day = \(day) AND weight IN \(in: weights)"
    // The other process accepts four parameters: the list is not padded to the next power of two.
    let (text, parameters) = try deletion.portable(parameterLimit: 4)
    print("\(text) with \(parameters.count) parameters")
    // A script has no parameters.
    print(try deletion.portableScript())
}
