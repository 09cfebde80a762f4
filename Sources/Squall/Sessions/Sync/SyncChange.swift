#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The change of one row in a ``SyncLog``, with whole rows.
public struct SyncChange: Hashable, Sendable {
    /// The table of the row.
    public let table: String
    /// The columns of the table when the change was recorded.
    public let columnNames: [String]
    /// The replica that made the change.
    public internal(set) var origin = ""
    /// The row before the change; `nil` if there was none, or if it is not known.
    public internal(set) var old: [BindingValue]?
    /// The row after the change; `nil` if it was deleted.
    public internal(set) var new: [BindingValue]?
    /// Which columns are the primary key.
    let isKey: [Bool]

    init(_ table: SyncTable, origin: String = "", old: [BindingValue]?, new: [BindingValue]?) {
        let count = (new ?? old)?.count ?? table.columns.count
        self.table = table.name
        columnNames = Array(table.columns.prefix(count))
        isKey = Array(table.isKey.prefix(count))
        self.origin = origin
        self.old = old
        self.new = new
    }

    /// The kind of the change.
    public var operation: Connection.UpdateHookType {
        new == nil ? .delete : old == nil ? .insert : .update
    }

    /// The value of a column after the change, or before a deletion; `nil` for a column that the change does not have.
    public subscript(column: String) -> BindingValue? {
        let name = Identifier(column)
        guard let index = columnNames.firstIndex(where: { Identifier($0) == name }) else { return nil }
        return (new ?? old)?[index]
    }

    var key: RowKey { RowKey(new ?? old ?? [], isKey) }
}

extension SyncChange: CustomStringConvertible {
    /// The kind of the change, its table and the row: `update notes: (id = 1, text = 'a')`.
    public var description: String {
        let values = zip(columnNames, new ?? old ?? []).map { "\($0) = \(("\($1)" as SQL).withLiterals.text)" }
        let verb =
            switch operation {
            case .insert: "insert into"
            case .update: "update"
            case .delete: "delete from"
            }
        return "\(verb) \(table): (\(values.joined(separator: ", ")))"
    }
}

/// The primary key of a row. Keys are equal if SQLite's comparison without a collation finds them equal.
struct RowKey: Hashable, Sendable {
    let values: [BindingValue]
    /// The values as bytes, with integral REALs as INTEGER.
    let data: Data

    init(_ row: [BindingValue], _ isKey: [Bool]) {
        values = zip(row, isKey).filter(\.1).map(\.0)
        var writer = SyncWriter()
        for value in values {
            if case .real(let real) = value, let number = Int64(exactly: real) {
                writer.write(.integer(number))
            } else {
                writer.write(value)
            }
        }
        data = Data(writer.bytes)
    }

    /// Whether SQLite cannot record changes of the row.
    var hasNull: Bool { values.contains(.null) }

    static func == (left: RowKey, right: RowKey) -> Bool { left.data == right.data }

    func hash(into hasher: inout Hasher) { hasher.combine(data) }
}
