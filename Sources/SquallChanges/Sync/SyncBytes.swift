#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Squall
import SquallSQLite

/// Reads the bytes of batches and changesets. Every read is checked: bytes of strangers cause errors only.
struct SyncReader {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes)[...] }

    var isAtEnd: Bool { bytes.isEmpty }

    static var damagedError: SQLiteError { SQLiteError(SyncProblem.damaged) }

    mutating func byte() throws -> UInt8 {
        guard let byte = bytes.popFirst() else { throw Self.damagedError }
        return byte
    }

    mutating func take(_ count: Int) throws -> ArraySlice<UInt8> {
        guard count >= 0, count <= bytes.count else { throw Self.damagedError }
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count)
    }

    mutating func number() throws -> Int64 {
        try take(8).reduce(0) { $0 << 8 | Int64($1) }
    }

    /// Reads a length of at most five bytes. It is never greater than the number of bytes that follow.
    mutating func length() throws -> Int {
        var length = 0
        for _ in 0..<5 {
            let byte = try byte()
            length = length << 7 | Int(byte & 0x7f)
            guard byte >= 0x80 else {
                if length > bytes.count { throw Self.damagedError }
                return length
            }
        }
        throw Self.damagedError
    }

    mutating func block() throws -> ArraySlice<UInt8> { try take(length()) }

    mutating func text() throws -> String {
        guard let text = String(validating: try block(), as: UTF8.self) else { throw Self.damagedError }
        return text
    }

    /// Reads text that ends with NUL.
    mutating func name() throws -> String {
        guard let end = bytes.firstIndex(of: 0) else { throw Self.damagedError }
        let name = String(validating: bytes[..<end], as: UTF8.self)
        bytes = bytes[(end + 1)...]
        guard let name, !name.isEmpty else { throw Self.damagedError }
        return name
    }

    mutating func value() throws -> BindingValue? {
        let kind = try byte()
        if kind == 0 { return nil }
        switch Int32(kind) {
        case SQLITE_INTEGER: return .integer(try number())
        case SQLITE_FLOAT:
            let real = Double(bitPattern: UInt64(bitPattern: try number()))
            if real.isNaN { throw Self.damagedError }
            return .real(real)
        case SQLITE_TEXT:
            let bytes = try block()
            guard let text = String(validating: bytes, as: UTF8.self) else { return .malformedText(Data(bytes)) }
            return .text(text)
        case SQLITE_BLOB: return .blob(Data(try block()))
        case SQLITE_NULL: return .null
        default: throw Self.damagedError
        }
    }
}

extension String {
    /// Returns the text of bytes, or `nil` if they are not UTF-8.
    fileprivate init?(validating bytes: ArraySlice<UInt8>, as encoding: UTF8.Type) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.utf8.elementsEqual(bytes) else { return nil }
        self = text
    }
}
