/// RFC 4180 with LF line endings, below a header line with the column names.
///
/// NULL is an empty field and an empty TEXT is `""`, as in SQLite's own shell. Bytes that are not text are written as an SQL
/// literal, `x'0102ff'`, because bare digits would be read as a number.
struct CSVFormat: RowFormat {
    private var lines: DelimitedLines

    init(columns: [String], output: Output) throws {
        output.escapeOnTerminal()
        lines = try DelimitedLines(.comma, columns: columns, output: output)
    }

    mutating func write(_ row: [Cell]) throws {
        try lines.write(row)
    }

    func finish() {}
}

/// As ``CSVFormat``, with a tab between the fields. A value with a tab, a line end or a quote is in quotes.
struct TSVFormat: RowFormat {
    private var lines: DelimitedLines

    init(columns: [String], output: Output) throws {
        output.escapeOnTerminal()
        lines = try DelimitedLines(.tab, columns: columns, output: output)
    }

    mutating func write(_ row: [Cell]) throws {
        try lines.write(row)
    }

    func finish() {}
}

/// The lines of CSV or TSV.
private struct DelimitedLines {
    private let notation: DelimitedText
    private let output: Output
    /// The current line. Its memory is used for all of them.
    private var line: [UInt8] = []

    init(_ notation: DelimitedText, columns: [String], output: Output) throws {
        self.notation = notation
        self.output = output
        if !columns.isEmpty { try write(columns.map { .text($0) }) }
    }

    mutating func write(_ row: [Cell]) throws {
        line.removeAll(keepingCapacity: true)
        notation.append(row, to: &line)
        try output.write(line)
    }
}
