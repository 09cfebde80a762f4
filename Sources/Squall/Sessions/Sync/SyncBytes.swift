#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SquallSQLite

/// Writes the bytes of batches and changesets. Numbers are big-endian; lengths are SQLite's numbers of seven bits a byte.
struct SyncWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ byte: UInt8) { bytes.append(byte) }

    mutating func write(_ data: some Sequence<UInt8>) { bytes.append(contentsOf: data) }

    mutating func write(_ number: Int64) {
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    /// Writes a length below 2³¹.
    mutating func write(length: Int) {
        var parts = [UInt8(length & 0x7f)]
        var rest = length >> 7
        while rest > 0 {
            parts.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        bytes.append(contentsOf: parts.reversed())
    }

    mutating func write(block: some Collection<UInt8>) {
        write(length: block.count)
        write(block)
    }

    mutating func write(_ text: String) { write(block: text.utf8) }

    /// The bytes of a value in a changeset, which are equal only for identical values.
    static func bytes(of value: BindingValue) -> [UInt8] {
        var writer = SyncWriter()
        writer.write(value)
        return writer.bytes
    }

    /// Writes a value as changesets have it; 0 for a column without a value.
    mutating func write(_ value: BindingValue?) {
        switch value {
        case nil: write(0 as UInt8)
        case .integer(let number):
            write(1 as UInt8)
            write(number)
        case .real(let number):
            write(2 as UInt8)
            write(Int64(bitPattern: number.bitPattern))
        case .text(let text):
            write(3 as UInt8)
            write(text)
        case .blob(let data):
            write(4 as UInt8)
            write(block: data)
        case .malformedText(let bytes):
            write(3 as UInt8)
            write(block: bytes)
        case .null: write(5 as UInt8)
        }
    }
}

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
