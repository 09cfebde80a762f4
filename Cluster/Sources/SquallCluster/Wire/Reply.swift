import NIOCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The type code of a reply.
enum ReplyType: UInt8, Sendable {
    case failure = 0
    case node = 1
    case welcome = 2
    case nodes = 3
    case database = 4
    case statement = 5
    case result = 6
    case rows = 7
    case empty = 8
    case files = 9
    case metadata = 10
}

/// A prepared statement on a node.
struct PreparedStatement: Hashable, Sendable {
    let id: UInt32
    let parameterCount: Int
    /// The offset of the SQL after the statement; `nil` from dqlite 1.11, which ignores that SQL.
    let tailOffset: Int?
}

extension Message {
    func failure(sql: String? = nil) throws -> NodeFailure {
        do {
            return try read { try $0.failure(sql: sql) }
        } catch WireError.trailingBytes(let count) {
            guard let failure = try? failureAfterColumns(sql: sql) else { throw WireError.trailingBytes(count: count) }
            return failure
        }
    }

    /// Reads the failure of a query one of whose rows could not be computed. dqlite 1.11 leaves the columns and the rows
    /// of the part before it.
    private func failureAfterColumns(sql: String?) throws -> NodeFailure {
        try read { reader in
            let count = try reader.word()
            guard count <= RowPart.maximumOfColumns else { throw WireError.tooManyColumns(count) }
            for _ in 0..<count { _ = try reader.repairedText() }
            while true {
                var end = reader
                if let failure = try? end.failure(sql: sql), end.isAtEnd, !failure.message.isEmpty {
                    reader = end
                    return failure
                }
                try reader.skipRow(columns: Int(count))
            }
        }
    }

    /// Reads the leader; `nil` if the node knows none.
    func leader() throws -> NodeInfo? {
        try expect(.node)
        let node = try read { reader in NodeInfo(id: try reader.word(), address: try reader.text()) }
        return node.id == 0 ? nil : node
    }

    /// Reads the duration after which the node ends a connection without a request. No released node does.
    func welcome() throws -> Duration {
        try expect(.welcome)
        return try read { reader in .milliseconds(Int64(clamping: try reader.word())) }
    }

    func nodes() throws -> [ClusterMember] {
        try expect(.nodes)
        return try read { reader in
            var nodes: [ClusterMember] = []
            for _ in 0..<(try reader.word()) { nodes.append(try reader.member()) }
            return nodes
        }
    }

    func databaseID() throws -> UInt32 {
        try expect(.database)
        return try read { reader in
            let id = try reader.halfWord()
            _ = try reader.halfWord()
            return id
        }
    }

    func statement(sql: String) throws -> PreparedStatement {
        try expect(.statement, sql: sql)
        return try read(schema: 1) { reader in
            guard try reader.halfWord() == Request.database else { throw WireError.truncated(offset: 0) }
            let id = try reader.halfWord()
            let count = Int(clamping: try reader.word())
            let tail = schema == 0 ? nil : Int(clamping: try reader.word())
            return PreparedStatement(id: id, parameterCount: count, tailOffset: tail)
        }
    }

    func result(sql: String) throws -> ExecutionResult {
        try expect(.result, sql: sql)
        return try read { reader in
            let id = Int64(bitPattern: try reader.word())
            return ExecutionResult(lastInsertedRowID: id, changes: Int(clamping: try reader.word()))
        }
    }

    func empty() throws {
        try expect(.empty)
        _ = try read { reader in try reader.word() }
    }

    func files() throws -> [DumpedFile] {
        try expect(.files)
        return try read { reader in
            var files: [DumpedFile] = []
            for _ in 0..<(try reader.word()) {
                files.append(DumpedFile(name: try reader.text(), content: try reader.blob()))
            }
            return files
        }
    }

    func metadata() throws -> NodeMetadata {
        try expect(.metadata)
        return try read { reader in NodeMetadata(failureDomain: try reader.word(), weight: try reader.word()) }
    }
}

extension WireReader {
    fileprivate mutating func failure(sql: String?) throws(WireError) -> NodeFailure {
        NodeFailure(code: try word(), message: try repairedText(), sql: sql)
    }

    fileprivate mutating func skipRow(columns count: Int) throws(WireError) {
        let types = try take(((count + 1) / 2 + 7) & ~7)
        for index in 0..<count {
            let code = index.isMultiple(of: 2) ? types[index / 2] & 0x0f : types[index / 2] >> 4
            guard let type = WireValueType(rawValue: code) else { throw .unknownValueType(code) }
            switch type {
            case .text, .iso8601: _ = try repairedText()
            default: _ = try bindingValue(type)
            }
        }
        // Otherwise the reader would stay where it is.
        if count == 0 { throw .trailingBytes(count: rest) }
    }

    fileprivate mutating func member() throws(WireError) -> ClusterMember {
        let id = try word()
        let address = try text()
        let code = try word()
        guard let role = NodeRole(rawValue: code) else { throw .unknownRole(code) }
        return ClusterMember(id: id, address: address, role: role)
    }
}
