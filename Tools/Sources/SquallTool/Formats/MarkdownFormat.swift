/// A table in GitHub's Markdown. NULL is `*NULL*`, and a line end is `<br>`. Characters that have a meaning are escaped.
struct MarkdownFormat: RowFormat {
    private let output: Output
    private var line: [UInt8] = []

    init(columns: [String], output: Output) throws {
        output.escapeOnTerminal()
        self.output = output
        guard !columns.isEmpty else { return }
        try write(columns.map { .text($0) })
        try output.write("|" + String(repeating: " --- |", count: columns.count) + "\n")
    }

    mutating func write(_ row: [Cell]) throws {
        line.removeAll(keepingCapacity: true)
        line.append(UInt8(ascii: "|"))
        for cell in row {
            line.append(UInt8(ascii: " "))
            append(cell)
            line.append(contentsOf: " |".utf8)
        }
        line.append(UInt8(ascii: "\n"))
        try output.write(line)
    }

    func finish() {}

    private mutating func append(_ cell: Cell) {
        switch cell {
        case .null: line.append(contentsOf: "*NULL*".utf8)
        case .integer(let value): line.append(decimal: value)
        case .real(let value): line.append(contentsOf: value.notation.utf8)
        case .text(let value): append(value)
        case .blob(let bytes), .malformedText(let bytes): line.append(contentsOf: bytes.blobLiteral.utf8)
        }
    }

    private mutating func append(_ text: String) {
        let bytes = Array(text.utf8)
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "\n"): line.append(contentsOf: "<br>".utf8)
            case UInt8(ascii: "\r"):
                // CRLF is one line end.
                if bytes[(index + 1)...].first != UInt8(ascii: "\n") { line.append(contentsOf: "<br>".utf8) }
            case UInt8(ascii: "\t"): line.append(UInt8(ascii: " "))
            case ..<0x20, 0x7F: line.append(contentsOf: "\u{FFFD}".utf8)
            case UInt8(ascii: "_") where Self.isInWord(bytes, index): line.append(byte)
            case UInt8(ascii: "|"), UInt8(ascii: "\\"), UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "`"),
                UInt8(ascii: "<"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "&"), UInt8(ascii: "~"):
                line.append(UInt8(ascii: "\\"))
                line.append(byte)
            default: line.append(byte)
            }
        }
    }

    /// Whether a character has letters or digits on both sides. An underscore there is only an underscore.
    private static func isInWord(_ bytes: [UInt8], _ index: Int) -> Bool {
        index > 0 && index + 1 < bytes.count && isOfWord(bytes[index - 1]) && isOfWord(bytes[index + 1])
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}
