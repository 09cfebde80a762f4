import NIOCore
import Squall

@testable import SquallCluster

/// Writes replies as a node does.
extension ByteBuffer {
    /// Makes a message of a body, which is padded to whole words.
    static func message(_ type: ReplyType, schema: UInt8 = 0, _ write: (inout ByteBuffer) -> Void) -> ByteBuffer {
        var body = ByteBuffer()
        write(&body)
        body.writeRepeatingByte(0, count: -body.readableBytes & 7)
        var message = ByteBuffer()
        message.writeInteger(UInt32(body.readableBytes / 8), endianness: .little)
        message.writeInteger(type.rawValue)
        message.writeInteger(schema)
        message.writeInteger(UInt16(0))
        message.writeBuffer(&body)
        return message
    }

    static func rows(_ columns: [String], _ rows: [[WireValue]], _ marker: RowPart.Marker = .done) -> ByteBuffer {
        message(.rows) { body in
            body.writeWord(UInt64(columns.count))
            for column in columns { body.writeWireText(column) }
            for row in rows { body.writeRow(row) }
            body.writeWord(marker.rawValue)
        }
    }

    private mutating func writeRow(_ row: [WireValue]) {
        var types = [UInt8](repeating: 0, count: ((row.count + 1) / 2 + 7) & ~7)
        for (index, value) in row.enumerated() {
            types[index / 2] |= value.type.rawValue << (index.isMultiple(of: 2) ? 0 : 4)
        }
        writeBytes(types)
        for value in row {
            switch value {
            case .integer(let value), .unixTime(let value), .boolean(let value): writeWord(UInt64(bitPattern: value))
            case .real(let value): writeWord(value.bitPattern)
            case .text(let value), .iso8601(let value): writeWireText(value)
            case .blob(let value): writeWireBlob(value)
            case .null: writeWord(0)
            }
        }
    }

    /// The bytes in hexadecimal, a word at a time.
    var hex: String {
        let digits = readableBytesView.map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return stride(from: 0, to: digits.count, by: 8)
            .map { digits[$0..<Swift.min($0 + 8, digits.count)].joined() }
            .joined(separator: " ")
    }

    init(hex: String) {
        let digits = Array(hex.filter { !$0.isWhitespace })
        self.init()
        for index in stride(from: 0, to: digits.count, by: 2) {
            writeInteger(UInt8(String(digits[index...index + 1]), radix: 16) ?? 0)
        }
    }

    /// The messages in the bytes.
    func messages(limit: Int = 1 << 20) throws -> [Message] {
        var reader = MessageReader(limit: limit)
        reader.append(self)
        var messages: [Message] = []
        while let message = try reader.next() { messages.append(message) }
        return messages
    }

    func message() throws -> Message {
        guard let message = try messages().first else { throw WireError.truncated(offset: 0) }
        return message
    }
}

extension Request {
    var bytes: ByteBuffer {
        var buffer = ByteBuffer()
        encode(into: &buffer)
        return buffer
    }
}
