import NIOCore

/// A reply of a node as it was received.
struct Message: Hashable, Sendable {
    let type: UInt8
    let schema: UInt8
    let body: ByteBuffer
}

extension Message {
    /// Reads the fields of the message. Bytes after the last field are an error, except in a newer schema, which may
    /// have more fields.
    func read<Value>(
        schema known: UInt8 = 0, _ fields: (inout WireReader) throws -> Value
    ) throws -> Value {
        try body.withUnsafeReadableBytes { bytes in
            var reader = WireReader(bytes)
            let value = try fields(&reader)
            guard reader.isAtEnd || schema > known else { throw WireError.trailingBytes(count: reader.rest) }
            return value
        }
    }

    /// Throws the error of the node, or an error if the reply has another type.
    func expect(_ expected: ReplyType, sql: String? = nil) throws {
        if type == expected.rawValue { return }
        if type == ReplyType.failure.rawValue { throw ClusterError.refused(try failure(sql: sql)) }
        throw WireError.unexpectedReply(expected: expected.rawValue, found: type)
    }
}
