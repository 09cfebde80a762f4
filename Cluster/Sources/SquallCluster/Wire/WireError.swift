/// A reply that does not follow dqlite's wire protocol.
public enum WireError: Error, Hashable, Sendable {
    /// The message is larger than the limit of the connection.
    case messageTooLarge(size: Int, limit: Int)
    /// The message ends before the field at this offset does.
    case truncated(offset: Int)
    /// The text at this offset has no terminating zero byte.
    case missingTerminator(offset: Int)
    /// The text at this offset is not valid UTF-8.
    case invalidUTF8(offset: Int)
    /// The message has bytes after its last field.
    case trailingBytes(count: Int)
    /// The node sent a reply of another type than the request has.
    case unexpectedReply(expected: UInt8, found: UInt8)
    /// The node sent a reply without a request.
    case unsolicitedReply(type: UInt8)
    /// The type code of a value is not one of the protocol's.
    case unknownValueType(UInt8)
    /// The role of a node is not one of the protocol's.
    case unknownRole(UInt64)
    /// The rows have more columns than SQLite allows.
    case tooManyColumns(UInt64)
    /// A later part of the rows has other columns than the first.
    case columnsChanged
    /// A part of the rows does not end with a marker.
    case missingRowMarker
}

extension WireError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .messageTooLarge(let size, let limit): "a message of \(size) bytes exceeds the limit of \(limit)"
        case .truncated(let offset): "the message ends inside the field at byte \(offset)"
        case .missingTerminator(let offset): "the text at byte \(offset) has no terminating zero byte"
        case .invalidUTF8(let offset): "the text at byte \(offset) is not valid UTF-8"
        case .trailingBytes(let count): "\(count) bytes follow the last field"
        case .unexpectedReply(let expected, let found): "a reply of type \(expected) was expected, found \(found)"
        case .unsolicitedReply(let type): "a reply of type \(type) without a request"
        case .unknownValueType(let code): "the value type \(code) is unknown"
        case .unknownRole(let role): "the role \(role) is unknown"
        case .tooManyColumns(let count): "rows of \(count) columns"
        case .columnsChanged: "the columns of the rows changed between two parts"
        case .missingRowMarker: "a part of the rows does not end with a marker"
        }
    }
}
