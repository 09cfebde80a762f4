import Foundation

/// The notation of values in CSV and TSV.
struct DelimitedText {
    static let comma = DelimitedText(delimiter: UInt8(ascii: ","))
    static let tab = DelimitedText(delimiter: UInt8(ascii: "\t"))

    let delimiter: UInt8

    /// Appends a line.
    func append(_ row: [Cell], to line: inout [UInt8]) {
        for index in row.indices {
            if index > 0 { line.append(delimiter) }
            append(row[index], to: &line)
        }
        line.append(UInt8(ascii: "\n"))
    }

    private func append(_ cell: Cell, to line: inout [UInt8]) {
        switch cell {
        case .null: break
        case .integer(let value): line.append(decimal: value)
        case .real(let value): line.append(contentsOf: value.notation.utf8)
        case .text(let value):
            let done: Void? = value.utf8.withContiguousStorageIfAvailable { append(text: $0, to: &line) }
            if done == nil { line.append(contentsOf: quoted(Array(value.utf8))) }
        case .blob(let bytes), .malformedText(let bytes): line.append(contentsOf: bytes.blobLiteral.utf8)
        }
    }

    /// Returns the text, in quotes if it needs them.
    func quoted(_ text: [UInt8]) -> [UInt8] {
        var line: [UInt8] = []
        text.withUnsafeBufferPointer { append(text: $0, to: &line) }
        return line
    }

    /// Appends a text, in quotes if it needs them. Text with leading or trailing spaces is quoted, because some readers
    /// would strip them.
    private func append(text: UnsafeBufferPointer<UInt8>, to line: inout [UInt8]) {
        let (space, quote) = (UInt8(ascii: " "), UInt8(ascii: "\""))
        var needsQuotes = text.isEmpty || text.first == space || text.last == space
        for byte in text where byte < 0x20 || byte == quote || byte == delimiter {
            needsQuotes = true
            break
        }
        guard needsQuotes else { return line.append(contentsOf: text) }
        line.append(quote)
        for byte in text {
            if byte == quote { line.append(quote) }
            line.append(byte)
        }
        line.append(quote)
    }
}

extension [UInt8] {
    /// Appends the decimal digits of an integer.
    mutating func append(decimal value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        repeat {
            append(UInt8(ascii: "0"))
            rest /= 10
        } while rest > 0
        // The digits become known from the last to the first.
        rest = value.magnitude
        var index = count - 1
        while rest > 0 {
            self[index] += UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
            index -= 1
        }
    }
}
