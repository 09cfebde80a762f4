import Squall

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Reads the fields of a message. Every read checks that the field is inside the message.
///
/// A reader exists only while the bytes do: in the closure of ``Message/read(schema:_:)`` and of `RowPart`.
struct WireReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var offset: Int

    init(_ bytes: UnsafeRawBufferPointer, offset: Int = 0) {
        self.bytes = bytes
        self.offset = offset
    }

    /// The number of bytes that were not read.
    var rest: Int { bytes.count - offset }

    var isAtEnd: Bool { rest == 0 }

    mutating func word() throws(WireError) -> UInt64 {
        guard rest >= 8 else { throw .truncated(offset: offset) }
        defer { offset += 8 }
        return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    mutating func halfWord() throws(WireError) -> UInt32 {
        guard rest >= 4 else { throw .truncated(offset: offset) }
        defer { offset += 4 }
        return UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// Reads a text up to its zero byte, and the padding.
    mutating func text() throws(WireError) -> String {
        let field = try textBytes()
        // The bytes up to and including the zero byte are inside the message.
        guard let start = field.assumingMemoryBound(to: CChar.self).baseAddress,
            let text = String(validatingCString: start)
        else { throw .invalidUTF8(offset: offset - field.count) }
        return text
    }

    /// Reads a text and replaces what is not UTF-8. For the messages of errors, which may quote any bytes.
    mutating func repairedText() throws(WireError) -> String {
        let field = try textBytes()
        return String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Reads the bytes of a text with its zero byte and its padding.
    private mutating func textBytes() throws(WireError) -> UnsafeRawBufferPointer {
        let start = offset
        _ = try textCount()
        return UnsafeRawBufferPointer(rebasing: bytes[start..<offset])
    }

    /// Reads past a text, its zero byte and its padding.
    ///
    /// - Returns: The number of bytes before the zero byte.
    private mutating func textCount() throws(WireError) -> Int {
        guard rest > 0, let start = bytes.baseAddress?.advanced(by: offset),
            let end = memchr(start, 0, rest)
        else { throw .missingTerminator(offset: offset) }
        let count = UnsafeRawPointer(end) - start
        _ = try take((count + 8) & ~7)
        return count
    }

    /// Reads the length of a blob, its bytes and the padding.
    mutating func blob() throws(WireError) -> Data { Data(try blobBytes()) }

    private mutating func blobBytes() throws(WireError) -> Slice<UnsafeRawBufferPointer> {
        let start = offset
        let length = try word()
        guard length <= UInt64(rest), case let length = Int(length) else { throw .truncated(offset: start) }
        return try take((length + 7) & ~7).prefix(length)
    }

    /// Reads a number of bytes.
    mutating func take(_ count: Int) throws(WireError) -> UnsafeRawBufferPointer {
        guard count <= rest else { throw .truncated(offset: offset) }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }

    @inline(__always)
    mutating func bindingValue(_ type: WireValueType) throws(WireError) -> BindingValue {
        switch type {
        case .integer, .unixTime, .boolean: return .integer(Int64(bitPattern: try word()))
        case .real: return .real(Double(bitPattern: try word()))
        case .text, .iso8601: return .text(try text())
        case .blob: return .blob(try blob())
        case .null:
            _ = try word()
            return .null
        }
    }

    /// Reads a value without its bytes. A text may be no UTF-8, which its reader notices as it does in a file.
    ///
    /// - Parameter shift: What is added to the places of values.
    @inline(__always)
    mutating func field(_ type: WireValueType, shiftedBy shift: Int) throws(WireError) -> RowFields.Field {
        switch type {
        case .integer, .unixTime, .boolean: return .integer(Int64(bitPattern: try word()))
        case .real: return .real(Double(bitPattern: try word()))
        case .text, .iso8601:
            let start = offset
            let count = try textCount()
            return .text(offset: start + shift, count: count)
        case .blob:
            let start = offset + 8
            return .blob(offset: start + shift, count: try blobBytes().count)
        case .null:
            _ = try word()
            return .null
        }
    }

    mutating func wireValue(_ type: WireValueType) throws(WireError) -> WireValue {
        let value = try bindingValue(type)
        return switch (type, value) {
        case (.unixTime, .integer(let value)): .unixTime(value)
        case (.boolean, .integer(let value)): .boolean(value)
        case (.iso8601, .text(let value)): .iso8601(value)
        default: WireValue(value)
        }
    }
}
