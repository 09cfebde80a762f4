import Foundation

extension [UInt8] {
    /// Appends a value as an SQL literal, from which SQLite's shell and SQLite itself read the same value.
    mutating func append(sqlLiteral cell: Cell) {
        switch cell {
        case .null: append(contentsOf: "NULL".utf8)
        case .integer(let value): append(decimal: value)
        case .real(let value) where value.isInfinite: append(contentsOf: (value < 0 ? "-9e999" : "9e999").utf8)
        case .real(let value): append(contentsOf: value.notation.utf8)
        case .text(let value): append(sqlText: value)
        case .blob(let bytes): append(contentsOf: bytes.blobLiteral.utf8)
        case .malformedText(let bytes): append(sqlTextOf: bytes)
        }
    }

    private mutating func append(sqlText text: String) {
        // A literal ends at NUL, and the shell turns CRLF into LF.
        guard !text.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "\r") }) else {
            return append(sqlTextOf: Data(text.utf8))
        }
        append(UInt8(ascii: "'"))
        for byte in text.utf8 {
            if byte == UInt8(ascii: "'") { append(byte) }
            append(byte)
        }
        append(UInt8(ascii: "'"))
    }

    private mutating func append(sqlTextOf bytes: Data) {
        append(contentsOf: "CAST(\(bytes.blobLiteral) AS TEXT)".utf8)
    }
}
