import NIOCore
import Squall

/// A request to a node, with the type codes and fields of dqlite's wire protocol.
enum Request: Hashable, Sendable {
    case leader
    case client(id: UInt64)
    case open(name: String)
    case prepare(sql: String)
    case execute(statement: UInt32, values: [BindingValue])
    case query(statement: UInt32, values: [BindingValue])
    case finalize(statement: UInt32)
    case executeSQL(String, values: [BindingValue])
    case querySQL(String, values: [BindingValue])
    case interrupt
    case add(id: UInt64, address: String)
    case assign(id: UInt64, role: NodeRole)
    case remove(id: UInt64)
    case dump(name: String)
    case cluster
    case transfer(id: UInt64)
    case describe
    case weight(UInt64)

    /// The version of the protocol, which a client sends before its first request.
    static let protocolVersion: UInt64 = 1

    /// The largest number of parameters whose count fits into one byte. More of them require schema 1.
    static let maximumOfShortParameters = 255

    /// The only identifier that a node gives to a database: a connection opens one.
    static let database: UInt32 = 0

    var type: UInt8 {
        switch self {
        case .leader: 0
        case .client: 1
        case .open: 3
        case .prepare: 4
        case .execute: 5
        case .query: 6
        case .finalize: 7
        case .executeSQL: 8
        case .querySQL: 9
        case .interrupt: 10
        case .add: 12
        case .assign: 13
        case .remove: 14
        case .dump: 15
        case .cluster: 16
        case .transfer: 17
        case .describe: 18
        case .weight: 19
        }
    }

    /// The revision of the fields. dqlite 1.11 ignores it and replies with 0.
    var schema: UInt8 {
        switch self {
        case .prepare: 1
        default: values.count > Self.maximumOfShortParameters ? 1 : 0
        }
    }

    /// The type of the reply.
    var reply: ReplyType {
        switch self {
        case .leader: .node
        case .client: .welcome
        case .open: .database
        case .prepare: .statement
        case .execute, .executeSQL: .result
        case .query, .querySQL: .rows
        case .finalize, .interrupt, .add, .assign, .remove, .transfer, .weight: .empty
        case .dump: .files
        case .cluster: .nodes
        case .describe: .metadata
        }
    }

    var values: [BindingValue] {
        switch self {
        case .execute(_, let values), .query(_, let values), .executeSQL(_, let values), .querySQL(_, let values):
            values
        default: []
        }
    }
}

extension Request {
    /// Appends the message to a buffer.
    func encode(into buffer: inout ByteBuffer) {
        let start = buffer.writerIndex
        buffer.writeWord(0)
        encodeBody(into: &buffer)
        let words = (buffer.writerIndex - start) / 8 - 1
        buffer.setInteger(UInt32(truncatingIfNeeded: words), at: start, endianness: .little)
        buffer.setInteger(type, at: start + 4)
        buffer.setInteger(schema, at: start + 5)
    }

    // Every body has at least one word: a node aborts on an empty one.
    private func encodeBody(into buffer: inout ByteBuffer) {
        switch self {
        case .leader, .describe:
            buffer.writeWord(0)
        case .cluster:
            buffer.writeWord(1)  // the format with roles
        case .interrupt:
            buffer.writeWord(UInt64(Self.database))
        case .client(let number), .remove(let number), .transfer(let number), .weight(let number):
            buffer.writeWord(number)
        case .open(let name):
            buffer.writeWireText(name)
            buffer.writeWord(0)
            buffer.writeWireText("")
        case .prepare(let sql):
            buffer.writeWord(UInt64(Self.database))
            buffer.writeWireText(sql)
        case .execute(let statement, let values), .query(let statement, let values):
            buffer.writeHalfWord(Self.database)
            buffer.writeHalfWord(statement)
            buffer.writeParameters(values)
        case .finalize(let statement):
            buffer.writeHalfWord(Self.database)
            buffer.writeHalfWord(statement)
        case .executeSQL(let sql, let values), .querySQL(let sql, let values):
            buffer.writeWord(UInt64(Self.database))
            buffer.writeWireText(sql)
            buffer.writeParameters(values)
        case .add(let id, let address):
            buffer.writeWord(id)
            buffer.writeWireText(address)
        case .assign(let id, let role):
            buffer.writeWord(id)
            buffer.writeWord(role.rawValue)
        case .dump(let name):
            buffer.writeWireText(name)
        }
    }
}
