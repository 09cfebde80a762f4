import Squall

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
    public let isKey: [Bool]

    /// - Parameters:
    ///   - table: The table of the row.
    ///   - columnNames: The columns of the table.
    ///   - isKey: Which columns are the primary key.
    ///   - old: The row before the change; `nil` if there was none.
    ///   - new: The row after the change; `nil` if it was deleted.
    public init(
        table: String, columnNames: [String], isKey: [Bool], old: [BindingValue]?, new: [BindingValue]?
    ) {
        self.table = table
        self.columnNames = columnNames
        self.isKey = isKey
        self.old = old
        self.new = new
    }

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

/// The outcome of a merge. Every change of the batch that is not in the tables afterwards is in one of its lists.
public struct SyncReport: Sendable {
    /// The changes that the merge has made to the tables, with the rows that were there before.
    public internal(set) var applied: [SyncChange] = []
    /// Peers: rows of the batch, and pending ones, that have lost against a later writer.
    public internal(set) var superseded: [SyncChange] = []
    /// Peers: all rows that cannot be stored at present, with those of earlier merges. Every merge tries again.
    public internal(set) var pending: [PendingChange] = []
    /// Peers: changes that foreign keys and triggers have made in the tables of the log during the merge. They are changes of
    /// this replica now.
    public internal(set) var recorded: [SyncChange] = []
    /// A hub: changes of replicas that did not fit. A replica: the changes made here that did not fit, here or at the hub.
    public internal(set) var conflicts: [SyncConflict] = []
    /// The position up to which the changes of the sender are known here.
    public internal(set) var cursor: SyncCursor

    /// A row that wins, and cannot be stored.
    public struct PendingChange: Hashable, Sendable {
        /// The change. ``SyncChange/new`` is the row that cannot be stored, or `nil` if it cannot be deleted.
        public let change: SyncChange
        /// The message of the error, for instance `UNIQUE constraint failed: notes.title`.
        public let reason: String
    }
}
