import Foundation

extension Record {
    /// Returns the text of a field without its escapes, or `nil` if it is not valid UTF-8.
    func text(of field: Field) -> String? {
        let bytes = bytes(of: field)
        switch field.notation {
        case .doubledQuotes: return String(checking: Self.withoutDoubledQuotes(bytes))
        case .escapedString: return String(checking: Self.withoutEscapes(bytes))
        case .nested: return String(checking: Self.withoutSpaces(bytes))
        default: return String(checking: bytes)
        }
    }

    /// Returns the bytes of a BLOB, as JSON formats write it: `{"$base64": true, "encoded": "AQL/"}`. An object with other keys
    /// is none, because they would be lost.
    func encodedBlob(of field: Field) -> Data? {
        struct EncodedBlob: Decodable {
            enum CodingKeys: String, CodingKey {
                case isBase64 = "$base64"
                case encoded
            }

            let isBase64: Bool
            let encoded: Data
        }
        let bytes = bytes(of: field)
        // Most nested values are not decoded to find that they are none.
        guard bytes.count < 40 || bytes.prefix(40).contains(UInt8(ascii: "$")) else { return nil }
        guard let blob = try? JSONDecoder().decode(EncodedBlob.self, from: Data(bytes)), blob.isBase64,
            Self.colonCount(bytes) == 2
        else { return nil }
        return blob.encoded
    }

    /// Returns the number of colons outside strings. Where no value is an object, it is the number of keys, also of those that
    /// are there twice.
    private static func colonCount(_ json: UnsafeBufferPointer<UInt8>) -> Int {
        var count = 0
        var isInString = false
        var isEscaped = false
        for byte in json {
            if byte == UInt8(ascii: "\""), !isEscaped { isInString.toggle() }
            isEscaped = isInString && byte == UInt8(ascii: "\\") && !isEscaped
            if byte == UInt8(ascii: ":"), !isInString { count += 1 }
        }
        return count
    }

    private static func withoutDoubledQuotes(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var isSecond = false
        for byte in bytes {
            isSecond = byte == UInt8(ascii: "\"") && !isSecond
            if !isSecond { result.append(byte) }
        }
        return result
    }

    /// Returns a nested JSON value without the spaces between its parts.
    private static func withoutSpaces(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var isInString = false
        var isEscaped = false
        for byte in bytes {
            if isInString {
                if byte == UInt8(ascii: "\""), !isEscaped { isInString = false }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            } else if byte <= UInt8(ascii: " ") {
                continue
            } else if byte == UInt8(ascii: "\"") {
                isInString = true
            }
            result.append(byte)
        }
        return result
    }

    /// Returns the bytes of a JSON string whose escapes have been checked.
    private static func withoutEscapes(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let escape = rest.popFirst() else {
                result.append(byte)
                continue
            }
            switch escape {
            case UInt8(ascii: "n"): result.append(0x0A)
            case UInt8(ascii: "r"): result.append(0x0D)
            case UInt8(ascii: "t"): result.append(0x09)
            case UInt8(ascii: "b"): result.append(0x08)
            case UInt8(ascii: "f"): result.append(0x0C)
            case UInt8(ascii: "u"): append(escapedScalar(&rest), to: &result)
            default: result.append(escape)
            }
        }
        return result
    }

    /// Reads the four digits of `\u`, and the second escape of a pair of surrogates. A surrogate alone is returned as it is.
    private static func escapedScalar(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> UInt32 {
        let first = number(rest.prefix(4))
        rest = rest.dropFirst(4)
        guard (0xD800..<0xDC00).contains(first), rest.starts(with: Array("\\u".utf8)) else { return first }
        let second = number(rest.dropFirst(2).prefix(4))
        guard (0xDC00..<0xE000).contains(second) else { return first }
        rest = rest.dropFirst(6)
        return 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
    }

    private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> UInt32 {
        digits.reduce(0) { $0 << 4 | UInt32(hexadecimalDigit($1) ?? 0) }
    }

    static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func append(_ number: UInt32, to result: inout [UInt8]) {
        if let scalar = Unicode.Scalar(number) {
            result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.EncodedScalar())
        } else {
            // No UTF-8: a surrogate alone makes the text invalid.
            result.append(0xED)
        }
    }
}

extension String {
    /// Copies valid UTF-8; `nil` for invalid UTF-8.
    init?(checking bytes: UnsafeBufferPointer<UInt8>) {
        if #available(macOS 26, *) {
            guard let span = try? UTF8Span(validating: Span(_unsafeElements: bytes)) else { return nil }
            self.init(copying: span)
        } else {
            // If decoding repaired the text, its bytes differ.
            self.init(decoding: bytes, as: UTF8.self)
            guard utf8.elementsEqual(bytes) else { return nil }
        }
    }

    /// Copies valid UTF-8; `nil` for invalid UTF-8.
    init?(checking bytes: [UInt8]) {
        guard let text = bytes.withUnsafeBufferPointer({ String(checking: $0) }) else { return nil }
        self = text
    }
}
