import NIOCore

/// Splits the bytes of a connection into messages.
///
/// It holds what was received and reserves nothing for what a header announces.
struct MessageReader {
    private static let headerSize = 8

    private var bytes = ByteBuffer()
    private let limit: Int

    /// Makes a reader of messages of at most this size.
    init(limit: Int) {
        self.limit = limit
    }

    /// The number of received bytes that no message was made of.
    var waitingBytes: Int { bytes.readableBytes }

    mutating func append(_ received: ByteBuffer) {
        if bytes.readableBytes == 0 {
            bytes = received
        } else {
            // Otherwise a stream of messages, none of which ends with a read, would grow the buffer without end.
            bytes.discardReadBytes()
            bytes.writeImmutableBuffer(received)
        }
    }

    /// Returns the next complete message.
    mutating func next() throws(WireError) -> Message? {
        let start = bytes.readerIndex
        guard bytes.readableBytes >= Self.headerSize,
            let words = bytes.getInteger(at: start, endianness: .little, as: UInt32.self),
            let type = bytes.getInteger(at: start + 4, as: UInt8.self),
            let schema = bytes.getInteger(at: start + 5, as: UInt8.self)
        else { return nil }
        let size = Int(clamping: UInt64(words) * 8)
        guard size <= limit else { throw .messageTooLarge(size: size, limit: limit) }
        guard bytes.readableBytes - Self.headerSize >= size else { return nil }
        bytes.moveReaderIndex(forwardBy: Self.headerSize)
        guard let body = bytes.readSlice(length: size) else { return nil }
        return Message(type: type, schema: schema, body: body)
    }
}
