#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Squall

/// The primary key of a row. Keys are equal if SQLite's comparison without a collation finds them equal.
struct RowKey: Hashable, Sendable {
    let values: [BindingValue]
    /// The values as bytes, with integral REALs as INTEGER.
    let data: Data

    init(_ row: [BindingValue], _ isKey: [Bool]) {
        values = zip(row, isKey).filter(\.1).map(\.0)
        var writer = ValueWriter()
        for value in values {
            if case .real(let real) = value, let number = Int64(exactly: real) {
                writer.write(.integer(number))
            } else {
                writer.write(value)
            }
        }
        data = Data(writer.bytes)
    }

    /// Whether SQLite cannot record changes of the row.
    var hasNull: Bool { values.contains(.null) }

    static func == (left: RowKey, right: RowKey) -> Bool { left.data == right.data }

    func hash(into hasher: inout Hasher) { hasher.combine(data) }
}

/// Writes the bytes of batches and changesets. Numbers are big-endian; lengths are SQLite's numbers of seven bits a byte.
struct ValueWriter {
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
    static func bytes(of value: BindingValue?) -> [UInt8] {
        var writer = ValueWriter()
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
