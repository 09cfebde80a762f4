import Foundation
import Rainbow

/// A table for people. Columns are as wide as their longest value, which is known only after the last row. Numbers are
/// right-aligned, and each value is on one line.
///
/// Bytes are written as an SQL literal, which is cut if it is long. NULL is dim; the text `NULL`, which would look alike
/// without colours, is in quotes. TEXT that is not valid UTF-8 has `�` in place of the invalid bytes.
struct TableFormat: RowFormat {
    private let output: Output
    private let header: [Field]
    private var rows: [[Field]] = []
    /// Whether the number of rows follows the table.
    var printsCount = true

    init(columns: [String], output: Output) {
        self.output = output
        self.header = columns.map { Field(text: $0.printable, kind: .text) }
    }

    mutating func write(_ row: [Cell]) {
        rows.append(row.map(Field.init))
    }

    func finish() throws {
        guard !header.isEmpty else { return }
        let columns = header.indices.map { index in
            Column(header: header[index], fields: rows.lazy.map { $0[index] })
        }
        let separator = " │ ".dim
        try writeLine(zip(columns, header), separator: separator) { $0.bold }
        let rules = columns.map { String(repeating: "─", count: $0.width + 2) }
        try output.write(rules.joined(separator: "┼").dim + "\n")
        for row in rows {
            try writeLine(zip(columns, row), separator: separator) { $0 }
        }
        guard printsCount else { return }
        try output.write((rows.count == 1 ? "1 row" : "\(rows.count) rows").dim + "\n")
    }

    private func writeLine(
        _ fields: Zip2Sequence<[Column], [Field]>, separator: String, style: (String) -> String
    ) throws {
        let last = header.count - 1
        let padded = fields.enumerated().map { index, pair in
            let (column, field) = pair
            let text = style(field.kind == .null ? field.text.dim : field.text)
            let padding = String(repeating: " ", count: column.width - field.width)
            if field.kind == .number || column.isNumeric { return padding + text }
            return index == last ? text : text + padding
        }
        try output.write(" " + padded.joined(separator: separator) + "\n")
    }
}

extension TableFormat {
    /// A value or a column name, as it is printed.
    private struct Field {
        enum Kind {
            case null, number, text
        }

        let text: String
        let width: Int
        let kind: Kind

        init(text: String, kind: Kind) {
            self.text = text
            self.width = text.displayWidth
            self.kind = kind
        }

        init(_ cell: Cell) {
            switch cell {
            case .null: self.init(text: "NULL", kind: .null)
            case .integer(let value): self.init(text: "\(value)", kind: .number)
            case .real(let value): self.init(text: value.notation, kind: .number)
            case .text(let value): self.init(text: Self.shown(value), kind: .text)
            case .blob(let bytes): self.init(text: Self.shown(bytes), kind: .text)
            case .malformedText(let bytes):
                self.init(text: String(decoding: bytes, as: UTF8.self).printable, kind: .text)
            }
        }

        private static func shown(_ text: String) -> String {
            text == "NULL" ? "'NULL'" : text.printable
        }

        private static func shown(_ bytes: Data) -> String {
            guard bytes.count > 16 else { return bytes.blobLiteral }
            return "x'\(bytes.prefix(8).hexadecimal)…' (\(bytes.count) bytes)"
        }
    }

    private struct Column {
        let width: Int
        /// Whether the column has only numbers and NULLs. Then its name and its NULLs are right-aligned too.
        let isNumeric: Bool

        init(header: Field, fields: some Sequence<Field>) {
            var width = header.width
            var hasNumber = false
            var hasText = false
            for field in fields {
                width = max(width, field.width)
                hasNumber = hasNumber || field.kind == .number
                hasText = hasText || field.kind == .text
            }
            self.width = width
            self.isNumeric = hasNumber && !hasText
        }
    }
}
