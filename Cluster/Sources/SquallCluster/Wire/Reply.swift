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
        try read { reader in
            NodeFailure(code: try reader.word(), message: try reader.repairedText(), sql: sql)
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
    fileprivate mutating func member() throws(WireError) -> ClusterMember {
        let id = try word()
        let address = try text()
        let code = try word()
        guard let role = NodeRole(rawValue: code) else { throw .unknownRole(code) }
        return ClusterMember(id: id, address: address, role: role)
    }
}
