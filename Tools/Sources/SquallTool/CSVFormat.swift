import Foundation

/// RFC 4180 with lines that end in LF, below a line with the names of the columns.
///
/// NULL is nothing, and an empty TEXT is `""`, as in SQLite's own shell. Bytes that are no text are a literal of SQL,
/// `x'0102ff'`: bare digits would be read as a number.
struct CSVFormat: RowFormat {
    private let output: StandardOutput

    init(columns: [String], output: StandardOutput) throws {
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

    /// The text in quotes, where it needs them. Spaces at its ends do, for readers that would take them away.
    private static func quoted(_ text: String) -> String {
        let bytes = text.utf8
        let special = bytes.contains { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: ",") }
        let space = UInt8(ascii: " ")
        guard special || bytes.isEmpty || bytes.first == space || bytes.last == space else { return text }
        return "\"\(text.replacing("\"", with: "\"\""))\""
    }
}
