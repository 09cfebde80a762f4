import NIOCore
import Squall

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Received rows: their bytes, and the places of their values there.
///
/// The values of a thousand rows are thousands of objects. Here SQLite reads them from the bytes of the messages. This is a
/// class, so that each access to a field does not count references to all properties.
final class RowFields {
    /// A value, as its place in the bytes if it is longer than a word.
    enum Field: Sendable {
        case integer(Int64)
        case real(Double)
        case text(offset: Int, count: Int)
        case blob(offset: Int, count: Int)
        case null
    }

    /// The number of fields of a row.
    let width: Int
    /// The fields of all rows.
    private(set) var fields: [Field] = []
    private var bytes = ByteBuffer()

    init(width: Int) {
        self.width = width
    }

    /// Adds the rows of a part that were not read, at most some of them.
    func append(_ part: inout RowPart, limit: Int) throws {
        let start = bytes.writerIndex
        bytes.writeImmutableBuffer(part.rows)
        for _ in 0..<limit {
            guard try part.nextFields(shiftedBy: start, into: &fields) else { return }
        }
    }

    /// Makes a value the result of a column.
    func bind(_ index: Int, to destination: BindingDestination) throws {
        switch fields[index] {
        case .integer(let value): try destination.bind(value)
        case .real(let value): try destination.bind(value)
        case .text(let offset, let count):
            try bytes.withUnsafeReadableBytes {
                try destination.bind(utf8: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count]))
            }
        case .blob(let offset, let count):
            try bytes.withUnsafeReadableBytes {
                try destination.bind(UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count]))
            }
        case .null: try destination.bindNull()
        }
    }

    /// Returns a value as an object.
    func bindingValue(_ index: Int) -> BindingValue {
        switch fields[index] {
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .text(let offset, let count):
            .text(bytes.withUnsafeReadableBytes { String(decoding: $0[offset..<offset + count], as: UTF8.self) })
        case .blob(let offset, let count):
            .blob(bytes.withUnsafeReadableBytes { Data($0[offset..<offset + count]) })
        case .null: .null
        }
    }
}
