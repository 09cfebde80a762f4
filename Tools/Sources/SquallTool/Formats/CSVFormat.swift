import Foundation

/// RFC 4180 with LF line endings, below a header line with the column names.
///
/// NULL is an empty field and an empty TEXT is `""`, as in SQLite's own shell. Bytes that are not text are written as an SQL
/// literal, `x'0102ff'`, because bare digits would be read as a number.
struct CSVFormat: RowFormat {
    private let output: Output

    init(columns: [String], output: Output) throws {
        self.output = output
        if !columns.isEmpty { try writeLine(columns.map(Self.quoted)) }
    }

    func write(_ row: [Cell]) throws {
        try writeLine(row.map(Self.field))
    }

    func finish() {}

    private func writeLine(_ fields: [String]) throws {
        try output.write(fields.joined(separator: ",") + "\n")
    }

    private static func field(_ cell: Cell) -> String {
        switch cell {
        case .null: ""
        case .integer(let value): "\(value)"
        case .real(let value): value.notation
        case .text(let value): quoted(value)
        case .blob(let bytes), .malformedText(let bytes): bytes.blobLiteral
        }
    }

    /// Returns the text, in quotes if it needs them. Text with leading or trailing spaces is quoted, because some readers
    /// would strip them.
    private static func quoted(_ text: String) -> String {
        let bytes = text.utf8
        let special = bytes.contains { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: ",") }
        let space = UInt8(ascii: " ")
        guard special || bytes.isEmpty || bytes.first == space || bytes.last == space else { return text }
        return "\"\(text.replacing("\"", with: "\"\""))\""
    }
}
