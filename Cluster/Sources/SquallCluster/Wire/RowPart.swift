import NIOCore
import Squall

/// A part of the rows of a query, as one message of the node.
struct RowPart: Sendable {
    /// The markers after the rows of a part.
    enum Marker: UInt64 {
        case more = 0xeeee_eeee_eeee_eeee
        case done = 0xffff_ffff_ffff_ffff
    }

    /// The names of the columns, and their bytes to recognise them in later parts.
    struct Header: Sendable {
        let columns: [String]
        fileprivate let bytes: ByteBuffer
    }

    /// The largest number of columns that SQLite can be compiled for.
    static let maximumOfColumns: UInt64 = 32_767

    let header: Header
    let isLast: Bool
    private let rows: ByteBuffer
    private var offset = 0

    /// Reads the columns and the marker of a message. The rows are read by ``next()``.
    init(_ message: Message, after first: Header? = nil) throws {
        guard let marker = message.rowMarker else { throw WireError.missingRowMarker }
        header =
            if let first, message.body.readableBytesView.starts(with: first.bytes.readableBytesView) {
                first
            } else {
                try Self.header(of: message)
            }
        if let first, first.columns != header.columns { throw WireError.columnsChanged }
        let start = header.bytes.readableBytes
        let length = message.body.readableBytes - start - 8
        guard length >= 0,
            let rows = message.body.getSlice(at: message.body.readerIndex + start, length: length)
        else { throw WireError.truncated(offset: start) }
        self.rows = rows
        isLast = marker == .done
    }

    private static func header(of message: Message) throws -> Header {
        let (columns, size) = try message.body.withUnsafeReadableBytes { bytes in
            var reader = WireReader(bytes)
            let count = try reader.word()
            guard count <= maximumOfColumns else { throw WireError.tooManyColumns(count) }
            var columns: [String] = []
            for _ in 0..<count { columns.append(try reader.text()) }
            return (columns, reader.offset)
        }
        guard let bytes = message.body.getSlice(at: message.body.readerIndex, length: size) else {
            throw WireError.truncated(offset: 0)
        }
        return Header(columns: columns, bytes: bytes)
    }

    /// Whether all rows were read.
    var isEmpty: Bool { offset == rows.readableBytes }

    /// Returns the next row in SQLite's storage classes.
    mutating func next() throws -> [BindingValue]? {
        try next { reader, type throws(WireError) in try reader.bindingValue(type) }
    }

    /// Returns the next row with the types of the protocol.
    mutating func nextWireValues() throws -> [WireValue]? {
        try next { reader, type throws(WireError) in try reader.wireValue(type) }
    }

    @inline(__always)
    private mutating func next<Value>(
        _ read: (inout WireReader, WireValueType) throws(WireError) -> Value
    ) throws -> [Value]? {
        let rest = rows.readableBytes - offset
        if rest == 0 { return nil }
        let count = header.columns.count
        // Without columns there is no row, and what is left would be read for ever.
        guard count > 0 else { throw WireError.trailingBytes(count: rest) }
        let (values, end) = try rows.withUnsafeReadableBytes { bytes in
            var reader = WireReader(bytes, offset: offset)
            let types = try reader.take(((count + 1) / 2 + 7) & ~7)
            var values: [Value] = []
            values.reserveCapacity(count)
            for index in 0..<count {
                let pair = types[index / 2]
                let code = index.isMultiple(of: 2) ? pair & 0x0f : pair >> 4
                guard let type = WireValueType(rawValue: code) else { throw WireError.unknownValueType(code) }
                values.append(try read(&reader, type))
            }
            return (values, reader.offset)
        }
        offset = end
        return values
    }
}

extension Message {
    /// The marker at the end of a part of rows.
    var rowMarker: RowPart.Marker? {
        body.getInteger(at: body.writerIndex - 8, endianness: .little).flatMap(RowPart.Marker.init)
    }
}
