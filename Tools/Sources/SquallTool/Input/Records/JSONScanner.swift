/// A reader of JSON, byte by byte (RFC 8259). It checks the syntax, and leaves the values in memory as they are.
struct JSONScanner {
    /// Invalid JSON.
    struct SyntaxError: Error {
        let message: String

        init(_ message: String) {
            self.message = message
        }
    }

    let input: InputBytes
    /// The line of the next byte, from 1.
    private(set) var line = 1
    /// The offset of the next byte from the beginning of the record.
    private(set) var offset = 0
    private var bytes: UnsafeBufferPointer<UInt8>

    init(_ input: InputBytes) {
        self.input = input
        bytes = input.record
    }

    /// Begins a record at the next byte.
    mutating func beginRecord() {
        input.endRecord(after: offset)
        offset = 0
        bytes = input.record
    }

    func bytes(of field: Field) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[field.start..<field.start + field.count])
    }

    /// Returns the next byte without reading it, or `nil` at the end of the file.
    @inline(__always)
    mutating func peek() throws -> UInt8? {
        if offset < bytes.count { return bytes[offset] }
        return try readMore() ? bytes[offset] : nil
    }

    @inline(never)
    private mutating func readMore() throws -> Bool {
        defer { bytes = input.record }
        return try input.readMore()
    }

    /// Skips spaces and ends of lines, and returns the next byte without reading it.
    mutating func skipSpaces() throws -> UInt8? {
        while let byte = try peek() {
            switch byte {
            case UInt8(ascii: "\n"): line += 1
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
            default: return byte
            }
            offset += 1
        }
        return nil
    }

    /// Skips the line on which the record begins, after an error.
    ///
    /// - Parameter first: The number of that line.
    mutating func skipLine(_ first: Int) throws {
        line = first
        offset = 0
        while let byte = try peek(), byte != UInt8(ascii: "\n") { offset += 1 }
    }

    mutating func skipByteOrderMark() throws {
        offset = try input.byteOrderMark()
        bytes = input.record
    }

    mutating func expect(_ scalar: Unicode.Scalar, _ expectation: String) throws {
        guard let byte = try peek() else { throw SyntaxError("the file ends where \(expectation) is expected") }
        guard byte == UInt8(ascii: scalar) else { throw unexpected(byte, expectation) }
        offset += 1
    }

    mutating func key() throws -> Field {
        guard try peek() == UInt8(ascii: "\"") else {
            try expect("\"", "a key in quotes")
            return .missing
        }
        return try string()
    }

    /// Reads a value.
    mutating func value() throws -> Field {
        guard let byte = try peek() else { throw SyntaxError("the file ends where a value is expected") }
        switch byte {
        case UInt8(ascii: "\""): return try string()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        case UInt8(ascii: "{"), UInt8(ascii: "["): return try nested()
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "t"): return try word("true", .yes)
        case UInt8(ascii: "f"): return try word("false", .no)
        default: throw unexpected(byte, "a value")
        }
    }

    private func unexpected(_ byte: UInt8, _ expectation: String) -> SyntaxError {
        let isPrintable = (0x20..<0x7F).contains(byte)
        let found = isPrintable ? "'\(Character(Unicode.Scalar(byte)))'" : "the byte 0x\(String(byte, radix: 16))"
        return SyntaxError("\(found) where \(expectation) is expected")
    }

    private mutating func word(_ word: StaticString, _ notation: Field.Notation) throws -> Field {
        let start = offset
        for scalar in "\(word)".unicodeScalars { try expect(scalar, "\(word)") }
        return Field(notation: notation, start: start, count: offset - start)
    }

    private mutating func string() throws -> Field {
        offset += 1
        let start = offset
        var notation = Field.Notation.string
        while let byte = try peek() {
            offset += 1
            if byte == UInt8(ascii: "\"") { return Field(notation: notation, start: start, count: offset - 1 - start) }
            if byte == UInt8(ascii: "\\") {
                notation = .escapedString
                try checkEscape()
            } else if byte < 0x20 {
                offset -= 1
                throw SyntaxError(
                    byte == UInt8(ascii: "\n") ? "a string has no end" : "a control character in a string")
            }
        }
        throw SyntaxError("a string has no end")
    }

    private mutating func checkEscape() throws {
        guard let escape = try peek() else { throw SyntaxError("a string has no end") }
        guard "\"\\/bfnrtu".utf8.contains(escape) else { throw unexpected(escape, "an escape such as \\n") }
        offset += 1
        guard escape == UInt8(ascii: "u") else { return }
        for _ in 0..<4 {
            guard let digit = try peek() else { throw SyntaxError("a string has no end") }
            guard Record.hexadecimalDigit(digit) != nil else { throw unexpected(digit, "a hexadecimal digit") }
            offset += 1
        }
    }

    private mutating func number() throws -> Field {
        let start = offset
        if try peek() == UInt8(ascii: "-") { offset += 1 }
        if try peek() == UInt8(ascii: "0") { offset += 1 } else { try digits() }
        if try peek() == UInt8(ascii: ".") {
            offset += 1
            try digits()
        }
        if let mark = try peek(), mark | 0x20 == UInt8(ascii: "e") {
            offset += 1
            if let sign = try peek(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { offset += 1 }
            try digits()
        }
        return Field(notation: .number, start: start, count: offset - start)
    }

    private mutating func digits() throws {
        let first = offset
        while let byte = try peek(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { offset += 1 }
        guard offset == first else { return }
        if let byte = try peek() { throw unexpected(byte, "a digit") }
        throw SyntaxError("the file ends where a digit is expected")
    }

    /// Reads an array or an object at any depth.
    private mutating func nested() throws -> Field {
        let start = offset
        /// The closing bracket of each open array and object.
        var open: [UInt8] = []
        repeat {
            // At the beginning of a value.
            if let bracket = try peek(), bracket == UInt8(ascii: "[") || bracket == UInt8(ascii: "{") {
                offset += 1
                open.append(bracket + 2)
                if try skipSpaces() == bracket + 2 {
                    try close(&open)
                } else {
                    if bracket == UInt8(ascii: "{") { try keyAndColon() }
                    continue
                }
            } else {
                _ = try value()
            }
            try endValue(&open)
        } while !open.isEmpty
        return Field(notation: .nested, start: start, count: offset - start)
    }

    private mutating func close(_ open: inout [UInt8]) throws {
        offset += 1
        open.removeLast()
    }

    /// Reads what follows a value: closing brackets, or the comma before the next value.
    private mutating func endValue(_ open: inout [UInt8]) throws {
        while let bracket = open.last {
            if try skipSpaces() == bracket {
                try close(&open)
                continue
            }
            try expect(",", "a comma or '\(Character(Unicode.Scalar(bracket)))'")
            _ = try skipSpaces()
            if bracket == UInt8(ascii: "}") { try keyAndColon() }
            return
        }
    }

    private mutating func keyAndColon() throws {
        _ = try key()
        _ = try skipSpaces()
        try expect(":", "':'")
        _ = try skipSpaces()
    }
}
