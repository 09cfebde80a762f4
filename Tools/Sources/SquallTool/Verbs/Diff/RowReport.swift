import Rainbow
import Squall

/// Prints the rows that differ.
struct RowReport {
    /// The longest value that the list shows in full.
    private static let longestValue = 60
    static let columns = ["table", "key", "change", "column", "from", "to"]

    let pair: TablePair
    let output: Output

    /// Prints a line for each row, below the name of the table.
    func printList(_ comparison: RowComparison) throws -> RowCounts {
        var isFirst = true
        return try comparison.run { difference in
            if isFirst {
                try output.write("~ rows of \(pair.name) by \(pair.keyNames)".printable.styled(as: .changed) + "\n")
            }
            isFirst = false
            try output.write("    \(line(difference))\n")
        }
    }

    /// Prints a row for each value that differs.
    func printRows(_ comparison: RowComparison, to format: inout any RowFormat) throws -> RowCounts {
        try comparison.run { difference in
            for index in pair.columns.indices {
                let (kind, row, from, to): (ChangeKind, [Cell], Cell, Cell)
                switch difference {
                case .inserted(let cells): (kind, row, from, to) = (.added, cells, .null, cells[index])
                case .deleted(let cells): (kind, row, from, to) = (.removed, cells, cells[index], .null)
                case .changed(let before, let after, let columns):
                    guard columns.contains(index) else { continue }
                    (kind, row, from, to) = (.changed, before, before[index], after[index])
                }
                let texts = [pair.name, key(row), kind.rawValue, pair.columns[index]]
                try format.write(texts.map { .text($0) } + [from, to])
            }
        }
    }

    private func line(_ difference: RowDifference) -> String {
        switch difference {
        case .inserted(let row): line(.added, row, values(row))
        case .deleted(let row): line(.removed, row, values(row))
        case .changed(let from, let to, let columns):
            line(
                .changed, from,
                columns.map { "\(pair.columns[$0]) \(shown(from[$0])) → \(shown(to[$0]))" }
            )
        }
    }

    private func line(_ kind: ChangeKind, _ row: [Cell], _ parts: [String]) -> String {
        let text = "\(kind.sign) \(key(row))" + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
        return text.printable.styled(as: kind)
    }

    /// The values of the columns that are not part of the key.
    private func values(_ row: [Cell]) -> [String] {
        row.indices.filter { index in !pair.key.contains { $0.index == index } }.map {
            "\(pair.columns[$0]) \(shown(row[$0]))"
        }
    }

    private func key(_ row: [Cell]) -> String {
        let values = pair.key.map { shown(row[$0.index]) }
        return values.count == 1 ? values[0] : "(\(values.joined(separator: ", ")))"
    }

    private func literal(_ cell: Cell) -> String {
        switch cell {
        case .null: "NULL"
        case .integer(let value): "\(value)"
        case .real(let value): value.notation
        case .text(let value): value.textLiteral
        case .blob(let bytes): bytes.blobLiteral
        case .malformedText(let bytes): "CAST(\(bytes.blobLiteral) AS TEXT)"
        }
    }

    private func shown(_ cell: Cell) -> String {
        if case .blob(let bytes) = cell, bytes.count > Self.longestValue / 2 {
            return "x'\(bytes.prefix(8).hexadecimal)…' (\(bytes.count.counted("byte")))"
        }
        let literal = literal(cell)
        guard literal.count > Self.longestValue else { return literal }
        return "\(literal.prefix(Self.longestValue))…' (\(literal.utf8.count.counted("byte")))"
    }
}
