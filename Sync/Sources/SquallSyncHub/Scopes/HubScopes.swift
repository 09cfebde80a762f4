import Squall
import SquallBase
import SquallChanges
import SquallSync

/// The rows of a hub's tables that a principal sees and writes.
///
/// A device receives the changes between two positions of the log. A row that it sees before and after them is sent as it is, one that enters
/// is an insertion for it, and one that leaves a deletion. Both are found by the condition of the table: before, on the row and the other
/// tables as they were, which the log knows. So a hub stores nothing of devices, and a device is never told of a row that it did not have.
struct HubScopes: Sendable {
    struct Table: Sendable {
        let name: Identifier
        let visible: ScopeCondition?
        let writable: ScopeCondition?
    }

    let tables: [Table]

    /// - Throws: `SQLiteError`, with a ``SyncScopeProblem``.
    init(_ tables: [SyncTable], on connection: Connection) throws {
        self.tables = try tables.map { table in
            let shape = try TableShape(table.name, on: connection)
            func condition(_ text: String?) throws -> ScopeCondition? {
                try text.map { try ScopeCondition($0, of: shape, on: connection) }
            }
            return try Table(
                name: Identifier(table.name), visible: condition(table.visible), writable: condition(table.writable))
        }
    }

    /// The tables that conditions read, whose changes the log must have.
    var readTables: Set<Identifier> {
        Set(tables.flatMap { ($0.visible?.tables ?? []) + ($0.writable?.tables ?? []) })
    }

    /// The name of a log for a principal. It is another one after the conditions or the values of the principal have changed, so that the
    /// device begins again.
    func log(_ log: String, for principal: SyncPrincipal) -> String {
        if tables.allSatisfy({ $0.visible == nil }) { return log }
        let conditions = tables.map { "\($0.name.spelling) \($0.visible?.text ?? "")" }
        let values = principal.values.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return "\(log)/\(hash(conditions + [principal.user] + values))"
    }

    /// FNV-1a, which is the same in each process.
    private func hash(_ texts: [String]) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in texts.joined(separator: "\0").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}
