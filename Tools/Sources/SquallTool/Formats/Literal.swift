import Foundation

/// Values as SQL literals that SQLite reads back as the same values.
enum Literal {
    static func of(_ cell: Cell) -> String {
        switch cell {
        case .null: "NULL"
        case .integer(let value): "\(value)"
        case .real(let value): value.isInfinite ? (value < 0 ? "-9e999" : "9e999") : value.notation
        case .text(let value): text(value)
        case .blob(let bytes): bytes.blobLiteral
        case .malformedText(let bytes): "CAST(\(bytes.blobLiteral) AS TEXT)"
        }
    }

    /// The text in quotes. SQL cannot contain a NUL character, which `char(0)` returns.
    static func text(_ text: String) -> String {
        let parts = text.utf8.split(separator: 0, omittingEmptySubsequences: false).map { part in
            "'\(String(decoding: part, as: UTF8.self).doubling(UInt8(ascii: "'")))'"
        }
        return parts.count == 1 ? parts[0] : "(\(parts.joined(separator: " || char(0) || ")))"
    }
}
