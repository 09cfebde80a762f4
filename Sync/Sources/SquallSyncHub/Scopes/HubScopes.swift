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
        var bytes = RowBytes()
        func add(_ values: BindingValue...) { _ = bytes.add(values, key: [], excluding: []) }
        for table in tables { add(.text(table.name.spelling), table.visible.map { .text($0.text) } ?? .null) }
        add(.text(principal.user))
        for (name, value) in principal.values.sorted(by: { $0.key < $1.key }) { add(.text(name), value) }
        return "\(log)/\(String(bytes.checksum, radix: 16))"
    }
}
